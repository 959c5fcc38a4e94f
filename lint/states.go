package lint

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"pinch/apply"
	"pinch/diag"
	"pinch/render/jinja"
	"pinch/sys"
	"pinch/value"
)

// states compiles each SLS by itself. What one of them refers to may stand in
// an SLS that another tree or the top file brings in, so that only references
// to what no SLS has are mistakes.
func (l *linter) states(names []string) {
	known := map[string]bool{}
	var all diag.List
	for _, sls := range names {
		p := apply.New(l.c)
		high, errs := p.Render(apply.Names("base", []string{sls}))
		note(high.IDs, known)
		if !slices.ContainsFunc(errs, func(d *diag.Diagnostic) bool { return d.ID == "jinja" }) {
			l.renders(sls)
		}
		if len(errs) == 0 {
			errs = p.Check(high)
		}
		for _, d := range errs {
			if d.ID == "requisite" && d.Hint == "" {
				d.Hint = "found when " + sls + " is applied by itself"
			}
		}
		all = append(all, append(errs, l.c.Run.Reports()...)...)
	}
	for _, d := range all {
		l.part = l.part || wantsData(d) && !l.told(d)
	}
	for _, d := range all {
		if l.counts(d, known) {
			l.add(d)
		}
	}
}

// renders takes back the findings of names that nothing sets in an SLS that
// renders: they stand in branches which are not taken here. One that differs
// from another name by a slip of the fingers stays.
func (l *linter) renders(sls string) {
	l.found = slices.DeleteFunc(l.found, func(d *diag.Diagnostic) bool {
		name, _ := quoted(d.Summary, "the name '", "' is")
		meant, _ := quoted(d.Hint, "did you mean \"", "\"")
		if d.ID != "name" || slip(name, meant) {
			return false
		}
		for _, root := range l.o.Roots {
			if name, ok := slsName(root, d.Pos.File); ok && name == sls {
				return true
			}
		}
		return false
	})
}

// slip reports whether a becomes b by one letter more or less, another letter
// or two that change places. Short names are too near each other to tell.
func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i]:
		return a[i+2:] == b[i+2:]
	}
	return i < len(a) && a[i+1:] == b[i+1:]
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
	if d.Pos.File == "" || wantsData(d) {
		return false
	}
	text := d.Text()
	if name, ok := quoted(text, "there is no SLS ", " in saltenv"); ok {
		return l.lacks(name)
	}
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
		return !known[target] && !value.IsGlob(target) && !l.part
	}
	if id, ok := quoted(text, "Cannot extend ID '", "'"); ok {
		return !known[id] && !l.part
	}
	if strings.Contains(text, " is not formed as a list") || strings.Contains(text, "needs to be formed as a list") || strings.Contains(text, "is not a dictionary") || strings.Contains(text, "with a trailing colon") {
		return !l.told(d) && !l.filled(d)
	}
	// What was found by reading the template is not told twice.
	return !l.told(d)
}

// filled reports whether the template fills in what is missing at a place: it
// goes on with a Jinja block there, for which there are no data here.
func (l *linter) filled(d *diag.Diagnostic) bool {
	text, err := l.c.Sys.ReadFile(d.Pos.File)
	lines := strings.Split(string(text), "\n")
	if err != nil || d.Pos.Line > len(lines) {
		return false
	}
	for _, line := range lines[d.Pos.Line:] {
		if line = strings.TrimSpace(line); line != "" {
			return strings.HasPrefix(line, "{%")
		}
	}
	return false
}

// told reports whether reading the template has found a mistake there already.
func (l *linter) told(d *diag.Diagnostic) bool {
	return l.has("jinja", d.Pos) || l.has("name", d.Pos) || l.has("function", d.Pos) ||
		d.ID == "argument" && (l.has("216", d.Pos) || l.has("217", d.Pos))
}

// wantsData reports whether a template failed over what it was given, not over
// what it says: another pillar, other grains or the machine itself may be right.
func wantsData(d *diag.Diagnostic) bool {
	var e *jinja.Error
	if d.ID != "jinja" || !errors.As(d.Err, &e) {
		return false
	}
	switch e.Class {
	case "TemplateSyntaxError", "TemplateAssertionError", "TemplateNotFound", "TemplatesNotFound":
		return false
	case "UndefinedError":
		return !strings.HasSuffix(e.Message, "' is undefined")
	}
	return true
}

// lacks reports whether an SLS that is included is missing. A formula without
// a top file may include what another formula brings.
func (l *linter) lacks(sls string) bool {
	first, _, _ := strings.Cut(sls, ".")
	for _, root := range l.o.Roots {
		for _, name := range []string{"top.sls", first, first + ".sls"} {
			if sys.Exists(l.c.Sys, filepath.Join(root, name)) {
				return true
			}
		}
	}
	return false
}

func quoted(text, before, after string) (string, bool) {
	_, rest, ok := strings.Cut(text, before)
	in, _, closed := strings.Cut(rest, after)
	return in, ok && closed
}
