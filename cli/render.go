package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/modules"
	"pinch/render"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// runRender prints what a template becomes after each renderer of its pipe.
func runRender(p *program, ctx context.Context, r *request) int {
	file, err := filepath.Abs(r.words[0])
	if err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	line, err := p.start(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	grains, err := data(r.own["--grains"])
	if err != nil {
		return report(fmt.Errorf("--grains: %w", err), p.stdout, p.stderr, p.stderrColor())
	}
	pillar, err := data(r.own["--pillar"])
	if err != nil {
		return report(fmt.Errorf("--pillar: %w", err), p.stdout, p.stderr, p.stderrColor())
	}
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	c := run.Ctx(ctx).With(true)
	for k, v := range grains.Items() {
		c.Grains.Set(k, v)
	}
	if pillar.Len() > 0 {
		if c.Pillar, err = c.CompilePillar(c, salt.PillarOptions{SaltEnv: c.Env, Override: pillar}); err != nil {
			return report(err, p.stdout, p.stderr, p.stderrColor())
		}
	}
	text, err := c.Sys.ReadFile(file)
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	t := template(c, file, string(text), line.Config.FileRoots()[0].Dirs)
	err = run.Stages(c, t, func(s render.Stage) { p.stage(s) })
	for _, d := range run.Reports() {
		fmt.Fprintln(p.stderr, d.Error())
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	return 0
}

// template is the file as the state compiler would render it; a file that is no
// SLS goes through jinja alone.
func template(c *salt.Ctx, file, text string, roots []string) salt.Template {
	t := salt.Template{Text: text, Name: file, File: file, Env: c.Env}
	if filepath.Ext(file) != ".sls" {
		t.Engine = "jinja"
		return t
	}
	t.SLSFile = true
	name := filepath.Base(file)
	for _, r := range roots {
		if rel, err := filepath.Rel(r, file); err == nil && !strings.HasPrefix(rel, "..") {
			name = rel
		}
	}
	t.SLS = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(name, ".sls"), "/init"), "/", ".")
	return t
}

// stage prints one stage under its name.
func (p *program) stage(s render.Stage) {
	head := "### " + s.Renderer
	if p.color() {
		head = "\x1b[1;36m" + head + "\x1b[0m"
	}
	text := s.Text
	if s.Data != nil {
		var err error
		if text, err = yaml.Dump(s.Data.Value, yaml.DumpOptions{Flow: yaml.StyleOf(false), KeepOrder: true}); err != nil {
			text = value.Repr(s.Data.Value) + "\n"
		}
	}
	fmt.Fprintf(p.stdout, "%s\n%s\n", head, strings.TrimRight(text, "\n"))
}

// start reads the configuration for a verb of ours with options of salt-call.
func (p *program) start(opts []string) (*args.Call, error) {
	cmd := args.Command{Prog: p.name, Version: p.versionLine(), Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	return cmd.Start(append(append([]string{"--local"}, opts...), "test.ping"))
}

// data reads values that are YAML mappings or key=value.
func data(texts []string) (*value.Map, error) {
	out := new(value.Map)
	for _, text := range texts {
		if k, v, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(k, "{: \n") {
			x, err := yaml.Load("", v)
			if err != nil {
				return nil, err
			}
			out.Set(k, x)
			continue
		}
		v, err := yaml.Load("", text)
		if err != nil {
			return nil, err
		}
		m, ok := v.(*value.Map)
		if !ok {
			return nil, fmt.Errorf("%q is neither key=value nor a mapping", text)
		}
		value.Update(out, m, false)
	}
	return out, nil
}
