package fileclient

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/value"
)

// Roots serves folders of this machine (file_roots).
type Roots struct {
	Dirs map[string][]string // environment → folders, the first that has a file wins
	// NoFollow leaves links unfollowed while listing (fileserver_followsymlinks: False).
	NoFollow bool
	// IgnoreLinks leaves links out (fileserver_ignoresymlinks).
	IgnoreLinks bool
	IgnoreRegex []*regexp.Regexp // file_ignore_regex
	IgnoreGlob  []string         // file_ignore_glob
	Archives    *Archives        // serves the folders that are URLs
}

// anyEnv is the environment whose folders serve all that have no entry of
// their own; a folder may hold __env__ for the name.
const anyEnv = "__env__"

func (r *Roots) dirs(env string) ([]string, error) {
	dirs, ok := r.Dirs[env]
	if !ok {
		dirs = r.Dirs[anyEnv]
	}
	out := make([]string, len(dirs))
	for i, d := range dirs {
		out[i] = strings.ReplaceAll(d, anyEnv, env)
		if r.Archives != nil && IsArchive(out[i]) {
			var err error
			if out[i], err = r.Archives.Root(out[i]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Name is the backend's in fileserver_backend.
func (r *Roots) Name() string { return "roots" }

func (r *Roots) upkeep(_ context.Context, what, _ string) ([]string, error) {
	if what == "clear_cache" { // there is none
		return []string{"The roots fileserver cache was successfully cleared"}, nil
	}
	return nil, nil
}

// Envs are the names in file_roots.
func (r *Roots) Envs() ([]string, error) {
	return slices.Sorted(maps.Keys(r.Dirs)), nil
}

// Find looks through the environment's folders.
func (r *Roots) Find(name, env string) (*salt.File, error) {
	dirs, err := r.dirs(env)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if r.ignored(full) { // the whole path here, as in Salt; that below the root in lists
			continue
		}
		i, err := os.Stat(full)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			continue
		case err != nil:
			return nil, err
		case i.IsDir() || r.NoFollow && !under(dir, full):
			continue
		}
		return onDisk(name, full, env, i), nil
	}
	return nil, nil
}

// under reports whether a file lies below a folder once links are followed.
func under(dir, full string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	full, err = filepath.EvalSymlinks(full)
	return err == nil && strings.HasPrefix(full, dir+"/")
}

func (r *Roots) ignored(name string) bool {
	for _, re := range r.IgnoreRegex {
		if re.MatchString(name) {
			return true
		}
	}
	for _, g := range r.IgnoreGlob {
		if value.Fnmatch(name, g) {
			return true
		}
	}
	return false
}

// List walks the environment's folders.
func (r *Roots) List(env string) (*Listing, error) {
	dirs, err := r.dirs(env)
	if err != nil {
		return nil, err
	}
	l := &Listing{Links: map[string]string{}}
	for _, dir := range dirs {
		w := walker{r: r, l: l, root: dir}
		if err := w.dir(dir, "", nil); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return l, nil
}

// Below walks one folder of the environment's folders.
func (r *Roots) Below(env, prefix string) ([]string, error) {
	dirs, err := r.dirs(env)
	if err != nil {
		return nil, err
	}
	l := &Listing{Links: map[string]string{}}
	for _, dir := range dirs {
		full := filepath.Join(dir, filepath.FromSlash(prefix))
		i, err := os.Stat(full)
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			continue
		case err != nil:
			return nil, err
		case !i.IsDir():
			if !r.ignored(prefix) {
				l.Files = append(l.Files, prefix)
			}
			continue
		}
		if r.NoFollow {
			if i, err := os.Lstat(full); err == nil && i.Mode()&fs.ModeSymlink != 0 {
				continue
			}
		}
		w := walker{r: r, l: l, root: dir}
		if err := w.dir(full, prefix, nil); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return l.Files, nil
}

type walker struct {
	r    *Roots
	l    *Listing
	root string
}

// dir lists one folder; open are the folders above, by inode, so that a link
// to one of them ends the walk.
func (w *walker) dir(full, rel string, open []fs.FileInfo) error {
	self, err := os.Stat(full)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(open, func(o fs.FileInfo) bool { return os.SameFile(o, self) }) {
		return nil
	}
	open = append(open, self)
	items, err := os.ReadDir(full)
	if err != nil {
		return err
	}
	name := rel
	if name == "" {
		name = "."
	}
	if !w.r.ignored(name) {
		w.l.Dirs = append(w.l.Dirs, name)
		if len(items) == 0 {
			w.l.EmptyDirs = append(w.l.EmptyDirs, name)
		}
	}
	for _, it := range items {
		if err := w.item(it, filepath.Join(full, it.Name()), join(rel, it.Name()), open); err != nil {
			return err
		}
	}
	return nil
}

// item lists a thing in a folder. As in Salt a link is listed as what it leads
// to, one that leads nowhere as a file; without links in the lists what is
// below linked folders is still there.
func (w *walker) item(it fs.DirEntry, full, rel string, open []fs.FileInfo) error {
	link := it.Type()&fs.ModeSymlink != 0
	dir := it.IsDir()
	if link {
		if target, err := os.Readlink(full); err == nil && !w.r.ignored(rel) && !w.r.IgnoreLinks {
			w.l.Links[rel] = target
		}
		i, err := os.Stat(full)
		dir = err == nil && i.IsDir()
	}
	hidden := w.r.ignored(rel) || link && w.r.IgnoreLinks
	switch {
	case !dir && !hidden:
		w.l.Files = append(w.l.Files, rel)
	case dir && link && w.r.NoFollow:
		if !hidden {
			w.l.Dirs = append(w.l.Dirs, rel)
		}
	case dir:
		if err := w.dir(full, rel, open); err != nil {
			return err
		}
		if link && hidden {
			w.l.Dirs = slices.DeleteFunc(w.l.Dirs, func(d string) bool { return d == rel })
		}
	}
	return nil
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
