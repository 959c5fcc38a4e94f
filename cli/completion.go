package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/modules"
	"pinch/value"
)

const bashScript = `_pinch() {
  local cur=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($(compgen -W "$(pinch completion words 2>/dev/null)" -- "$cur"))
}
complete -o default -F _pinch pinch salt-call
`

const zshScript = `#compdef pinch salt-call
_pinch() {
  local -a words
  words=(${(f)"$(pinch completion words 2>/dev/null)"})
  compadd -a words
  _files
}
compdef _pinch pinch salt-call
`

const fishScript = `for p in pinch salt-call
  complete -c $p -a '(pinch completion words 2>/dev/null)'
end
`

// runCompletion prints a shell's script, or (words) what it completes from.
func runCompletion(p *program, ctx context.Context, r *request) int {
	switch r.words[0] {
	case "bash":
		fmt.Fprint(p.stdout, bashScript)
	case "zsh":
		fmt.Fprint(p.stdout, zshScript)
	case "fish":
		fmt.Fprint(p.stdout, fishScript)
	case "words":
		return p.completionWords(ctx)
	default:
		fmt.Fprintf(p.stderr, "error: no completion for %q: bash, zsh and fish are known\n", r.words[0])
		return args.UsageCode
	}
	return 0
}

func (p *program) completionWords(ctx context.Context) int {
	cmd := args.Command{Prog: p.name, Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	own := map[string]bool{}
	for _, v := range verbs() {
		fmt.Fprintln(p.stdout, v.name)
		for _, o := range v.options {
			if name := o.Names[0]; strings.HasPrefix(name, "--") {
				own[name] = true
			}
		}
	}
	for _, g := range cmd.Grammar().Groups {
		for _, o := range g.Options {
			for _, n := range o.Names {
				if strings.HasPrefix(n, "--") {
					fmt.Fprintln(p.stdout, n)
					delete(own, n)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		fmt.Fprintln(p.stdout, name)
	}
	line, err := cmd.Start([]string{"--local", "test.ping"})
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	for _, name := range run.Registry().Names(run.Ctx(ctx), "exec") {
		fmt.Fprintln(p.stdout, name)
	}
	return 0
}

// manualOf asks line's function (sys.doc or sys.state_doc) for a manual.
func (p *program) manualOf(ctx context.Context, line *args.Call, name string) string {
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	v, err := run.Ctx(ctx).Call(line.Fun, name)
	if err != nil {
		return ""
	}
	m, _ := v.(*value.Map)
	return strings.TrimSpace(m.Str(name))
}
