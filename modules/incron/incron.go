// Package incron holds Salt's incron module: commands that run when files
// change, in the tables of incrontab(5). Its main variable is Module.
//
//	salt-call incron.set_job root /srv/in IN_CLOSE_WRITE 'systemctl start import'
package incron

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's incron module.
var Module = salt.Module{
	Name: "incron",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"list_tab":                  salt.Exec(listTab),
			"ls":                        salt.Exec(listTab).Named("list_tab"),
			"raw_incron":                salt.Exec(rawIncron),
			"raw_system_incron":         salt.Exec(rawSystemIncron),
			"rm":                        salt.Exec(rmJob).Named("rm_job"),
			"rm_job":                    salt.Exec(rmJob),
			"set_job":                   salt.Exec(setJob),
			"write_incron_file":         salt.Exec(writeIncronFile),
			"write_incron_file_verbose": salt.Exec(writeIncronFileVerbose),
		}
	},
}

const systemTab = "/etc/incron.d/salt"

const masks = "IN_ACCESS IN_ATTRIB IN_CLOSE_WRITE IN_CLOSE_NOWRITE IN_CREATE IN_DELETE IN_DELETE_SELF IN_MODIFY IN_MOVE_SELF IN_MOVED_FROM " +
	"IN_MOVED_TO IN_OPEN IN_ALL_EVENTS IN_MOVE IN_CLOSE IN_DONT_FOLLOW IN_ONESHOT IN_ONLYDIR IN_NO_LOOP"

// A tab is a table: its jobs, and the other lines.
type tab struct {
	pre  []string
	jobs []job
}

type job struct{ path, mask, cmd string }

func parse(text string) tab {
	var t tab
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if f := strings.Fields(line); len(f) > 2 && !strings.HasPrefix(f[0], "#") {
			t.jobs = append(t.jobs, job{f[0], f[1], strings.Join(f[2:], " ")})
		} else {
			t.pre = append(t.pre, line)
		}
	}
	return t
}

func (t tab) String() string {
	var b strings.Builder
	for _, line := range t.pre {
		b.WriteString(line + "\n")
	}
	for _, j := range t.jobs {
		b.WriteString(j.path + " " + j.mask + " " + j.cmd + "\n")
	}
	return b.String()
}

type userArgs struct {
	User string `py:"user"` // the user; system: the table of the machine
}

// rawIncron returns the text of a user's table.
func rawIncron(c *salt.Ctx, a userArgs) (string, error) {
	v, err := c.CallKw("cmd.run_stdout", value.M("rstrip", false, "runas", a.User, "python_shell", false), value.Strings([]string{"incrontab", "-l", a.User}))
	return value.Str(v), err
}

// rawSystemIncron returns the text of the machine's table, as far as it is
// managed here.
func rawSystemIncron(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	b, _ := c.Sys.ReadFile(systemTab)
	return string(b), nil
}

func read(c *salt.Ctx, user string) (tab, error) {
	if user == "system" {
		text, err := rawSystemIncron(c, salt.NoArgs{})
		return parse(text), err
	}
	text, err := rawIncron(c, userArgs{user})
	return parse(text), err
}

// listTab returns a table: crons with path, mask and cmd, and pre, the other
// lines.
func listTab(c *salt.Ctx, a userArgs) (*value.Map, error) {
	t, err := read(c, a.User)
	if err != nil {
		return nil, err
	}
	crons := value.L()
	for _, j := range t.jobs {
		crons.Append(value.M("path", j.path, "mask", j.mask, "cmd", j.cmd))
	}
	return value.M("crons", crons, "pre", value.Strings(t.pre)), nil
}

type fileArgs struct {
	User string `py:"user"` // the user
	Path string `py:"path"` // the file with the table
}

// writeIncronFile makes a file the table of a user and reports whether that
// worked.
func writeIncronFile(c *salt.Ctx, a fileArgs) (bool, error) {
	v, err := c.CallKw("cmd.retcode", value.M("runas", a.User, "python_shell", false), value.Strings([]string{"incrontab", a.Path}))
	return value.Equal(v, int64(0)), err
}

// writeIncronFileVerbose makes a file the table of a user and returns what
// incrontab says.
func writeIncronFileVerbose(c *salt.Ctx, a fileArgs) (any, error) {
	return c.CallKw("cmd.run_all", value.M("runas", a.User, "python_shell", false), value.Strings([]string{"incrontab", a.Path}))
}

// write stores a table; the text is what went wrong.
func (t tab) write(c *salt.Ctx, user string) (string, error) {
	if user == "system" {
		if !sys.IsDir(c.Sys, "/etc/incron.d") {
			return "", value.Errorf("AttributeError", "salt cannot be written. /etc/incron.d/ does not exist")
		}
		return "", salt.OSError(sys.WriteFile(c.Sys, systemTab, []byte(t.String()), sys.FileAttrs{}))
	}
	mode := sys.Mode(0o600)
	a := sys.FileAttrs{Mode: &mode}
	u, err := c.Sys.User(user)
	if err != nil {
		return "", salt.CommandError("The user %s is not available.", user)
	}
	a.UID = &u.UID
	path := sys.TempName("", "")
	if err := sys.WriteFile(c.Sys, path, []byte(t.String()), a); err != nil {
		return "", salt.OSError(err)
	}
	defer c.Sys.Remove(path)
	v, err := writeIncronFileVerbose(c, fileArgs{user, path})
	m, _ := v.(*value.Map)
	if err != nil || !value.Truth(m.At("retcode")) {
		return "", err
	}
	if text := m.Str("stderr"); text != "" {
		return text, nil
	}
	return "incrontab failed with code " + value.Str(m.At("retcode")), nil
}

type jobArgs struct {
	User string `py:"user"` // the user; system: the table of the machine
	Path string `py:"path"` // the file or folder to watch
	Mask any    `py:"mask"` // the events, with commas between
	Cmd  string `py:"cmd"`  // the command
}

// events are the upper-case names of the mask; bad is one that is none.
func (a *jobArgs) events() (names []string, bad string) {
	names = strings.Split(strings.ToUpper(value.Str(a.Mask)), ",")
	for _, n := range names {
		if !strings.Contains(" "+masks+" ", " "+n+" ") || n == "" {
			return nil, n
		}
	}
	return names, ""
}

func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return names
}

// setJob makes sure that a job is in a table. One of the same path and command
// that shares an event is replaced. It returns present, updated, new, or what
// went wrong.
func setJob(c *salt.Ctx, a jobArgs) (string, error) {
	names, bad := a.events()
	if names == nil {
		return "Invalid mask type: " + bad, nil
	}
	t, err := read(c, a.User)
	if err != nil {
		return "", err
	}
	answer := "new"
	var kept []job
	for _, j := range t.jobs {
		have := strings.Split(j.mask, ",")
		switch {
		case j.path != a.Path || j.cmd != a.Cmd:
			kept = append(kept, j)
		case slices.Equal(sorted(have), sorted(names)):
			return "present", nil
		case slices.ContainsFunc(names, func(n string) bool { return slices.Contains(have, n) }):
			answer = "updated"
		default:
			kept = append(kept, j)
		}
	}
	t.jobs = append(kept, job{a.Path, strings.Join(names, ","), a.Cmd})
	if text, err := t.write(c, a.User); text != "" || err != nil {
		return text, err
	}
	return answer, nil
}

// rmJob removes a job from a table. It returns removed, absent, or what went
// wrong.
func rmJob(c *salt.Ctx, a jobArgs) (string, error) {
	names, bad := a.events()
	if names == nil {
		return "Invalid mask type: " + bad, nil
	}
	t, err := read(c, a.User)
	if err != nil {
		return "", err
	}
	i := slices.Index(t.jobs, job{a.Path, strings.Join(names, ","), a.Cmd})
	if i < 0 {
		return "absent", nil
	}
	t.jobs = slices.Delete(t.jobs, i, i+1)
	if text, err := t.write(c, a.User); text != "" || err != nil {
		return text, err
	}
	return "removed", nil
}
