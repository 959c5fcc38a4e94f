package pkg

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pinch/rpmdb"
)

// installed has each called with the packages of rpm's database as it lies on
// the disk; false if it is not where it usually is, is of an unknown kind or
// changes in between: rpm has to be asked then.
func (r rpm) installed(each func(rpmdb.Package)) bool {
	path := r.database()
	if path == "" {
		return false
	}
	before := r.stamp(path)
	main, err := r.c.Sys.Open(path)
	if err != nil {
		return false
	}
	defer main.Close()
	files := rpmdb.Files{Main: readerAt(main)}
	if wal, err := r.c.Sys.Open(path + "-wal"); err == nil {
		defer wal.Close()
		files.WAL = readerAt(wal)
	}
	var all []rpmdb.Package
	if files.Main == nil || rpmdb.Read(files, func(p rpmdb.Package) { all = append(all, p) }) != nil || r.stamp(path) != before {
		return false
	}
	for _, p := range all {
		each(p)
	}
	return true
}

// database is the file of rpm's database; "" where that is not plain, or where
// a change was broken off.
func (r rpm) database() string {
	macros := r.macros()
	dir, ok := plainPath(macros["_dbpath"])
	name := map[string]string{"sqlite": "rpmdb.sqlite", "ndb": "Packages.db", "bdb": "Packages", "bdb_ro": "Packages", "": "Packages"}[macros["_db_backend"]]
	if !ok || name == "" {
		return ""
	}
	path := filepath.Join(dir, name)
	if journal, err := r.c.Sys.Stat(path + "-journal"); err == nil && journal.Size() > 0 {
		return ""
	}
	return path
}

// macros are those of rpm that say where the database is and of which kind;
// files are read in rpm's order (macrofiles of its configuration).
func (r rpm) macros() map[string]string {
	files := []string{"/usr/lib/rpm/macros"}
	for _, dir := range []string{"/usr/lib/rpm/macros.d", "/usr/lib/rpm/redhat", "/usr/lib/rpm/suse", "/etc/rpm"} {
		entries, _ := r.c.Sys.ReadDir(dir)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "macros.") {
				files = append(files, dir+"/"+e.Name())
			}
		}
		files = append(files, dir+"/macros")
	}
	found := map[string]string{}
	for _, f := range append(files, filepath.Join(os.Getenv("HOME"), ".rpmmacros")) {
		b, err := r.c.Sys.ReadFile(f)
		if err != nil || !bytes.Contains(b, []byte("%_db")) {
			continue
		}
		for line := range strings.Lines(string(b)) {
			if name, text, ok := strings.Cut(strings.Replace(strings.TrimSpace(line), "\t", " ", 1), " "); ok && strings.HasPrefix(name, "%_db") {
				found[name[1:]] = strings.TrimSpace(text)
			}
		}
	}
	return found
}

// plainPath is a path of rpm's configuration without its macros.
func plainPath(text string) (string, bool) {
	home := os.Getenv("HOME")
	text = strings.NewReplacer("%{_var}", "/var", "%{_usr}", "/usr", "%{_prefix}", "/usr", "%(bash -c 'echo ~/.rpmdb')", home+"/.rpmdb").Replace(text)
	return text, filepath.IsAbs(text) && !strings.ContainsAny(text, "%$`")
}

// stamp tells two states of a database apart.
func (r rpm) stamp(path string) (s [4]int64) {
	for i, p := range []string{path, path + "-wal"} {
		if info, err := r.c.Sys.Stat(p); err == nil {
			s[2*i], s[2*i+1] = info.Size(), info.ModTime().UnixNano()
		}
	}
	return s
}

// readerAt is an open file that is read at places; files are such.
func readerAt(f io.ReadSeekCloser) io.ReaderAt {
	r, _ := f.(io.ReaderAt)
	return r
}
