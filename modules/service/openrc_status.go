package service

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pinch/sys"
)

// active is the answer of the script's status, which for most scripts can be
// told without running it.
func (o openrc) active(name string) (bool, error) {
	if runs, known := o.marked(name); known {
		return runs, nil
	}
	script := scriptDir + "/" + name
	if !sys.Exists(o.c.Sys, script) {
		// The error of a command that is not there.
		return succeeds(o.c.With(false), script, "status")
	}
	res, err := o.c.Sys.Run(o.c, sys.Cmd{Argv: []string{script, "status"}, Query: true})
	return err == nil && res.Code == 0, err
}

// marked reads OpenRC's own marks in /run/openrc. They are what openrc-run's
// status looks at, unless the script or its settings define another one (see
// plain), OpenRC did not boot the machine, or a daemon has to be searched for
// by its name.
func (o openrc) marked(name string) (runs, known bool) {
	s := o.c.Sys
	level, err := s.ReadFile(openrcDir + "/softlevel")
	if err != nil || !o.plain(name, strings.TrimSpace(string(level))) {
		return false, false
	}
	for _, state := range []string{"stopping", "starting", "inactive"} {
		if sys.Exists(s, filepath.Join(openrcDir, state, name)) {
			return false, true
		}
	}
	if !sys.Exists(s, filepath.Join(openrcDir, "started", name)) {
		return false, true
	}
	dir := filepath.Join(openrcDir, "daemons", name)
	daemons, _ := s.ReadDir(dir)
	for _, d := range daemons {
		if strings.HasPrefix(d.Name(), ".") {
			continue
		}
		if runs, known := o.alive(name, filepath.Join(dir, d.Name())); !known || !runs {
			return false, known
		}
	}
	return true, true
}

// alive says whether the daemon of a file in /run/openrc/daemons runs, when the
// file names one with its process number.
func (o openrc) alive(name, file string) (runs, known bool) {
	s := o.c.Sys
	b, err := s.ReadFile(file)
	if err != nil || !sys.Exists(s, "/proc/1") || sys.Exists(s, filepath.Join(openrcDir, "options", name, "chroot")) {
		return false, false
	}
	for line := range strings.Lines(string(b)) {
		path, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "pidfile=")
		if !ok || path == "" {
			continue
		}
		text, err := s.ReadFile(path)
		if err != nil {
			return false, true
		}
		f := strings.Fields(string(text))
		if len(f) == 0 {
			return false, true
		}
		pid, err := strconv.Atoi(f[0])
		if err != nil || pid <= 0 {
			return false, false
		}
		return sys.Exists(s, "/proc/"+strconv.Itoa(pid)), true
	}
	return false, false
}

// statusAffects finds what can make a script's status another one than
// OpenRC's: functions and commands of the name, other files, and what must be
// there (some versions look for that before they tell the status).
var statusAffects = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)\bstatus|\brequired_|\bsupervisor=|(^|\s)(\.|source|sourcex)\s+\S`)
})

var ownSupervisors = strings.NewReplacer("supervisor=supervise-daemon\n", "\n", "supervisor=\"supervise-daemon\"\n", "\n", "supervisor='supervise-daemon'\n", "\n")

// plain says that a script is one of OpenRC's and leaves its status alone.
func (o openrc) plain(name, level string) bool {
	s := o.c.Sys
	path := filepath.Join(scriptDir, name)
	info, err := s.Stat(path)
	if err != nil || info.Mode()&0o111 == 0 {
		return false
	}
	b, err := s.ReadFile(path)
	if err != nil {
		return false
	}
	interpreter, _, _ := strings.Cut(string(b), "\n")
	if !strings.HasPrefix(interpreter, "#!") || !strings.HasSuffix(interpreter, "/openrc-run") && !strings.HasSuffix(interpreter, "/runscript") {
		return false
	}
	texts := []string{string(b)}
	for _, etc := range []string{"/etc", "/usr/local/etc"} {
		settings := []string{etc + "/rc.conf"}
		more, _ := s.ReadDir(etc + "/rc.conf.d")
		for _, e := range more {
			settings = append(settings, etc+"/rc.conf.d/"+e.Name())
		}
		base, _, _ := strings.Cut(name, ".")
		for _, n := range []string{base, name} {
			settings = append(settings, etc+"/conf.d/"+n, etc+"/conf.d/"+n+"."+level)
		}
		for _, f := range settings {
			b, err := s.ReadFile(f)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return false
			}
			texts = append(texts, string(b))
		}
	}
	for _, t := range texts {
		if statusAffects().MatchString(ownSupervisors.Replace(code(t))) {
			return false
		}
	}
	return true
}

// code is a shell script without the lines that are comments.
func code(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			b.WriteString(strings.TrimRight(line, " \t\r\n") + "\n")
		}
	}
	return b.String()
}
