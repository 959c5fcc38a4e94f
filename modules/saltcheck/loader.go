package saltcheck

import (
	"path"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

func envOf(c *salt.Ctx, env any) string {
	if value.Truth(env) {
		return value.Str(env)
	}
	if s := c.Opts.Str("saltenv"); s != "" {
		return s
	}
	return "base"
}

// A loader finds and reads the tests of states.
type loader struct {
	c      *salt.Ctx
	env    string
	folder string // the folder of tests beside a state
	found  map[string]bool
	all    []string // all files of the tree, once read
}

func newLoader(c *salt.Ctx, env any) *loader {
	l := &loader{c: c, env: envOf(c, env), folder: "saltcheck-tests", found: map[string]bool{}}
	if v, err := c.Call("config.get", "saltcheck_test_location", l.folder); err == nil && value.Truth(v) {
		l.folder = strings.Trim(path.Clean(value.Str(v)), "/")
	}
	return l
}

// states are the names that a state and those it includes have.
func (l *loader) states(sls string) ([]string, error) {
	v, err := l.c.CallKw("cp.list_states", value.M("saltenv", l.env))
	if err != nil {
		return nil, err
	}
	known, _ := v.(*value.List)
	if known == nil || !slices.ContainsFunc(known.Items, func(s any) bool { return s == sls }) {
		return []string{sls}, nil
	}
	if v, err = l.c.CallKw("state.show_low_sls", value.M("saltenv", l.env, "test", true), sls); err != nil {
		return nil, err
	}
	lows, _ := v.(*value.List)
	var out []string
	for _, it := range lows.Items {
		low, ok := it.(*value.Map)
		if !ok {
			l.c.Log.Error("low data from show_low_sls is not formed as a dict: " + value.Str(it))
			return nil, nil
		}
		if s := low.Str("__sls__"); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// beside are the .tst files in the folders of tests of a state: its own, that
// of its parent, that of the formula.
func (l *loader) beside(state string) ([]string, error) {
	if l.all == nil {
		files, err := l.c.Files().List(l.c, l.env, "")
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if strings.HasSuffix(f, ".tst") {
				l.all = append(l.all, f)
			}
		}
	}
	words := strings.Split(state, ".")
	var out []string
	for _, dir := range []string{path.Join(words...), path.Join(words[:len(words)-1]...), words[0]} {
		prefix := path.Join(dir, l.folder) + "/"
		for _, f := range l.all {
			if strings.HasPrefix(f, prefix) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// files are the test files of a state and those it includes.
func (l *loader) files(sls string, all bool) ([]string, error) {
	states, err := l.states(sls)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, state := range states {
		near, err := l.beside(state)
		if err != nil {
			return nil, err
		}
		if len(near) > 0 && !all {
			l.found[state] = true
		}
		words := strings.Split(state, ".")
		last := words[len(words)-1]
		own := []string{
			path.Join(path.Join(words...), l.folder, "init.tst"),
			path.Join(path.Join(words[:len(words)-1]...), l.folder, last+".tst"),
			path.Join(words[0], l.folder, last+".tst"),
		}
		for _, f := range near {
			if (all || slices.Contains(own, f)) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// load reads the tests of a state by their names.
func (l *loader) load(sls string, all bool) (*value.Map, error) {
	files, err := l.files(sls, all)
	if err != nil {
		return nil, err
	}
	tests := new(value.Map)
	for _, f := range files {
		v, err := l.c.CallKw("slsutil.renderer", value.M("saltenv", l.env), "salt://"+f)
		if err != nil {
			return nil, err
		}
		m, ok := v.(*value.Map)
		if !ok && v != nil {
			return nil, salt.CommandError("salt://%s: want a mapping of tests, not %s", f, value.TypeName(v))
		}
		tests.Update(m)
	}
	return tests, nil
}
