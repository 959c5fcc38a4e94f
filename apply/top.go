package apply

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// An envTop are the top files of one environment: its own, and those that it
// includes.
type envTop struct {
	env  string
	tops []any // maps as they should be, or whatever the file holds
}

// Top renders the top files and merges them: environment → target → list of
// SLS names. A top file that cannot be rendered is reported and counts as
// empty, as in Salt.
func (p *Compiler) Top() (*value.Map, error) {
	tops, err := p.gatherTops()
	if err != nil {
		p.topsFound = -1
		var d *diag.Diagnostic
		var ex *value.Exception
		if errors.As(err, &d) {
			p.c.Run.Report(d)
		} else if errors.As(err, &ex) && ex.Class != "SaltRenderError" {
			return nil, err
		}
		p.c.Log.Error("Unable to render top file: " + err.Error())
		return new(value.Map), nil
	}
	return p.mergeTops(tops)
}

func (p *Compiler) gatherTops() ([]envTop, error) {
	strategy := p.c.Opts.Str("top_file_merging_strategy")
	if strategy == "same" && p.Env == "" && p.c.Opts.Str("default_top") == "" {
		return nil, value.Errorf("SaltRenderError", "top_file_merging_strategy set to 'same', but no default_top configuration option was set")
	}
	envs := []string{p.Env}
	if p.Env == "" {
		envs = p.environments()
		if e := p.c.Opts.Str("state_top_saltenv"); e != "" {
			envs = []string{e}
		}
	}
	var out []envTop
	found := 0
	for _, env := range envs {
		v, there, err := p.topFile(p.topName(), env)
		if err != nil {
			return nil, err
		}
		if there {
			found++
		}
		out = append(out, envTop{env, []any{v}})
	}
	p.topsFound = found
	if found > 1 && p.Env == "" && strategy == "merge" && !p.c.Opts.Truth("env_order") {
		p.c.Log.Warn(fmt.Sprintf("top_file_merging_strategy is set to '%s' and multiple top files were found. Merging order is not deterministic, it may be desirable to either set "+
			"top_file_merging_strategy to 'same' or use the 'env_order' configuration parameter to specify the merging order.", strategy))
	}
	if found == 0 {
		p.c.Log.Debug("No contents found in top file")
	}
	return out, p.includeTops(out)
}

// topName is the path of the top file in the trees.
func (p *Compiler) topName() string {
	name := strings.TrimPrefix(p.c.Opts.Str("state_top"), "salt://")
	return or(strings.TrimPrefix(name, "/"), "top.sls")
}

// topFile renders one top file; there is false when the environment has none.
func (p *Compiler) topFile(path, env string) (v any, there bool, err error) {
	f, _ := p.c.Files().Find(p.c, path, env)
	if f == nil {
		return new(value.Map), false, nil
	}
	text, err := f.Read()
	if err != nil {
		return nil, false, err
	}
	data, err := p.c.RenderData(p.c, salt.Template{Text: string(text), Name: "salt://" + f.Path, File: f.Local, Env: env, SLSFile: true})
	if err != nil {
		return nil, true, err
	}
	if data == nil || data.Value == nil {
		return new(value.Map), true, nil
	}
	if root, ok := data.Value.(*value.Map); ok {
		p.topSources = append(p.topSources, &source{text: string(text), file: or(f.Local, "salt://"+f.Path), root: root, pos: data.Pos})
	}
	return data.Value, true, nil
}

// includeTops adds the SLS files that top files include.
func (p *Compiler) includeTops(tops []envTop) error {
	for i := range tops {
		t := &tops[i]
		var done []string
		for _, v := range t.tops {
			m, ok := v.(*value.Map)
			if !ok || !m.Has("include") {
				continue
			}
			inc, _ := m.Pop("include")
			for _, it := range items(inc) {
				for _, sls := range p.filter(value.Str(it), t.env) {
					if slices.Contains(done, sls) {
						continue
					}
					done = append(done, sls)
					f, _, err := p.find(sls, t.env)
					if err != nil || f == nil {
						continue
					}
					x, _, err := p.topFile(f.Path, t.env)
					if err != nil {
						return err
					}
					t.tops = append(t.tops, x)
				}
			}
		}
	}
	return nil
}

// VerifyTop checks the form of a merged top file.
func VerifyTop(top *value.Map) diag.List {
	var errs diag.List
	fail := func(format string, a ...any) {
		errs = append(errs, (*source)(nil).mistake("top", diag.Pos{}, format, a...))
	}
	for k, v := range top.All() {
		env, ok := k.(string)
		switch {
		case env == "include":
			continue
		case !ok:
			fail("Environment %s in top file is not formed as a string", value.Str(k))
		case env == "":
			fail("Empty saltenv statement in top file")
		}
		matches, ok := v.(*value.Map)
		if !ok {
			fail("The top file matches for saltenv %s are not formatted as a dict", value.Str(k))
			continue
		}
		for match, what := range matches.All() {
			list, ok := what.(*value.List)
			if !ok {
				fail("Malformed topfile: state declarations for matcher %s in saltenv %s are not formed as a list (got %s)", value.Repr(match), value.Repr(k), value.TypeName(what))
				continue
			}
			for _, it := range list.Items {
				switch it := it.(type) {
				case *value.Map:
					for _, x := range it.All() {
						if !value.Truth(x) {
							fail("Improperly formatted top file matcher in saltenv %s: %s file", value.Str(it), value.Str(x))
						}
					}
				case string:
					if it == "" {
						fail("Environment %s contains an empty sls index", value.Str(k))
					}
				}
			}
		}
	}
	return errs
}
