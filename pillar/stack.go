package pillar

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pinch/fileclient"
	"pinch/render"
	"pinch/render/jinja"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// stack is the external pillar of that name: configuration files list YAML
// files, all of them templates, which are merged in order by the strategy that
// each map or list may name under "__".
func stack(p *compiler, pillar *value.Map, args []any, kw *value.Map) (any, error) {
	cfgs := make([]string, 0, len(args))
	for _, a := range args {
		cfgs = append(cfgs, value.Str(a))
	}
	more, err := p.stackFiles(pillar, kw)
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for _, cfg := range append(cfgs, more...) {
		if i, err := p.c.Sys.Stat(cfg); err != nil || i.IsDir() {
			p.c.Log.Info(fmt.Sprintf("Ignoring pillar stack cfg \"%s\": file does not exist", cfg))
			continue
		}
		s := &stacker{p: p, cfg: cfg, dir: filepath.Dir(cfg), pillar: pillar, stack: out}
		if err := s.run(); err != nil {
			return nil, err
		}
		out = s.stack
	}
	return out, nil
}

// stackFiles are the files of {"grains:os": {Debian: FILE}}.
func (p *compiler) stackFiles(pillar, kw *value.Map) ([]string, error) {
	env := str(p.o.Env, str(p.o.SaltEnv, "base"))
	var out []string
	for cond, v := range kw.Items() {
		kind, path, _ := strings.Cut(cond, ":")
		data := map[string]*value.Map{"pillar": pillar, "grains": p.c.Grains, "opts": p.opts}[kind]
		if data == nil {
			return nil, fmt.Errorf("Unknown traverse option \"%s\", should be one of dict_keys(['pillar', 'grains', 'opts'])", kind)
		}
		byValue, _ := v.(*value.Map)
		have, _ := value.Traverse(data, path, ":")
		for k, files := range byValue.All() {
			if k == "__env__" {
				k = env
			}
			if !value.Equal(k, have) {
				continue
			}
			l, ok := files.(*value.List)
			if !ok {
				l = value.L(files)
			}
			for _, f := range l.Items {
				out = append(out, strings.ReplaceAll(value.Str(f), "__env__", env))
			}
		}
	}
	return out, nil
}

// A stacker works through one configuration file.
type stacker struct {
	p             *compiler
	cfg, dir      string
	pillar, stack *value.Map
}

func (s *stacker) run() error {
	text, err := s.render(s.cfg)
	if err != nil {
		return err
	}
	for _, item := range stackLines(text) {
		if strings.TrimSpace(item) == "" {
			continue
		}
		paths, err := filepath.Glob(filepath.Join(s.dir, item))
		if err != nil || len(paths) == 0 {
			s.p.c.Log.Info(fmt.Sprintf("Ignoring pillar stack template \"%s\": can't find from root dir \"%s\"", item, s.dir))
			continue
		}
		slices.Sort(paths)
		for _, path := range paths {
			if err := s.add(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// stackLines are the items of a configuration: a YAML list or lines.
func stackLines(text string) []string {
	if v, err := yaml.Load("", text); err == nil {
		if l, ok := v.(*value.List); ok {
			var out []string
			for _, it := range l.Items {
				out = append(out, value.Str(it))
			}
			return out
		}
	}
	return strings.Split(text, "\n")
}

// add renders one file and merges it.
func (s *stacker) add(path string) error {
	text, err := s.render(path)
	if err != nil {
		return fmt.Errorf("Stack pillar template render error in %s:\n\"%s\"", path, err)
	}
	v, err := yaml.Load("", text)
	if err != nil {
		return fmt.Errorf("Stack pillar yaml parsing error in %s:\n%s", path, err)
	}
	if m, ok := v.(*value.Map); ok {
		if s.stack, err = stackMaps(s.stack, m); err != nil {
			return err
		}
	}
	return nil
}

// render renders a file with the names that stack's templates have. What is
// undefined is empty there.
func (s *stacker) render(path string) (string, error) {
	text, err := s.p.c.Sys.ReadFile(path)
	if err != nil {
		return "", err
	}
	c := *s.p.c
	c.Opts = s.p.opts.Shallow()
	c.Opts.Set("allow_undefined", true)
	c.Pillar = s.pillar
	return c.Render(&c, salt.Template{
		Text: string(text), Name: path, File: path, Engine: "jinja", Env: "base",
		Files: fileclient.New(fileclient.Options{Backends: []fileclient.Backend{&fileclient.Roots{Dirs: map[string][]string{"base": {s.dir}}}}}),
		Vars: value.M(
			"__opts__", s.p.opts, "__salt__", render.Functions(&c), "__grains__", s.p.c.Grains,
			"__stack__", value.M("traverse", &jinja.Function{Name: "traverse", Fn: traverse}, "cfg_path", s.cfg),
			"minion_id", s.p.o.ID, "pillar", s.pillar, "pillarenv", s.p.opts.At("pillarenv"), "stack", s.stack, "ymlpath", path,
		),
	})
}

// traverse is {{ __stack__.traverse(data, "a:b", default) }}.
func traverse(c *jinja.Call) (any, error) {
	arg := func(i int, name string, def any) any {
		if i < len(c.Args) {
			return c.Args[i]
		}
		if v, ok := c.Kwargs.Get(name); ok {
			return v
		}
		return def
	}
	def := arg(2, "default", value.M())
	return value.TraverseOr(arg(0, "data", nil), arg(1, "key", ""), def, value.Str(arg(3, "delimiter", ":"))), nil
}
