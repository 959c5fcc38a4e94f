package cli

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"time"

	"pinch/cli/args"
	"pinch/value"
)

// executors prepares a call as --module-executors says: direct_call calls the
// function, splay waits a part of executor_opts' splaytime first, the same for
// every run of this minion, and sudo runs the call as the option sudo_user.
// done says that the call was made, with its exit code.
func (p *program) executors(ctx context.Context, line *args.Call) (code int, done bool, err error) {
	user := line.Opts.Str("sudo_user")
	for _, name := range words(line.Opts.At("module_executors")) {
		switch {
		case name == "direct_call":
			return 0, false, nil
		case name == "splay":
			if err := sleep(ctx, splay(line)); err != nil {
				return 0, false, err
			}
		case name == "sudo" && user != "":
			code, err := p.sudo(ctx, user, line)
			return code, true, err
		case ofTree(line, name):
			return 0, false, nil // see execute
		default:
			return 0, false, &callError{text: fmt.Sprintf("\nPassed invalid arguments: Executor '%s' is not available.\n\nUsage:", name), code: exitGeneric}
		}
	}
	return 0, false, nil
}

// words reads an option that is a list, a word, or a list as text.
func words(v any) []string {
	if s, ok := v.(string); ok {
		v = args.Typed(s)
	}
	l, ok := v.(*value.List)
	if !ok {
		if v == nil {
			return nil
		}
		return []string{value.Str(v)}
	}
	out := make([]string, 0, l.Len())
	for _, it := range l.Items {
		out = append(out, value.Str(it))
	}
	return out
}

// splay is this minion's share of the time over which minions are spread.
func splay(line *args.Call) time.Duration {
	limit := int64(300)
	opts := line.Opts.At("executor_opts")
	if s, ok := opts.(string); ok {
		opts = args.Typed(s)
	}
	if m, ok := opts.(*value.Map); ok {
		if n, ok := m.At("splaytime").(int64); ok && n > 0 {
			limit = n
		}
	}
	h := fnv.New32a()
	fmt.Fprint(h, line.Opts.Str("id"), line.Fun)
	return time.Duration(int64(h.Sum32())%limit) * time.Second
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// sudo makes the call as another user.
func (p *program) sudo(ctx context.Context, user string, line *args.Call) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	argv := []string{"-u", user, self, "call", "--local", "--module-executors=[direct_call]", "-c", line.Values.Str("config_dir")}
	if out := line.Opts.Str("output"); out != "" {
		argv = append(argv, "--out="+out)
	}
	cmd := exec.CommandContext(ctx, "sudo", append(append(argv, "--", line.Fun), line.Arg...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, p.stdout, p.stderr
	err = cmd.Run()
	if cmd.ProcessState != nil {
		return cmd.ProcessState.ExitCode(), nil
	}
	return 0, err
}
