package output

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pinch/value"
)

// A result is one state's return, read for printing.
type result struct {
	tag     []string // state, ID, name, function
	ret     *value.Map
	result  any
	changes any
	changed bool
	detail  string // the changes as text
	color   string
}

// state counts one result and prints it in the form that the options ask for.
func (p *page) state(tag string, ret *value.Map) error {
	r := result{tag: strings.Split(tag, "_|-"), ret: ret, result: ret.At("result"), color: p.c[green]}
	n := 1
	if p.o.StateCompress && strings.Contains(tag, "_|-state_compressed_") {
		n = compressedCount(r.tag)
	}
	if err := p.counts.add(r.result, n); err != nil {
		return err
	}
	if err := p.addDuration(ret); err != nil {
		return err
	}
	if err := p.readChanges(&r, n); err != nil {
		return err
	}
	ok := value.Truth(r.result)
	if ok && !r.changed && (p.o.StateDiff || !p.o.StateVerbose) {
		return nil
	}
	if r.changed {
		r.color = p.c[cyan]
	}
	switch r.result {
	case false:
		r.color, p.color = p.c[red], p.c[red]
	case nil:
		r.color, p.color = p.c[lightYellow], p.c[lightYellow]
	}
	mode := strings.ToLower(p.o.StateOutput)
	if len(r.tag) < 4 {
		return value.Errorf("IndexError", "list index out of range")
	}
	if strings.HasSuffix(mode, "_id") {
		r.tag[2] = r.tag[1]
	}
	switch {
	case strings.HasPrefix(mode, "filter"):
		terse, hide, err := p.filter(r.result)
		switch {
		case err != nil:
			return err
		case terse:
			return p.terse(&r)
		case hide:
			return nil
		}
	case strings.HasPrefix(mode, "terse"),
		strings.HasPrefix(mode, "mixed") && r.result != false,
		strings.HasPrefix(mode, "changes") && ok && !r.changed:
		return p.terse(&r)
	}
	return p.full(&r)
}

var trailingCount = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\((\d+)\)$`) })

func compressedCount(tag []string) int {
	if len(tag) == 4 {
		if m := trailingCount().FindStringSubmatch(tag[1]); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				return n
			}
		}
	}
	return 1
}

// addDuration adds the time that a state took. Salt has stored it as a number
// and, long ago, as "12.3 ms".
func (p *page) addDuration(ret *value.Map) error {
	var ms float64
	switch d := ret.At("duration").(type) {
	case nil:
		if ret.Has("duration") {
			return value.Errorf("TypeError", "float() argument must be a string or a real number, not 'NoneType'")
		}
	case float64:
		ms = d
	case int64:
		ms = float64(d)
	case bool:
		if d {
			ms = 1
		}
	case string:
		number, _, _ := strings.Cut(d, " ms")
		f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			p.o.logger().Error("Cannot parse a float from duration " + d)
			return nil
		}
		ms = f
	default:
		return value.Errorf("TypeError", "float() argument must be a string or a real number, not '%s'", value.TypeName(d))
	}
	if !ret.Has("__parallel__") {
		p.spent += ms
		return nil
	}
	if !p.any || ms > p.longest {
		p.longest, p.any = ms, true
	}
	return nil
}

// readChanges makes the text of the changes. Orchestration steps and functions
// that return a state run hold results of their own, printed further in.
func (p *page) readChanges(r *result, n int) error {
	var ok bool
	if r.changes, ok = r.ret.Get("changes"); !ok {
		return missing("changes")
	}
	switch r.ret.At("name") {
	case "state.orch", "state.orchestrate", "state.sls":
		text, err := p.output(r.changes, p.level+1)
		if err != nil {
			return err
		}
		pad := "\n" + strings.Repeat(" ", 14*p.level)
		r.detail = pad[1:] + strings.ReplaceAll("\n"+text, "\n", pad)
		r.changed = true
		p.changes++
		return nil
	}
	var err error
	if r.changed, r.detail, err = p.changesText(r.changes); err != nil || !r.changed {
		return err
	}
	p.changes++
	if m, ok := r.changes.(*value.Map); ok && n > 1 {
		if c := m.Map("compressed changes"); c.Len() > 1 {
			p.changes += c.Len() - 1
		}
	}
	return nil
}

func (p *page) changesText(changes any) (bool, string, error) {
	if !value.Truth(changes) {
		return false, "", nil
	}
	m, ok := changes.(*value.Map)
	if !ok {
		return true, "Invalid Changes data: " + value.Str(changes), nil
	}
	ret := m.At("ret")
	if ret == nil || m.At("out") != "highstate" {
		return true, "\n" + rstrip(nestedAt(m, p.o, p.c, 14, 0)), nil
	}
	hosts, ok := ret.(*value.Map)
	if !ok {
		return false, "", attribute(ret, "items")
	}
	var b strings.Builder
	changed := false
	for name, data := range hosts.All() {
		text, c, err := p.host(name, data, 1)
		if err != nil {
			return false, "", err
		}
		changed = changed || c
		b.WriteByte('\n')
		for i, line := range lines(text, false) {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("              " + line)
		}
	}
	return changed, b.String(), nil
}

// full prints a state on several lines.
func (p *page) full(r *result) error {
	if !r.ret.Has("comment") {
		return missing("comment")
	}
	p.line(r.color, "----------")
	p.field(r, "      ID: ", r.tag[1])
	p.field(r, "Function: ", r.tag[0]+"."+r.tag[3])
	if r.tag[1] != r.tag[2] {
		p.field(r, "    Name: ", r.tag[2])
	}
	p.field(r, "  Result: ", value.Str(r.result))
	p.field(r, " Comment: ", comment(r.ret))
	if start, ok := r.ret.Get("start_time"); ok && p.o.StateProfile {
		p.field(r, " Started: ", value.Str(start))
		p.field(r, "Duration: ", duration(r.ret, " ms"))
	}
	p.line(r.color, "     Changes:   "+r.detail)
	if w, ok := r.ret.Get("warnings"); ok {
		p.counts.warnings++
		text, err := join(w)
		if err != nil {
			return err
		}
		p.b = append(p.b, "   "...)
		p.line(p.c[lightRed], " Warnings: "+strings.TrimLeftFunc(wrap(text, 80, 14), isSpace))
	}
	return nil
}

func (p *page) field(r *result, label, text string) {
	p.b = append(p.b, "    "...)
	p.b = append(p.b, r.color...)
	p.b = append(p.b, label...)
	p.line("", text)
}

// duration is the state's time with its unit; nothing when it has none.
func duration(ret *value.Map, unit string) string {
	d, ok := ret.Get("duration")
	if s, isText := d.(string); !ok || isText && s == "" {
		return ""
	}
	return value.Str(d) + unit
}

// comment is the state's comment, indented behind its label, with the data
// that some states return beside it.
func comment(ret *value.Map) string {
	text := strings.ReplaceAll(strip(value.Str(ret.At("comment"))), "\n", "\n"+strings.Repeat(" ", 14))
	data, ok := ret.Get("data")
	if !ok {
		return text
	}
	switch data := data.(type) {
	case *value.List:
		for _, it := range data.Items {
			text += " " + value.Str(it)
		}
	case *value.Map:
		for k, v := range data.All() {
			text += "\n\t\t" + value.Str(k) + ": " + value.Str(v)
		}
	default:
		text += " " + value.Str(data)
	}
	return text
}

// join puts warnings on lines of their own.
func join(v any) (string, error) {
	items, ok := v.(*value.List)
	if !ok {
		if s, ok := v.(string); ok { // Python joins its letters
			return strings.Join(strings.Split(s, ""), "\n"), nil
		}
		return "", value.Errorf("TypeError", "can only join an iterable")
	}
	out := make([]string, items.Len())
	for i, it := range items.Items {
		if out[i], ok = it.(string); !ok {
			return "", value.Errorf("TypeError", "sequence item %d: expected str instance, %s found", i, value.TypeName(it))
		}
	}
	return strings.Join(out, "\n"), nil
}
