package pillar

import (
	"fmt"
	"strings"

	"pinch/matcher"
	"pinch/render"
	"pinch/render/yaml"
	"pinch/saltclass"
	"pinch/sys"
	"pinch/value"
)

// An external pillar makes data from its configured arguments; pillar is what
// was compiled so far.
type external func(p *compiler, pillar *value.Map, args []any, kw *value.Map) (any, error)

// externals is the ext_pillar interface of that name, nil if there is none.
func externals(name string) external {
	switch name {
	case "cmd_yaml":
		return cmdYAML
	case "cmd_yamlex":
		return cmdYAMLex
	case "cmd_json":
		return cmdJSON
	case "nodegroups":
		return nodegroups
	case "stack":
		return stack
	case "file_tree":
		return fileTree
	case "http_json":
		return httpPillar("json")
	case "http_yaml":
		return httpPillar("yaml")
	case "csv":
		return csvPillar
	case "gpg":
		return gpgPillar
	case "saltclass":
		return classPillar
	}
	return nil
}

// gpgPillar decrypts the pillar so far.
func gpgPillar(p *compiler, pillar *value.Map, _ []any, _ *value.Map) (any, error) {
	return render.Decrypter("gpg")(p.c, pillar, false)
}

// classPillar is what the classes of the minion say, see package saltclass.
func classPillar(p *compiler, pillar *value.Map, args []any, kw *value.Map) (any, error) {
	dir := saltclass.DefaultPath
	if s := kw.Str("path"); s != "" {
		dir = s
	}
	for _, a := range args {
		if m, ok := a.(*value.Map); ok && m.Has("path") {
			dir = m.Str("path")
		}
	}
	n, err := saltclass.Read(p.c, dir, p.o.ID, pillar)
	if err != nil {
		return nil, err
	}
	return n.Pillar()
}

const malformed = `The "ext_pillar" option is malformed`

// external merges the external pillars over data. One that fails is named in
// _errors and the others still count.
func (p *compiler) external(data *value.Map) (*value.Map, error) {
	conf, ok := p.opts.Get("ext_pillar")
	if !ok || conf == nil {
		return data, nil
	}
	list, ok := conf.(*value.List)
	if !ok {
		p.errors = append(p.errors, malformed)
		return data, nil
	}
	if p.o.Override.Len() > 0 && list.Len() >= 0 {
		data = p.merge(data, p.o.Override)
	}
	for _, it := range list.Items {
		run, ok := it.(*value.Map)
		if !ok {
			p.errors = append(p.errors, malformed)
			return new(value.Map), nil
		}
		var ext any
		for name, val := range run.Items() {
			f := externals(name)
			if given := p.o.External[name]; given != nil {
				f = func(p *compiler, _ *value.Map, args []any, kw *value.Map) (any, error) { return given(p.c, args, kw) }
			}
			if cu := p.c.Run.Custom; cu != nil {
				if cu.Has(p.c, "pillar", name) {
					f = customPillar(name)
				} else if f == nil {
					if file := cu.FileOf(p.c, "pillar", name); file != "" {
						f = customPillar(file)
					}
				}
			}
			if f == nil {
				p.c.Log.Error(fmt.Sprintf("ext_pillar interface named %s is unavailable", name))
				continue
			}
			args, kw := arguments(val)
			got, err := f(p, data, args, kw)
			if err != nil {
				p.errors = append(p.errors, fmt.Sprintf("Failed to load ext_pillar %s: %s", name, err))
				continue
			}
			ext = got
		}
		if !value.Truth(ext) {
			continue
		}
		m, ok := ext.(*value.Map)
		if !ok {
			return nil, value.Errorf("TypeError", "Cannot update using non-dict types in dictupdate.update()")
		}
		data = p.merge(data, m)
	}
	return data, nil
}

// customPillar is the interface of a custom module.
func customPillar(name string) external {
	return func(p *compiler, pillar *value.Map, args []any, kw *value.Map) (any, error) {
		return p.c.Run.Custom.Call(p.c, "pillar", name, "ext_pillar", append([]any{p.o.ID, pillar}, args...), kw)
	}
}

// arguments of an interface: a map gives keywords, a list positional ones.
func arguments(val any) ([]any, *value.Map) {
	switch val := val.(type) {
	case *value.Map:
		return nil, val
	case *value.List:
		return val.Items, nil
	}
	return []any{val}, nil
}

// command runs the interface's command through the shell; %s is the minion id.
func command(p *compiler, args []any, kw *value.Map) (string, error) {
	cmd := kw.Str("command")
	if len(args) > 0 {
		cmd = value.Str(args[0])
	}
	if cmd == "" {
		return "", fmt.Errorf("ext_pillar() missing 1 required positional argument: 'command'")
	}
	res, err := p.c.Sys.Run(p.c, sys.Cmd{Argv: []string{"/bin/sh", "-c", strings.ReplaceAll(cmd, "%s", p.o.ID)}, Query: true})
	if err != nil {
		return "", err
	}
	return strings.TrimRight(string(res.Stdout), "\n"), nil
}

func cmdYAML(p *compiler, _ *value.Map, args []any, kw *value.Map) (any, error) {
	text, err := command(p, args, kw)
	if err != nil {
		return nil, err
	}
	v, err := yaml.Load("<ext_pillar cmd_yaml>", text)
	if err != nil {
		p.c.Log.Error(fmt.Sprintf("YAML data from %s failed to parse", value.Str(args)))
		return nil, nil
	}
	return v, nil
}

func cmdYAMLex(p *compiler, _ *value.Map, args []any, kw *value.Map) (any, error) {
	text, err := command(p, args, kw)
	if err != nil {
		return nil, err
	}
	v, marks, err := yaml.LoadEx(text)
	if err != nil {
		p.c.Log.Error(fmt.Sprintf("YAML data from %s failed to parse", value.Str(args)))
		return nil, nil
	}
	for c := range marks {
		p.marks[c] = true
	}
	return v, nil
}

func cmdJSON(p *compiler, _ *value.Map, args []any, kw *value.Map) (any, error) {
	text, err := command(p, args, kw)
	if err != nil {
		return nil, err
	}
	v, err := value.ParseJSON(text)
	if err != nil {
		p.c.Log.Error("JSON data of ext_pillar cmd_json failed to parse: " + err.Error())
		return nil, nil
	}
	return v, nil
}

// nodegroups names the node groups that this minion is in.
func nodegroups(p *compiler, pillar *value.Map, args []any, kw *value.Map) (any, error) {
	name := kw.Str("pillar_name")
	if len(args) > 0 && args[0] != nil {
		name = value.Str(args[0])
	}
	if name == "" {
		name = "nodegroups"
	}
	groups := p.opts.Map("nodegroups")
	m := matcher.Minion{ID: p.o.ID, Grains: p.c.Grains, Pillar: pillar, Nodegroups: groups}
	in := new(value.List)
	for g := range groups.Items() {
		ok, err := m.Match("nodegroup", g, matcher.DefaultDelimiter)
		if err != nil {
			return nil, err
		}
		if ok {
			in.Append(g)
		}
	}
	return value.M(name, in), nil
}
