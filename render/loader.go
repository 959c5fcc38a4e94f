package render

import (
	"io"
	"path"
	"strings"

	"pinch/render/jinja"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// loader finds what templates import: from the top of the trees, or with ./
// and ../ relative to the importing file's folder (salt.utils.jinja.SaltCacheLoader).
type loader struct{}

// Load finds a template. As in Salt, the first import of a file moves the
// names tplfile, tpldir and tpldot of everything that is imported afterwards.
func (loader) Load(st *jinja.State, name, _ string) (jinja.Source, error) {
	sc, ok := st.Data.(*scope)
	if !ok {
		return jinja.Source{}, jinja.NotFound(name)
	}
	first, _, _ := strings.Cut(name, "/")
	relative := first == "." || first == ".."
	real := name
	if relative {
		dir, ok := st.Global("tpldir")
		if !ok {
			return jinja.Source{}, jinja.NotFound(name)
		}
		real = path.Clean(value.Str(dir) + "/" + name)
		if real == ".." || strings.HasPrefix(real, "../") {
			sc.c.Log.Warn("Discarded template path \"" + name + "\": attempts to ascend outside of salt://")
			return jinja.Source{}, jinja.NotFound(name)
		}
	}
	f, err := sc.find(real)
	if err != nil {
		return jinja.Source{}, err
	}
	if !sc.loaded[name] {
		sc.loaded[name] = true
		dir := path.Dir(real)
		tplfile := real
		if relative {
			tplfile = name
			if d, ok := st.Global("tpldir"); ok {
				dir = value.Str(d)
			}
		}
		dot := dir
		if dir == "." || dir == "" {
			dir, dot = ".", ""
		}
		st.SetGlobal("tplfile", tplfile)
		st.SetGlobal("tpldir", dir)
		st.SetGlobal("tpldot", strings.ReplaceAll(dot, "/", "."))
	}
	if f == nil {
		return jinja.Source{}, jinja.NotFound(name)
	}
	text, err := f.Read()
	if err != nil {
		return jinja.Source{}, err
	}
	place := f.Local
	if place == "" {
		place = "salt://" + f.Path
	}
	return jinja.Source{Name: name, File: place, Text: string(text)}, nil
}

// find looks a template up in the trees. An absolute path is that file, in a
// tree or not, as in Salt.
func (sc *scope) find(name string) (*salt.File, error) {
	if path.IsAbs(name) {
		if !sys.IsFile(sc.c.Sys, name) {
			return nil, nil
		}
		return &salt.File{Path: name, Local: name, Open: func() (io.ReadCloser, error) { return sc.c.Sys.Open(name) }}, nil
	}
	files := sc.t.Files
	if files == nil {
		files = sc.c.Files()
	}
	return files.Find(sc.c, name, sc.t.Env)
}
