package pillar

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// render renders one file of the pillar tree.
func (p *compiler) render(f *salt.File, env, sls string, vars *value.Map) (any, error) {
	text, err := f.Read()
	if err != nil {
		return nil, err
	}
	d, err := p.c.RenderData(p.c, salt.Template{
		Text: string(text), Name: "salt://" + f.Path, File: f.Local, Env: env, SLS: sls, Vars: vars,
		Files: p.o.Files, SLSFile: true, Private: value.Truth(p.opts.At("secret_pillar_keys")),
	})
	if err != nil {
		return nil, err
	}
	for c := range d.Marks {
		p.marks[c] = true
	}
	return d.Value, nil
}

// state finds the file of an SLS: a/b.sls, then a/b/init.sls.
func (p *compiler) state(sls, env string) (*salt.File, error) {
	path := strings.ReplaceAll(sls, ".", "/")
	for _, name := range []string{path + ".sls", path + "/init.sls"} {
		f, err := p.o.Files.Find(p.c, name, env)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// states are the names of all SLS of an environment, sorted.
func (p *compiler) states(env string) ([]string, error) {
	files, err := p.o.Files.List(p.c, env, "")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if n, ok := strings.CutSuffix(f, ".sls"); ok {
			n = strings.TrimSuffix(n, "/init")
			names = append(names, strings.ReplaceAll(n, "/", "."))
		}
	}
	slices.Sort(names)
	return names, nil
}

// top reads the top files of the environments and joins them: environment →
// target → items, sorted by the targets' order. What went wrong is text for
// _errors.
func (p *compiler) top() (*value.Map, []string, error) {
	tops, errs, err := p.readTops()
	if err != nil {
		return nil, nil, err
	}
	merged, err := p.mergeTops(tops)
	if err != nil {
		return new(value.Map), append(errs, "Error encountered while rendering pillar top file."), nil
	}
	return merged, errs, nil
}

type envTop struct {
	env  string
	data *value.Map
}

func (p *compiler) topEnvs() []string {
	if p.o.Env != "" {
		if !p.roots.Has(p.o.Env) {
			return nil
		}
		return []string{p.o.Env}
	}
	if p.strategy != "none" {
		return p.envs()
	}
	only := p.o.SaltEnv
	if only == "" {
		only = "base"
	}
	if slices.Contains(p.envs(), only) {
		return []string{only}
	}
	return nil
}

func (p *compiler) readTops() ([]envTop, []string, error) {
	var tops []envTop
	var errs []string
	include := new(value.Map)
	name := strings.TrimPrefix(str(p.opts.At("state_top"), "top.sls"), "salt://")
	for _, env := range p.topEnvs() {
		f, err := p.o.Files.Find(p.c, name, env)
		if err == nil && f == nil {
			continue
		}
		var data any
		if err == nil {
			data, err = p.render(f, env, "", nil)
		}
		if err != nil {
			errs = append(errs, "Rendering Primary Top file failed, render error:\n"+err.Error())
			break
		}
		m, ok := data.(*value.Map)
		if !ok {
			return nil, nil, value.Errorf("AttributeError", "'%s' object has no attribute 'items'", value.TypeName(data))
		}
		if inc, ok := m.Pop("include"); ok {
			include.Set(env, inc)
		}
		tops = append(tops, envTop{env, m})
	}
	for env, inc := range include.Items() {
		list, _ := inc.(*value.List)
		if list == nil {
			continue
		}
		var done []string
		for _, it := range list.Items {
			sls := value.Str(it)
			if slices.Contains(done, sls) {
				continue
			}
			done = append(done, sls)
			f, err := p.state(sls, env)
			if err == nil && f == nil {
				continue
			}
			var data any
			if err == nil {
				data, err = p.render(f, env, "", nil)
			}
			if err != nil {
				errs = append(errs, "Rendering Top file "+sls+" failed, render error:\n"+err.Error())
				continue
			}
			if m, ok := data.(*value.Map); ok {
				tops = append(tops, envTop{env, m})
			}
		}
	}
	// Included top files count with those of their environment.
	slices.SortStableFunc(tops, func(a, b envTop) int { return p.place(a.env) - p.place(b.env) })
	return tops, errs, nil
}

func (p *compiler) place(env string) int { return slices.Index(p.topEnvs(), env) }

// mergeTops joins the top files; a target that stands in two of them is
// replaced by the later one.
func (p *compiler) mergeTops(tops []envTop) (*value.Map, error) {
	top := new(value.Map)
	orders := map[string]map[string]int{}
	for _, t := range tops {
		for env, targets := range t.data.Items() {
			if env == "include" {
				continue
			}
			m, ok := targets.(*value.Map)
			if !ok {
				if value.Truth(targets) {
					return nil, value.Errorf("TypeError", "targets of %s are no mapping", env)
				}
				continue
			}
			body := top.Map(env)
			if body == nil {
				body = new(value.Map)
				top.Set(env, body)
				orders[env] = map[string]int{}
			}
			for tgt, items := range m.Items() {
				list, order, err := p.target(env, items)
				if err != nil {
					return nil, err
				}
				orders[env][tgt] = order
				body.Set(tgt, list)
			}
		}
	}
	for env, body := range top.Items() {
		top.Set(env, sortTargets(body.(*value.Map), orders[env]))
	}
	return top, nil
}

func sortTargets(body *value.Map, order map[string]int) *value.Map {
	keys := body.Keys()
	slices.SortStableFunc(keys, func(a, b any) int { return order[a.(string)] - order[b.(string)] })
	out := value.NewMap(len(keys))
	for _, k := range keys {
		out.Set(k.(string), body.At(k.(string)))
	}
	return out
}

// target reads what stands under a target: the match items first, then the
// SLS, each once.
func (p *compiler) target(env string, items any) (list *value.List, order int, err error) {
	var all []any
	switch items := items.(type) {
	case *value.List:
		all = items.Items
	case string: // Python walks a string letter by letter
		for _, r := range items {
			all = append(all, string(r))
		}
	case *value.Map:
		all = items.Keys()
	default:
		return nil, 0, value.Errorf("TypeError", "'%s' object is not iterable", value.TypeName(items))
	}
	list = new(value.List)
	var sls []any
	ignore := false
	for _, it := range all {
		switch it := it.(type) {
		case *value.Map:
			if it.Has("match") {
				list.Append(it)
			}
			if o, ok := it.Get("order"); ok {
				order = toInt(o)
			}
			ignore = ignore || it.Truth("ignore_missing")
		case string:
			if !slices.Contains(sls, any(it)) {
				sls = append(sls, it)
			}
		}
	}
	if ignore {
		for _, s := range sls {
			p.ignored[env] = append(p.ignored[env], s.(string))
		}
	}
	list.Append(sls...)
	return list, order, nil
}

func toInt(v any) int {
	switch v := v.(type) {
	case int64:
		return int(v)
	case string:
		n, _ := strconv.Atoi(v)
		return n
	}
	return 0
}
