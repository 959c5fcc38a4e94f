// Package cli is the command line: salt-call's grammar, pinch's own verbs, and
// the exit codes of both. These rules hold for all output:
//
//   - stdout carries the result and nothing else, stderr the log and messages.
//   - Colour is on for a terminal, off with --no-color or NO_COLOR.
//   - A word with a dot is a Salt function, one without is a verb of ours.
//     Called as salt-call (by a link, see pinch link) it has only Salt's grammar.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/diag"
	"pinch/gitfs"
	"pinch/minion"
	"pinch/modules"
	"pinch/output"
	"pinch/value"
)

// A program is one run of the command line.
type program struct {
	name           string
	stdin          io.Reader
	stdout, stderr *os.File
	getenv         func(string) string

	from      string // the repository of apply --from
	offline   bool
	detailed  bool   // the exit code tells whether something changed
	outputter string // instead of the function's own

	showRendered bool // --show-rendered of apply
	plain        bool // --no-color
}

// Main runs the program with its arguments (argv[0] is its name) and returns
// the exit code.
func Main(argv []string) int {
	p := &program{name: filepath.Base(argv[0]), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv}
	ctx, stop := untilSignal()
	defer stop()
	return p.main(ctx, argv[1:])
}

func (p *program) main(ctx context.Context, argv []string) int {
	p.plain = slices.Contains(argv, "--no-color") || slices.Contains(argv, "--no-colour")
	if p.name == "salt-minion" {
		return p.asMinion(ctx, argv)
	}
	if !strings.HasSuffix(p.name, "salt-call") {
		p.name = "pinch"
		if len(argv) == 0 {
			return p.help(nil)
		}
		if argv[0] == minion.JobVerb {
			return runMinionJob(p, ctx, argv[1:])
		}
		if v, rest := p.command(argv); v != nil {
			return p.do(ctx, v, rest)
		}
		if !strings.Contains(argv[0], ".") && !strings.HasPrefix(argv[0], "-") {
			return p.unknownVerb(argv[0])
		}
	}
	return p.saltCall(ctx, argv)
}

// saltCall runs one function with salt-call's grammar. A signal that ends it
// is in the exit code.
func (p *program) saltCall(ctx context.Context, argv []string) int {
	code := p.run(ctx, argv)
	var by ended
	if errors.As(context.Cause(ctx), &by) {
		fmt.Fprintln(p.stderr, by)
		return 128 + int(by.signal)
	}
	return code
}

func (p *program) run(ctx context.Context, argv []string) int {
	shortRun()
	cmd := args.Command{Prog: p.name, Version: p.versionLine(), Report: func() string { return args.VersionsReport(Version) }, Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	if p.name == "pinch" {
		cmd.Hint = func(option string) string { return hintFor(option, nil) }
	}
	bar := p.progress()
	if bar != nil {
		cmd.Stderr = bar
		defer bar.End()
	}
	line, err := cmd.Start(argv)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	if line.Warning != "" {
		fmt.Fprintln(p.stderr, line.Warning)
	}
	stop, err := profile(line.Opts)
	if err != nil {
		return report(fmt.Errorf("--enable-profiling: %w", err), p.stdout, p.stderr, p.stderrColor())
	}
	defer func() {
		if err := stop(); err != nil {
			fmt.Fprintln(p.stderr, err)
		}
	}()
	if p.offline {
		line.Opts.Set("offline", true)
	}
	if p.showRendered {
		line.Opts.Set("show_rendered", true)
	}
	if p.from != "" {
		if err := p.fromTree(ctx, line, p.from); err != nil {
			return report(fmt.Errorf("--from %s: %w", gitfs.Redact(p.from), err), p.stdout, p.stderr, p.stderrColor())
		}
	}
	reg := modules.Registry()
	if p.name == "pinch" && line.Fun != "" && !strings.Contains(line.Fun, ".") && !line.Opts.Truth("doc") && reg.Module(line.Fun) == nil {
		return p.unknownVerb(line.Fun)
	}
	run := caller.New(caller.Options{Config: line.Config, Registry: reg, Log: line.Log})
	defer run.Close()
	if line.Config.HasSDB() {
		get := func(uri string) (any, error) { return run.Ctx(ctx).Call("sdb.get", uri) }
		err := line.Config.ResolveSDB(get)
		if err != nil && strings.HasPrefix(line.Fun, "saltutil.") {
			// The driver may be one that is still to be synced.
			line.Log.Warn("sdb values of the configuration: " + err.Error())
			err = nil
		}
		if err != nil {
			return report(err, p.stdout, p.stderr, p.stderrColor())
		}
	}
	out := output.From(line.Opts, p.color())
	out.Log = line.Log
	if p.getenv("NO_COLOR") != "" && !line.Opts.Truth("force_color") {
		out.Color = false
	}
	switch {
	case line.Opts.Truth("grains_run"):
		c := run.Ctx(ctx)
		return p.print(value.M("local", c.Grains), "nested", out)
	case line.Opts.Truth("doc"):
		return p.docs(ctx, run, line, out)
	}
	if code, done, err := p.executors(ctx, line); err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	} else if done {
		return code
	}
	bar.watch(run.Ctx(ctx), line)
	ans, err := p.call(ctx, run, line)
	bar.End()
	if line.Opts.Str("log_level") != "quiet" {
		for _, d := range run.Reports() {
			diag.Print(p.stderr, d, p.stderrColor())
		}
	}
	if err != nil && ctx.Err() != nil {
		return 1 // saltCall says why
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	p.hand(ctx, run, line, &ans)
	out.Retcode = ans.retcode
	out.Custom = customOutput(run.Ctx(ctx))
	data := ans.value
	if p.outputter != "" {
		ans.outputter, out.Test = p.outputter, true
	}
	if line.Opts.Truth("print_metadata") {
		data, ans.outputter = ans.metadata(run, line), "nested"
	}
	if out.ForPeople(ans.outputter) && line.Opts.Str("file_client") == "local" {
		data = masterless(data)
	}
	if code := p.print(value.M("local", data), ans.outputter, out); code != 0 {
		return code
	}
	if p.detailed {
		return detailedCode(ans.value, ans.retcode)
	}
	if ans.retcode != 0 && !line.Opts.Truth("retcode_passthrough") {
		return exitGeneric
	}
	return ans.retcode
}

// color reports whether stdout is a terminal that may have colour.
func (p *program) color() bool {
	return p.getenv("NO_COLOR") == "" && term.IsTerminal(int(p.stdout.Fd()))
}

// stderrColor is color for stderr.
func (p *program) stderrColor() bool {
	return !p.plain && p.getenv("NO_COLOR") == "" && term.IsTerminal(int(p.stderr.Fd()))
}

func (p *program) print(data any, outputter string, o *output.Options) int {
	if err := output.Print(p.stdout, data, outputter, o); err != nil {
		fmt.Fprintln(p.stderr, err)
		return exitGeneric
	}
	return 0
}

// exit prints what ends a run before it began.
func (p *program) exit(err error) int {
	var e *args.Exit
	if !errors.As(err, &e) {
		return report(err, p.stdout, p.stderr, false)
	}
	io.WriteString(p.stdout, e.Stdout)
	io.WriteString(p.stderr, e.Stderr)
	return e.Code
}

// docs prints the manual of modules or functions.
func (p *program) docs(ctx context.Context, run *caller.Caller, line *args.Call, out *output.Options) int {
	c := run.Ctx(ctx)
	words := make([]any, 0, len(line.Args))
	for _, a := range line.Args {
		words = append(words, a)
	}
	v, err := c.Call("sys.doc", words...)
	if err != nil {
		return report(failure(c, "sys.doc", err), p.stdout, p.stderr, false)
	}
	if out.Output != "" {
		return p.print(value.M("local", v), "nested", out)
	}
	docs, _ := v.(*value.Map)
	for name, text := range docs.Items() {
		fmt.Fprintf(p.stdout, "%s:\n\n%s\n\n", name, strings.TrimSpace(value.Str(text)))
	}
	return 0
}

// versionLine is what --version prints: Salt's form, since its clients cut the
// second field out of it; called by its own name pinch adds its version.
func (p *program) versionLine() string {
	line := args.SaltVersion(p.name)
	if p.name == "pinch" {
		line += " pinch " + Version
	}
	return line
}
