// Package restartcheck holds Salt's restartcheck module: it looks for processes
// that still use files which an upgrade replaced. Its main variable is Module.
//
//	salt-call restartcheck.restartcheck ignorelist='[screen, systemd]' verbose=False
package restartcheck

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's restartcheck module.
var Module = salt.Module{
	Name: "restartcheck",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"restartcheck": salt.Exec(restartcheck),
		}
	},
}

type args struct {
	Ignorelist any        `py:"ignorelist=None"` // packages to leave out: a name or a list; screen and systemd
	Blacklist  any        `py:"blacklist=None"`  // files to leave out
	Excludepid any        `py:"excludepid=None"` // processes to leave out
	Kwargs     *value.Map `py:"**kwargs"`        // verbose (True) for a report instead of a list, timeout (5) in minutes
}

// A pack is a package, or a process without one, that is to be restarted.
type pack struct {
	name, process         string
	scripts, units, lines []string
}

// A check is one run.
type check struct {
	c        *salt.Ctx
	rpm      bool
	until    time.Time
	packs    []*pack
	restart  []string // services whose main process uses an old file
	reboot   bool
	services map[int]string
}

// restartcheck returns a report of what is to be restarted, and how; with
// verbose=False the names of the packages.
func restartcheck(c *salt.Ctx, a args) (any, error) {
	family := c.Grains.Str("os_family")
	if family != "Debian" && family != "RedHat" {
		return value.M("result", false, "comment", "Only available on Debian, Red Hat and NI Linux Real-Time based systems."), nil
	}
	verbose, minutes := true, int64(5)
	if v, ok := a.Kwargs.Get("verbose"); ok {
		verbose = value.Truth(v)
	}
	if n, ok := a.Kwargs.At("timeout").(int64); ok {
		minutes = n
	}
	k := &check{c: c, rpm: family == "RedHat", until: c.Sys.Now().Add(time.Duration(minutes) * time.Minute)}
	for _, step := range []func(args) error{k.kernel, k.main, k.processes, k.files} {
		if err := step(a); err != nil {
			return nil, err
		}
		if c.Sys.Now().After(k.until) {
			return nil, value.Errorf("TimeoutError", "Timeout expired.")
		}
	}
	if len(k.packs) == 0 && !k.reboot {
		return "No packages seem to need to be restarted.", nil
	}
	return k.report(verbose), nil
}

// texts are those of a name or a list, def without any.
func texts(v any, def ...string) []string {
	if !value.Truth(v) {
		return def
	}
	l, ok := v.(*value.List)
	if !ok {
		return []string{value.Str(v)}
	}
	out := make([]string, l.Len())
	for i, it := range l.Items {
		out[i] = value.Str(it)
	}
	return out
}

// kernel finds out whether the newest installed kernel runs. A machine without
// kernels, such as a container, needs no restart.
func (k *check) kernel(args) error {
	var running strings.Builder
	for _, name := range []string{"osrelease", "version"} {
		b, err := k.c.Sys.ReadFile("/proc/sys/kernel/" + name)
		if err != nil {
			return salt.OSError(err)
		}
		running.WriteString(strings.TrimSpace(string(b)) + " ")
	}
	versions, err := k.kernels()
	if err != nil {
		return err
	}
	k.reboot = len(versions) > 0 && !slices.ContainsFunc(versions, func(v string) bool { return strings.Contains(running.String(), v) })
	return nil
}

// kernels are the names that uname has for the newest installed kernel.
func (k *check) kernels() ([]string, error) {
	if k.rpm {
		r, err := k.c.Sys.Run(k.c, sys.Cmd{Argv: []string{"rpm", "-q", "--last", "kernel"}, Query: true})
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(r.Stdout)) {
			if rest, ok := strings.CutPrefix(line, "kernel-"); ok && len(strings.Fields(rest)) > 0 {
				return strings.Fields(rest)[:1], nil
			}
		}
		return nil, nil
	}
	v, err := k.c.Call("pkg.list_pkgs")
	if err != nil {
		return nil, err
	}
	var names []string
	m, _ := v.(*value.Map)
	for name := range m.Items() {
		if strings.HasPrefix(name, "linux-image-") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	slices.Sort(names)
	version := m.Str(names[max(0, len(names)-2)]) // the last one is the package that depends on the newest
	out := []string{version}
	if i := strings.LastIndexByte(version, '.'); k.c.Grains.Str("os") == "Ubuntu" && i > 0 {
		out = append(out, version[:i]+"-generic #"+version[i+1:], version[:i]+"-lowlatency #"+version[i+1:])
	}
	return out, nil
}

// main notes the main processes of the running services.
func (k *check) main(args) error {
	k.services = map[int]string{}
	v, err := k.c.Call("service.get_running")
	if err != nil {
		return err
	}
	l, _ := v.(*value.List)
	if l == nil {
		return nil
	}
	for _, it := range l.Items {
		shown, err := k.c.Call("service.show", it)
		if err != nil {
			return err
		}
		m, _ := shown.(*value.Map)
		if pid, err := strconv.Atoi(m.Str("ExecMainPID")); err == nil && pid > 0 {
			k.services[pid] = value.Str(it)
		}
	}
	return nil
}

// temporary are folders whose files are removed while they are in use.
const temporary = "/var/log/ /var/local/log/ /var/run/ /var/local/run/ /tmp/ /dev/shm/ /run/ /drm /var/tmp/ /var/local/tmp/ /dev/zero /dev/pts/ " +
	"/usr/lib/locale/ /home/ /var/cache/fontconfig/ /var/lib/nagios3/spool/ /var/lib/postgresql/ /var/lib/vdr/ /SYSV"

// replaced reads the name of a file in maps(5) that is no longer there.
func replaced(line string) (string, bool) {
	f := strings.Fields(line)
	if len(f) < 6 {
		return "", false
	}
	path, ok := strings.CutSuffix(strings.TrimRight(line[strings.Index(line, f[4])+len(f[4]):], "\n"), " (deleted)")
	path = strings.TrimLeft(path, " ")
	if !ok || strings.Contains(path, "icon-theme.cache") {
		return "", false
	}
	if len(path) > 1 && strings.Contains("[aio]", path[1:2]) { // as Salt's pattern for asynchronous I/O has it
		return "", false
	}
	return path, !slices.ContainsFunc(strings.Fields(temporary), func(t string) bool { return strings.HasPrefix(path, t) })
}

// processes finds those that use replaced files.
func (k *check) processes(a args) error {
	all, err := k.c.Sys.ReadDir("/proc")
	if err != nil {
		return salt.OSError(err)
	}
	var pids []int
	for _, e := range all {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	ignored, files, excluded := texts(a.Ignorelist, "screen", "systemd"), texts(a.Blacklist), texts(a.Excludepid)
	owners := map[string]string{}
	for _, pid := range pids {
		dir := "/proc/" + strconv.Itoa(pid)
		maps, err := k.c.Sys.ReadFile(dir + "/maps")
		if err != nil || slices.Contains(excluded, strconv.Itoa(pid)) {
			continue
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(maps)) {
			path, ok := replaced(line)
			if !ok || seen[path] || slices.Contains(files, path) {
				continue
			}
			seen[path] = true
			if err := k.found(pid, dir, path, ignored, owners); err != nil {
				return err
			}
		}
	}
	return nil
}

// found notes a process that uses a replaced file.
func (k *check) found(pid int, dir, path string, ignored []string, owners map[string]string) error {
	exe, err := k.c.Sys.Readlink(dir + "/exe")
	if err != nil {
		return nil
	}
	comm, _ := k.c.Sys.ReadFile(dir + "/comm")
	name := strings.TrimSpace(string(comm))
	owner, known := owners[exe]
	if !known {
		v, err := k.c.Call("pkg.owner", exe)
		if err != nil {
			return err
		}
		if owner = name; value.Truth(v) {
			owner = value.Str(v)
		}
		owners[exe] = owner
	}
	if owner == "" || slices.Contains(ignored, owner) {
		return nil
	}
	if service := k.services[pid]; service != "" && !slices.Contains(k.restart, service) {
		k.restart, name = append(k.restart, service), service
	}
	program := "\t" + strconv.Itoa(pid) + " " + exe + " (file: " + path + ")"
	i := slices.IndexFunc(k.packs, func(p *pack) bool { return p.name == owner })
	if i < 0 {
		k.packs = append(k.packs, &pack{name: owner, process: name, lines: []string{program}})
	} else if !slices.Contains(k.packs[i].lines, program) {
		k.packs[i].lines = append(k.packs[i].lines, program)
	}
	return nil
}

// files finds the services that the packages bring.
func (k *check) files(args) error {
	argv, folder := []string{"dpkg-query", "--listfiles"}, "/lib/systemd/system/"
	if k.rpm {
		argv, folder = []string{"repoquery", "-l"}, "/usr/lib/systemd/system/"
	}
	for _, p := range k.packs {
		r, err := k.c.Sys.Run(k.c, sys.Cmd{Argv: append(slices.Clone(argv), p.name), Query: true})
		if err != nil {
			return err
		}
		for path := range strings.Lines(string(r.Stdout)) {
			path = strings.TrimSuffix(path, "\n")
			if name, ok := strings.CutPrefix(path, "/etc/init.d/"); ok && !strings.HasSuffix(name, ".sh") {
				p.scripts = append(p.scripts, name)
			}
			if strings.HasSuffix(path, ".service") && strings.Contains(path, folder) && !strings.Contains(path, ".wants") && k.lasting(path) {
				p.units = append(p.units, filepath.Base(path))
			}
		}
		if len(p.units) > 0 || len(p.scripts) > 0 {
			continue
		}
		v, err := k.c.Call("service.available", p.process)
		switch {
		case err != nil:
			return err
		case !value.Truth(v):
		case sys.Exists(k.c.Sys, "/etc/init.d/"+p.process):
			p.scripts = append(p.scripts, p.process)
		default:
			p.units = append(p.units, p.process)
		}
	}
	return nil
}

// lasting reports whether a unit goes on running.
func (k *check) lasting(path string) bool {
	b, err := k.c.Sys.ReadFile(path)
	return err == nil && !strings.Contains(string(b), "Type=oneshot")
}

// report says what is to be done.
func (k *check) report(verbose bool) any {
	var can, cannot []*pack
	var services, scripts []string
	rest := slices.Clone(k.restart)
	for _, p := range k.packs {
		switch {
		case len(p.scripts) > 0:
			can = append(can, p)
			for _, s := range p.scripts {
				scripts = append(scripts, "service "+s+" restart")
			}
		case len(p.units) > 0:
			can = append(can, p)
			for _, s := range p.units {
				services = append(services, "systemctl restart "+s)
			}
		default:
			cannot = append(cannot, p)
		}
		rest = slices.DeleteFunc(rest, func(s string) bool { return s == p.process })
	}
	for _, s := range rest {
		services = append(services, "systemctl restart "+s)
	}
	if !verbose {
		names := value.L()
		for _, p := range append(can, cannot...) {
			names.Append(p.name)
		}
		if k.reboot {
			names.Append("System restart required.")
		}
		return names
	}
	var b strings.Builder
	if k.reboot {
		b.WriteString("System restart required.\n\n")
	}
	if n := len(k.packs); n > 0 {
		b.WriteString("Found " + strconv.Itoa(n) + " processes using old versions of upgraded files.\nThese are the packages:\n")
	}
	if len(can) > 0 {
		b.WriteString("Of these, " + strconv.Itoa(len(can)) + " seem to contain systemd service definitions or init scripts which can be used to restart them:\n")
		list(&b, can)
		if len(services) > 0 {
			b.WriteString("\n\nThese are the systemd services:\n" + strings.Join(services, "\n"))
		}
		if len(scripts) > 0 {
			b.WriteString("\n\nThese are the initd scripts:\n" + strings.Join(scripts, "\n"))
		}
	}
	if len(cannot) > 0 {
		b.WriteString("\n\nThese processes " + strconv.Itoa(len(cannot)) + " do not seem to have an associated init script to restart them:\n")
		list(&b, cannot)
	}
	return b.String()
}

func list(b *strings.Builder, packs []*pack) {
	for _, p := range packs {
		b.WriteString(p.name + ":\n" + strings.Join(p.lines, "\n") + "\n")
	}
}
