// Package lint finds mistakes in a state tree without changing the machine:
// what does not parse, names and functions that are not there, arguments that
// a state does not take, requisites to nothing, modes without quotes. Where
// salt-lint has the rule a finding has its number.
//
//	found := lint.Tree(c, lint.Options{Inspect: run.Inspect, Roots: []string{"/srv/salt"}})
//	lint.Text(os.Stdout, found, false)
package lint

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pinch/diag"
	"pinch/render/jinja"
	"pinch/salt"
)

// Options say what to look at.
type Options struct {
	// Inspect looks through the text of a template that lies in a file.
	Inspect func(c *salt.Ctx, text, file string) (*jinja.Inspection, error)
	Roots   []string // the folders of the environment base
	Only    []string // files or folders below the roots; empty: all
	Except  []string // folders below the roots that are trees of their own
	Style   bool     // also what salt-lint says about style
}

// A linter looks through one tree.
type linter struct {
	c     *salt.Ctx
	o     Options
	found diag.List
	seen  map[key]bool
	own   map[string]bool // modules that the tree brings: _modules/x.py, _states/x.py
	part  bool            // some SLS did not render for want of data
}

// key tells findings apart: one for each place and kind.
type key struct {
	pos  diag.Pos
	text string
}

// Tree looks through the files of a tree. The findings are in the order of
// files and lines. c is never used to change anything.
func Tree(c *salt.Ctx, o Options) diag.List {
	l := &linter{c: c.With(true), o: o, seen: map[key]bool{}, own: map[string]bool{}}
	var sls []string
	for _, root := range o.Roots {
		l.customModules(root)
	}
	for _, root := range o.Roots {
		for _, path := range l.files(root) {
			text, err := l.c.Sys.ReadFile(path)
			if err != nil {
				l.add(&diag.Diagnostic{ID: "file", Pos: diag.Pos{File: path}, Summary: err.Error()})
				continue
			}
			r := roleOf(root, path)
			l.file(path, string(text), r)
			if name, ok := slsName(root, path); ok && r == states {
				sls = append(sls, name)
			}
		}
	}
	l.states(sls)
	slices.SortStableFunc(l.found, func(a, b *diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return l.found
}

// files are the templates and SLS below a root that are to be looked at.
func (l *linter) files(root string) []string {
	var out []string
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) || slices.Contains(l.o.Except, path) {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && l.wanted(path) {
			out = append(out, path)
		}
		return nil
	})
	return out
}

func (l *linter) wanted(path string) bool {
	switch filepath.Ext(path) {
	case ".sls", ".jinja", ".j2", ".jinja2":
	default:
		return false
	}
	if len(l.o.Only) == 0 {
		return true
	}
	return slices.ContainsFunc(l.o.Only, func(p string) bool {
		return path == p || strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/")
	})
}

// customModules notes what the tree's own Python modules are called.
func (l *linter) customModules(root string) {
	for _, kind := range []string{"_modules", "_states", "_renderers"} {
		entries, _ := l.c.Sys.ReadDir(filepath.Join(root, kind))
		for _, e := range entries {
			l.own[strings.TrimSuffix(e.Name(), ".py")] = true
		}
	}
}

// slsName is the name of the SLS in a file.
func slsName(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !strings.HasSuffix(rel, ".sls") {
		return "", false
	}
	rel = strings.TrimSuffix(rel, ".sls")
	if strings.Contains(rel, ".") {
		return "", false
	}
	rel = strings.TrimSuffix(rel, "/init")
	return strings.ReplaceAll(rel, "/", "."), true
}

// add notes a finding, once.
func (l *linter) add(d *diag.Diagnostic) {
	k := key{d.Pos, d.Summary}
	if l.seen[k] {
		return
	}
	l.seen[k] = true
	l.found = append(l.found, d)
}

// has reports whether there is a finding of a kind on the line.
func (l *linter) has(id string, pos diag.Pos) bool {
	return slices.ContainsFunc(l.found, func(d *diag.Diagnostic) bool {
		return d.ID == id && d.Pos.File == pos.File && d.Pos.Line == pos.Line
	})
}
