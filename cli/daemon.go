package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/config"
	"pinch/daemon"
	"pinch/modules"
	"pinch/value"
)

// configured reads the configuration as a call of salt-call --local does; words
// are its options.
func (p *program) configured(words []string) (*args.Call, error) {
	cmd := args.Command{Prog: p.name, Version: p.versionLine(), Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	line, err := cmd.Start(append(append([]string{"--local"}, words...), "test.ping"))
	if err == nil {
		standing(line.Config)
	}
	return line, err
}

// standing makes the options those of a process that stays.
func standing(c *config.Config) {
	c.Opts.Set("local", false)
	c.Opts.Set("file_client", "local")
	c.Opts.Set("__cli", "salt-minion")
}

// runDaemon is pinch daemon.
func runDaemon(p *program, ctx context.Context, r *request) int { return p.daemon(ctx, r.opts) }

// daemon stays with these options of salt-call.
func (p *program) daemon(ctx context.Context, opts []string) int {
	line, err := p.configured(opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	log := line.Log
	if p.getenv("JOURNAL_STREAM") != "" {
		if journal := daemon.Journal(line.Opts.Str("log_level")); journal != nil {
			log = journal
		}
	}
	// Its jobs are processes of their own: more threads only cost waking them.
	runtime.GOMAXPROCS(1)
	first := line.Config
	d, err := daemon.New(daemon.Options{
		Load: func() (*config.Config, error) {
			if c := first; c != nil {
				first = nil
				return c, nil
			}
			again, err := p.configured(opts)
			if err != nil {
				return nil, err
			}
			defer again.Close()
			return again.Config, nil
		},
		Registry: modules.Registry(), Log: log, Notify: daemon.SystemdNotify(p.getenv("NOTIFY_SOCKET")),
	})
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	defer onReload(func() { d.Reload(ctx) })()
	err = d.Run(ctx)
	if errors.Is(err, daemon.ErrRunning) {
		fmt.Fprintln(p.stderr, err)
		return exitGeneric
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	return 0
}

// onReload calls f at each SIGHUP until stop is called.
func onReload(f func()) (stop func()) {
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	go func() {
		for range reload {
			f()
		}
	}()
	return func() { signal.Stop(reload); close(reload) }
}

// runJob runs one job of the daemon that started this process.
func runJob(p *program, ctx context.Context, r *request) int {
	j, err := daemon.ReadJob(p.stdin)
	if err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	line, err := p.configured(r.argv)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	j.Awaited = true
	ret := daemon.Perform(ctx, caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log}, j)
	data, err := value.Msgpack(ret)
	if err == nil {
		_, err = os.NewFile(3, "return").Write(data)
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	return 0
}
