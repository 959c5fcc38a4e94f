package state

import (
	"archive/tar"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pinch/caller"
	"pinch/fileclient"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type pkgArgs struct {
	Path     string     `py:"pkg_path"`  // the package: a .tar.gz with lowstate.json, pillar.json and the files of each environment
	Sum      string     `py:"pkg_sum"`   // its digest
	HashType string     `py:"hash_type"` // how that was made
	Test     any        `py:"test=None"` // change nothing, tell what would change
	Kwargs   *value.Map `py:"**kwargs"`
}

// pkg runs a package of low chunks, as salt-ssh sends them.
//
//	pinch state.pkg /tmp/salt_state.tgz 760a9353810e36f6d81416366fc426dc md5
func pkg(c *salt.Ctx, a pkgArgs) (any, error) {
	none := new(value.Map)
	b, err := c.Sys.ReadFile(a.Path)
	if err != nil || digest(b, a.HashType) != a.Sum {
		return none, nil
	}
	root, err := os.MkdirTemp("", "pinch-pkg-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	if ok, err := unpack(c, b, root); err != nil || !ok {
		return none, err
	}
	v, err := readJSON(c, filepath.Join(root, "lowstate.json"))
	if err != nil {
		return nil, err
	}
	list, ok := v.(*value.List)
	if !ok {
		return v, nil
	}
	var lows []*value.Map
	for _, it := range list.Items {
		m, ok := it.(*value.Map)
		if !ok {
			return v, nil
		}
		lows = append(lows, m)
	}
	s, err := begin(c, a.Test, a.Kwargs)
	if err != nil {
		return nil, err
	}
	if v, err := readJSON(c, filepath.Join(root, "pillar.json")); err == nil {
		if m, ok := v.(*value.Map); ok {
			s.c.Pillar = m
		}
	}
	if v, err := readJSON(c, filepath.Join(root, "roster_grains.json")); err == nil {
		if m, ok := v.(*value.Map); ok {
			s.c.Grains = m
		}
	}
	s.roots(root)
	plan, errs := s.p.LowData(lows)
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	return s.finish(s.p.RunLow(plan, s.options()), nil), nil
}

// A packageHost is one whose state trees are those of a package.
type packageHost struct {
	salt.Host
	files salt.Files
}

func (h packageHost) Files() salt.Files { return h.files }

// roots makes the folders of the package the state trees.
func (s *session) roots(root string) {
	roots, dirs := new(value.Map), map[string][]string{}
	entries, _ := s.c.Sys.ReadDir(root)
	for _, e := range entries {
		if e.IsDir() {
			dir := filepath.Join(root, e.Name())
			roots.Set(e.Name(), value.L(dir))
			dirs[e.Name()] = []string{dir}
		}
	}
	o := s.c.Opts
	o.Set("file_roots", roots)
	o.Set("file_client", "local")
	s.c.Host = packageHost{s.c.Host, fileclient.New(fileclient.Options{
		Backends: []fileclient.Backend{&fileclient.Roots{Dirs: dirs}}, CacheDir: o.Str("cachedir"), HashType: o.Str("hash_type"), HTTP: caller.HTTPOptions(o),
	})}
}

func digest(b []byte, kind string) string {
	h, ok := map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New}[kind]
	if !ok {
		return ""
	}
	w := h()
	w.Write(b)
	return hex.EncodeToString(w.Sum(nil))
}

// unpack unpacks the package; it refuses one with a path that leads out.
func unpack(c *salt.Ctx, b []byte, root string) (bool, error) {
	z, err := gzip.NewReader(strings.NewReader(string(b)))
	if err != nil {
		return false, err
	}
	s := c.With(false).Sys
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if strings.HasPrefix(h.Name, "/") || strings.Contains(h.Name, "../") {
			return false, nil
		}
		path := filepath.Join(root, h.Name)
		switch h.Typeflag {
		case tar.TypeDir:
			err = sys.MkdirAll(s, path, 0o700)
		case tar.TypeReg:
			if err = sys.MkdirAll(s, filepath.Dir(path), 0o700); err == nil {
				mode := fs.FileMode(h.Mode) & fs.ModePerm
				err = s.Replace(path, sys.FileAttrs{Mode: &mode}, func(w io.Writer) error {
					_, err := io.Copy(w, r)
					return err
				})
			}
		}
		if err != nil {
			return false, err
		}
	}
}

func readJSON(c *salt.Ctx, path string) (any, error) {
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return value.ParseJSON(string(b))
}
