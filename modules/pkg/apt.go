package pkg

import (
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"pinch/deb"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// apt is the manager of Debian and its relatives.
type apt struct{ c *salt.Ctx }

const (
	statusFile = "/var/lib/dpkg/status"
	updatesDir = "/var/lib/dpkg/updates"
	listsDir   = "/var/lib/apt/lists"
)

// environment keeps packages from asking questions.
var environment = [][2]string{
	{"APT_LISTBUGS_FRONTEND", "none"}, {"APT_LISTCHANGES_FRONTEND", "none"},
	{"DEBIAN_FRONTEND", "noninteractive"}, {"UCF_FORCE_CONFFOLD", "1"},
}

// locale makes programs speak English, which their output is read in.
var locale = strings.Fields(`LC_CTYPE LC_NUMERIC LC_TIME LC_COLLATE LC_MONETARY LC_MESSAGES LC_PAPER LC_NAME
	LC_ADDRESS LC_TELEPHONE LC_MEASUREMENT LC_IDENTIFICATION LANGUAGE`)

type statusKey struct{}

// A snapshot is the database and the file that it was read from.
type snapshot struct {
	*deb.Status
	stamp os.FileInfo
	list  *listing
}

// status is dpkg's database, read again when somebody else changed it.
func (a apt) status() (*snapshot, error) {
	now, err := a.c.Sys.Stat(statusFile)
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	read := func() (*snapshot, error) { return a.readStatus(now) }
	s, err := salt.Once(a.c.Run, statusKey{}, read)
	if err == nil && (!s.stamp.ModTime().Equal(now.ModTime()) || s.stamp.Size() != now.Size()) {
		a.forget()
		s, err = salt.Once(a.c.Run, statusKey{}, read)
	}
	return s, err
}

func (a apt) readStatus(stamp os.FileInfo) (*snapshot, error) {
	main, err := a.c.Sys.ReadFile(statusFile)
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	var updates [][]byte
	entries, _ := a.c.Sys.ReadDir(updatesDir)
	for _, e := range entries {
		if strings.Trim(e.Name(), "0123456789") == "" {
			if b, err := a.c.Sys.ReadFile(path.Join(updatesDir, e.Name())); err == nil {
				updates = append(updates, b)
			}
		}
	}
	s := &snapshot{Status: deb.ParseStatus(main, updates...), stamp: stamp}
	s.list = a.sort(s.Status)
	return s, nil
}

// sort puts the packages where pkg.list_pkgs shows them.
func (a apt) sort(st *deb.Status) *listing {
	l := &listing{new(value.Map), new(value.Map), new(value.Map)}
	for _, p := range st.Packages {
		if p.Version == "" || p.Arch == "" {
			continue
		}
		var into *value.Map
		switch {
		// "deinstall ok installed" counts as installed: it is still there.
		case (strings.Contains(p.Want, "install") || p.Want == "hold") && strings.Contains(p.State, "installed"):
			into = l.installed
		case p.Want == "deinstall":
			into = l.removed
		case p.Want == "purge" && p.State == "installed":
			into = l.purgeDesired
		default:
			continue
		}
		name := p.Name
		if a.foreign(p.Arch) {
			name += ":" + p.Arch
		}
		v := versions(into, name)
		if !slices.Contains(v, p.Version) {
			v = append(v, p.Version)
			slices.Sort(v)
		}
		into.Set(name, value.Strings(v))
	}
	return l
}

// foreign says that names show the architecture: only where the machine's is amd64.
func (a apt) foreign(arch string) bool {
	return arch != "all" && arch != "amd64" && a.c.Grains.Str("cpuarch") == "x86_64" && a.c.Grains.Str("osarch") == "amd64"
}

func (a apt) list() (*listing, error) {
	s, err := a.status()
	if err != nil {
		return nil, err
	}
	return s.list, nil
}

func (a apt) forget() { a.c.Run.Forget(statusKey{}) }

func (a apt) normalize(name string) string {
	i := strings.LastIndexByte(name, ':')
	if i < 0 {
		return name
	}
	if arch := name[i+1:]; arch == "all" || arch == "any" || arch == a.c.Grains.Str("osarch") {
		return name[:i]
	}
	return name
}

func (a apt) compare(x, y string, ignoreEpoch bool) (int, bool) {
	if ignoreEpoch {
		x, y = dropEpoch(x), dropEpoch(y)
	}
	n, err := deb.Compare(x, y)
	if err != nil {
		a.c.Log.Error(err.Error())
	}
	return n, err == nil
}

func dropEpoch(v string) string {
	if _, rest, ok := strings.Cut(v, ":"); ok {
		return rest
	}
	return v
}

// A command is a call of apt or dpkg.
type command struct {
	argv    []string
	query   bool
	stdin   string
	timeout time.Duration
	env     any // what the caller wants to have set besides
}

// An output is what a command left, without the white space at its end.
type output struct {
	stdout, stderr string
	code, pid      int
	timedOut       bool
}

// run runs a command, again and again for a while when another process has the lock.
func (a apt) run(cmd command) (output, error) {
	var out output
	for try := 0; ; try++ {
		sc := sys.Cmd{Argv: cmd.argv, Query: cmd.query, Env: environ(cmd.env), Timeout: cmd.timeout}
		if cmd.stdin != "" {
			sc.Stdin = strings.NewReader(cmd.stdin)
		}
		res, err := a.c.Sys.Run(a.c, sc)
		if err != nil {
			return out, err
		}
		out = output{rstrip(res.Stdout), rstrip(res.Stderr), res.Code, res.PID, res.TimedOut}
		if !strings.Contains(out.stderr, "Could not get lock") || try == 10 {
			break
		}
		a.c.Log.Warn("Waiting for dpkg lock release: retrying... " + lockHolder(out.stderr))
		if err := a.c.Sys.Sleep(a.c, time.Second<<(try+1)); err != nil {
			return out, err
		}
	}
	if out.code != 0 {
		a.c.Log.Debug(strings.Join(cmd.argv, " ") + " failed: " + out.stderr)
	}
	return out, nil
}

// lockHolder is apt's line on who has the lock.
func lockHolder(stderr string) string {
	for line := range strings.Lines(stderr) {
		if strings.Contains(line, "Could not get lock") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func rstrip(b []byte) string { return strings.TrimRight(string(b), " \t\r\n\v\f") }

// environ is our environment with the settings above and those of the caller.
func environ(extra any) []string {
	m := new(value.Map)
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok {
			m.Set(k, v)
		}
	}
	for _, name := range locale {
		m.Set(name, "C")
	}
	for _, kv := range environment {
		m.Set(kv[0], kv[1])
	}
	add := func(v any) {
		if e, ok := v.(*value.Map); ok {
			for k, x := range e.Items() {
				if x == nil {
					x = ""
				}
				m.Set(k, value.Str(x))
			}
		}
	}
	add(extra)
	if l, ok := extra.(*value.List); ok {
		for _, it := range l.Items {
			add(it)
		}
	}
	env := make([]string, 0, m.Len())
	for k, v := range m.Items() {
		env = append(env, k+"="+v.(string))
	}
	return env
}
