package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/modules"
	"pinch/output"
	"pinch/runs"
	"pinch/value"
)

// runHistory lists the last runs, one a line.
func runHistory(p *program, _ context.Context, r *request) int {
	n := 20
	if r.has("-n") {
		var err error
		if n, err = strconv.Atoi(r.value("-n")); err != nil || n < 1 {
			fmt.Fprintln(p.stderr, "error: -n needs a number")
			return args.UsageCode
		}
	}
	failed := r.has("--failed")
	line, err := p.configured(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	h, err := runs.Open(line.Opts.Str("cachedir"))
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	var chosen []*runs.Run
	for i := len(h.JIDs) - 1; i >= 0 && len(chosen) < n; i-- {
		if r := h.Run(h.JIDs[i]); r != nil && (!failed || r.Failed()) {
			chosen = append(chosen, r)
		}
	}
	slices.Reverse(chosen)
	if out := output.From(line.Opts, p.color()); out.Output != "" {
		l := new(value.List)
		for _, r := range chosen {
			ok, changed, bad, would := r.Counts()
			l.Append(value.M("jid", r.JID, "start", r.Start.Format("2006-01-02T15:04:05Z"), "seconds", r.Seconds, "fun", r.Fun, "args", r.Args, "test", r.Test,
				"success", !r.Failed(), "states", int64(len(r.States)), "ok", int64(ok), "changed", int64(changed), "failed", int64(bad), "would_change", int64(would)))
		}
		return p.print(l, "nested", out)
	}
	if len(chosen) == 0 {
		fmt.Fprintf(p.stderr, "no run is kept in %s\n", h.Dir)
	}
	for _, r := range chosen {
		fmt.Fprintf(p.stdout, "%s  %s  %7s  %-28s  %s\n", r.JID, r.Start.Local().Format("2006-01-02 15:04:05"), runs.Took(r.Seconds), headline(r), outcome(r))
	}
	return 0
}

// headline is what ran.
func headline(r *runs.Run) string {
	text := r.Fun
	if r.Args != "" {
		text += " " + r.Args
	}
	if r.Why != "" {
		text += " (" + r.Why + ")"
	}
	return text
}

// outcome is what became of it, in a few words.
func outcome(r *runs.Run) string {
	if len(r.States) == 0 {
		if r.Failed() {
			return "failed"
		}
		return "ok"
	}
	ok, changed, failed, would := r.Counts()
	text := fmt.Sprintf("%d ok", ok)
	for _, part := range []struct {
		n    int
		word string
	}{{changed, "changed"}, {would, "would change"}, {failed, "failed"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.word)
		}
	}
	if r.Test {
		text += ", test"
	}
	return text
}

// kept finds a kept run, the last one without a job ID. When there is none the
// code is that of the program.
func (p *program) kept(line *args.Call, jid string) (*runs.Past, *runs.Run, int) {
	h, err := runs.Open(line.Opts.Str("cachedir"))
	if err != nil {
		return nil, nil, report(err, p.stdout, p.stderr, p.stderrColor())
	}
	r, err := h.Find(jid)
	if err != nil {
		code := report(err, p.stdout, p.stderr, p.stderrColor())
		fmt.Fprintln(p.stderr, "hint: pinch history lists what is kept")
		return nil, nil, code
	}
	return h, r, 0
}

// runShow prints one kept return.
func runShow(p *program, _ context.Context, r *request) int {
	jid := r.word(0)
	if strings.Trim(jid, "0123456789") != "" {
		fmt.Fprintf(p.stderr, "error: %q is no job ID\nhint: pinch history lists the runs that are kept\n", jid)
		return args.UsageCode
	}
	line, err := p.configured(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	_, kept, code := p.kept(line, jid)
	if kept == nil {
		return code
	}
	out := output.From(line.Opts, p.color())
	how := "nested"
	if len(kept.States) > 0 {
		how = "highstate"
	}
	if out.Output == "" {
		fmt.Fprintf(p.stdout, "%s: %s, %s, took %s\n", kept.JID, headline(kept), kept.Start.Local().Format("Mon 2 Jan 2006 15:04:05 MST"), runs.Took(kept.Seconds))
	}
	return p.print(value.M("local", kept.Return), how, out)
}

// runJobs calls a runner of jobs.*.
func runJobs(p *program, ctx context.Context, r *request) int {
	fun := "list_jobs"
	if len(r.words) > 0 && !strings.Contains(r.words[0], "=") {
		fun = strings.TrimPrefix(r.words[0], "jobs.")
		r.words = r.words[1:]
	}
	cmd := args.Command{Prog: p.name, Version: p.versionLine(), Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	line, err := cmd.Start(r.call("saltutil.runner", "--local"))
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	defer run.Close()
	c := run.Ctx(ctx)
	pos, kw := args.Parse(line.Arg, line.NoParse())
	v, err := c.CallKw("saltutil.runner", value.M("name", "jobs."+fun, "arg", value.L(pos...), "kwarg", kw))
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	how := "nested"
	if m, ok := v.(*value.Map); ok && fun == "lookup_jid" {
		for _, ret := range m.Items() {
			if len(runs.Of(value.M("return", ret)).States) > 0 {
				how = "highstate"
			}
		}
	}
	return p.print(v, how, output.From(line.Opts, p.color()))
}
