package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zip"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type zipArgs struct {
	ZipFile  any  `py:"zip_file"`      // the archive to make
	Sources  any  `py:"sources"`       // what to pack: a list, or a text with commas; wildcards are expanded
	Template any  `py:"template=None"` // renders the archive's path, such as with jinja
	Cwd      any  `py:"cwd=None"`      // where relative sources are, and what is cut off the names
	Runas    any  `py:"runas=None"`    // the user to pack as
	Zip64    bool `py:"zip64=False"`   // archives of more than 4 GB, which always work
}

// zipExec makes a zip archive and returns the names of what is in it. Sources
// that are not there are left out.
//
//	salt-call archive.zip /srv/site.zip html,conf cwd=/srv
func zipExec(c *salt.Ctx, a zipArgs) (*value.List, error) {
	id, err := identity(c, a.Runas)
	if err != nil {
		return nil, err
	}
	sources, list := a.Sources, false
	if _, list = sources.(*value.List); list {
		sources = ""
	}
	name, rest, err := rendered(c, a.Template, a.ZipFile, sources)
	if err != nil {
		return nil, err
	}
	if !list {
		a.Sources = rest
	}
	p := &packer{c: c, names: []string{}}
	if value.Truth(a.Cwd) {
		var ok bool
		if p.cwd, ok = a.Cwd.(string); !ok || !filepath.IsAbs(p.cwd) {
			return nil, salt.InvocationError("cwd must be absolute")
		}
	}
	paths := expand(a.Sources)
	for _, s := range paths {
		if p.cwd == "" && !filepath.IsAbs(s) {
			return nil, salt.InvocationError("Relative paths require the 'cwd' parameter")
		}
	}
	err = as(id, func() error {
		return c.Sys.Replace(name, sys.FileAttrs{}, func(w io.Writer) error { return p.pack(w, paths) })
	})
	if err != nil {
		return nil, salt.CommandError("Exception encountered creating zipfile: %s", osText(err))
	}
	return value.Strings(p.names), nil
}

// A packer fills a zip archive.
type packer struct {
	c     *salt.Ctx
	zip   *zip.Writer
	cwd   string
	names []string
}

func (p *packer) pack(w io.Writer, paths []string) error {
	p.zip = zip.NewWriter(w)
	for _, s := range paths {
		if p.cwd != "" && !filepath.IsAbs(s) {
			s = filepath.Join(p.cwd, s)
		}
		i, err := p.c.Sys.Stat(s)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && i.IsDir() {
			err = p.folder(s, i)
		} else if err == nil {
			err = p.file(s, p.named(s), i)
		}
		if err != nil {
			return err
		}
	}
	return p.zip.Close()
}

// named is the name that a path gets in the archive.
func (p *packer) named(path string) string {
	root := "/"
	if p.cwd != "" && strings.HasPrefix(path, p.cwd) {
		root = p.cwd
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return strings.TrimLeft(path, "/")
	}
	return rel
}

// folder packs a folder: its files, then what is below. Links to folders are
// left out.
func (p *packer) folder(dir string, i fs.FileInfo) error {
	name := p.named(dir)
	if err := p.add(name+"/", i, nil); err != nil {
		return err
	}
	list, err := p.c.Sys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, it := range list {
		at := filepath.Join(dir, it.Name())
		i, err := p.c.Sys.Stat(at)
		if err != nil {
			return err
		}
		if !i.IsDir() {
			if err := p.file(at, name+"/"+it.Name(), i); err != nil {
				return err
			}
		}
	}
	for _, it := range list {
		if !it.IsDir() {
			continue
		}
		i, err := it.Info()
		if err != nil {
			return err
		}
		if err := p.folder(filepath.Join(dir, it.Name()), i); err != nil {
			return err
		}
	}
	return p.c.Err()
}

func (p *packer) file(path, name string, i fs.FileInfo) error {
	if !i.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a directory", path)
	}
	f, err := p.c.Sys.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return p.add(name, i, f)
}

func (p *packer) add(name string, i fs.FileInfo, content io.Reader) error {
	h, err := zip.FileInfoHeader(i)
	if err != nil {
		return err
	}
	h.Name = name
	if content != nil {
		h.Method = zip.Deflate
	}
	p.names = append(p.names, name)
	w, err := p.zip.CreateHeader(h)
	if err != nil || content == nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}
