package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pinch/cli/args"
	"pinch/diag"
)

// A request is what stands beside a command of ours on the command line, taken
// apart: `pinch -c DIR apply --from URL web` is the word web, the own option
// --from and the option --config-dir of salt-call.
type request struct {
	argv  []string // as it was typed, without the command; all that a raw one gets
	words []string
	own   map[string][]string // the command's own options; a flag has the value ""
	opts  []string            // all others, as they are typed in full
}

// has reports whether an option of the command's own was given.
func (r *request) has(name string) bool { return len(r.own[name]) > 0 }

// value is the last value of an option of the command's own.
func (r *request) value(name string) string {
	if all := r.own[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// word is the nth word, or "".
func (r *request) word(n int) string {
	if n < len(r.words) {
		return r.words[n]
	}
	return ""
}

// call is a command line of salt-call's: options, function, the words.
func (r *request) call(fun string, opts ...string) []string {
	return slices.Concat(opts, r.opts, []string{"--", fun}, r.words)
}

// command finds the command of a line whose options may stand before it, as
// git's -C: the first word that names one and has nothing but whole options
// before it. argv comes back without it.
func (p *program) command(argv []string) (*verbEntry, []string) {
	for i, word := range argv {
		if word == "--" {
			break
		}
		v := verb(word)
		if v == nil {
			continue
		}
		if i > 0 {
			line, err := p.grammar(v).Parse(argv[:i])
			if e, ok := err.(*args.Exit); len(line.Args) > 0 || ok && e.Code != 0 {
				continue
			}
			if line.Values.Truth("doc") || line.Values.Truth("daemon") { // -d schedule: the manual of the module
				continue
			}
		}
		return v, slices.Concat(argv[:i], argv[i+1:])
	}
	return nil, argv
}

// grammar are the options of a command.
func (p *program) grammar(v *verbEntry) *args.Grammar {
	cmd := args.Command{Prog: p.name, Version: p.versionLine(), Getenv: p.getenv}
	g := cmd.Grammar()
	if v.minion {
		g = cmd.MinionGrammar()
	}
	g = g.With(v.options)
	g.Prog, g.Usage = "pinch "+v.name, v.usage
	g.Hint = func(name string) string { return hintFor(name, v) }
	return g
}

// do runs a command with the words and options beside it.
func (p *program) do(ctx context.Context, v *verbEntry, argv []string) int {
	r := &request{argv: argv, own: map[string][]string{}}
	if v.raw {
		return v.run(p, ctx, r)
	}
	line, err := p.grammar(v).Parse(argv)
	if e, ok := err.(*args.Exit); ok && e.Help {
		return p.help(v)
	}
	if err != nil {
		return p.exit(err)
	}
	r.words = line.Args
	for _, g := range line.Given {
		if name := g.Names[0]; slices.ContainsFunc(v.options, func(o args.Option) bool { return o.Names[0] == name }) {
			r.own[name] = append(r.own[name], g.Value)
			continue
		}
		r.opts = append(r.opts, g.Words()...)
	}
	asksHelp := slices.Equal(r.words, []string{"help"})
	if asksHelp && (v.max == 0 || v.choice()) {
		return p.help(v)
	}
	if n := len(r.words); n < v.min || v.max >= 0 && n > v.max {
		return p.miscounted(v, r)
	}
	code := v.run(p, ctx, r)
	if code != 0 && asksHelp { // an SLS or a file may have this name
		fmt.Fprintf(p.stderr, "hint: pinch help %s explains the command\n", v.name)
	}
	return code
}

// choice reports whether the command's word is one of some that it lists.
func (v *verbEntry) choice() bool { return strings.Contains(strings.Fields(v.usage + " ")[0], "|") }

// miscounted tells that there are too few words for a command, or too many.
func (p *program) miscounted(v *verbEntry, r *request) int {
	if len(r.words) < v.min {
		what := strings.Join(strings.Fields(v.usage)[len(r.words):v.min], " ")
		fmt.Fprintf(p.stderr, "error: pinch %s needs %s\n", v.name, what)
	} else {
		fmt.Fprintf(p.stderr, "error: pinch %s takes no %q here\n", v.name, r.words[v.max])
	}
	fmt.Fprintf(p.stderr, "hint: pinch %s\n", strings.TrimSpace(v.name+" "+v.usage))
	return args.UsageCode
}

// hintFor explains an option that neither salt-call nor the command v has (v is
// nil for a Salt function): it is one of other commands, or looks like one of
// v's own.
func hintFor(name string, v *verbEntry) string {
	var of []string
	for _, other := range verbs() {
		if slices.ContainsFunc(other.options, func(o args.Option) bool { return o.Names[0] == name }) {
			of = append(of, "pinch "+other.name)
		}
	}
	switch {
	case name == "--test":
		return "a function takes test=True, and pinch apply takes --test"
	case len(of) > 0:
		return name + " is an option of " + strings.Join(of, ", ")
	case v == nil:
		return ""
	}
	var own []string
	for _, o := range v.options {
		own = append(own, strings.TrimLeft(o.Names[0], "-"))
	}
	if near := diag.Nearest(strings.TrimLeft(name, "-"), own); near != "" && len(near) > 1 && len(name) > 5 {
		return "did you mean --" + near + "?"
	}
	return ""
}
