package filters

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func pprint(_ *jinja.Call, a []any) (any, error) {
	return PFormat(a[0]), nil
}

// printer lays values out as Python's pprint: on one line if that fits, else
// one item a line; dicts are sorted, OrderedDicts are not.
type printer struct {
	b     strings.Builder
	width int
	open  []any // the containers that are being written
}

// again reports whether v is a container inside itself, and how that prints.
func again(v any, open []any) (string, bool) {
	switch v.(type) {
	case *value.List, *value.Map:
		if slices.Contains(open, v) {
			return "<Recursion on " + value.ClassName(v) + " with id=139637976727552>", true
		}
	}
	return "", false
}

// sortedRepr is repr with dicts in the order pprint prints them.
func sortedRepr(v any, open []any) string {
	var b strings.Builder
	writeSorted(&b, v, open)
	return b.String()
}

func writeSorted(b *strings.Builder, v any, open []any) {
	if text, ok := again(v, open); ok {
		b.WriteString(text)
		return
	}
	switch v.(type) {
	case *value.List, *value.Map:
		open = append(open, v)
	}
	items := func(begin, end string, items []any) {
		b.WriteString(begin)
		for i, x := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			writeSorted(b, x, open)
		}
		b.WriteString(end)
	}
	switch v := v.(type) {
	case *value.List:
		items("[", "]", v.Items)
	case value.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		items("(", end, v)
	case *value.Map:
		if v.Ordered() {
			b.WriteString(value.Repr(v))
			return
		}
		b.WriteByte('{')
		for i, k := range sortedKeys(v) {
			if i > 0 {
				b.WriteString(", ")
			}
			it, _ := v.GetKey(k)
			writeSorted(b, k, open)
			b.WriteString(": ")
			writeSorted(b, it, open)
		}
		b.WriteByte('}')
	default:
		b.WriteString(value.Repr(v))
	}
}

// sortedKeys sorts by value where Python can compare, else by type name.
func sortedKeys(m *value.Map) []any {
	keys, err := py.Sorted(m.Keys(), nil, false)
	if err != nil {
		keys, _ = py.Sorted(m.Keys(), func(k any) (any, error) {
			return value.Tuple{value.TypeName(k), value.Repr(k)}, nil
		}, false)
	}
	return keys
}

// format writes v at column indent; allowance is what follows it on its line.
func (p *printer) format(v any, indent, allowance int) {
	if text, ok := again(v, p.open); ok {
		p.b.WriteString(text)
		return
	}
	rep := sortedRepr(v, p.open)
	if utf8.RuneCountInString(rep) <= p.width-indent-allowance {
		p.b.WriteString(rep)
		return
	}
	switch v.(type) {
	case *value.List, *value.Map:
		p.open = append(p.open, v)
		defer func() { p.open = p.open[:len(p.open)-1] }()
	}
	switch v := v.(type) {
	case *value.List:
		p.b.WriteByte('[')
		p.items(v.Items, indent+1, allowance+1)
		p.b.WriteByte(']')
	case value.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		p.b.WriteByte('(')
		p.items(v, indent+1, allowance+len(end))
		p.b.WriteString(end)
	case *value.Set:
		items, _ := py.Sorted(v.Items(), nil, false)
		p.b.WriteByte('{')
		p.items(items, indent+1, allowance+1)
		p.b.WriteByte('}')
	case *value.Map:
		p.dict(v, indent, allowance)
	case string:
		p.text(v, indent, allowance)
	default:
		p.b.WriteString(rep)
	}
}

func (p *printer) newline(indent int) { p.b.WriteString(",\n" + strings.Repeat(" ", indent)) }

func (p *printer) items(items []any, indent, allowance int) {
	for i, v := range items {
		if i > 0 {
			p.newline(indent)
		}
		end := 1
		if i == len(items)-1 {
			end = allowance
		}
		p.format(v, indent, end)
	}
}

func (p *printer) dict(m *value.Map, indent, allowance int) {
	if m.Ordered() {
		p.ordered(m, indent, allowance)
		return
	}
	p.b.WriteByte('{')
	keys := sortedKeys(m)
	for i, k := range keys {
		if i > 0 {
			p.newline(indent + 1)
		}
		rep := sortedRepr(k, p.open)
		p.b.WriteString(rep + ": ")
		end := 1
		if i == len(keys)-1 {
			end = allowance + 1
		}
		v, _ := m.GetKey(k)
		p.format(v, indent+1+utf8.RuneCountInString(rep)+2, end)
	}
	p.b.WriteByte('}')
}

// ordered writes an OrderedDict: the list of its items.
func (p *printer) ordered(m *value.Map, indent, allowance int) {
	const class = "OrderedDict("
	items := new(value.List)
	for k, v := range m.All() {
		items.Append(value.Tuple{k, v})
	}
	p.b.WriteString(class)
	if m.Len() > 0 {
		p.format(items, indent+len(class), allowance+1)
	}
	p.b.WriteByte(')')
}

// text splits a long string into several literals, at line ends and blanks.
func (p *printer) text(s string, indent, allowance int) {
	lines := splitKeep(s)
	top := indent == 0
	if top {
		indent++
		allowance++
	}
	var chunks []string
	width := p.width - indent
	for i, line := range lines {
		room := width
		if i == len(lines)-1 {
			room -= allowance
		}
		rep := value.Quote(line)
		if utf8.RuneCountInString(rep) <= room {
			chunks = append(chunks, rep)
			continue
		}
		chunks = append(chunks, splitWords(line, width, room)...)
	}
	if len(chunks) == 1 {
		p.b.WriteString(value.Quote(s))
		return
	}
	if top {
		p.b.WriteByte('(')
	}
	p.b.WriteString(strings.Join(chunks, "\n"+strings.Repeat(" ", indent)))
	if top {
		p.b.WriteByte(')')
	}
}

func splitKeep(s string) []string { return py.SplitLines(s, true) }

func splitWords(line string, width, lastRoom int) []string {
	var parts []string
	for line != "" {
		i := strings.IndexFunc(line, isBlank)
		if i < 0 {
			i = len(line)
		}
		j := i
		for j < len(line) && isBlank(rune(line[j])) {
			j++
		}
		parts = append(parts, line[:j])
		line = line[j:]
	}
	var out []string
	cur := ""
	for i, part := range parts {
		room := width
		if i == len(parts)-1 {
			room = lastRoom
		}
		if utf8.RuneCountInString(value.Quote(cur+part)) > room {
			if cur != "" {
				out = append(out, value.Quote(cur))
			}
			cur = part
		} else {
			cur += part
		}
	}
	if cur != "" {
		out = append(out, value.Quote(cur))
	}
	return out
}

// PFormat is Python's pprint.pformat.
func PFormat(v any) string {
	p := printer{width: 80}
	p.format(v, 0, 0)
	return p.b.String()
}
