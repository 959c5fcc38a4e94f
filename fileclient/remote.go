package fileclient

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pinch/salt"
	"pinch/value"
)

// Remote serves the trees of a salt-master. Files are downloaded when they are
// first opened, into cachedir/files/ENV, and kept there while their digest is
// the master's.
type Remote struct {
	// Ask asks the master with a command and its fields.
	Ask      func(cmd string, fields *value.Map) (any, error)
	CacheDir string
}

// Name is what the backend is called: it is no choice of fileserver_backend.
func (r *Remote) Name() string { return "master" }

// Envs are the master's environments.
func (r *Remote) Envs() ([]string, error) {
	envs, err := r.names("_file_envs", new(value.Map))
	slices.Sort(envs)
	return envs, err
}

// names is an answer that is a list of texts.
func (r *Remote) names(cmd string, fields *value.Map) ([]string, error) {
	v, err := r.Ask(cmd, fields)
	if err != nil {
		return nil, err
	}
	l, _ := v.(*value.List)
	if l == nil {
		return nil, nil
	}
	out := make([]string, 0, len(l.Items))
	for _, it := range l.Items {
		if s, ok := it.(string); ok {
			out = append(out, s)
		}
	}
	return out, nil
}

// List asks for all that an environment holds. Names that would lead out of
// the cache are left out.
func (r *Remote) List(env string) (*Listing, error) {
	l := &Listing{Links: map[string]string{}}
	fields := value.M("saltenv", env, "prefix", "")
	for _, part := range []struct {
		cmd string
		to  *[]string
	}{{"_file_list", &l.Files}, {"_dir_list", &l.Dirs}, {"_file_list_emptydirs", &l.EmptyDirs}} {
		names, err := r.names(part.cmd, fields)
		if err != nil {
			return nil, err
		}
		*part.to = slices.DeleteFunc(names, func(s string) bool { return !filepath.IsLocal(s) })
	}
	v, err := r.Ask("_symlink_list", fields)
	if err != nil {
		return nil, err
	}
	links, _ := v.(*value.Map)
	for name, target := range links.Items() {
		if s, ok := target.(string); ok && filepath.IsLocal(name) {
			l.Links[name] = s
		}
	}
	return l, nil
}

// Find asks for the digest and the mode of a file.
func (r *Remote) Find(name, env string) (*salt.File, error) {
	if !filepath.IsLocal(name) || !filepath.IsLocal(env) {
		return nil, nil
	}
	v, err := r.Ask("_file_hash_and_stat", value.M("path", name, "saltenv", env))
	if err != nil {
		return nil, err
	}
	pair, _ := v.(*value.List)
	if pair.Len() == 0 {
		return nil, nil
	}
	sum, _ := pair.Items[0].(*value.Map)
	if sum.Str("hsum") == "" {
		return nil, nil
	}
	f := &salt.File{Path: name, Env: env, Mode: 0o644}
	d := download{r: r, name: name, env: env, sum: sum.Str("hsum"), hash: sum.Str("hash_type"), size: -1}
	if len(pair.Items) > 1 {
		if st, ok := pair.Items[1].(*value.List); ok && st.Len() == 10 {
			mode, _ := st.Items[0].(int64)
			f.Mode = fs.FileMode(mode & 0o777)
			d.size, _ = st.Items[6].(int64)
			f.Size = d.size
			switch at := st.Items[8].(type) {
			case float64:
				f.Time = time.Unix(int64(at), 0)
			case int64:
				f.Time = time.Unix(at, 0)
			}
		}
	}
	f.Open = d.open
	return f, nil
}

// A download is one file of the master.
type download struct {
	r                    *Remote
	name, env, sum, hash string
	size                 int64 // -1: not known
}

// open opens the copy in the cache; when it is not the master's file, that is
// fetched first.
func (d download) open() (io.ReadCloser, error) {
	dir := filepath.Join(d.r.CacheDir, "files")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir) // no link in the cache leads out of it
	if err != nil {
		return nil, err
	}
	defer root.Close()
	path := filepath.Join(d.env, filepath.FromSlash(d.name))
	if f, err := d.cached(root, path); f != nil || err != nil {
		return f, err
	}
	if err := d.fetch(root, path); err != nil {
		return nil, fmt.Errorf("salt://%s: %w", d.name, err)
	}
	return root.Open(path)
}

// cached is the copy in the cache if it is the master's file, else nil.
func (d download) cached(root *os.Root, path string) (io.ReadCloser, error) {
	i, err := root.Stat(path)
	if err != nil || !i.Mode().IsRegular() || d.size >= 0 && i.Size() != d.size {
		return nil, nil
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	h, err := NewHash(d.hash)
	if err == nil {
		_, err = io.Copy(h, f)
	}
	if err == nil && hex.EncodeToString(h.Sum(nil)) == d.sum {
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			return f, nil
		}
	}
	f.Close()
	return nil, err
}

var errChanged = errors.New("the file changed at the master while it was fetched")

// fetch fetches the file piece by piece into a file beside its place.
func (d download) fetch(root *os.Root, path string) error {
	if err := root.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp := fmt.Sprintf("%s.pinch-%d-%d", path, os.Getpid(), time.Now().UnixNano())
	out, err := root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer root.Remove(tmp)
	err = d.copy(out)
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return root.Rename(tmp, path)
}

func (d download) copy(out io.Writer) error {
	h, err := NewHash(d.hash)
	if err != nil {
		return err
	}
	for at := int64(0); ; {
		v, err := d.r.Ask("_serve_file", value.M("path", d.name, "saltenv", d.env, "loc", at))
		if err != nil {
			return err
		}
		m, _ := v.(*value.Map)
		var piece []byte
		switch b := m.At("data").(type) {
		case string:
			piece = []byte(b)
		case []byte:
			piece = b
		}
		if len(piece) == 0 {
			break
		}
		if at += int64(len(piece)); d.size >= 0 && at > d.size {
			return errChanged
		}
		h.Write(piece)
		if _, err := out.Write(piece); err != nil {
			return err
		}
		if at == d.size { // the rest would be an empty piece
			break
		}
	}
	if hex.EncodeToString(h.Sum(nil)) != d.sum {
		return errChanged
	}
	return nil
}
