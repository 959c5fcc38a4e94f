package beacons

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"pinch/value"
)

// masks are the events of inotify(7) by the names that the configuration has.
func masks() map[string]uint32 {
	return map[string]uint32{
		"access": unix.IN_ACCESS, "attrib": unix.IN_ATTRIB, "close_nowrite": unix.IN_CLOSE_NOWRITE, "close_write": unix.IN_CLOSE_WRITE,
		"create": unix.IN_CREATE, "delete": unix.IN_DELETE, "delete_self": unix.IN_DELETE_SELF, "excl_unlink": unix.IN_EXCL_UNLINK,
		"ignored": unix.IN_IGNORED, "modify": unix.IN_MODIFY, "moved_from": unix.IN_MOVED_FROM, "moved_to": unix.IN_MOVED_TO,
		"move_self": unix.IN_MOVE_SELF, "oneshot": unix.IN_ONESHOT, "onlydir": unix.IN_ONLYDIR, "open": unix.IN_OPEN, "unmount": unix.IN_UNMOUNT,
	}
}

// A notifier is one inotify descriptor.
type notifier struct {
	fd    int
	paths map[int]*watch
	byDir map[string]*watch
}

// A watch is a file or directory that is watched.
type watch struct {
	wd        int
	path      string
	root      string // the path of the configuration that it is watched for
	mask      uint32
	recurse   bool
	autoAdd   bool
	directory bool
}

// A change is one event of a watch.
type change struct {
	w    *watch
	path string
	mask uint32
	name string // IN_MODIFY, IN_CREATE|IN_ISDIR
}

func newNotifier() (*notifier, error) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return &notifier{fd: fd, paths: map[int]*watch{}, byDir: map[string]*watch{}}, nil
}

func (n *notifier) close() { unix.Close(n.fd) }

// add watches a path, and with recurse all folders below it that skip allows.
func (n *notifier) add(w watch, skip func(string) bool) error {
	info, err := os.Stat(w.path)
	if err != nil {
		return err
	}
	w.directory = info.IsDir()
	mask := w.mask
	if w.autoAdd && w.directory {
		mask |= unix.IN_CREATE | unix.IN_MOVED_TO
	}
	if w.wd, err = unix.InotifyAddWatch(n.fd, w.path, mask); err != nil {
		return &os.PathError{Op: "inotify", Path: w.path, Err: err}
	}
	n.paths[w.wd], n.byDir[w.path] = &w, &w
	if !w.recurse || !w.directory {
		return nil
	}
	entries, err := os.ReadDir(w.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		sub := w
		sub.path = filepath.Join(w.path, e.Name())
		if e.IsDir() && !skip(sub.path) {
			if err := n.add(sub, skip); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// read takes all events that wait.
func (n *notifier) read(skip func(string) bool) ([]change, error) {
	var out []change
	buf := make([]byte, 64<<10)
	for {
		k, err := unix.Read(n.fd, buf)
		if errors.Is(err, unix.EAGAIN) || k <= 0 && err == nil {
			return out, nil
		}
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return out, err
		}
		for b := buf[:k]; len(b) >= unix.SizeofInotifyEvent; {
			wd := int(int32(binary.NativeEndian.Uint32(b)))
			mask := binary.NativeEndian.Uint32(b[4:])
			size := int(binary.NativeEndian.Uint32(b[12:]))
			name := string(bytes.TrimRight(b[unix.SizeofInotifyEvent:unix.SizeofInotifyEvent+size], "\x00"))
			b = b[unix.SizeofInotifyEvent+size:]
			if c, ok := n.event(wd, mask, name, skip); ok {
				out = append(out, c)
			}
		}
	}
}

func (n *notifier) event(wd int, mask uint32, name string, skip func(string) bool) (change, bool) {
	if mask&unix.IN_Q_OVERFLOW != 0 {
		return change{w: &watch{path: ""}, mask: mask, name: "IN_Q_OVERFLOW"}, true
	}
	w := n.paths[wd]
	if w == nil {
		return change{}, false
	}
	path := w.path
	if name != "" {
		path = filepath.Join(path, name)
	}
	if mask&unix.IN_IGNORED != 0 {
		delete(n.paths, wd)
		if n.byDir[w.path] == w {
			delete(n.byDir, w.path)
		}
	}
	if w.autoAdd && mask&unix.IN_ISDIR != 0 && mask&(unix.IN_CREATE|unix.IN_MOVED_TO) != 0 && !skip(path) {
		sub := *w
		sub.path = path
		_ = n.add(sub, skip) // it may be gone again
	}
	if mask&^uint32(unix.IN_ISDIR)&(w.mask|unix.IN_IGNORED) == 0 {
		return change{}, false
	}
	return change{w, path, mask, maskName(mask)}, true
}

// maskName is the name of an event as pyinotify writes it.
func maskName(mask uint32) string {
	var names []string
	for _, m := range []struct {
		bit  uint32
		name string
	}{
		{unix.IN_ACCESS, "IN_ACCESS"}, {unix.IN_MODIFY, "IN_MODIFY"}, {unix.IN_ATTRIB, "IN_ATTRIB"}, {unix.IN_CLOSE_WRITE, "IN_CLOSE_WRITE"},
		{unix.IN_CLOSE_NOWRITE, "IN_CLOSE_NOWRITE"}, {unix.IN_OPEN, "IN_OPEN"}, {unix.IN_MOVED_FROM, "IN_MOVED_FROM"},
		{unix.IN_MOVED_TO, "IN_MOVED_TO"}, {unix.IN_CREATE, "IN_CREATE"}, {unix.IN_DELETE, "IN_DELETE"}, {unix.IN_DELETE_SELF, "IN_DELETE_SELF"},
		{unix.IN_MOVE_SELF, "IN_MOVE_SELF"}, {unix.IN_UNMOUNT, "IN_UNMOUNT"}, {unix.IN_IGNORED, "IN_IGNORED"},
	} {
		if mask&m.bit != 0 {
			names = append(names, m.name)
		}
	}
	if mask&unix.IN_ISDIR != 0 {
		names = append(names, "IN_ISDIR")
	}
	return strings.Join(names, "|")
}

// inotifyKind tells what happens to files and directories:
//
//	inotify:
//	  - files:
//	      /etc/app.conf:
//	        mask: [modify]
//	      /srv/data:
//	        recurse: True
//	        auto_add: True
//	        exclude:
//	          - /srv/data/tmp/
//	          - '\.swp$':
//	              regex: True
//
// A file that is replaced, as editors do, counts as modified.
func inotifyKind() Kind {
	return Kind{
		Validate: validateInotify,
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			n, err := newNotifier()
			if err != nil {
				return nil, err
			}
			w := &fileWatcher{e: e, conf: conf, n: n, gone: map[string]bool{}}
			return w, w.addMissing()
		},
	}
}

// fileWatcher is the beacon inotify.
type fileWatcher struct {
	e    *Env
	conf *value.Map
	n    *notifier
	gone map[string]bool // files whose watch ended: another may come in their place
}

func (f *fileWatcher) Close() { f.n.close() }

func (f *fileWatcher) Look() ([]*value.Map, error) {
	events, err := f.n.read(func(p string) bool { return f.excluded(f.rootOf(p), p) })
	if err != nil {
		return nil, err
	}
	var out []*value.Map
	for _, c := range events {
		if c.mask&unix.IN_IGNORED != 0 && !c.w.directory {
			f.gone[c.w.path] = true
		}
		if c.name == "IN_IGNORED" && c.w.mask&unix.IN_IGNORED == 0 || f.excluded(c.w.root, c.path) {
			continue
		}
		out = f.tell(out, c.w.path, c.path, c.name)
	}
	if err := f.addMissing(); err != nil {
		return out, err
	}
	for path := range f.gone {
		if w := f.n.byDir[path]; w != nil {
			delete(f.gone, path)
			if w.mask&unix.IN_MODIFY != 0 {
				out = f.tell(out, path, path, "IN_MODIFY")
			}
		}
	}
	return out, nil
}

// Discard drops the events that wait.
func (f *fileWatcher) Discard() { _, _ = f.Look() }

// tell adds an event; with coalesce the same as the last one adds nothing.
func (f *fileWatcher) tell(out []*value.Map, tag, path, change string) []*value.Map {
	m := value.M("tag", tag, "path", path, "change", change)
	if f.conf.At("coalesce") == true && len(out) > 0 && value.Equal(out[len(out)-1], m) {
		return out
	}
	return append(out, m)
}

// addMissing watches the paths of the configuration that are there now.
func (f *fileWatcher) addMissing() error {
	for path := range f.conf.Map("files").Items() {
		if f.n.byDir[path] != nil {
			continue
		}
		c := f.conf.Map("files").Map(path)
		w := watch{path: path, root: path, mask: unix.IN_CREATE | unix.IN_DELETE | unix.IN_MODIFY, recurse: c.Truth("recurse"), autoAdd: c.Truth("auto_add")}
		if l := c.List("mask"); l != nil {
			w.mask = 0
			for _, m := range l.Items {
				w.mask |= masks()[value.Str(m)]
			}
		}
		err := f.n.add(w, func(p string) bool { return f.excluded(path, p) })
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// rootOf is the path of the configuration that a path lies under.
func (f *fileWatcher) rootOf(path string) string {
	for p := path; p != "/" && p != "."; p = filepath.Dir(p) {
		if f.conf.Map("files").Has(p) {
			return p
		}
	}
	return "/"
}

func (f *fileWatcher) excluded(root, path string) bool {
	l := f.conf.Map("files").Map(root).List("exclude")
	if l == nil {
		return false
	}
	for _, it := range l.Items {
		switch it := it.(type) {
		case *value.Map:
			for pattern, v := range it.Items() {
				m, _ := v.(*value.Map)
				if !m.Truth("regex") {
					if strings.HasPrefix(path, pattern) {
						return true
					}
					continue
				}
				search, err := pythonSearch(pattern)
				if err != nil {
					f.e.Log.Warn("Failed to compile regex: "+pattern, "beacon", "inotify")
				} else if search(path) {
					return true
				}
			}
		case string:
			if strings.Contains(it, "*") && value.Fnmatch(path, it) || !strings.Contains(it, "*") && strings.HasPrefix(path, it) {
				return true
			}
		}
	}
	return false
}

func validateInotify(conf any) string {
	if text := isList("inotify", conf); text != "" {
		return text
	}
	o := options(conf)
	if !o.Has("files") {
		return "Configuration for inotify beacon must include files."
	}
	files := o.Map("files")
	if files == nil {
		return "Configuration for inotify beacon invalid, files must be a dict."
	}
	for _, v := range files.Items() {
		m, ok := v.(*value.Map)
		if !ok {
			return "Configuration for inotify beacon must be a list of dictionaries."
		}
		if !m.Has("mask") && !m.Has("recurse") && !m.Has("auto_add") {
			return "Configuration for inotify beacon must contain mask, recurse or auto_add items."
		}
		for _, k := range []string{"auto_add", "recurse"} {
			if x, ok := m.Get(k); ok {
				if _, ok := x.(bool); !ok {
					return "Configuration for inotify beacon " + k + " must be boolean."
				}
			}
		}
		if x, ok := m.Get("mask"); ok {
			l, ok := x.(*value.List)
			if !ok {
				return "Configuration for inotify beacon mask must be list."
			}
			for _, name := range l.Items {
				if _, ok := masks()[value.Str(name)]; !ok {
					return "Configuration for inotify beacon invalid mask option " + value.Str(name) + "."
				}
			}
		}
	}
	return ""
}

// watchdog tells what happens in directories, by the words create, delete,
// modify and move:
//
//	watchdog:
//	  - directories:
//	      /path/to/dir:
//	        mask: [create, modify, delete, move]
func watchdog() Kind {
	return Kind{
		Validate: validateWatchdog,
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			n, err := newNotifier()
			if err != nil {
				return nil, err
			}
			d := &dirWatcher{conf.Map("directories"), n}
			for path := range d.conf.Items() {
				w := watch{path: path, root: path, mask: unix.IN_CREATE | unix.IN_DELETE | unix.IN_MODIFY | unix.IN_MOVED_FROM | unix.IN_MOVED_TO}
				if err := n.add(w, func(string) bool { return true }); err != nil {
					n.close()
					return nil, err
				}
			}
			return d, nil
		},
	}
}

// dirWatcher is the beacon watchdog.
type dirWatcher struct {
	conf *value.Map
	n    *notifier
}

func (d *dirWatcher) Close() { d.n.close() }

func (d *dirWatcher) Look() ([]*value.Map, error) {
	events, err := d.n.read(func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	var out []*value.Map
	for _, c := range events {
		word, kind := "modify", "modified"
		switch {
		case c.mask&unix.IN_CREATE != 0:
			word, kind = "create", "created"
		case c.mask&unix.IN_DELETE != 0:
			word, kind = "delete", "deleted"
		case c.mask&(unix.IN_MOVED_FROM|unix.IN_MOVED_TO) != 0:
			word, kind = "move", "moved"
		case c.mask&unix.IN_MODIFY == 0:
			continue
		}
		wanted := true
		if l := d.conf.Map(c.w.root).List("mask"); l != nil {
			wanted = false
			for _, m := range l.Items {
				wanted = wanted || m == word
			}
		}
		if wanted {
			out = append(out, value.M("tag", "watchdog", "path", c.path, "change", kind))
		}
	}
	return out, nil
}

// Discard drops the events that wait.
func (d *dirWatcher) Discard() { _, _ = d.Look() }

func validateWatchdog(conf any) string {
	if text := isList("watchdog", conf); text != "" {
		return text
	}
	o := options(conf)
	if !o.Has("directories") {
		return "Configuration for watchdog beacon must include directories."
	}
	dirs := o.Map("directories")
	if dirs == nil {
		return "Configuration for watchdog beacon directories must be a dictionary."
	}
	for _, v := range dirs.Items() {
		m, ok := v.(*value.Map)
		if !ok {
			return "Configuration for watchdog beacon directory path must be a dictionary."
		}
		x, ok := m.Get("mask")
		if !ok {
			continue
		}
		l, ok := x.(*value.List)
		if !ok {
			return "Configuration for watchdog beacon mask must be list."
		}
		for _, word := range l.Items {
			switch word {
			case "create", "modify", "delete", "move":
			default:
				return "Configuration for watchdog beacon contains invalid mask"
			}
		}
	}
	return ""
}
