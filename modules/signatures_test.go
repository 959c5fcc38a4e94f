package modules

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/salt"
	"pinch/value"
)

// saltModule is one of Salt's files. Several can share a virtual name.
type saltModule struct {
	Kind, File, Virtualname string
	Aliases                 []string `json:"virtual_aliases"`
	Loads                   bool
	Functions               []saltFunction
}

type saltFunction struct {
	Name            string
	Params          []saltParam
	Varargs, Kwargs string
}

type saltParam struct {
	Name      string
	Default   json.RawMessage
	DefaultPy string `json:"default_py"`
	Kwonly    bool
}

// signatureDifferences are where we differ from Salt on purpose.
var signatureDifferences = map[string]string{}

// TestSignatures compares every declared function with Salt's own: names,
// order, defaults, keyword-only, *args and **kwargs. Where several of Salt's
// files give the same module (aptpkg and yumpkg), any of them will do.
func TestSignatures(t *testing.T) {
	var f struct{ Modules []saltModule }
	golden.Read(t, "signatures/signatures.json", &f)
	have := map[string][]saltFunction{}
	for _, m := range f.Modules {
		for _, name := range append([]string{m.Virtualname}, m.Aliases...) {
			for _, fn := range m.Functions {
				key := m.Kind + " " + name + "." + fn.Name
				have[key] = append(have[key], fn)
			}
		}
	}
	same, extra := 0, []string{}
	used := map[string]bool{}
	each(func(key string, fn *salt.Func) {
		known := signatureDifferences[key] != ""
		switch diff := compare(fn.Signature(), have[key]); {
		case len(have[key]) == 0:
			extra = append(extra, key)
		case diff == "" && known:
			t.Errorf("%s is like Salt's now: remove it from signatureDifferences", key)
		case diff == "":
			same++
		case known:
			used[key] = true
		default:
			t.Errorf("%s: %s", key, diff)
		}
	})
	t.Logf("%d functions as in Salt, %d differ on purpose, %d that Salt's core lacks: %s", same, len(used), len(extra), strings.Join(extra, ", "))
}

// TestNames compares what argument errors call a function with the names in
// Salt's sources: testdata/defs.json has those of __func_alias__ and of aliases,
// all others are called what they are called by.
func TestNames(t *testing.T) {
	text, err := os.ReadFile("testdata/defs.json")
	if err != nil {
		t.Fatal(err)
	}
	defs := map[string]string{"exec apache.config": "config_"} // of the extension
	if err := json.Unmarshal(text, &defs); err != nil {
		t.Fatal(err)
	}
	each(func(key string, fn *salt.Func) {
		want, listed := defs[key]
		if _, name, _ := strings.Cut(key, "."); !listed {
			want = name
		}
		if fn.Name() != want {
			t.Errorf("%s is called %s, in Salt %s", key, fn.Name(), want)
		}
		delete(defs, key)
	})
	for key := range defs {
		t.Errorf("%s: no such function", key)
	}
}

// each visits all declared functions, sorted: "state file.managed", "exec file.touch".
func each(do func(key string, fn *salt.Func)) {
	for _, m := range All {
		for kind, funcs := range map[string]salt.Funcs{"state": m.Functions("states"), "exec": m.Functions("exec")} {
			for _, name := range slices.Sorted(maps.Keys(funcs)) {
				do(kind+" "+m.Name+"."+name, funcs[name])
			}
		}
	}
}

// compare says how a signature differs from the nearest of Salt's, "" if it does not.
func compare(s *salt.Signature, saltsOwn []saltFunction) string {
	ours, nearest := declaration(s), ""
	for _, fn := range saltsOwn {
		theirs := fn.declaration()
		if ours == theirs {
			return ""
		}
		if nearest == "" || common(ours, theirs) > common(ours, nearest) {
			nearest = theirs
		}
	}
	return fmt.Sprintf("\n  declared %s\n  in Salt  %s", ours, nearest)
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// declaration writes a signature as Python does.
func declaration(s *salt.Signature) string {
	var w writer
	for _, p := range s.Params {
		def := ""
		if !p.Required {
			v, err := salt.Literal(p.Default)
			def = literal(v)
			if err != nil {
				def = err.Error()
			}
		}
		w.param(p.Name, def, p.KeywordOnly, s.VarArgs)
	}
	return w.end(s.VarArgs, s.Kwargs)
}

func (f saltFunction) declaration() string {
	var w writer
	for _, p := range f.Params {
		def := ""
		switch {
		case p.Default != nil:
			v, err := value.ParseJSON(string(p.Default))
			def = literal(v)
			if err != nil {
				def = err.Error()
			}
		case p.DefaultPy != "":
			v, err := salt.Literal(p.DefaultPy)
			def = literal(v)
			if err != nil {
				def = err.Error()
			}
		}
		w.param(p.Name, def, p.Kwonly, f.Varargs)
	}
	return w.end(f.Varargs, f.Kwargs)
}

func literal(v any) string {
	if v == salt.NotSet {
		return "<not set>"
	}
	return value.Repr(v)
}

// A writer writes the parameters of a declaration.
type writer struct {
	parts []string
	only  bool
}

func (w *writer) star(varargs string) {
	if !w.only {
		w.parts, w.only = append(w.parts, "*"+varargs), true
	}
}

func (w *writer) param(name, def string, only bool, varargs string) {
	if only {
		w.star(varargs)
	}
	if def != "" {
		name += "=" + def
	}
	w.parts = append(w.parts, name)
}

func (w *writer) end(varargs, kwargs string) string {
	if varargs != "" {
		w.star(varargs)
	}
	if kwargs != "" {
		w.parts = append(w.parts, "**"+kwargs)
	}
	return "(" + strings.Join(w.parts, ", ") + ")"
}
