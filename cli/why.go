package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pinch/apply"
	"pinch/diag"
	"pinch/modules/state"
	"pinch/value"
)

// runWhy explains one ID: where it comes from and what became of it.
func runWhy(p *program, ctx context.Context, r *request) int {
	id := r.words[0]
	r.words = r.words[1:]
	l, err := p.look(ctx, r, id)
	defer l.done()
	if err != nil {
		return p.exit(err)
	}
	if len(l.Origins) == 0 {
		if p.tell(l) == 0 {
			fmt.Fprintf(p.stderr, "error: no state of this machine has the ID or name %q\n", id)
			if hint := diag.DidYouMean(id, l.ids()); hint != "" {
				fmt.Fprintf(p.stderr, "hint: %s\n", hint)
			}
			l.absent(p.stderr)
		}
		return exitGeneric
	}
	for i := range l.Origins {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		l.explain(p.stdout, &l.Origins[i])
	}
	p.tell(l)
	return 0
}

func (l *look) ids() []string {
	var out []string
	if l.Plan != nil {
		for _, ch := range l.Plan.Chunks {
			out = append(out, ch.ID, ch.Name)
		}
	}
	return out
}

// absent lists the targets of the top file that do not match this machine.
func (l *look) absent(w io.Writer) {
	for _, t := range l.Tops {
		if !t.Matches && len(t.SLS) > 0 {
			fmt.Fprintf(w, "note: %s: target %q does not match this machine: %s\n", t.Pos, t.Target, strings.Join(t.SLS, ", "))
		}
	}
}

func (l *look) explain(w io.Writer, o *apply.Origin) {
	fmt.Fprintf(w, "%s: %s\n  declared in %s (SLS %s, environment %s)\n", o.ID, strings.Join(o.States, ", "), o.Pos, o.SLS, o.Env)
	for i, line := range o.Text {
		if i == 12 {
			fmt.Fprintf(w, "    … %d more lines\n", len(o.Text)-i)
			break
		}
		fmt.Fprintf(w, "    %4d | %s\n", o.Pos.Line+i, line)
	}
	root := o.SLS
	for _, s := range o.Includes {
		fmt.Fprintf(w, "  included by %s in %s\n", s.SLS, s.Pos)
		root = s.SLS
	}
	l.selected(w, root, o.Env)
	for _, e := range o.Extends {
		fmt.Fprintf(w, "  extended in %s\n", e)
	}
	l.pillarKeys(w, o)
	l.requisites(w, o)
	l.lastRun(w, o)
}

// selected says which line of a top file, or which word of the command, asks
// for an SLS.
func (l *look) selected(w io.Writer, sls, env string) {
	if slices.Contains(l.mods, sls) {
		fmt.Fprintf(w, "  asked for on the command line: %s\n", sls)
		return
	}
	for _, t := range l.Tops {
		if t.Matches && t.Env == env && slices.Contains(t.SLS, sls) {
			fmt.Fprintf(w, "  selected by target %q in %s\n", t.Target, t.Pos)
		}
	}
}

var pillarKey = `pillar(?:\.get\(|\[|\.get'\]\(|\.get"\]\()\s*['"]([\w.:-]+)['"]|pillar\.(\w+)`

// pillarKeys names the pillar keys in a declaration and where the pillar has them.
func (l *look) pillarKeys(w io.Writer, o *apply.Origin) {
	re := regexp.MustCompile(pillarKey)
	seen := map[string]bool{}
	for _, m := range re.FindAllStringSubmatch(strings.Join(o.Text, "\n"), -1) {
		key := m[1] + m[2]
		if key == "" || key == "get" || key == "items" || seen[key] {
			continue
		}
		seen[key] = true
		top, _, _ := strings.Cut(key, ":")
		where := l.pillarFiles(top)
		switch {
		case !l.Ctx.Pillar.Has(top):
			fmt.Fprintf(w, "  uses pillar %s, which this machine does not have\n", key)
		case len(where) == 0:
			fmt.Fprintf(w, "  uses pillar %s\n", key)
		default:
			fmt.Fprintf(w, "  uses pillar %s from %s\n", key, strings.Join(where, ", "))
		}
	}
}

// pillarFiles are the places in the pillar trees where a line begins with a key.
func (l *look) pillarFiles(key string) []string {
	var out []string
	for _, root := range l.line.Config.PillarRoots() {
		for _, dir := range root.Dirs {
			for _, glob := range []string{"*.sls", "*/*.sls", "*/*/*.sls"} {
				files, _ := filepath.Glob(filepath.Join(dir, glob))
				for _, f := range files {
					b, _ := l.Ctx.Sys.ReadFile(f)
					for i, line := range strings.Split(string(b), "\n") {
						if strings.HasPrefix(line, key+":") {
							out = append(out, fmt.Sprintf("%s:%d", f, i+1))
						}
					}
				}
			}
		}
	}
	return out
}

// requisites lists what the states of an ID depend on, and what depends on them.
func (l *look) requisites(w io.Writer, o *apply.Origin) {
	if l.Plan == nil {
		return
	}
	for _, e := range l.Plan.Edges() {
		switch {
		case e.To.ID == o.ID && e.From.ID != o.ID:
			fmt.Fprintf(w, "  %s %s: %s\n", e.Kind, e.From.State, e.From.ID)
		case e.From.ID == o.ID && e.To.ID != o.ID:
			fmt.Fprintf(w, "  wanted by %s: %s (%s)\n", e.To.State, e.To.ID, e.Kind)
		}
	}
}

// lastRun tells what became of the states of an ID.
func (l *look) lastRun(w io.Writer, o *apply.Origin) {
	last := state.LastRun(l.Ctx)
	what := "the last run"
	if last.Truth("test") {
		what = "the last run, a test,"
	}
	found := false
	for tag, v := range last.Map("return").Items() {
		parts := strings.Split(tag, "_|-")
		ret, _ := v.(*value.Map)
		if len(parts) != 4 || parts[1] != o.ID || ret == nil {
			continue
		}
		found = true
		comment := strings.ReplaceAll(strings.TrimRight(value.Str(ret.At("comment")), "\n"), "\n", "\n    ")
		fmt.Fprintf(w, "  in %s of %s %s.%s %s: %s\n", what, last.Str("time"), parts[0], parts[3], verdict(ret), comment)
	}
	if !found {
		fmt.Fprintf(w, "  it was not in the last run\n")
	}
}

// verdict says in a word or two how a state ended, and why it did not run.
func verdict(ret *value.Map) string {
	ran := ret.At("__state_ran__") != false
	switch r := ret.At("result"); {
	case r == false && !ran:
		return "was not run"
	case r == false:
		return "failed"
	case !ran:
		return "was not needed"
	case ret.Truth("skip_watch"):
		return "was skipped by a condition"
	case r == nil:
		return "would change something"
	case ret.Truth("changes"):
		return "changed something"
	}
	return "ran and changed nothing"
}
