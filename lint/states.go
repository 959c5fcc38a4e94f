package lint

import (
	"strings"

	"pinch/apply"
	"pinch/diag"
	"pinch/value"
)

// states compiles each SLS by itself. What one of them refers to may stand in
// an SLS that another tree or the top file brings in, so that only references
// to what no SLS has are mistakes.
func (l *linter) states(names []string) {
	known := map[string]bool{}
	var all diag.List
	for _, sls := range names {
		if sls == "top" {
			continue
		}
		p := apply.New(l.c)
		high, errs := p.Render(apply.Names("base", []string{sls}))
		note(high.IDs, known)
		if len(errs) == 0 {
			errs = p.Check(high)
		}
		all = append(all, append(errs, l.c.Run.Reports()...)...)
	}
	for _, d := range all {
		if l.counts(d, known) {
			l.add(d)
		}
	}
}

// note keeps the IDs and names of states.
func note(ids *value.Map, known map[string]bool) {
	for id, v := range ids.Items() {
		known[id] = true
		body, _ := v.(*value.Map)
		for _, args := range body.Items() {
			list, _ := args.(*value.List)
			for i := range list.Len() {
				if m, ok := list.Items[i].(*value.Map); ok && m.Has("name") {
					known[m.Str("name")] = true
				}
			}
		}
	}
}

// counts reports whether a compiler's complaint is one about the tree.
func (l *linter) counts(d *diag.Diagnostic, known map[string]bool) bool {
	if d.Pos.File == "" {
		return false
	}
	text := d.Text()
	if name, ok := quoted(text, "State '", "' was not found in SLS"); ok {
		hint, bad := l.unknownFunction(name, "states")
		if hint != "" {
			d.Hint = hint
		}
		return bad
	}
	if _, rest, ok := strings.Cut(text, "Referenced state does not exist for requisite ["); ok {
		_, target, _ := strings.Cut(rest, "(")
		target, _, _ = strings.Cut(target, ")]")
		_, target, _ = strings.Cut(target, ": ")
		return !known[target] && !value.IsGlob(target)
	}
	if id, ok := quoted(text, "Cannot extend ID '", "'"); ok {
		return !known[id]
	}
	// What was found by reading the template is not told twice.
	return !l.has("jinja", d.Pos) && !l.has("name", d.Pos) && !l.has("function", d.Pos)
}

func quoted(text, before, after string) (string, bool) {
	_, rest, ok := strings.Cut(text, before)
	in, _, closed := strings.Cut(rest, after)
	return in, ok && closed
}
