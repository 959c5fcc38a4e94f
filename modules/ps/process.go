package ps

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/value"
)

// A process is read from its folder below /proc, a file at a time, when it is
// asked for.
type process struct {
	c    *salt.Ctx
	pid  int
	stat []string // the fields of stat behind the name: state, parent …
	comm string
}

// open reads the head of a process; nil when it is gone.
func open(c *salt.Ctx, pid int) *process {
	p := &process{c: c, pid: pid}
	text := p.read("stat")
	begin, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if begin < 0 || end < begin {
		return nil
	}
	p.comm, p.stat = text[begin+1:end], strings.Fields(text[end+1:])
	return p
}

func (p *process) path(name string) string {
	return filepath.Join("/proc", strconv.Itoa(p.pid), name)
}

func (p *process) read(name string) string {
	b, _ := p.c.Sys.ReadFile(p.path(name))
	return string(b)
}

// field is a field of stat by its number in proc(5), from 3 on.
func (p *process) field(n int) string {
	if n -= 3; n < len(p.stat) {
		return p.stat[n]
	}
	return "0"
}

func (p *process) cmdline() []string {
	text := p.read("cmdline")
	if text == "" {
		return nil
	}
	if !strings.HasSuffix(text, "\x00") { // a program that wrote its own title
		return strings.Split(text, " ")
	}
	words := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	if len(words) == 1 && strings.Contains(words[0], " ") {
		words = strings.Split(words[0], " ")
	}
	return words
}

// name is the program; the kernel keeps 15 bytes of it, the rest may be in the
// command line.
func (p *process) name() string {
	if len(p.comm) >= 15 {
		if words := p.cmdline(); len(words) > 0 {
			if base := filepath.Base(words[0]); strings.HasPrefix(base, p.comm) {
				return base
			}
		}
	}
	return p.comm
}

func (p *process) status() string {
	switch state := p.field(3); state {
	case "R":
		return "running"
	case "S":
		return "sleeping"
	case "D":
		return "disk-sleep"
	case "T":
		return "stopped"
	case "t":
		return "tracing-stop"
	case "Z":
		return "zombie"
	case "X", "x":
		return "dead"
	case "K":
		return "wake-kill"
	case "W":
		return "waking"
	case "I":
		return "idle"
	case "P":
		return "parked"
	default:
		return "?"
	}
}

// line are the values of a line of status: "Uid:".
func (p *process) line(key string) []string {
	for line := range strings.Lines(p.read("status")) {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.Fields(rest)
		}
	}
	return nil
}

func (p *process) username() string {
	uids := p.line("Uid")
	if len(uids) == 0 {
		return ""
	}
	if u, err := p.c.Sys.UserID(int(number(uids[0]))); err == nil {
		return u.Name
	}
	return uids[0]
}

func (p *process) createTime() float64 { return ticks(p.field(22)) + float64(booted(p.c)) }

func (p *process) cpu() *value.Map {
	f := []string{p.field(14), p.field(15), p.field(16), p.field(17), p.field(42)}
	return column("user system children_user children_system iowait", f, func(s string) any { return ticks(s) })
}

func (p *process) used() float64 { return ticks(p.field(14)) + ticks(p.field(15)) }

func (p *process) memory() *value.Map {
	f := strings.Fields(p.read("statm"))
	if len(f) < 7 {
		return nil
	}
	page := int64(os.Getpagesize())
	f[0], f[1] = f[1], f[0]
	return column("rss vms shared text lib data dirty", f, func(s string) any { return number(s) * page })
}

// pids are the numbers of all processes.
func pids(c *salt.Ctx) ([]int, error) {
	entries, err := c.Sys.ReadDir("/proc")
	if err != nil {
		return nil, salt.OSError(err)
	}
	var list []int
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list, nil
}

// processes are all processes but our own.
func processes(c *salt.Ctx) ([]*process, error) {
	list, err := pids(c)
	var out []*process
	for _, pid := range list {
		if pid == os.Getpid() {
			continue
		}
		if p := open(c, pid); p != nil {
			out = append(out, p)
		}
	}
	return out, err
}

// getPidList returns the numbers of all processes.
func getPidList(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	list, err := pids(c)
	l := value.L()
	for _, pid := range list {
		l.Append(int64(pid))
	}
	return l, err
}

type killPidArgs struct {
	Pid    int `py:"pid"`       // the process
	Signal int `py:"signal=15"` // the signal, by number
}

// killPid sends a signal to a process; False when there is no such process.
func killPid(c *salt.Ctx, a killPidArgs) (bool, error) {
	if a.Pid <= 0 {
		return false, value.Errorf("ValueError", "pid must be a positive integer (got %d)", a.Pid)
	}
	err := c.Sys.Kill(a.Pid, syscall.Signal(a.Signal))
	if errors.Is(err, syscall.ESRCH) || errors.Is(err, os.ErrProcessDone) {
		return false, nil
	}
	return err == nil, salt.OSError(err)
}

type procInfoArgs struct {
	Pid   int `py:"pid"`        // the process
	Attrs any `py:"attrs=None"` // names of facts; the default is all
}

// procInfo returns facts about a process.
//
//	salt-call ps.proc_info 1 attrs='["name", "memory_info"]'
func procInfo(c *salt.Ctx, a procInfoArgs) (*value.Map, error) {
	p := open(c, a.Pid)
	if p == nil {
		return nil, salt.CommandError("process PID not found (pid=%d)", a.Pid)
	}
	want := attributes
	if l, ok := a.Attrs.(*value.List); ok && l.Len() > 0 {
		want = nil
		for _, it := range l.Items {
			want = append(want, value.Str(it))
		}
	}
	m := new(value.Map)
	for _, name := range want {
		v, ok := p.attribute(name)
		if !ok {
			return nil, value.Errorf("ValueError", "invalid attr name %s", value.Quote(name))
		}
		m.Set(name, v)
	}
	return m, nil
}

type pidArgs struct {
	Pattern string `py:"pattern"`    // a text to look for in the name
	User    any    `py:"user=None"`  // only processes of this user
	Signal  int    `py:"signal=15"`  // the signal, by number
	Full    bool   `py:"full=False"` // look in the whole command line
}

// pkill sends a signal to the processes that match, and returns their numbers.
func pkill(c *salt.Ctx, a pidArgs) (any, error) {
	found, err := matching(c, a.User, a.Full, func(s string) bool { return strings.Contains(s, a.Pattern) })
	if err != nil {
		return nil, err
	}
	killed := value.L()
	for _, p := range found {
		err := c.Sys.Kill(p.pid, syscall.Signal(a.Signal))
		switch {
		case errors.Is(err, syscall.ESRCH), errors.Is(err, os.ErrProcessDone):
		case err != nil:
			return nil, salt.CommandError("cannot send signal %d to process %d: %s", a.Signal, p.pid, err)
		default:
			killed.Append(int64(p.pid))
		}
	}
	if killed.Len() == 0 {
		return nil, nil
	}
	return value.M("killed", killed), nil
}

// matching are the processes of a user whose name or command line matches.
func matching(c *salt.Ctx, user any, full bool, match func(string) bool) ([]*process, error) {
	all, err := processes(c)
	var found []*process
	for _, p := range all {
		text := ""
		if full {
			text = strings.Join(p.cmdline(), " ")
		} else {
			text = p.name()
		}
		if match(text) && (user == nil || value.Str(user) == p.username()) {
			found = append(found, p)
		}
	}
	return found, err
}

type statusArgs struct {
	Status any `py:"status"` // running, sleeping, stopped, zombie …
}

// status returns pid and name of the processes in a state.
func status(c *salt.Ctx, a statusArgs) (*value.List, error) {
	if !value.Truth(a.Status) {
		return nil, salt.InvocationError("Filter is required for ps.status")
	}
	all, err := processes(c)
	l := value.L()
	for _, p := range all {
		if p.status() == value.Str(a.Status) {
			l.Append(value.M("pid", int64(p.pid), "name", p.name()))
		}
	}
	return l, err
}
