// Package extmods keeps the custom modules of a tree on this machine: it
// copies salt://_modules, _states, _grains and so on to the folder of the
// option extension_modules, where package bridge loads them from, and takes
// away what the tree has no more.
//
//	done, err := extmods.Sync(c, extmods.Options{Kind: "modules", Envs: []string{"base"}})
//	done.Changed // modules.agent
package extmods

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Kinds are the kinds of custom modules in the order of saltutil.sync_all: the
// name of its function, and the folder.
var Kinds = []struct{ Name, Folder string }{
	{"tops", "tops"}, {"clouds", "clouds"}, {"beacons", "beacons"}, {"modules", "modules"}, {"states", "states"}, {"sdb", "sdb"},
	{"grains", "grains"}, {"renderers", "renderers"}, {"returners", "returners"}, {"output", "output"}, {"utils", "utils"},
	{"log_handlers", "log_handlers"}, {"executors", "executors"}, {"proxymodules", "proxy"}, {"engines", "engines"}, {"thorium", "thorium"},
	{"serializers", "serializers"}, {"matchers", "matchers"}, {"resources", "resources"}, {"pillar", "pillar"}, {"wrapper", "wrapper"},
}

// Options say what to sync.
type Options struct {
	Kind      string // the folder: modules
	Envs      []string
	Whitelist any // names, in a list joined by commas or a map from kind to such; nil: the option extmod_whitelist
	Blacklist any
	Root      string // instead of the option extension_modules
	Keep      bool   // remove nothing
}

// A Result is what a sync did.
type Result struct {
	Changed []string // modules.agent, for each file that is new or differs
	Touched bool     // something was written or removed
}

// Root is the folder of the synced modules.
func Root(opts *value.Map) string {
	if dir := opts.Str("extension_modules"); dir != "" {
		return dir
	}
	return filepath.Join(opts.Str("cachedir"), "extmods")
}

// Dir is the folder of a kind.
func Dir(opts *value.Map, kind string) string { return filepath.Join(Root(opts), kind) }

// module reports whether a file of a tree is a custom module: Python, or one
// of ours (Starlark; an executable without a suffix).
func module(name string, f *salt.File) bool {
	switch path.Ext(name) {
	case ".py", ".pyx", ".so", ".zip", ".star":
		return true
	case "":
		return f != nil && f.Mode&0o111 != 0
	}
	return false
}

// Sync copies the modules of one kind. The later environment wins where two
// have a file.
func Sync(c *salt.Ctx, o Options) (Result, error) {
	var r Result
	dir := Dir(c.Opts, o.Kind)
	if o.Root != "" {
		dir = filepath.Join(o.Root, o.Kind)
	}
	allow, deny := names(c, o.Kind, "extmod_whitelist", o.Whitelist), names(c, o.Kind, "extmod_blacklist", o.Blacklist)
	remote := map[string]bool{}
	for _, env := range o.Envs {
		prefix := "_" + o.Kind
		files, err := c.Files().List(c, env, prefix)
		if err != nil {
			return r, err
		}
		for _, file := range files {
			rel := strings.TrimPrefix(file, prefix+"/")
			if rel == file || !filepath.IsLocal(rel) {
				continue
			}
			if path.Ext(rel) != "" && !module(rel, nil) {
				continue
			}
			f, err := c.Files().Find(c, file, env)
			if err != nil {
				return r, err
			}
			if f == nil || !module(rel, f) {
				continue
			}
			name := strings.ReplaceAll(strings.TrimSuffix(rel, path.Ext(rel)), "/", ".")
			if allow != nil && !allow[name] || deny[name] {
				continue
			}
			remote[rel] = true
			wrote, err := store(c, f, filepath.Join(dir, filepath.FromSlash(rel)))
			if err != nil {
				return r, err
			}
			if wrote {
				r.Changed = append(r.Changed, o.Kind+"."+name)
			}
		}
	}
	r.Touched = len(r.Changed) > 0
	if v, ok := c.Opts.Get("clean_dynamic_modules"); !o.Keep && (!ok || value.Truth(v)) {
		removed, err := clean(c, dir, remote)
		r.Touched = r.Touched || removed
		return r, err
	}
	return r, nil
}

// names reads a list of names; nil: all.
func names(c *salt.Ctx, kind, option string, v any) map[string]bool {
	if v == nil {
		v = c.Opts.At(option)
	}
	var list any
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		if v == "" {
			return nil
		}
		list = v
	case *value.Map:
		if !v.Has(kind) {
			return nil
		}
		list = v.At(kind)
	default:
		c.Log.Error(option + " must be a string or dictionary: " + value.Repr(v))
		return nil
	}
	out := map[string]bool{}
	switch l := list.(type) {
	case string:
		for _, s := range strings.Split(l, ",") {
			out[s] = true
		}
	case *value.List:
		for _, it := range l.Items {
			out[value.Str(it)] = true
		}
	}
	return out
}

// store writes a module where it differs.
func store(c *salt.Ctx, f *salt.File, dest string) (bool, error) {
	text, err := f.Read()
	if err != nil {
		return false, err
	}
	mode := fs.FileMode(0o600)
	if path.Ext(f.Path) == "" {
		mode = 0o700
	}
	if old, err := os.ReadFile(dest); err == nil && string(old) == string(text) {
		return false, nil
	}
	s := c.With(false).Sys
	if err := sys.MkdirAll(s, Root(c.Opts), 0o700); err != nil {
		return false, err
	}
	if err := sys.MkdirAll(s, filepath.Dir(dest), 0o700); err != nil {
		return false, err
	}
	return true, sys.WriteFile(s, dest, text, sys.FileAttrs{Mode: &mode})
}

// clean removes what is in the folder and not in the tree, and empty folders.
func clean(c *salt.Ctx, dir string, remote map[string]bool) (bool, error) {
	if _, err := os.Lstat(dir); err != nil {
		return false, nil
	}
	var dirs []string
	removed := false
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		if d.IsDir() {
			dirs = append(dirs, p)
			return nil
		}
		if !remote[filepath.ToSlash(rel)] {
			removed = true
			return os.Remove(p)
		}
		return nil
	})
	for _, d := range slices.Backward(dirs) {
		if os.Remove(d) == nil && d != dir {
			removed = true
		}
	}
	return removed, err
}

// List are the synced modules by kind, as saltutil.list_extmods gives them:
// the names up to the first dot.
func List(opts *value.Map) (*value.Map, error) {
	out := new(value.Map)
	root := Root(opts)
	kinds, err := os.ReadDir(root)
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return out, err
	}
	for _, kind := range kinds {
		found := map[string]bool{}
		_ = filepath.WalkDir(filepath.Join(root, kind.Name()), func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && path.Ext(p) != ".pyc" {
				name, _, _ := strings.Cut(d.Name(), ".")
				found[name] = true
			}
			return nil
		})
		if kind.IsDir() {
			out.Set(kind.Name(), value.Strings(slices.Sorted(maps.Keys(found))))
		}
	}
	return out, nil
}
