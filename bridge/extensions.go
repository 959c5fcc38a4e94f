package bridge

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
)

// extensions are the files of a kind that Salt extensions bring: packages of
// the host's Python, such as saltext.vault, that name themselves in the entry
// points "salt.loader". They are looked for when neither the tree nor pinch
// has what was asked for, and without starting Python.
func (b *Bridge) extensions(kind string) map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if got, ok := b.extra[kind]; ok {
		return got
	}
	if b.packages == nil {
		b.packages = []string{}
		if exe, err := exec.LookPath(b.python()); err == nil {
			b.packages = packages(exe)
		}
	}
	found := map[string]string{}
	for _, dir := range b.packages {
		entries, _ := os.ReadDir(filepath.Join(dir, kind))
		for _, e := range entries {
			name := moduleName(filepath.Join(dir, kind), e)
			if name == "" || found[name] != "" || salt.Disabled(b.o.Opts, disabledBy(kind), name) {
				continue
			}
			found[name] = filepath.Join(dir, kind, e.Name())
		}
	}
	b.extra[kind] = found
	return found
}

// python is the command that runs custom modules.
func (b *Bridge) python() string {
	if exe := b.o.Opts.Str("python"); exe != "" {
		return exe
	}
	return "python3"
}

// path is the file of a module, of the tree or of an extension.
func (b *Bridge) path(kind, name string) string {
	if path, ok := b.list(kind)[name]; ok {
		return path
	}
	return b.extensions(kind)[name]
}

// everything are the names of the modules of the tree and of extensions; the
// tree's come first.
func (b *Bridge) everything(kind string) []string {
	names := b.names(kind)
	for _, name := range slices.Sorted(maps.Keys(b.extensions(kind))) {
		if b.list(kind)[name] == "" {
			names = append(names, name)
		}
	}
	return names
}

// packages are the folders of the extensions that a Python can import.
func packages(exe string) []string {
	var out []string
	for _, site := range sites(exe) {
		dists, _ := filepath.Glob(filepath.Join(site, "*[sS][aA][lL][tT]*-info", "entry_points.txt"))
		for _, file := range dists {
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			for _, pkg := range entryPoints(string(text)) {
				dir := filepath.Join(site, filepath.FromSlash(strings.ReplaceAll(pkg, ".", "/")))
				if isDir(dir) && !slices.Contains(out, dir) {
					out = append(out, dir)
				}
			}
		}
	}
	return out
}

// entryPoints are the packages in the section [salt.loader]. Names of
// functions ("package:dirs"), the form of before 2022, are left out.
func entryPoints(text string) []string {
	var out []string
	in := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = line == "[salt.loader]"
			continue
		}
		_, pkg, ok := strings.Cut(line, "=")
		pkg = strings.TrimSpace(pkg)
		if in && ok && pkg != "" && !strings.ContainsAny(pkg, ":/ ") && !strings.Contains(pkg, "..") {
			out = append(out, pkg)
		}
	}
	return out
}

// sites are the folders where a Python has its packages: beside the command in
// a virtual environment, else below the prefix of the real one and where
// distributions, pip and Salt's own packages (salt-pip) put them.
func sites(exe string) []string {
	patterns := filepath.SplitList(os.Getenv("PYTHONPATH"))
	below := func(prefix string) {
		for _, lib := range []string{"lib", "lib64"} {
			patterns = append(patterns, filepath.Join(prefix, lib, "python3*", "site-packages"), filepath.Join(prefix, lib, "python3*", "dist-packages"))
		}
		patterns = append(patterns, filepath.Join(prefix, "extras-3*"))
	}
	env := filepath.Dir(filepath.Dir(exe))
	conf, err := os.ReadFile(filepath.Join(env, "pyvenv.cfg"))
	if err == nil {
		below(env)
	}
	if err != nil || strings.Contains(strings.ReplaceAll(strings.ToLower(string(conf)), " ", ""), "include-system-site-packages=true") {
		if home, err := os.UserHomeDir(); err == nil {
			below(filepath.Join(home, ".local"))
		}
		if path, err := filepath.EvalSymlinks(exe); err == nil {
			prefix := filepath.Dir(filepath.Dir(path))
			if prefix == "/usr" {
				below("/usr/local")
			}
			below(prefix)
		}
	}
	var out []string
	for _, p := range patterns {
		dirs, _ := filepath.Glob(p)
		out = append(out, dirs...)
	}
	return out
}
