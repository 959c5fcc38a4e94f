package ps

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
	"pinch/value/pyre"
)

type pgrepArgs struct {
	Pattern        any  `py:"pattern"`                // a text to look for in the name
	User           any  `py:"user=None"`              // only processes of this user
	Full           bool `py:"full=False"`             // look in the whole command line
	PatternIsRegex bool `py:"pattern_is_regex=False"` // the pattern is a regular expression
}

// pgrep returns the numbers of the processes that match, None if none does.
func pgrep(c *salt.Ctx, a pgrepArgs) (any, error) {
	text := value.Str(a.Pattern)
	match := func(s string) bool { return strings.Contains(s, text) }
	if a.PatternIsRegex {
		re, err := pyre.Compile(text, 0)
		if err != nil {
			return nil, err
		}
		match = func(s string) bool { return re.Search(s) != nil }
	}
	found, err := matching(c, a.User, a.Full, match)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	l := value.L()
	for _, p := range found {
		l.Append(int64(p.pid))
	}
	return l, nil
}

type topArgs struct {
	NumProcesses int `py:"num_processes=5"` // how many
	Interval     any `py:"interval=3"`      // seconds to watch
}

// top returns the processes that use the processor most.
func top(c *salt.Ctx, a topArgs) (*value.List, error) {
	list, err := pids(c)
	if err != nil {
		return nil, err
	}
	before := map[int]*process{}
	for _, pid := range list {
		if p := open(c, pid); p != nil {
			before[pid] = p
		}
	}
	wait, err := strconv.ParseFloat(value.Str(a.Interval), 64)
	if err != nil {
		return nil, salt.InvocationError("interval must be a number of seconds")
	}
	if err := c.Sys.Sleep(c, time.Duration(wait*float64(time.Second))); err != nil {
		return nil, err
	}
	type usage struct {
		p    *process
		used float64
	}
	var busy []usage
	for pid, old := range before {
		if p := open(c, pid); p != nil && p.field(22) == old.field(22) {
			busy = append(busy, usage{p, p.used() - old.used()})
		}
	}
	slices.SortFunc(busy, func(x, y usage) int {
		switch {
		case x.used > y.used:
			return -1
		case x.used < y.used:
			return 1
		}
		return x.p.pid - y.p.pid
	})
	l := value.L()
	for _, u := range busy {
		if l.Len() >= a.NumProcesses {
			break
		}
		var cmd any = u.p.name()
		if words := u.p.cmdline(); len(words) > 0 {
			cmd = value.Strings(words)
		}
		mem := u.p.memory()
		if mem == nil {
			continue
		}
		l.Append(value.M("cmd", cmd, "user", u.p.username(), "status", u.p.status(), "pid", int64(u.p.pid), "create_time", u.p.createTime(), "cpu", u.p.cpu(), "mem", mem))
	}
	return l, nil
}

type nameArgs struct {
	Name any `py:"name"` // what to look for
}

// output is what a command that only looks prints.
func output(c *salt.Ctx, argv ...string) (string, error) {
	v, err := c.CallKw("cmd.run", value.M("python_shell", false), value.Strings(argv))
	return value.Str(v), err
}

// lsof returns what lsof says about the commands that begin with a name.
func lsof(c *salt.Ctx, a nameArgs) (*value.List, error) {
	text, err := output(c, "lsof", "-c", value.Str(a.Name))
	return value.L(value.Str(a.Name), text), err
}

// lines are the lines of a command's output that have a text.
func lines(c *salt.Ctx, name string, argv ...string) (*value.List, error) {
	if c.Sys.LookPath(argv[0]) == "" {
		return nil, value.Errorf("CommandNotFoundError", "The '%s' binary was not found in $PATH.", argv[0])
	}
	text, err := output(c, argv...)
	found := value.L()
	for line := range strings.Lines(text) {
		if strings.Contains(line, name) {
			found.Append(strings.TrimRight(line, "\n"))
		}
	}
	return value.L(name, found), err
}

// netstat returns the lines of netstat -nap that have a text.
func netstat(c *salt.Ctx, a nameArgs) (*value.List, error) {
	return lines(c, value.Str(a.Name), "netstat", "-nap")
}

// ss returns the lines of ss -neap that have a text.
func ss(c *salt.Ctx, a nameArgs) (*value.List, error) {
	return lines(c, value.Str(a.Name), "ss", "-neap")
}

// psaux returns the lines of ps aux that match a regular expression, and their
// number as a text.
func psaux(c *salt.Ctx, a nameArgs) (*value.List, error) {
	name := value.Str(a.Name)
	re, err := pyre.Compile(name, 0)
	if err != nil {
		return nil, err
	}
	own, err := pyre.Compile("salt.+ps.psaux.+", 0)
	if err != nil {
		return nil, err
	}
	text, err := output(c, "ps", "aux")
	found := value.L()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if re.Search(line) != nil && own.Search(line) == nil {
			found.Append(line)
		}
	}
	return value.L(name, found, strconv.Itoa(found.Len())+" occurrence(s)."), err
}
