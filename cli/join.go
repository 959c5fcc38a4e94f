package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/minion"
	"pinch/minion/session"
	"pinch/modules"
	"pinch/render/yaml"
	"pinch/sys"
	"pinch/value"
)

// joinFile is what pinch join writes below the configuration's folder.
const joinFile = "minion.d/_pinch_master.conf"

// runJoin names a master in the configuration and shows it this minion's key.
func runJoin(p *program, ctx context.Context, r *request) int {
	host, finger := r.value("--master"), r.value("--fingerprint")
	if host == "" {
		fmt.Fprintf(p.stderr, "error: pinch join needs --master\nhint: pinch join %s\n", verb("join").usage)
		return args.UsageCode
	}
	if finger != "" && !isFinger(finger) {
		fmt.Fprintf(p.stderr, "error: %q is no fingerprint: those are 16 to 64 pairs of hex digits with colons between\nhint: salt-key -F master shows it on the master, behind master.pub\n", finger)
		return args.UsageCode
	}
	line, code := p.minionLine("pinch join", r.opts)
	if line == nil {
		return code
	}
	defer line.Close()
	line.Opts.Set("master", host)
	if finger != "" {
		line.Opts.Set("master_finger", finger)
	}
	groups, err := minion.Masters(line.Opts)
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	grains := func() *value.Map {
		run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
		defer run.Close()
		g := run.Ctx(ctx).Grains
		g.Len() // all of them, now
		return g
	}
	s, err := session.New(minion.Settings(line.Opts, groups[0][0], grains, line.Log))
	if err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	defer s.Close()
	state, err := s.Auth(ctx)
	if err != nil {
		return report(fmt.Errorf("the master %s: %w", groups[0][0], err), p.stdout, p.stderr, p.stderrColor())
	}
	if state == session.Denied || state == session.Full {
		fmt.Fprintf(p.stderr, "error: the master %s does not take this minion, %s: see salt-key -f %[2]s there\n", groups[0][0], line.Opts.Str("id"))
		return exitGeneric
	}
	path := filepath.Join(line.Config.Dir, joinFile)
	remote := !line.Opts.Truth("use_master_when_local")
	if err := writeJoin(path, host, finger, remote); err != nil {
		return report(err, p.stdout, p.stderr, p.stderrColor())
	}
	own, _ := s.OwnFinger()
	theirs, _ := s.MasterFinger()
	fmt.Fprintf(p.stdout, "%s names the master %s\nthis minion: %s, fingerprint %s\n", path, host, line.Opts.Str("id"), own)
	if theirs != "" {
		fmt.Fprintf(p.stdout, "the master's fingerprint: %s\n", theirs)
	}
	if again, code := p.minionLine("pinch join", r.opts); again == nil {
		return code
	} else {
		defer again.Close()
		for _, key := range []string{"master", "file_client"} {
			if got, want := again.Opts.At(key), map[string]any{"master": host, "file_client": "remote"}[key]; got != want && (key == "master" || remote) {
				fmt.Fprintf(p.stderr, "error: %s is still %s: a later file of minion.d, or the Saltfile, sets it too\n", key, value.Str(got))
				return exitGeneric
			}
		}
	}
	if state == session.Pending {
		if finger != "" {
			fmt.Fprintln(p.stdout, "the master's fingerprint is compared when the key is accepted: before that the master does not show its own")
		}
		fmt.Fprintf(p.stdout, "the master has the key: accept it there with  salt-key -a %s\n", line.Opts.Str("id"))
	}
	fmt.Fprintln(p.stdout, "start it with  pinch minion,  or for good with  pinch service install")
	return 0
}

// isFinger reports whether a text has the form of a key's fingerprint, of whatever
// digest.
func isFinger(s string) bool {
	pairs := strings.Split(s, ":")
	for _, p := range pairs {
		if len(p) != 2 || strings.Trim(strings.ToLower(p), "0123456789abcdef") != "" {
			return false
		}
	}
	return len(pairs) >= 16 && len(pairs) <= 64
}

// writeJoin names the master. A machine that was its own (file_client: local) takes
// files and pillar from the master from now on, unless it wants to keep its own.
func writeJoin(path, host, finger string, remote bool) error {
	m := value.M("master", host)
	if remote {
		m.Set("file_client", "remote")
	}
	if finger != "" {
		m.Set("master_finger", finger)
	}
	text, err := yaml.Dump(m, yaml.DumpOptions{})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	return sys.WriteFile(sys.Real{}, path, []byte("# written by pinch join; pinch leave removes it\n"+text), sys.FileAttrs{Mode: &mode})
}

// minionLine reads the options of a verb that concerns the minion.
func (p *program) minionLine(prog string, argv []string) (*args.Call, int) {
	cmd := args.Command{Prog: prog, Version: p.minionVersion(), Report: func() string { return args.VersionsReport(Version) }, Getenv: p.getenv, Stdin: p.stdin, Stderr: p.stderr}
	line, err := cmd.StartMinion(argv)
	if err != nil {
		return nil, p.exit(err)
	}
	return line, 0
}

// runLeave undoes pinch join: the machine is its own again.
func runLeave(p *program, _ context.Context, r *request) int {
	line, code := p.minionLine("pinch leave", r.opts)
	if line == nil {
		return code
	}
	defer line.Close()
	for _, path := range []string{filepath.Join(line.Config.Dir, joinFile), filepath.Join(line.Opts.Str("pki_dir"), "minion_master.pub")} {
		err := os.Remove(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return report(err, p.stdout, p.stderr, p.stderrColor())
		}
		if err == nil {
			fmt.Fprintln(p.stdout, "removed", path)
		}
	}
	if unit := (&serviceCall{sys: sys.Real{}}); sys.LExists(unit.sys, unit.file(unit.manager())) {
		fmt.Fprintln(p.stdout, "pinch service install makes the service that of a machine without a master again")
	}
	fmt.Fprintf(p.stdout, "this minion's own key stays; take it off the master with  salt-key -d %s\n", line.Opts.Str("id"))
	return 0
}
