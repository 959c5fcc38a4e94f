package pkg

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"iter"
	"path"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// apkDatabase is where the database of installed packages lies.
const apkDatabase = "/lib/apk/db/installed"

// database is the text of apk's database.
func (a apk) database() (string, bool) {
	b, err := a.c.Sys.ReadFile(apkDatabase)
	return string(b), err == nil
}

// An apkRecord is an installed package; files are without the leading slash.
type apkRecord struct {
	name, version string
	files         []string
}

// apkRecords reads the database: a line for each field, a letter and a colon
// before its text, and an empty line after each package. P is the name, V the
// version, F a folder and R a file in the folder before.
func apkRecords(text string, files bool) iter.Seq[apkRecord] {
	return func(yield func(apkRecord) bool) {
		var p apkRecord
		folder := ""
		for line := range strings.SplitSeq(text+"\n", "\n") {
			if line == "" {
				if p.name != "" && !yield(p) {
					return
				}
				p, folder = apkRecord{}, ""
				continue
			}
			field, v, _ := strings.Cut(line, ":")
			switch field {
			case "P":
				p.name = v
			case "V":
				p.version = v
			case "F":
				folder = v
			case "R":
				if files {
					p.files = append(p.files, path.Join(folder, v))
				}
			}
		}
	}
}

// files lists the files of packages, by package. apk is asked for what the
// database does not know, such as globs.
func (a apk) files(names []string) (any, error) {
	if len(names) == 0 {
		return "Package name should be provided", nil
	}
	have := map[string][]string{}
	if db, ok := a.database(); ok {
		for p := range apkRecords(db, true) {
			have[p.name] = p.files
		}
	}
	ret := new(value.Map)
	for _, name := range names {
		files, known := have[name]
		if !known {
			out, err := a.run(true, "apk", "info", "-L", name)
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(out.stdout) {
				if line = strings.TrimSuffix(line, "\n"); !strings.HasSuffix(line, "contains:") {
					files = append(files, line)
				}
			}
		}
		if len(files) > 0 {
			ret.Set(name, value.Strings(files))
		}
	}
	return value.M("errors", value.L(), "packages", ret), nil
}

// owners are the packages, NAME-VERSION, that paths belong to. apk is asked
// for those that are not in the database as they are written: it follows links.
func (a apk) owners(paths []string) (any, error) {
	if len(paths) == 0 {
		return "You must provide a path", nil
	}
	ret := new(value.Map)
	for _, p := range paths {
		ret.Set(p, "")
	}
	if db, ok := a.database(); ok {
		for p := range apkRecords(db, true) {
			for _, f := range p.files {
				if f = "/" + f; ret.Has(f) {
					ret.Set(f, p.name+"-"+p.version)
				}
			}
		}
	}
	for _, p := range paths {
		if ret.Str(p) != "" {
			continue
		}
		out, err := a.run(true, "apk", "info", "-W", p)
		if err != nil {
			return nil, err
		}
		_, owner, found := strings.Cut(strings.TrimPrefix(out.stdout, p), "by ")
		switch {
		case strings.Contains(out.stdout, "ERROR:") || out.stdout != "" && !found:
			owner = "Could not find owner package"
		case out.stdout == "":
			owner = "Error running " + value.Repr(value.L("apk", "info", "-W", p))
		}
		ret.Set(p, strings.TrimSpace(owner))
	}
	return ret, nil
}

// fileInfo reads a package file: archives one after the other, in one of which
// .PKGINFO has lines such as "pkgname = musl".
func (a apk) fileInfo(path string) (bin, error) {
	f, err := a.c.Sys.Open(path)
	if err != nil {
		return bin{}, salt.CommandError("%s does not exist on minion", path)
	}
	defer f.Close()
	bad := func(err error) (bin, error) {
		return bin{}, salt.CommandError("Unable to get info for %s: %s", path, err)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return bad(err)
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err != nil {
			return bad(err)
		}
		if h.Name != ".PKGINFO" {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(t, 1<<20))
		if err != nil {
			return bad(err)
		}
		fields := map[string]string{}
		for line := range strings.Lines(string(text)) {
			if k, v, ok := strings.Cut(line, "="); ok {
				fields[strings.TrimSpace(k)] = strings.TrimSpace(v)
			}
		}
		return bin{fields["pkgname"], fields["pkgver"], fields["arch"]}, nil
	}
}
