package sysctl

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const tree = "/proc/sys/"

// file is where a parameter lies. Its name is written with dots, and a dot
// inside of a part (an interface such as eth0.5) as a slash; or the other way
// round, when a slash comes first.
func file(name string) string {
	if i := strings.IndexAny(name, "./"); i < 0 || name[i] == '.' {
		name = swap(name)
	}
	return path.Join(tree, path.Clean("/"+name)) // never above the tree
}

// swap puts slashes for dots and dots for slashes.
func swap(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '.':
			return '/'
		case '/':
			return '.'
		}
		return r
	}, s)
}

// all are the parameters of the running kernel that can be read.
func all(c *salt.Ctx) *value.Map {
	m := new(value.Map)
	var walk func(dir string)
	walk = func(dir string) {
		entries, _ := c.Sys.ReadDir(dir)
		for _, e := range entries {
			p := path.Join(dir, e.Name())
			switch {
			case e.IsDir():
				walk(p)
			case e.Name() == "base_reachable_time" || e.Name() == "retrans_time": // sysctl(8) leaves these out
			default:
				if text, err := read(c, p); err == nil {
					lines := strings.Split(text, "\n")
					m.Set(swap(strings.TrimPrefix(p, tree)), lines[len(lines)-1])
				}
			}
		}
	}
	walk(path.Clean(tree))
	return m
}

// read is what a file of the kernel says, without the last line end. Some
// files are for writing only, even where root could open them.
func read(c *salt.Ctx, p string) (string, error) {
	info, err := c.Sys.Stat(p)
	if err != nil {
		return "", err
	}
	if info.Mode()&0o400 == 0 {
		return "", nil
	}
	b, err := c.Sys.ReadFile(p)
	return strings.TrimSuffix(string(b), "\n"), err
}

type getArgs struct {
	Name string `py:"name"` // the parameter: net.ipv4.ip_forward
}

// get returns the value of a parameter, or what sysctl(8) says about one that
// cannot be read.
func get(c *salt.Ctx, a getArgs) (string, error) {
	text, err := read(c, file(a.Name))
	if err == nil {
		return text, nil
	}
	if c.Low == nil {
		c.Run.SetRetcode(1)
	}
	return "sysctl: " + complaint(a.Name, "reading", err), nil
}

// complaint is the text of sysctl(8).
func complaint(name, doing string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist) && doing == "reading": // to a set one, the value is what does not exist
		return "cannot stat " + file(name) + ": No such file or directory"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return `permission denied on key "` + name + `"`
	}
	reason := err.Error()
	var no syscall.Errno
	if errors.As(err, &no) {
		reason = no.Error()
		reason = strings.ToUpper(reason[:1]) + reason[1:]
	}
	return doing + ` key "` + name + `": ` + reason
}

type assignArgs struct {
	Name  string `py:"name"`  // the parameter
	Value any    `py:"value"` // its new value
}

// assign sets a parameter of the running kernel, until the next start.
func assign(c *salt.Ctx, a assignArgs) (any, error) {
	val := value.Str(a.Value)
	if !sys.Exists(c.Sys, file(a.Name)) {
		return nil, salt.CommandError("sysctl %s does not exist", a.Name)
	}
	if _, err := c.Sys.WriteAt(file(a.Name), []byte(val+"\n"), 0); err != nil {
		return nil, salt.CommandError("sysctl -w failed: sysctl: %s", complaint(a.Name, "setting", err))
	}
	return value.M(a.Name, val), nil
}
