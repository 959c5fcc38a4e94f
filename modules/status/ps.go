package status

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pinch/salt"
	"pinch/value"
	"pinch/value/pyre"
)

// A task is a process as ps -efHww shows it.
type task struct {
	pid, ppid    int
	user         string
	load         uint64 // per cent of its life that it ran
	start, used  string
	tty, command string
	depth        int
}

// line is what ps prints for the process.
func (t task) line() string {
	return fmt.Sprintf("%-8s %7d %7d %2d %s %-8s %8s %s%s", t.user, t.pid, t.ppid, t.load, t.start, t.tty, t.used, strings.Repeat("  ", t.depth), t.command)
}

const ticks = 100 // of a second: USER_HZ is 100 on all that Linux runs on

// tasks are all processes, each below its parent.
func tasks(c *salt.Ctx) ([]task, error) {
	entries, err := c.Sys.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	up := time.Duration(0)
	if all, err := lines(c, "/proc/uptime"); err == nil && len(all) > 0 {
		s, _ := strconv.ParseFloat(all[0][0], 64)
		up = time.Duration(s * float64(time.Second))
	}
	children := map[int][]task{}
	known := map[int]bool{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if t, ok := readTask(c, pid, up); ok { // else it ended meanwhile
			children[t.ppid] = append(children[t.ppid], t)
			known[pid] = true
		}
	}
	var out []task
	var walk func(parent, depth int)
	walk = func(parent, depth int) {
		below := children[parent]
		delete(children, parent) // a process that is its own parent ends the walk
		slices.SortFunc(below, func(a, b task) int { return a.pid - b.pid })
		if depth == 0 {
			slices.Reverse(below) // ps begins with the last of those on top
		}
		for _, t := range below {
			t.depth = depth
			out = append(out, t)
			walk(t.pid, depth+1)
		}
	}
	var tops []int
	for parent := range children {
		if !known[parent] {
			tops = append(tops, parent)
		}
	}
	slices.Sort(tops)
	slices.Reverse(tops)
	for _, parent := range tops {
		walk(parent, 0)
	}
	return out, nil
}

func readTask(c *salt.Ctx, pid int, up time.Duration) (task, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	b, err := c.Sys.ReadFile(dir + "/stat")
	begin, end := strings.IndexByte(string(b), '('), strings.LastIndexByte(string(b), ')')
	if err != nil || begin < 0 || end < begin {
		return task{}, false
	}
	name := string(b[begin+1 : end])
	f := strings.Fields(string(b[end+1:])) // from the state on, the third field of proc(5)
	if len(f) < 20 {
		return task{}, false
	}
	n := func(i int) uint64 { v, _ := strconv.ParseUint(f[i], 10, 64); return v }
	t := task{pid: pid, ppid: int(n(1)), user: owner(c, dir), tty: terminal(n(4))}
	used, started := n(11)+n(12), time.Duration(n(19))*(time.Second/ticks)
	if alive := uint64((up - started) / time.Second); alive > 0 {
		t.load = min(used/ticks*100/alive, 99)
	}
	s := used / ticks
	t.used = fmt.Sprintf("%02d:%02d:%02d", s/3600%24, s/60%60, s%60)
	if days := s / 86400; days > 0 {
		t.used = fmt.Sprintf("%d-%s", days, t.used)
	}
	now := c.Sys.Now()
	switch at := now.Add(started - up); {
	case now.Sub(at) < 24*time.Hour && at.Day() == now.Day():
		t.start = at.Format("15:04")
	case at.Year() == now.Year():
		t.start = at.Format("Jan02")
	default:
		t.start = at.Format(" 2006")
	}
	t.command = command(c, dir, name, f[0])
	return t, true
}

// command is the command line, or the name in brackets where there is none.
func command(c *salt.Ctx, dir, name, state string) string {
	b, _ := c.Sys.ReadFile(dir + "/cmdline")
	s := strings.ReplaceAll(strings.TrimRight(string(b), "\x00"), "\x00", " ")
	if s == "" {
		s = "[" + name + "]"
		if state == "Z" {
			s += " <defunct>"
		}
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return '?'
		}
		return r
	}, s)
}

// owner is the name of the process's effective user, in eight columns.
func owner(c *salt.Ctx, dir string) string {
	all, _ := lines(c, dir+"/status")
	for _, f := range all {
		if f[0] != "Uid:" || len(f) < 3 {
			continue
		}
		uid, _ := strconv.Atoi(f[2])
		u, err := c.Sys.UserID(uid)
		if err != nil {
			return f[2]
		}
		if len(u.Name) > 8 {
			return u.Name[:7] + "+"
		}
		return u.Name
	}
	return "?"
}

// terminal names the device of a controlling terminal.
func terminal(dev uint64) string {
	major, minor := dev>>8&0xfff, dev&0xff|dev>>12&0xfff00
	switch {
	case major >= 136 && major <= 143:
		return fmt.Sprintf("pts/%d", (major-136)*256+minor)
	case major == 4 && minor < 64:
		return fmt.Sprintf("tty%d", minor)
	case major == 4:
		return fmt.Sprintf("ttyS%d", minor-64)
	case major == 5 && minor == 1:
		return "console"
	}
	return "?"
}

// ps is the output of the command of the grain ps, line by line: made here
// for the usual one, else by running it.
func ps(c *salt.Ctx) (head []string, rows []string, err error) {
	how := c.Grains.Str("ps")
	if how == "ps -efHww" || how == "" {
		all, err := tasks(c)
		for _, t := range all {
			rows = append(rows, t.line())
		}
		return strings.Fields("UID PID PPID C STIME TTY TIME CMD"), rows, err
	}
	v, err := c.CallKw("cmd.run", value.M("python_shell", true), how)
	if err != nil {
		return nil, nil, err
	}
	first, rest, _ := strings.Cut(value.Str(v), "\n")
	return strings.Fields(first), strings.Split(rest, "\n"), nil
}

// procs returns the user and the command of all processes by their ids.
func procs(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	head, rows, err := ps(c)
	if err != nil {
		return nil, err
	}
	column := func(names ...string) int {
		for _, n := range names {
			if i := slices.Index(head, n); i >= 0 {
				return i
			}
		}
		return 0
	}
	user, id, cmd := column("USER", "UID"), column("PID"), column("COMMAND", "CMD")
	m := value.NewMap(len(rows))
	for _, row := range rows {
		f := strings.Fields(row)
		if len(f) > max(user, id) {
			m.Set(f[id], value.M("user", f[user], "cmd", strings.Join(f[min(cmd, len(f)):], " ")))
		}
	}
	return m, nil
}

type pidArgs struct {
	Sig string `py:"sig"` // a regular expression
}

// pid returns the ids of processes whose line in the output of ps matches, one a
// line. This program and what it started are left out.
func pid(c *salt.Ctx, a pidArgs) (string, error) {
	re, err := pyre.Compile(a.Sig, 0)
	if err != nil {
		return "", err
	}
	_, rows, err := ps(c)
	own := strconv.Itoa(os.Getpid())
	var ids []string
	for _, row := range rows {
		f := strings.Fields(row)
		if len(f) > 2 && f[1] != own && f[2] != own && re.Search(row) != nil {
			ids = append(ids, f[1])
		}
	}
	return strings.Join(ids, "\n"), err
}
