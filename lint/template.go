package lint

import (
	"errors"
	"path/filepath"
	"strings"

	"pinch/diag"
	"pinch/render/jinja"
)

// standard are the names that every template has.
var standard = strings.Fields(`salt grains pillar opts saltenv sls slspath sls_path slsdotpath slscolonpath tplpath tplfile tpldir tpldot
	odict ifelse raise show_full_context range dict lipsum cycler joiner namespace loop caller varargs kwargs self super true false none True False None
	proxy mine host`)

// file looks through one file.
func (l *linter) file(path, text string, r role) {
	l.lines(path, text, r)
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, "#!") && !strings.HasPrefix(first, "#!/") && !strings.Contains(first, "jinja") {
		return
	}
	in, err := l.o.Inspect(l.c, text, path)
	if err != nil {
		d := &diag.Diagnostic{ID: "jinja", Pos: diag.Pos{File: path}, Summary: err.Error(), Source: text}
		var known *diag.Diagnostic
		if errors.As(err, &known) {
			n := *known
			d = &n
			d.ID = "jinja"
		}
		l.add(d)
		return
	}
	for _, u := range in.Missing {
		l.add(&diag.Diagnostic{ID: "jinja", Pos: u.Pos, Summary: "No " + u.Name + ".", Source: text})
	}
	l.names(in, path, text, r)
	for _, f := range in.Functions {
		if hint, bad := l.unknownFunction(f.Name, "exec"); bad {
			l.add(&diag.Diagnostic{ID: "function", Pos: f.Pos, Summary: "there is no function " + f.Name, Hint: hint, Source: text})
		}
	}
}

// names reports what an SLS reads and nothing sets. Other templates may get
// names from those that import them, and stateconf's from what was set.
func (l *linter) names(in *jinja.Inspection, path, text string, r role) {
	if filepath.Ext(path) != ".sls" || in.Shares || strings.HasPrefix(text, "#!stateconf") {
		return
	}
	known := append([]string(nil), standard...)
	for n := range in.Sets {
		known = append(known, n)
	}
	for _, u := range in.Free {
		ok := strings.HasPrefix(u.Name, "_") || r == reactor && (u.Name == "tag" || u.Name == "data")
		for _, n := range standard {
			ok = ok || n == u.Name
		}
		if !ok {
			l.add(&diag.Diagnostic{ID: "name", Pos: u.Pos, Summary: "the name '" + u.Name + "' is never set", Hint: diag.DidYouMean(u.Name, known), Source: text})
		}
	}
}

// unknownFunction reports whether a function is surely a mistake: its module
// is known and has no such function, or the module's name is nearly that of one
// that has it. A module that pinch does not know may be Salt's or the tree's own.
func (l *linter) unknownFunction(name, kind string) (hint string, bad bool) {
	mod, fun, ok := strings.Cut(name, ".")
	if !ok || l.own[mod] {
		return "", false
	}
	names := l.functions(kind)
	if of := names[mod]; len(of) > 0 {
		for _, f := range of {
			if f == fun {
				return "", false
			}
		}
		if near := diag.Nearest(fun, of); near != "" {
			hint = `did you mean "` + mod + "." + near + `"?`
		}
		return hint, true
	}
	var mods []string
	for m := range names {
		mods = append(mods, m)
	}
	near := diag.Nearest(mod, mods)
	for _, f := range names[near] {
		if f == fun && len(mod) > 2 {
			return `did you mean "` + near + "." + fun + `"?`, true
		}
	}
	return "", false
}

// functions are the functions of a kind by module, usable here or not.
func (l *linter) functions(kind string) map[string][]string {
	out := map[string][]string{}
	for _, name := range l.c.Registry().All(kind) {
		mod, fun, _ := strings.Cut(name, ".")
		out[mod] = append(out[mod], fun)
	}
	return out
}
