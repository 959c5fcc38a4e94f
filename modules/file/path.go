package file

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
)

// The functions here are Python's os.path, which differs from path/filepath
// in what it does with empty names, trailing slashes and double slashes.

// expandUser replaces a leading ~ or ~name by that home directory.
func expandUser(c *salt.Ctx, p string) string {
	if p == "" || p[0] != '~' {
		return p
	}
	name, rest := p[1:], ""
	if i := strings.IndexByte(name, '/'); i >= 0 {
		name, rest = name[:i], name[i:]
	}
	home := ""
	if name == "" {
		if home = os.Getenv("HOME"); home == "" {
			u, err := c.Sys.UserID(c.Sys.Getuid())
			if err != nil {
				return p
			}
			home = u.Home
		}
	} else {
		u, err := c.Sys.User(name)
		if err != nil {
			return p
		}
		home = u.Home
	}
	if out := strings.TrimRight(home, "/") + rest; out != "" {
		return out
	}
	return "/"
}

// expandVars replaces $NAME and ${NAME}; names that are not set stay.
func expandVars(p string) string {
	if !strings.Contains(p, "$") {
		return p
	}
	return os.Expand(p, func(name string) string {
		if v, ok := os.LookupEnv(name); ok {
			return v
		}
		if strings.Contains(p, "${"+name+"}") {
			return "${" + name + "}"
		}
		return "$" + name
	})
}

func normPath(p string) string {
	if strings.HasPrefix(p, "//") && !strings.HasPrefix(p, "///") {
		return "/" + path.Clean(p)
	}
	return path.Clean(p)
}

func absPath(p string) string {
	if path.IsAbs(p) {
		return normPath(p)
	}
	wd, _ := os.Getwd()
	return normPath(joinPath(wd, p))
}

func joinPath(parts ...string) string {
	out := ""
	for i, p := range parts {
		switch {
		case i == 0 || strings.HasPrefix(p, "/"):
			out = p
		case out == "" || strings.HasSuffix(out, "/"):
			out += p
		default:
			out += "/" + p
		}
	}
	return out
}

func dirName(p string) string {
	head := p[:strings.LastIndexByte(p, '/')+1]
	if trimmed := strings.TrimRight(head, "/"); trimmed != "" {
		return trimmed
	}
	return head
}

func baseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

func relPath(p, start string) string {
	r, err := filepath.Rel(start, p)
	if err != nil {
		return p
	}
	return r
}

// realPath follows all links; what does not exist is left as it is.
func realPath(s sys.Reader, p string) string {
	p = absPath(p)
	if r, err := s.EvalSymlinks(p); err == nil {
		return r
	}
	out, rest := "/", strings.Split(strings.Trim(p, "/"), "/")
	for links := 0; len(rest) > 0; {
		next := joinPath(out, rest[0])
		rest = rest[1:]
		target, err := s.Readlink(next)
		if err != nil || links > 40 {
			out = normPath(next)
			continue
		}
		links++
		if path.IsAbs(target) {
			out = "/"
		}
		var more []string
		for _, part := range strings.Split(target, "/") {
			if part != "" {
				more = append(more, part)
			}
		}
		rest = append(more, rest...)
	}
	return out
}

func isLink(s sys.Reader, p string) bool {
	i, err := s.Lstat(p)
	return err == nil && i.Mode()&os.ModeSymlink != 0
}

// walk visits directories from the top: f gets each with its folders (also
// links to folders, which are not entered unless follow is set) and files.
// It may drop folders from the list it returns to keep them from being entered.
func walk(s sys.Reader, top string, follow bool, f func(dir string, dirs, files []string) []string) {
	entries, err := s.ReadDir(top)
	if err != nil {
		return
	}
	var dirs, files []string
	links := map[string]bool{}
	for _, e := range entries {
		isDir := e.IsDir()
		if e.Type()&os.ModeSymlink != 0 && sys.IsDir(s, joinPath(top, e.Name())) {
			isDir, links[e.Name()] = true, true
		}
		if isDir {
			dirs = append(dirs, e.Name())
		} else {
			files = append(files, e.Name())
		}
	}
	for _, d := range f(top, dirs, files) {
		if follow || !links[d] {
			walk(s, joinPath(top, d), follow, f)
		}
	}
}
