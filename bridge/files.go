package bridge

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/extmods"
	"pinch/salt"
	"pinch/value"
)

// dirs are the folders of a kind: those of the option module_dirs, and the
// synced ones.
func (b *Bridge) dirs(kind string) []string {
	var out []string
	for _, dir := range texts(b.o.Opts.At("module_dirs")) {
		// Salt looks in DIR/_modules only where there is no DIR/modules.
		if own := filepath.Join(dir, kind); isDir(own) {
			out = append(out, own)
		} else {
			out = append(out, filepath.Join(dir, "_"+kind))
		}
		if kind == "modules" {
			out = append(out, dir)
		}
	}
	out = append(out, extmods.Dir(b.o.Opts, kind))
	if kind == "modules" {
		return append(out, texts(b.o.Opts.At("module_path"))...)
	}
	return append(out, texts(b.o.Opts.At(tag(kind)+"_dirs"))...)
}

// tag is what the options of a kind of modules are called after: render_dirs,
// disable_returners.
func tag(kind string) string {
	switch kind {
	case "modules", "returners", "executors", "runners":
		return strings.TrimSuffix(kind, "s")
	case "renderers":
		return "render"
	case "tops":
		return "top"
	case "output":
		return "outputter"
	}
	return kind
}

func texts(v any) []string {
	var out []string
	switch v := v.(type) {
	case *value.List:
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
	case string:
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// list are the files of a kind by the names of their modules.
func (b *Bridge) list(kind string) map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if got, ok := b.files[kind]; ok {
		return got
	}
	found := map[string]string{}
	for _, dir := range b.dirs(kind) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := moduleName(dir, e)
			if name == "" || found[name] != "" || salt.Disabled(b.o.Opts, disabledBy(kind), name) {
				continue
			}
			found[name] = filepath.Join(dir, e.Name())
		}
	}
	b.files[kind] = found
	return found
}

// disabledBy is the option that leaves modules of a kind out.
func disabledBy(kind string) string {
	return strings.TrimSuffix(strings.Replace(tag(kind), "outputter", "output", 1), "s") + "s"
}

// moduleName is the name of the module that an entry of a folder is, "" if it
// is none.
func moduleName(dir string, e os.DirEntry) string {
	name := e.Name()
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "~") {
		return ""
	}
	if e.IsDir() {
		if _, err := os.Stat(filepath.Join(dir, name, "__init__.py")); err != nil {
			return ""
		}
		return name
	}
	ext := filepath.Ext(name)
	base := strings.TrimSuffix(name, ext)
	switch ext {
	case ".py", ".zip", ".pyx", ".star":
		return base
	case ".so":
		base, _, _ = strings.Cut(base, ".")
		return base
	case "":
		if i, err := e.Info(); err == nil && i.Mode()&0o111 != 0 {
			return name
		}
	}
	return ""
}

// Has reports whether there is a custom module in a file of that name.
func (b *Bridge) Has(_ *salt.Ctx, kind, name string) bool {
	_, ok := b.list(kind)[name]
	return ok
}

// names are the names of the files of a kind, sorted.
func (b *Bridge) names(kind string) []string { return slices.Sorted(maps.Keys(b.list(kind))) }

// mayRename reports whether a module may take another name than its file's:
// only if it says __virtual.
func mayRename(path string) bool {
	if i, err := os.Stat(path); err != nil || i.IsDir() || !strings.HasSuffix(path, ".py") {
		return err == nil && !strings.HasSuffix(path, ".star") && filepath.Ext(path) != ""
	}
	text, err := os.ReadFile(path)
	return err != nil || strings.Contains(string(text), "__virtual")
}
