package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/diag"
	"pinch/modules"
)

// help prints what the program can do.
func (p *program) help(v *verbEntry) int {
	if v != nil {
		fmt.Fprintf(p.stdout, "Usage: pinch %s\n\n%s.\n%s\n%s\nExamples:\n  %s\n", strings.TrimSpace(v.name+" "+v.usage), strings.ToUpper(v.short[:1])+v.short[1:], v.long, args.OptionLines(v.options), v.example)
		return 0
	}
	fmt.Fprintf(p.stdout, "pinch puts a machine into the state its Salt tree describes: no master, no Python.\n\nUsage: pinch COMMAND [arguments]\n       pinch FUNCTION [arguments] [options]      a Salt function, such as state.apply or pkg.install\n\nCommands:\n")
	for _, v := range verbs() {
		fmt.Fprintf(p.stdout, "  %-12s %s\n", v.name, v.short)
	}
	fmt.Fprintf(p.stdout, "\nExamples:\n  pinch apply web --test\n  pinch grains.get os\n  pinch help file.managed\n\nOptions are those of salt-call, before or after the command: pinch --help lists them.\n")
	return 0
}

func (p *program) helpFor(ctx context.Context, r *request) int {
	if len(r.words) == 0 {
		return p.help(nil)
	}
	name := r.words[0]
	if v := verb(name); v != nil {
		return p.help(v)
	}
	if strings.Contains(name, ".") {
		return p.functionHelp(ctx, name, r.opts)
	}
	return p.unknownVerb(name)
}

// functionHelp prints the manual of a state or execution function.
func (p *program) functionHelp(ctx context.Context, name string, opts []string) int {
	for _, fun := range []string{"sys.state_doc", "sys.doc"} {
		argv := slices.Concat([]string{"--local"}, opts, []string{"--out=json", fun, name})
		cmd := args.Command{Prog: p.name, Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
		line, err := cmd.Start(argv)
		if err != nil {
			return p.exit(err)
		}
		text := p.manualOf(ctx, line, name)
		line.Close()
		if text != "" {
			fmt.Fprintln(p.stdout, text)
			return 0
		}
	}
	fmt.Fprintf(p.stderr, "error: there is no function %s\n", name)
	if hint := diag.DidYouMean(name, p.functions(ctx, opts)); hint != "" {
		fmt.Fprintln(p.stderr, "hint: "+hint)
	}
	return exitGeneric
}

// functions are the names of all state and execution functions.
func (p *program) functions(ctx context.Context, opts []string) []string {
	cmd := args.Command{Prog: p.name, Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	line, err := cmd.Start(slices.Concat([]string{"--local"}, opts, []string{"test.ping"}))
	if err != nil {
		return nil
	}
	defer line.Close()
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	defer run.Close()
	c := run.Ctx(ctx)
	return append(run.Registry().Names(c, "states"), run.Registry().Names(c, "exec")...)
}

// unknownVerb tells that pinch has no such command.
func (p *program) unknownVerb(name string) int {
	if modules.Registry().Module(name) != nil {
		fmt.Fprintf(p.stderr, "error: %[1]s is a module of Salt and no command\nhint: pinch -d %[1]s prints the manuals of its functions; pinch help %[1]s.FUNCTION that of one\n", name)
		return args.UsageCode
	}
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	fmt.Fprintf(p.stderr, "error: pinch has no command %q\n", name)
	if hint := diag.DidYouMean(name, names); hint != "" {
		fmt.Fprintf(p.stderr, "hint: %s\n", hint)
	} else {
		fmt.Fprintf(p.stderr, "hint: pinch help lists the commands; a Salt function has a dot (state.apply)\n")
	}
	return args.UsageCode
}
