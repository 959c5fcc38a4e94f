package archive

import (
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"pinch/salt"
)

// A kind says what an entry becomes on the disk.
type kind byte

const (
	regular kind = iota
	folder
	symlink
	hardlink // link is the name of another entry
	device   // a device or a pipe: node and dev
)

// An entry is one member of an archive.
type entry struct {
	name  string // as it stands in the archive
	kind  kind
	size  int64
	mode  fs.FileMode // permission, setuid, setgid and sticky bits
	plain bool        // the archive has no mode: the usual one counts
	link  string
	mtime time.Time

	owned        bool // the archive has owners
	uid, gid     int
	uname, gname string

	node uint32 // S_IFIFO, S_IFCHR or S_IFBLK
	dev  uint64
}

// A source is an open archive. Read reads the entry that next gave.
type source interface {
	next() (*entry, error) // io.EOF at the end
	io.ReadCloser
}

// strip takes n folders off a name, as tar --strip-components does; "" is
// left of a name that is not deep enough.
func strip(name string, n int) string {
	for ; n > 0; n-- {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			return ""
		}
		name = rest
	}
	return name
}

// A guard goes through the entries of an archive in their order and finds the
// one that would be written outside of the folder: by an absolute name, by ..,
// or through a link of the archive that leads out.
type guard struct {
	strip int
	links map[string]string // where the links of the archive lead to
}

// check returns the reason why the entry must not be extracted, "" if it may.
func (g *guard) check(e *entry) string {
	name := strip(e.name, g.strip)
	if strings.Trim(name, "/") == "" {
		return g.named(e.name)
	}
	if why := g.named(name); why != "" {
		return why
	}
	clean := path.Clean(name)
	dir, why := g.through(path.Dir(clean))
	if why != "" {
		return why
	}
	clean = path.Join(dir, path.Base(clean))
	switch e.kind {
	case symlink:
		if g.links == nil {
			g.links = map[string]string{}
		}
		g.links[clean] = e.link
	case hardlink:
		to := strip(e.link, g.strip)
		if why := g.named(to); why != "" {
			return "it is a hard link to '" + e.link + "', and that " + strings.TrimPrefix(why, "it ")
		}
		_, why := g.through(path.Dir(path.Clean(to)))
		return why
	default:
		delete(g.links, clean)
	}
	return ""
}

func (g *guard) named(name string) string {
	switch {
	case strings.HasPrefix(name, "/"):
		return "it has an absolute path"
	case strings.IndexByte(name, 0) >= 0:
		return "it has a null byte in its name"
	case strings.Contains(name, "..") && strings.Contains("/"+name+"/", "/../"):
		return "it has .. in its path"
	}
	return ""
}

// through follows the links of the archive that a folder's path goes through,
// to where the folder really is.
func (g *guard) through(dir string) (real, why string) {
	if len(g.links) == 0 {
		return dir, ""
	}
	todo, done := strings.Split(dir, "/"), "."
	for hops := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case ".", "":
			continue
		case "..":
			if done == "." {
				return "", "a link leads out to its place"
			}
			done = path.Dir(done)
			continue
		}
		at := path.Join(done, part)
		to, ok := g.links[at]
		if !ok {
			done = at
			continue
		}
		if hops++; hops > 40 {
			return "", "the links to its place go round in circles"
		}
		if path.IsAbs(to) {
			return "", "the link '" + at + "' leads out to its place"
		}
		todo = append(strings.Split(to, "/"), todo...)
	}
	return done, ""
}

// unsafe is the error for an entry that a guard has refused.
func unsafe(archive string, e *entry, why string) error {
	return salt.CommandError("Archive %s was not extracted: its member '%s' would be written outside of the target directory, because %s", archive, e.name, why)
}

// isAbs reports whether v is an absolute path; nothing at all counts as one.
func isAbs(v any) bool {
	if v == nil {
		return true
	}
	s, ok := v.(string)
	return ok && strings.HasPrefix(s, string(os.PathSeparator))
}
