package pillar

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"pinch/matcher"
	"pinch/salt"
	"pinch/value"
)

// treeOptions are the arguments of file_tree.
type treeOptions struct {
	root, render         string
	follow, template     bool
	keep                 any // True, False or globs
	blacklist, whitelist any
}

// fileTree is the external pillar of that name: folders are maps and files
// values, below hosts/ID and nodegroups/NAME of the root.
func fileTree(p *compiler, pillar *value.Map, args []any, kw *value.Map) (any, error) {
	names := []string{"root_dir", "follow_dir_links", "debug", "keep_newline", "render_default", "renderer_blacklist", "renderer_whitelist", "template"}
	given := kw.Shallow()
	for i, a := range args {
		if i < len(names) {
			given.Set(names[i], a)
		}
	}
	for k := range given.Items() {
		if !slices.Contains(names, k) {
			return nil, value.Errorf("TypeError", "ext_pillar() got an unexpected keyword argument '%s'", k)
		}
	}
	o := treeOptions{
		root: given.Str("root_dir"), render: given.Str("render_default"), follow: given.Truth("follow_dir_links"),
		template: given.At("template") == true, keep: given.At("keep_newline"),
		blacklist: given.At("renderer_blacklist"), whitelist: given.At("renderer_whitelist"),
	}
	if o.root == "" {
		p.c.Log.Error("file_tree: no root_dir specified")
		return nil, nil
	}
	out := new(value.Map)
	for _, root := range p.treeRoots(o.root) {
		m, err := p.tree(root, pillar, o)
		if err != nil {
			return nil, err
		}
		out = value.Merge(out, m, "recurse", "", false)
	}
	return out, nil
}

// treeRoots are the folders of root_dir; a relative one counts from each of
// the environment's pillar_roots.
func (p *compiler) treeRoots(root string) []string {
	if filepath.IsAbs(root) {
		return []string{root}
	}
	if p.o.Env == "" {
		p.c.Log.Error("file_tree: root_dir is relative but pillarenv is not set")
		return nil
	}
	dirs, ok := p.roots.At(p.o.Env).(*value.List)
	if !ok {
		p.c.Log.Error("file_tree: root_dir is relative but no pillar_roots are specified  for pillarenv " + p.o.Env)
		return nil
	}
	var out []string
	for _, d := range dirs.Items {
		if dir := filepath.Join(value.Str(d), root); len(out) == 0 || out[len(out)-1] != dir {
			out = append(out, dir)
		}
	}
	return out
}

// tree is what one root has for this minion.
func (p *compiler) tree(root string, pillar *value.Map, o treeOptions) (*value.Map, error) {
	out := new(value.Map)
	if i, err := p.c.Sys.Stat(root); err != nil || !i.IsDir() {
		p.c.Log.Error(fmt.Sprintf("file_tree: root_dir %s does not exist or is not a directory", root))
		return out, nil
	}
	switch o.keep.(type) {
	case nil, bool, *value.List:
	default:
		p.c.Log.Error("file_tree: keep_newline must be either True/False or a list of file globs. Skipping this ext_pillar for root_dir " + root)
		return out, nil
	}
	groups := p.opts.Map("nodegroups")
	m := matcher.Minion{ID: p.o.ID, Grains: p.c.Grains, Pillar: pillar, Nodegroups: groups}
	dirs, _ := p.c.Sys.ReadDir(filepath.Join(root, "nodegroups"))
	for _, d := range dirs {
		if !groups.Has(d.Name()) {
			continue
		}
		if ok, err := m.Match("nodegroup", d.Name(), matcher.DefaultDelimiter); err != nil || !ok {
			continue
		}
		w := &treeWalk{p: p, o: o, top: filepath.Join(root, "nodegroups", d.Name())}
		group := new(value.Map)
		if err := w.dir("", group, 0); err != nil {
			return nil, err
		}
		out = value.Merge(out, group, "recurse", "", false)
	}
	host := filepath.Join(root, "hosts", p.o.ID)
	i, err := p.c.Sys.Stat(host)
	switch {
	case err != nil:
		return out, nil
	case !i.IsDir():
		p.c.Log.Error(fmt.Sprintf("file_tree: %s exists, but is not a directory", host))
		return out, nil
	}
	w := &treeWalk{p: p, o: o, top: host}
	own := new(value.Map)
	if err := w.dir("", own, 0); err != nil {
		return nil, err
	}
	return value.Merge(out, own, "recurse", "", false), nil
}

type treeWalk struct {
	p   *compiler
	o   treeOptions
	top string
}

// deepest ends a walk that follows links round in a circle.
const deepest = 40

// dir fills the map of one folder: the folders in it first, then the files.
func (w *treeWalk) dir(rel string, into *value.Map, depth int) error {
	entries, err := w.p.c.Sys.ReadDir(filepath.Join(w.top, rel))
	if err != nil {
		w.p.c.Log.Error("file_tree: " + err.Error())
		return nil
	}
	var files, dirs []fs.DirEntry
	for _, e := range entries {
		if i, err := w.p.c.Sys.Stat(filepath.Join(w.top, rel, e.Name())); err == nil && i.IsDir() {
			into.Set(e.Name(), new(value.Map))
			dirs = append(dirs, e)
		} else {
			files = append(files, e)
		}
	}
	for _, e := range files {
		if err := w.file(rel, e.Name(), into); err != nil {
			return err
		}
	}
	for _, e := range dirs {
		if (e.IsDir() || w.o.follow) && depth < deepest {
			if err := w.dir(filepath.Join(rel, e.Name()), into.Map(e.Name()), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *treeWalk) file(rel, name string, into *value.Map) error {
	path := filepath.Join(w.top, rel, name)
	if i, err := w.p.c.Sys.Stat(path); err != nil || !i.Mode().IsRegular() {
		w.p.c.Log.Error(fmt.Sprintf("file_tree: %s: not a regular file", path))
		return nil
	}
	data, err := w.p.c.Sys.ReadFile(path)
	if err != nil {
		w.p.c.Log.Error(fmt.Sprintf("file_tree: Error reading %s: %s", path, err))
		return nil
	}
	if n := len(data); n > 0 && data[n-1] == '\n' && !w.keeps(rel, name) {
		data = data[:n-1]
	}
	if !w.o.template {
		into.Set(name, data)
		return nil
	}
	c := *w.p.c
	if w.o.blacklist != nil || w.o.whitelist != nil {
		c.Opts = w.p.opts.Shallow()
		c.Opts.Set("renderer_blacklist", w.o.blacklist)
		c.Opts.Set("renderer_whitelist", w.o.whitelist)
	}
	d, err := c.RenderData(&c, salt.Template{Text: string(data), Name: path, File: path, Engine: w.o.render, SLSFile: true, Private: true})
	if err != nil {
		return err
	}
	into.Set(name, d.Value)
	return nil
}

// keeps reports whether the file keeps the line end at its end.
func (w *treeWalk) keeps(rel, name string) bool {
	switch k := w.o.keep.(type) {
	case bool:
		return k
	case *value.List:
		// A file at the top is called ./NAME in Salt.
		if rel == "" {
			rel = "."
		}
		full := rel + "/" + name
		return slices.ContainsFunc(k.Items, func(g any) bool { return value.Fnmatch(full, value.Str(g)) })
	}
	return false
}
