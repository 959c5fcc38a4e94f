package pip

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
)

// A dist is an installed distribution.
type dist struct {
	name, version string // as its METADATA has them
	direct        bool   // came from a URL or a path: pip freeze shows that instead
}

// A site is what is installed in a virtual environment.
type site struct {
	dists  []dist // by normalized name
	direct bool   // some came from a URL or path
	pip    string // the version of pip
}

type siteKey struct{ dir, stamp string }

// readSite reads what is installed where bin_env points, if its files alone
// say it: a virtual environment that sees no other packages, without old
// formats, links to elsewhere, or settings that change what pip lists. Anything
// else (nil) is for pip itself.
func readSite(c *salt.Ctx, binEnv, user any) *site {
	venv := venvOf(c, text(binEnv))
	if venv == "" || !isolated(c, venv) || configured(c, venv, text(user)) {
		return nil
	}
	dir := packagesDir(c, venv)
	info, err := c.Sys.Stat(dir)
	if dir == "" || err != nil {
		return nil
	}
	// Installing and removing renames entries of the directory.
	s, _ := salt.Once(c.Run, siteKey{dir, info.ModTime().String()}, func() (*site, error) { return scan(c, dir), nil })
	return s
}

// venvOf is the virtual environment that a bin_env belongs to, "" if none.
func venvOf(c *salt.Ctx, env string) string {
	if env == "" {
		return ""
	}
	dir := env
	if !sys.IsDir(c.Sys, env) {
		dir = filepath.Dir(filepath.Dir(filepath.Clean(env)))
		if filepath.Base(filepath.Dir(filepath.Clean(env))) != "bin" || !sys.IsFile(c.Sys, env) || c.Sys.Access(env, 1) != nil {
			return ""
		}
		if base := filepath.Base(env); strings.HasPrefix(base, "pip") {
			// A pip that was copied or moved here belongs to the python of its first line.
			b, err := c.Sys.ReadFile(env)
			line, _, _ := strings.Cut(string(b), "\n")
			if err != nil || !strings.HasPrefix(line, "#!"+filepath.Join(dir, "bin")+"/") {
				return ""
			}
		} else if !strings.HasPrefix(base, "python") {
			return ""
		}
	} else if pythonIn(c, env) != filepath.Join(dir, "bin/python") {
		return ""
	}
	if !sys.IsFile(c.Sys, filepath.Join(dir, "pyvenv.cfg")) {
		return ""
	}
	return dir
}

// isolated reports whether the environment sees only its own packages.
func isolated(c *salt.Ctx, venv string) bool {
	b, err := c.Sys.ReadFile(filepath.Join(venv, "pyvenv.cfg"))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(b)) {
		k, v, _ := strings.Cut(line, "=")
		if strings.TrimSpace(k) == "include-system-site-packages" {
			return strings.EqualFold(strings.TrimSpace(v), "false")
		}
	}
	return false
}

// configured reports whether variables or a pip.conf may change what pip lists.
func configured(c *salt.Ctx, venv, user string) bool {
	for _, kv := range os.Environ() {
		k, _, _ := strings.Cut(kv, "=")
		switch {
		case k == "PYTHONPATH", k == "PYTHONHOME":
			return true
		case strings.HasPrefix(k, "PIP_") && slices.Contains([]string{"PIP_EXCLUDE", "PIP_PATH", "PIP_USER", "PIP_LOCAL", "PIP_NOT_REQUIRED", "PIP_OUTDATED", "PIP_UPTODATE", "PIP_EDITABLE", "PIP_EXCLUDE_EDITABLE", "PIP_PYTHON", "PIP_CONFIG_FILE", "PIP_FORMAT", "PIP_VERBOSE", "PIP_LOG"}, k):
			return true
		}
	}
	home := os.Getenv("HOME")
	if user != "" {
		u, err := c.Sys.User(user)
		if err != nil {
			return true
		}
		home = u.Home
	}
	places := []string{"/etc/xdg/pip/pip.conf", "/etc/pip.conf", filepath.Join(venv, "pip.conf"), filepath.Join(home, ".pip/pip.conf"), filepath.Join(home, ".config/pip/pip.conf")}
	if x := os.Getenv("XDG_CONFIG_HOME"); x != "" {
		places = append(places, filepath.Join(x, "pip/pip.conf"))
	}
	return slices.ContainsFunc(places, func(p string) bool {
		b, err := c.Sys.ReadFile(p)
		return err == nil && changesLists(string(b))
	})
}

// changesLists reports whether a pip.conf has settings for pip list or freeze.
func changesLists(conf string) bool {
	for line := range strings.Lines(conf) {
		line = strings.TrimSpace(line)
		if line == "[list]" || line == "[freeze]" {
			return true
		}
		k, _, _ := strings.Cut(line, "=")
		switch strings.TrimSpace(k) {
		case "exclude", "path", "user", "local", "not-required", "outdated", "uptodate", "editable", "exclude-editable", "python", "format", "verbose", "log":
			return true
		}
	}
	return false
}

// packagesDir is the one site-packages of an environment.
func packagesDir(c *salt.Ctx, venv string) string {
	if i, err := c.Sys.Lstat(filepath.Join(venv, "lib64")); err == nil && i.Mode()&fs.ModeSymlink == 0 {
		return ""
	}
	entries, err := c.Sys.ReadDir(filepath.Join(venv, "lib"))
	if err != nil {
		return ""
	}
	var found []string
	for _, e := range entries {
		if p := filepath.Join(venv, "lib", e.Name(), "site-packages"); strings.HasPrefix(e.Name(), "python") && sys.IsDir(c.Sys, p) {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// scan reads the distributions of a directory, nil if there is anything that
// only pip understands.
func scan(c *salt.Ctx, dir string) *site {
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return nil
	}
	s := new(site)
	for _, e := range entries {
		name := e.Name()
		switch filepath.Ext(name) {
		case ".dist-info":
			d, ok := readDist(c, filepath.Join(dir, name))
			if !ok {
				return nil
			}
			s.dists = append(s.dists, d)
			s.direct = s.direct || d.direct
			// What pip left of itself is no pip: Python must find it to run it.
			if normalize(d.name) == "pip" && sys.IsFile(c.Sys, filepath.Join(dir, "pip", "__main__.py")) {
				s.pip = d.version
			}
		case ".egg-info", ".egg", ".egg-link":
			return nil
		case ".pth":
			if addsPaths(c, filepath.Join(dir, name)) {
				return nil
			}
		}
	}
	slices.SortFunc(s.dists, func(a, b dist) int { return strings.Compare(normalize(a.name), normalize(b.name)) })
	for i := 1; i < len(s.dists); i++ {
		if normalize(s.dists[i-1].name) == normalize(s.dists[i].name) {
			return nil
		}
	}
	if s.pip == "" {
		return nil
	}
	return s
}

// addsPaths reports whether a .pth file names directories.
func addsPaths(c *salt.Ctx, path string) bool {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return true
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "import\t") {
			return true
		}
	}
	return false
}

// readDist reads the head of a METADATA file.
func readDist(c *salt.Ctx, dir string) (dist, bool) {
	f, err := c.Sys.Open(filepath.Join(dir, "METADATA"))
	if err != nil {
		return dist{}, false
	}
	defer f.Close()
	var d dist
	lines := bufio.NewScanner(f)
	for lines.Scan() && lines.Text() != "" && (d.name == "" || d.version == "") {
		k, v, _ := strings.Cut(lines.Text(), ":")
		switch {
		case strings.EqualFold(k, "Name"):
			d.name = strings.TrimSpace(v)
		case strings.EqualFold(k, "Version"):
			d.version = strings.TrimSpace(v)
		}
	}
	d.direct = sys.LExists(c.Sys, filepath.Join(dir, "direct_url.json"))
	v, ok := parseVersion(d.version)
	return d, ok && d.name != "" && v.String() == d.version
}
