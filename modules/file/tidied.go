package file

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

type tidiedArgs struct {
	Name       string     `py:"name"`                           // the folder to tidy
	Age        any        `py:"age=0"`                          // removes what is at least so many days old
	Matches    any        `py:"matches=None"`                   // regular expressions of names, matched from their start; by default all
	Rmdirs     bool       `py:"rmdirs=False"`                   // removes folders too
	Size       any        `py:"size=0"`                         // removes what is at least so large: a number of bytes, or such as 10M
	Exclude    any        `py:"exclude=None"`                   // regular expressions of names that stay
	FullPath   bool       `py:"full_path_match=False"`          // the expressions are of whole paths
	Follow     bool       `py:"followlinks=False"`              // goes into links to folders
	Comparison any        `py:"time_comparison='atime'"`        // which time tells the age: atime, mtime or ctime
	Operator   string     `py:"age_size_logical_operator='OR'"` // AND: both age and size must be reached
	Only       string     `py:"age_size_only=None"`             // age or size: only that counts
	Rmlinks    bool       `py:"rmlinks=True"`                   // False leaves symbolic links
	Kwargs     *value.Map `py:"**kwargs"`                       // Salt takes and ignores any other
}

// tidied removes old or large files from a folder and those below it.
//
//	/var/cache/app:
//	  file.tidied:
//	    - age: 30
//	    - time_comparison: mtime
//	    - matches: ['.*\.tmp$']
func tidied(c *salt.Ctx, a tidiedArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, tidiedState(c, name, a))
}

func tidiedState(c *salt.Ctx, name string, a tidiedArgs) salt.Result {
	if !isAbs(name) {
		return salt.Failed("Specified file %s is not an absolute path", name)
	}
	if !sys.IsDir(c.Sys, name) {
		return salt.Failed("%s does not exist or is not a directory.", name)
	}
	t, err := newTidy(c, a)
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	t.walk(c.Sys, name)
	switch {
	case t.found == nil:
		return salt.Correct("Nothing to remove from directory %s", name)
	case c.Test:
		return salt.Would(value.M("removed", value.Strings(t.found)), "%s is set for tidy", name)
	}
	removed := new(value.List)
	for _, p := range t.found {
		if err := removeAny(c, p); err != nil {
			r := salt.Failed("%s", text(err))
			r.Changes.Set("removed", removed)
			return r
		}
		removed.Append(p)
	}
	return salt.Changed(value.M("removed", removed), "Removed %d files or directories from directory %s", len(t.found), name)
}

// tidy decides what goes.
type tidy struct {
	a                tidiedArgs
	age, size        int64
	which            string
	matches, exclude []*pyre.Regexp
	today            time.Time
	found            []string
}

func newTidy(c *salt.Ctx, a tidiedArgs) (*tidy, error) {
	t := &tidy{a: a, today: day(c.Sys.Now())}
	if t.which, _ = a.Comparison.(string); t.which != "" {
		t.which = strings.ToLower(t.which)
	}
	t.a.Operator, t.a.Only = strings.ToUpper(a.Operator), strings.ToLower(a.Only)
	var err error
	if t.age, err = intArg(a.Age); err != nil {
		return nil, err
	}
	if s, ok := a.Size.(string); ok {
		t.size = humanBytes(s)
	} else if t.size, err = intArg(a.Size); err != nil {
		return nil, err
	}
	matches := a.Matches
	if matches == nil {
		matches = ".*"
	}
	for _, p := range []struct {
		from any
		to   *[]*pyre.Regexp
	}{{matches, &t.matches}, {a.Exclude, &t.exclude}} {
		for _, s := range stringList(p.from) {
			re, err := compile(s, 0)
			if err != nil {
				return nil, err
			}
			*p.to = append(*p.to, re)
		}
	}
	return t, nil
}

func day(t time.Time) time.Time {
	y, m, d := t.Local().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// walk looks at everything below dir, the lowest first.
func (t *tidy) walk(s sys.Reader, dir string) {
	entries, err := s.ReadDir(dir)
	if err != nil {
		return
	}
	var dirs, files []string
	for _, e := range entries {
		path := joinPath(dir, e.Name())
		isLink := e.Type()&fs.ModeSymlink != 0
		if !e.IsDir() && !(isLink && sys.IsDir(s, path)) {
			files = append(files, path)
			continue
		}
		dirs = append(dirs, path)
		if !isLink || t.a.Follow {
			t.walk(s, path)
		}
	}
	for _, p := range append(files, dirs...) {
		if t.goes(s, p) {
			t.found = append(t.found, p)
		}
	}
}

func (t *tidy) goes(s sys.Reader, path string) bool {
	i, err := s.Lstat(path)
	if err != nil {
		return false
	}
	var size int64
	switch {
	case i.Mode()&fs.ModeSymlink != 0:
		if !t.a.Rmlinks {
			return false
		}
	case i.IsDir():
		if !t.a.Rmdirs {
			return false
		}
	default:
		size = i.Size()
	}
	st := statOf(i)
	stamp := st.atime
	switch t.which {
	case "ctime":
		stamp = st.ctime
	case "mtime":
		stamp = st.mtime
	}
	age := int64(t.today.Sub(day(stamp)).Abs() / (24 * time.Hour))
	reached := size >= t.size || age >= t.age
	switch {
	case t.a.Only == "age":
		reached = age >= t.age
	case t.a.Only == "size":
		reached = size >= t.size
	case t.a.Operator == "AND":
		reached = size >= t.size && age >= t.age
	}
	name := baseName(path)
	if t.a.FullPath {
		name = path
	}
	hit := func(re *pyre.Regexp) bool { return re.Match(name) != nil }
	return reached && slices.ContainsFunc(t.matches, hit) && !slices.ContainsFunc(t.exclude, hit)
}

var humanSize = sync.OnceValue(func() *pyre.Regexp { return pyre.MustCompile(`([0-9.]*)\s*(.*)$`, 0) })

// humanBytes reads sizes such as 10, 10K, 10KiB (powers of 1024) and 10KB
// (powers of 1000); 0 for anything else.
func humanBytes(s string) int64 {
	m := humanSize().Match(strings.TrimSpace(s))
	num, _ := m.Group(1)
	unit, _ := m.Group(2)
	n, ok := parseNumber(num)
	unit = strings.ToLower(orText(unit, "b"))
	p := strings.IndexByte("bkmgtpezy", unit[0])
	if !ok || p < 0 {
		return 0
	}
	base := 1024.0
	switch rest := unit[1:]; {
	case rest == "b" && p > 0:
		base = 1000
	case rest != "" && (rest != "ib" || p == 0):
		return 0
	}
	for range p {
		n *= base
	}
	return int64(n)
}
