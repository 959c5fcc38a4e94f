// Package saltclass reads a tree of classes and nodes, as reclass has them:
// what a node's classes say together is its pillar and its top file. The main
// function is Read.
//
//	n, err := saltclass.Read(c, "/srv/saltclass", "web1", nil)
//	n.Pillar() // {'__saltclass__': {…}, 'motd': …}
//	n.Top()    // {'base': ['nginx']}
package saltclass

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// DefaultPath is where the tree is when nothing is said.
const DefaultPath = "/srv/saltclass"

// A Node is what a minion's definition and its classes say.
type Node struct {
	ID, Environment string
	Classes, States []string
	pillars         *value.Map
}

// Pillar is the node's pillar with its references ${a:b} followed.
func (n *Node) Pillar() (*value.Map, error) {
	x, err := expand(n.pillars)
	if err != nil {
		return nil, err
	}
	out := value.M("__saltclass__", value.M("states", value.Strings(n.States), "classes", value.Strings(n.Classes),
		"environment", n.Environment, "nodename", n.ID))
	out.Update(x)
	return out, nil
}

// Top is the node's top data: environment → list of SLS names.
func (n *Node) Top() *value.Map { return value.M(n.Environment, value.Strings(n.States)) }

// A reader reads the files of one tree for one minion.
type reader struct {
	c      *salt.Ctx
	dir    string
	id     string
	pillar *value.Map // what templates see as __pillar__: all that was read so far
	seen   []string
}

// A class is a file that was read.
type class struct {
	name string
	data *value.Map
}

// Read reads the definition of a minion and of its classes; pillar is what
// templates see of the pillar so far.
func Read(c *salt.Ctx, dir, id string, pillar *value.Map) (*Node, error) {
	if pillar == nil {
		pillar = new(value.Map)
	}
	r := &reader{c: c, dir: dir, id: id, pillar: pillar}
	file, err := r.node()
	if err != nil {
		return nil, err
	}
	own := new(value.Map)
	if file == "" {
		c.Log.Warn(id + ": Node definition not found")
	} else if own, err = r.render(file); err != nil {
		return nil, err
	}
	if m, ok := clone(own.At("pillars")).(*value.Map); ok {
		merge(r.pillar, m)
	}
	all, err := r.expand(own.At("classes"))
	if err != nil {
		return nil, err
	}
	if own.Len() > 0 {
		all = append(all, class{id, own})
	}
	return r.join(all), nil
}

func (r *reader) join(all []class) *Node {
	n := &Node{ID: r.id, pillars: new(value.Map), States: []string{}, Classes: []string{}}
	merged := new(value.Map)
	for i, k := range all {
		if i < len(all)-1 {
			n.Classes = append(n.Classes, k.name)
		}
		if v, ok := k.data.Get("environment"); ok {
			n.Environment = value.Str(v)
		}
		if k.data.Has("pillars") {
			merge(merged, k.data)
		}
		for _, s := range texts(k.data.At("states")) {
			if !slices.Contains(n.States, s) {
				n.States = append(n.States, s)
			}
		}
	}
	if m := merged.Map("pillars"); m != nil {
		n.pillars = m
	}
	return n
}

// node finds the minion's file below nodes.
func (r *reader) node() (found string, err error) {
	err = r.walk(filepath.Join(r.dir, "nodes"), func(p string) {
		if filepath.Base(p) == r.id+".yml" {
			found = p
		}
	}, 0)
	return found, err
}

// walk visits the files of a folder and then those of the folders in it,
// through links.
func (r *reader) walk(dir string, visit func(string), depth int) error {
	items, err := r.c.Sys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || depth > 40 {
		return nil
	}
	if err != nil {
		return err
	}
	var dirs []string
	for _, it := range items {
		p := filepath.Join(dir, it.Name())
		if i, err := r.c.Sys.Stat(p); err == nil && i.IsDir() {
			dirs = append(dirs, p)
		} else {
			visit(p)
		}
	}
	for _, d := range dirs {
		if err := r.walk(d, visit, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// render reads a file: Jinja, then YAML. An empty one is an empty map.
func (r *reader) render(file string) (*value.Map, error) {
	b, err := r.c.Sys.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text, err := r.c.Render(r.c, salt.Template{Text: string(b), Name: file, File: file, Engine: "jinja", Vars: value.M(
		"__opts__", r.c.Opts, "__grains__", r.c.Grains, "__pillar__", r.pillar, "minion_id", r.id,
	)})
	if err != nil {
		return nil, err
	}
	v, err := yaml.Load(file, text)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *value.Map:
		return v, nil
	case nil:
		return new(value.Map), nil
	}
	return nil, fmt.Errorf("%s: it is no map", file)
}

// expand reads classes and those that they name; those come before.
func (r *reader) expand(classes any) ([]class, error) {
	var out []class
	for _, name := range r.globs(texts(classes)) {
		if slices.Contains(r.seen, name) {
			continue
		}
		r.seen = append(r.seen, name)
		data, err := r.class(name)
		if err != nil {
			return nil, err
		}
		if m := data.Map("pillars"); m.Len() > 0 {
			merge(r.pillar, m)
		}
		if data.Has("classes") {
			inner, err := r.expand(data.At("classes"))
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
		}
		out = append(out, class{name, data})
	}
	return out, nil
}

// paths are where a class may be, in Salt's order.
func (r *reader) paths(name string) []string {
	dotted := strings.ReplaceAll(name, ".", "/")
	base := filepath.Join(r.dir, "classes")
	return []string{filepath.Join(base, name+".yml"), filepath.Join(base, dotted+".yml"), filepath.Join(base, dotted, "init.yml")}
}

// globs replaces names with wildcards by the classes that match.
func (r *reader) globs(names []string) []string {
	var out []string
	base := filepath.Join(r.dir, "classes")
	for _, name := range names {
		var found []string
		for _, p := range r.paths(name) {
			m, _ := filepath.Glob(p)
			found = append(found, m...)
		}
		if len(found) == 0 {
			r.c.Log.Warn(name + ": Class globbing did not yield any results")
		}
		for _, f := range found {
			rel, _ := filepath.Rel(base, f)
			dotted := strings.TrimSuffix(strings.ReplaceAll(strings.TrimSuffix(rel, ".yml"), "/", "."), ".init")
			if !slices.Contains(out, dotted) {
				out = append(out, dotted)
			}
		}
	}
	return out
}

func (r *reader) class(name string) (*value.Map, error) {
	p := r.paths(name)
	for _, full := range []string{p[0], p[1], p[2]} {
		if i, err := r.c.Sys.Stat(full); err == nil && !i.IsDir() && inside(r.dir, full) {
			return r.render(full)
		}
	}
	r.c.Log.Warn(name + ": Class definition not found")
	return new(value.Map), nil
}

// inside reports whether a class's name stays in the tree.
func inside(dir, full string) bool {
	return strings.HasPrefix(path.Clean(full), path.Clean(dir)+"/")
}

// texts are the texts of a list, or the keys of a map.
func texts(v any) []string {
	var out []string
	switch v := v.(type) {
	case *value.List:
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
	case *value.Map:
		for _, k := range v.Keys() {
			out = append(out, value.Str(k))
		}
	}
	return out
}
