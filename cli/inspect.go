package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/diag"
	"pinch/gitfs"
	"pinch/modules"
	"pinch/modules/state"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// A look is a compiled tree and the command line that asked for it.
type look struct {
	*state.Inspection
	line *args.Call
	run  *caller.Caller
	mods []string
}

// look compiles the tree as state.apply would with this request. Those of
// --grains-file are the grains, over our own. id is an ID to find.
func (p *program) look(ctx context.Context, r *request, id string) (*look, error) {
	grains := r.value("--grains-file")
	cmd := args.Command{Prog: p.name, Version: p.versionLine(), Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	line, err := cmd.Start(r.call("state.apply", "--local"))
	if err != nil {
		return nil, err
	}
	l := &look{line: line}
	if from := r.value("--from"); from != "" {
		line.Opts.Set("offline", r.has("--offline"))
		if err := p.fromTree(ctx, line, from); err != nil {
			return l, fmt.Errorf("--from %s: %w", gitfs.Redact(from), err)
		}
	}
	l.run = caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	c := l.run.Ctx(ctx)
	if grains != "" {
		if err := overlay(c, grains); err != nil {
			return l, err
		}
	}
	pos, kw := args.Parse(line.Arg, line.NoParse())
	for _, w := range pos {
		for _, sls := range strings.Split(value.Str(w), ",") {
			l.mods = append(l.mods, strings.TrimSpace(sls))
		}
	}
	l.Inspection, err = state.Inspect(c, l.mods, kw, id)
	return l, err
}

// overlay sets the grains of a file.
func overlay(c *salt.Ctx, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	v, err := yaml.Load(path, string(b))
	if err != nil {
		return err
	}
	if m, ok := v.(*value.Map); ok {
		for k, x := range m.Items() {
			c.Grains.Set(k, x)
		}
	}
	return nil
}

// tell prints mistakes, what the run reported first, and counts the errors.
func (p *program) tell(l *look) int {
	n := 0
	var all diag.List
	if l.run != nil {
		all = l.run.Reports()
	}
	if l.Inspection != nil {
		all = append(all, l.Errors...)
	}
	for _, d := range all {
		diag.Print(p.stderr, d, p.stderrColor())
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// done closes what look opened.
func (l *look) done() {
	if l != nil && l.line != nil {
		l.line.Close()
	}
}
