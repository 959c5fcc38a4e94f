package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"

	"pinch/cli/args"
	"pinch/cli/logging"
	"pinch/config"
	"pinch/daemon"
	"pinch/minion"
	"pinch/modules"
)

// runMinion belongs to a master until it is stopped.
func runMinion(p *program, ctx context.Context, r *request) int {
	argv := r.argv
	prog := "pinch minion"
	if p.name == "salt-minion" {
		prog = p.name
	}
	cmd := args.Command{Prog: prog, Version: p.minionVersion(), Report: func() string { return args.VersionsReport(Version) }, Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	line, err := cmd.StartMinion(argv)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	if o := line.Opts; o.Str("master_type") == "disable" || o.Str("file_client") == "local" && !o.Truth("use_master_when_local") {
		return p.daemon(ctx, argv)
	}
	first := line.Config
	m, err := minion.New(minion.Options{
		Load: func() (*config.Config, error) {
			if c := first; c != nil {
				first = nil
				return c, nil
			}
			again, err := cmd.StartMinion(argv)
			if err != nil {
				return nil, err
			}
			defer again.Close()
			return again.Config, nil
		},
		Registry: modules.Registry(), Log: line.Log, Notify: daemon.SystemdNotify(p.getenv("NOTIFY_SOCKET")),
	})
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	defer onReload(func() { m.Reload(ctx) })()
	defer onDebug(line.Log)()
	err = m.Run(ctx)
	if errors.Is(err, daemon.ErrRunning) {
		fmt.Fprintln(p.stderr, err)
		return exitGeneric
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	return 0
}

// onDebug writes what all goroutines do to salt-debug-TIME.log in the folder for
// temporary files at each SIGUSR1, as Salt's programs do.
func onDebug(log *slog.Logger) (stop func()) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			f, err := os.CreateTemp("", "salt-debug-*.log")
			if err == nil {
				err = errors.Join(pprof.Lookup("goroutine").WriteTo(f, 2), f.Close())
			}
			if err != nil {
				log.Error("the report for SIGUSR1: " + err.Error())
			}
		}
	}()
	return func() { signal.Stop(asked); close(asked) }
}

// minionVersion is what salt-minion --version prints.
func (p *program) minionVersion() string {
	if p.name == "salt-minion" {
		return args.SaltVersion(p.name)
	}
	return args.SaltVersion("pinch") + " pinch " + Version
}

// runMinionJob runs one job for a minion of the same program: see minion.JobVerb.
func runMinionJob(p *program, ctx context.Context, argv []string) int {
	if len(argv) != 2 {
		return args.UsageCode
	}
	conf, err := config.Load(config.Options{Dir: argv[0], ID: argv[1], Prog: "salt-minion", Getenv: p.getenv})
	if err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	h, closer, err := logging.Setup(conf.Opts, p.stderr, false)
	if err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	if closer != nil {
		defer closer.Close()
	}
	out := os.NewFile(3, "return")
	if out == nil {
		fmt.Fprintln(p.stderr, "error: this is for a minion's own use")
		return args.UsageCode
	}
	defer out.Close()
	if err := minion.Job(ctx, conf, modules.Registry(), slog.New(h), p.stdin, out); err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	return 0
}
