package mount

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A point is a mounted file system. Texts are escaped as in /proc (\040 for a
// blank) where not said otherwise.
type point struct {
	device, fstype  string
	alt             any // the device as mount(8) shows it; None where its output cannot be read
	opts, superopts []string
	// Only from mountinfo:
	id, parent, major, minor, root string
	uuid, label                    any
}

// A table is what is mounted, by mount point, in the order of the first
// mounts; a later mount over the same point counts.
type table struct {
	points map[string]*point
	order  []string
}

func (t *table) add(path string, p *point) {
	if t.points[path] == nil {
		t.order = append(t.order, path)
	}
	t.points[path] = p
}

// at finds a mount point by its path.
func (t *table) at(path string) *point {
	if p := t.points[path]; p != nil {
		return p
	}
	return t.points[escaped(path)]
}

// escaped is a path as /proc writes it.
func escaped(path string) string { return strings.ReplaceAll(path, " ", `\040`) }

// mounts reads what is mounted: /proc/self/mounts, or with more facts mountinfo.
func mounts(c *salt.Ctx, extended bool) (*table, error) {
	path, parse := "/proc/self/mounts", parseMounts
	if extended {
		path, parse = "/proc/self/mountinfo", parseMountinfo
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.CommandError("File not readable %s", path)
	}
	t := parse(string(b))
	ids := new(devices)
	for path, p := range t.points {
		names(c, p.opts)
		names(c, p.superopts)
		if !strings.Contains(path, `\`) {
			p.alt = shown(c, p.device)
		}
		if extended && strings.HasPrefix(p.device, "/dev/") {
			p.uuid, p.label = ids.of(c, p.device)
			if s, ok := p.uuid.(string); ok {
				p.uuid = strings.ToLower(s)
			}
		}
		if extended {
			p.device = blank(p.device)
		}
	}
	return t, nil
}

// blank writes an escaped blank as Salt does.
func blank(s string) string { return strings.ReplaceAll(s, `\040`, `\ `) }

func parseMounts(text string) *table {
	t := &table{points: map[string]*point{}}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 3 {
			t.add(f[1], &point{device: f[0], fstype: f[2], opts: strings.Split(f[3], ",")})
		}
	}
	return t
}

// parseMountinfo reads proc(5)'s mountinfo; optional fields stand before a dash.
func parseMountinfo(text string) *table {
	t := &table{points: map[string]*point{}}
	for line := range strings.Lines(text) {
		head, tail, ok := strings.Cut(line, " - ")
		f, g := strings.Fields(head), strings.Fields(tail)
		if !ok || len(f) < 6 || len(g) < 2 {
			continue
		}
		if len(g) == 2 { // a mount without a source
			g = []string{g[0], "", g[1]}
		}
		major, minor, _ := strings.Cut(f[2], ":")
		t.add(f[4], &point{
			id: f[0], parent: f[1], major: major, minor: minor, root: f[3],
			opts: strings.Split(f[5], ","), fstype: g[0], device: g[1], superopts: strings.Split(g[2], ","),
		})
	}
	return t
}

// names puts numbers for the names of users and groups in options.
func names(c *salt.Ctx, opts []string) {
	for i, opt := range opts {
		opts[i] = blank(numeric(c, opt))
	}
}

// numeric is an option uid=NAME or gid=NAME with the number, others unchanged.
func numeric(c *salt.Ctx, opt string) string {
	key, name, ok := strings.Cut(opt, "=")
	if !ok || key != "uid" && key != "gid" {
		return opt
	}
	name, _, _ = strings.Cut(name, "=")
	id := name
	if _, err := strconv.ParseUint(name, 10, 64); err != nil {
		if u, err := c.Sys.User(name); key == "uid" && err == nil {
			id = strconv.Itoa(u.UID)
		}
		if g, err := c.Sys.Group(name); key == "gid" && err == nil {
			id = strconv.Itoa(g.GID)
		}
	}
	return key + "=" + id
}

// shown is a device as mount(8) lists it: the file behind a loop device that
// goes with its mount, the name of a mapped device.
func shown(c *salt.Ctx, device string) string {
	name, ok := strings.CutPrefix(device, "/dev/")
	switch {
	case ok && strings.HasPrefix(name, "loop"):
		if b, err := c.Sys.ReadFile("/sys/block/" + name + "/loop/autoclear"); err == nil && strings.TrimSpace(string(b)) == "1" {
			if b, err := c.Sys.ReadFile("/sys/block/" + name + "/loop/backing_file"); err == nil {
				return strings.TrimSpace(string(b))
			}
		}
	case ok && strings.HasPrefix(name, "dm-"):
		if b, err := c.Sys.ReadFile("/sys/block/" + name + "/dm/name"); err == nil {
			return "/dev/mapper/" + strings.TrimSpace(string(b))
		}
	}
	return device
}

func (p *point) data(extended bool) *value.Map {
	if !extended {
		return value.M("device", p.device, "alt_device", p.alt, "fstype", p.fstype, "opts", value.Strings(p.opts))
	}
	return value.M("mountid", p.id, "parentid", p.parent, "major", p.major, "minor", p.minor, "root", p.root,
		"opts", value.Strings(p.opts), "fstype", p.fstype, "device", p.device, "alt_device", p.alt,
		"superopts", value.Strings(p.superopts), "device_uuid", p.uuid, "device_label", p.label)
}

type activeArgs struct {
	Extended bool `py:"extended=False"` // also ids, super block options, UUID and label
}

// active returns what is mounted, by mount point.
func active(c *salt.Ctx, a activeArgs) (*value.Map, error) {
	t, err := mounts(c, a.Extended)
	if err != nil {
		return nil, err
	}
	m := value.NewMap(len(t.order))
	for _, path := range t.order {
		m.Set(path, t.points[path].data(a.Extended))
	}
	return m, nil
}

type pathArgs struct {
	Path string `py:"path"` // a file or folder
}

type nameArgs struct {
	Name string `py:"name"` // the mount point, as /proc/self/mounts writes it
}

// isMounted reports whether something is mounted at a path.
func isMounted(c *salt.Ctx, a nameArgs) (bool, error) {
	t, err := mounts(c, false)
	return err == nil && t.at(a.Name) != nil, err
}

// getMountFromPath returns the mount point that a path lies on.
func getMountFromPath(c *salt.Ctx, a pathArgs) (string, error) {
	path := real(c, a.Path)
	for path != "/" && !isMount(c, path) {
		path = filepath.Dir(path)
	}
	return path, nil
}

// isMount reports whether a path is on another device than its folder.
func isMount(c *salt.Ctx, path string) bool {
	here, err := c.Sys.Lstat(path)
	if err != nil || here.Mode()&os.ModeSymlink != 0 {
		return false
	}
	above, err := c.Sys.Lstat(filepath.Dir(path))
	if err != nil {
		return false
	}
	a, okA := here.Sys().(*syscall.Stat_t)
	b, okB := above.Sys().(*syscall.Stat_t)
	return okA && okB && (a.Dev != b.Dev || a.Ino == b.Ino)
}

// real follows links as far as there are any; what does not exist stays.
func real(c *salt.Ctx, path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for p := path; ; p = filepath.Dir(p) {
		if r, err := c.Sys.EvalSymlinks(p); err == nil {
			return filepath.Join(r, rest)
		}
		if p == "/" {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}

// getDeviceFromPath returns the device of the file system that a path lies on.
func getDeviceFromPath(c *salt.Ctx, a pathArgs) (any, error) {
	path, err := getMountFromPath(c, a)
	if err != nil {
		return nil, err
	}
	t, err := mounts(c, false)
	if err != nil || t.at(path) == nil {
		return nil, err
	}
	return t.at(path).device, nil
}

type isFuseExecArgs struct {
	Cmd string `py:"cmd"` // a command
}

// isFuseExec reports whether a command is linked with FUSE.
func isFuseExec(c *salt.Ctx, a isFuseExecArgs) (bool, error) {
	path := c.Sys.LookPath(a.Cmd)
	if path == "" {
		return false, nil
	}
	if c.Sys.LookPath("ldd") == "" {
		return false, value.Errorf("CommandNotFoundError", "ldd")
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"ldd", path}, Query: true, Merge: true})
	return strings.Contains(string(r.Stdout), "libfuse"), err
}
