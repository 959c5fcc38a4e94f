package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"pinch/cli/args"
	"pinch/cli/logging"
	"pinch/config"
	"pinch/minion"
	"pinch/modules"
	"pinch/sys"
)

// runMinion belongs to a master until it is stopped.
func runMinion(p *program, ctx context.Context, argv []string) int {
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
	m, err := minion.New(minion.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	if path := line.Opts.Str("pidfile"); path != "" {
		mode := os.FileMode(0o644)
		text := []byte(strconv.Itoa(os.Getpid()) + "\n")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = sys.WriteFile(sys.Real{}, path, text, sys.FileAttrs{Mode: &mode})
			if err != nil {
				line.Log.Warn("the pid file: " + err.Error())
			}
			defer os.Remove(path)
		}
	}
	if err := m.Run(ctx); err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	return 0
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
