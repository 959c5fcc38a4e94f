package status

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// uptime returns since when the machine is up, and how many users are logged in.
func uptime(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "/proc/uptime")
	if err != nil || len(all) == 0 {
		return nil, salt.CommandError("File /proc/uptime was not found.")
	}
	f, err := strconv.ParseFloat(all[0][0], 64)
	if err != nil {
		return nil, fmt.Errorf("/proc/uptime: %w", err)
	}
	seconds := int64(f)
	now := c.Sys.Now()
	since := now.Add(-time.Duration(seconds) * time.Second).UTC()
	rest := seconds % 86400
	m := value.M("seconds", seconds, "since_iso", since.Format("2006-01-02T15:04:05.000000"), "since_t", since.Unix(),
		"days", seconds/86400, "time", fmt.Sprintf("%d:%d", rest/3600, rest%3600/60))
	if c.Sys.LookPath("who") != "" {
		n, err := users(c)
		if err != nil {
			return nil, err
		}
		m.Set("users", int64(max(n, 1))) // Salt counts the lines of nothing as one
	}
	return m, nil
}

// users counts the logins: those of utmp(5), or what who says where there is
// no such file.
func users(c *salt.Ctx) (int, error) {
	b, err := c.Sys.ReadFile("/run/utmp")
	if err != nil {
		res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"who", "-s"}, Query: true})
		return bytes.Count(res.Stdout, []byte("\n")), err
	}
	const size, userProcess = 384, 7
	n := 0
	for ; len(b) >= size; b = b[size:] {
		if b[0] == userProcess && b[1] == 0 {
			n++
		}
	}
	return n, nil
}

// w returns who is logged in and what they do.
func w(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	out := value.L()
	if b, err := c.Sys.ReadFile("/run/utmp"); err == nil && len(b) == 0 || c.Sys.LookPath("w") == "" {
		return out, nil
	}
	res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"w", "-fh"}, Env: append(os.Environ(), "LC_ALL=C"), Query: true})
	for line := range strings.Lines(string(res.Stdout)) {
		f := strings.Fields(line)
		if len(f) >= 6 {
			out.Append(value.M("idle", f[3], "jcpu", f[4], "login", f[2], "pcpu", f[5], "tty", f[1], "user", f[0], "what", strings.Join(f[6:], " ")))
		}
	}
	return out, err
}

type diskusageArgs struct {
	Args []any `py:"*args"` // paths of mounted file systems, and patterns of their types (ext*); nothing means all
}

// diskusage returns the free and the total bytes of mounted file systems.
//
//	salt-call status.diskusage / xfs
func diskusage(c *salt.Ctx, a diskusageArgs) (*value.Map, error) {
	var paths, types []string
	for _, it := range a.Args {
		if s := value.Str(it); strings.HasPrefix(s, "/") {
			paths = append(paths, s)
		} else {
			types = append(types, s)
		}
	}
	if len(a.Args) == 0 {
		types = []string{"*"}
	}
	if len(types) > 0 {
		all, err := lines(c, "/proc/mounts")
		if err != nil {
			return new(value.Map), nil
		}
		for _, f := range all {
			if len(f) >= 3 && slices.ContainsFunc(types, func(t string) bool { return value.Fnmatch(f[2], t) }) {
				paths = append(paths, f[1])
			}
		}
	}
	m := new(value.Map)
	for _, p := range paths {
		if m.Has(p) || !path.IsAbs(p) || !sys.Exists(c.Sys, p) {
			continue
		}
		s, err := c.Sys.Statfs(p)
		if err != nil {
			c.Log.Warn("Cannot get stats from '" + p + "': " + err.Error())
			m.Set(p, value.M("available", nil, "total", nil))
			continue
		}
		m.Set(p, value.M("available", s.BlocksAvailable*s.BlockSize, "total", s.Blocks*s.BlockSize))
	}
	return m, nil
}
