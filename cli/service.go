package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/cli/args"
	"pinch/daemon"
	"pinch/sys"
)

// runService puts the daemon under the service manager, or takes it away.
func runService(p *program, ctx context.Context, r *request) int {
	do := map[string]func(context.Context, *serviceCall) error{"install": installService, "uninstall": uninstallService, "status": serviceStatus}[r.words[0]]
	if do == nil {
		fmt.Fprintf(p.stderr, "error: pinch service knows no %q\nhint: pinch service install|uninstall|status\n", r.words[0])
		return args.UsageCode
	}
	s := &serviceCall{p: p, sys: sys.Real{}, root: r.value("--root")}
	line, err := p.configured(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	if dir := line.Config.Dir; r.words[0] == "install" && s.root == "" && slices.ContainsFunc(r.opts, func(o string) bool { return strings.HasPrefix(o, "-c") || strings.HasPrefix(o, "--config-dir") }) && !sys.Exists(s.sys, dir) {
		return report(fmt.Errorf("there is no folder %s for -c", dir), p.stdout, p.stderr, p.stderrColor())
	}
	s.dir, s.lock = line.Config.Dir, filepath.Join(line.Opts.Str("cachedir"), "daemon", "lock")
	if s.self, err = os.Executable(); err == nil {
		err = do(ctx, s)
	}
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	return s.code
}

// serviceCall is one call of pinch service.
type serviceCall struct {
	p               *program
	sys             sys.Sys
	root            string // files go below it, and nothing is started
	dir, self, lock string
	code            int
}

const unitName = "pinch.service"

// file is where the service of a manager is described.
func (s *serviceCall) file(manager string) string {
	path := "/etc/init.d/pinch"
	if manager == "systemd" {
		path = "/etc/systemd/system/" + unitName
	}
	return filepath.Join("/", s.root, path)
}

// manager is the machine's service manager.
func (s *serviceCall) manager() string {
	at := func(path string) bool { return sys.Exists(s.sys, filepath.Join("/", s.root, path)) }
	switch {
	case at("/run/systemd/system"), s.root != "" && at("/usr/lib/systemd"):
		return "systemd"
	case at("/sbin/openrc-run"):
		return "openrc"
	}
	return "sysv"
}

func installService(ctx context.Context, s *serviceCall) error {
	m := s.manager()
	what := "daemon"
	if sys.Exists(s.sys, filepath.Join("/", s.root, s.dir, joinFile)) {
		what = "minion"
	}
	text, mode := daemon.Unit(s.self, what, s.dir), os.FileMode(0o644)
	if m != "systemd" {
		text, mode = daemon.InitScript(m, s.self, what, s.dir), 0o755
	}
	path := s.file(m)
	if err := sys.MkdirAll(s.sys, filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := sys.WriteFile(s.sys, path, []byte(text), sys.FileAttrs{Mode: &mode}); err != nil {
		return err
	}
	fmt.Fprintln(s.p.stdout, path+" is written")
	if s.root != "" {
		return nil
	}
	switch m {
	case "systemd":
		u := s.sys.Units()
		if err := u.Reload(ctx); err != nil {
			return err
		}
		if err := u.Enable(ctx, unitName); err != nil {
			return err
		}
		if err := u.Job(ctx, "RestartUnit", unitName, true); err != nil {
			return err
		}
	case "openrc":
		return s.run(ctx, [][]string{{"rc-update", "add", "pinch", "default"}, {"rc-service", "pinch", "restart"}})
	default:
		return s.run(ctx, [][]string{{"update-rc.d", "pinch", "defaults"}, {path, "restart"}})
	}
	fmt.Fprintln(s.p.stdout, "pinch.service is enabled and runs")
	return nil
}

// run runs commands; those that this machine does not have are left out.
func (s *serviceCall) run(ctx context.Context, commands [][]string) error {
	for _, argv := range commands {
		if !strings.HasPrefix(argv[0], "/") && s.sys.LookPath(argv[0]) == "" {
			continue
		}
		r, err := s.sys.Run(ctx, sys.Cmd{Argv: argv, Merge: true})
		if err != nil {
			return err
		}
		if r.Code != 0 {
			return fmt.Errorf("%s: %s", strings.Join(argv, " "), strings.TrimSpace(string(r.Stdout)))
		}
	}
	return nil
}

func uninstallService(ctx context.Context, s *serviceCall) error {
	m := s.manager()
	path := s.file(m)
	if !sys.LExists(s.sys, path) {
		fmt.Fprintln(s.p.stdout, "there is no "+path)
		return nil
	}
	if s.root == "" {
		switch m {
		case "systemd":
			u := s.sys.Units()
			if err := u.Job(ctx, "StopUnit", unitName, true); err != nil {
				return err
			}
			if err := u.Disable(ctx, unitName); err != nil {
				return err
			}
		case "openrc":
			if err := s.run(ctx, [][]string{{"rc-service", "pinch", "stop"}, {"rc-update", "del", "pinch", "default"}}); err != nil {
				return err
			}
		default:
			if err := s.run(ctx, [][]string{{path, "stop"}, {"update-rc.d", "pinch", "remove"}}); err != nil {
				return err
			}
		}
	}
	if err := s.sys.Remove(path); err != nil {
		return err
	}
	if s.root == "" && m == "systemd" {
		if err := s.sys.Units().Reload(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintln(s.p.stdout, path+" is removed")
	return nil
}

// serviceStatus tells whether the daemon runs; exit code 3 says no, as
// systemctl does.
func serviceStatus(ctx context.Context, s *serviceCall) error {
	m := s.manager()
	if sys.LExists(s.sys, s.file(m)) {
		fmt.Fprintf(s.p.stdout, "service: %s (%s)\n", s.file(m), m)
	} else {
		fmt.Fprintf(s.p.stdout, "service: not installed (%s)\n", m)
	}
	if m == "systemd" && s.root == "" {
		var unit *sys.UnitError
		if state, err := s.sys.Units().Property(ctx, unitName, "Unit", "ActiveState"); err == nil {
			fmt.Fprintf(s.p.stdout, "systemd: %v\n", state)
		} else if !errors.Is(err, sys.ErrNoUnits) && !errors.As(err, &unit) {
			return err
		}
	}
	if pid := sys.Holder(s.lock); pid != "" {
		fmt.Fprintf(s.p.stdout, "daemon: runs as process %s\n", pid)
		return nil
	}
	fmt.Fprintln(s.p.stdout, "daemon: does not run")
	s.code = 3
	return nil
}
