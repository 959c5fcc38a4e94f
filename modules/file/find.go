package file

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pinch/salt"
	"pinch/value"
	"pinch/value/pyre"
)

// entry is a path that file.find looks at; its stat is read when it is needed.
type entry struct {
	path, name string
	st         *found
}

type found struct {
	info fs.FileInfo
	fileStat
}

func (e *entry) stat(c *salt.Ctx) (*found, error) {
	if e.st == nil {
		i, err := info(c, e.path, true)
		if err != nil {
			return nil, err
		}
		e.st = &found{i, statOf(i)}
	}
	return e.st, nil
}

// criterion is one test; those that read more of the file come later.
type criterion struct {
	cost  int // 0: the name, 1: stat, 2: the content
	match func(*salt.Ctx, *entry) (bool, error)
}

// action makes a result of a path; nil gives none.
type action func(*salt.Ctx, *entry) (any, error)

// finder is a set of options of file.find.
type finder struct {
	criteria           []criterion
	actions            []action
	mindepth, maxdepth int64 // maxdepth -1: no limit
	test               bool
}

// newFinder reads the options. Its error is a text for the user.
func newFinder(c *salt.Ctx, opts *value.Map) (*finder, error) {
	f := &finder{maxdepth: -1}
	for key, to := range map[string]*int64{"mindepth": &f.mindepth, "maxdepth": &f.maxdepth} {
		if v, ok := opts.Get(key); ok && v != nil {
			n, err := intArg(v)
			if err != nil {
				return nil, err
			}
			*to = n
		}
	}
	f.test = opts.Truth("test")
	for key, v := range opts.Items() {
		if strings.HasPrefix(key, "_") || key == "mindepth" || key == "maxdepth" || key == "test" {
			continue
		}
		if !value.Truth(v) {
			return nil, fmt.Errorf("missing value for \"%s\" option", key)
		}
		text := value.Str(v)
		if key == "delete" && v == true {
			text = "f"
		}
		if err := f.option(c, key, text); err != nil {
			return nil, err
		}
	}
	if f.actions == nil {
		f.actions = []action{printAction(nil)}
	}
	slices.SortStableFunc(f.criteria, func(a, b criterion) int { return a.cost - b.cost })
	return f, nil
}

func (f *finder) add(cost int, match func(*salt.Ctx, *entry) (bool, error)) {
	f.criteria = append(f.criteria, criterion{cost, match})
}

func (f *finder) option(c *salt.Ctx, key, v string) error {
	switch key {
	case "name", "iname":
		return f.byName(globRegex(v), key == "iname")
	case "regex", "iregex":
		return f.byName(v, key == "iregex")
	case "type":
		kinds, err := fileTypes(v)
		f.add(1, onStat(func(s *found) bool { return strings.Contains(kinds, typeLetter(s.info.Mode())) }))
		return err
	case "owner":
		ids, err := idSet(v, "user", func(n string) (int, bool) { return userID(c, n) })
		f.add(1, onStat(func(s *found) bool { return slices.Contains(ids, s.uid) }))
		return err
	case "group":
		ids, err := idSet(v, "group", func(n string) (int, bool) { return groupID(c, n) })
		f.add(1, onStat(func(s *found) bool { return slices.Contains(ids, s.gid) }))
		return err
	case "size":
		lo, hi, err := sizeRange(v)
		f.add(1, onStat(func(s *found) bool { return lo <= s.info.Size() && s.info.Size() <= hi }))
		return err
	case "mtime":
		limit, newer, err := timeLimit(v, c.Sys.Now())
		f.add(1, onStat(func(s *found) bool {
			// Salt compares whole seconds of the file.
			t := float64(s.mtime.Unix())
			return newer && t >= limit || !newer && t <= limit
		}))
		return err
	case "grep":
		return f.grep(v)
	case "print":
		f.actions = append(f.actions, printAction(strings.Fields(strings.ReplaceAll(v, ",", " "))))
	case "delete":
		if strings.Contains(v, "a") {
			v = "bcdpfls"
		}
		kinds, err := fileTypes(v)
		f.add(1, onStat(func(s *found) bool { return strings.Contains(kinds, typeLetter(s.info.Mode())) }))
		f.actions = append(f.actions, f.remove)
		return err
	case "exec":
		f.actions = append(f.actions, execAction(v))
	default:
		return fmt.Errorf("invalid option \"%s\"", key)
	}
	return nil
}

func onStat(ok func(*found) bool) func(*salt.Ctx, *entry) (bool, error) {
	return func(c *salt.Ctx, e *entry) (bool, error) {
		s, err := e.stat(c)
		return err == nil && ok(s), nil
	}
}

// globRegex is what Salt makes of a glob: only . ? and * are special.
func globRegex(glob string) string {
	return strings.NewReplacer(".", `\.`, "?", ".?", "*", ".*").Replace(glob) + "$"
}

func (f *finder) byName(pattern string, fold bool) error {
	var flags pyre.Flags
	if fold {
		flags = pyre.IgnoreCase
	}
	re, err := pyre.Compile(pattern, flags)
	if err != nil {
		return fmt.Errorf("invalid regular expression: \"%s\"", pattern)
	}
	f.add(0, func(_ *salt.Ctx, e *entry) (bool, error) { return re.Match(e.name) != nil, nil })
	return nil
}

func (f *finder) grep(pattern string) error {
	re, err := pyre.Compile(pattern, 0)
	if err != nil {
		return fmt.Errorf("invalid regular expression: \"%s\"", pattern)
	}
	f.add(2, func(c *salt.Ctx, e *entry) (bool, error) {
		s, err := e.stat(c)
		if err != nil || !s.info.Mode().IsRegular() {
			return false, nil
		}
		b, err := c.Sys.ReadFile(e.path)
		return err == nil && re.Search(string(b)) != nil, osError(err)
	})
	return nil
}

const typeLetters = "bcdflps"

func fileTypes(v string) (string, error) {
	v = strings.Join(strings.Fields(strings.ReplaceAll(v, ",", "")), "")
	for _, r := range v {
		if !strings.ContainsRune(typeLetters, r) {
			return "", fmt.Errorf("invalid file type \"%c\"", r)
		}
	}
	return v, nil
}

func typeLetter(m fs.FileMode) string {
	return map[string]string{"dir": "d", "char": "c", "block": "b", "link": "l", "pipe": "p", "socket": "s", "file": "f"}[typeName(m)]
}

func idSet(v, what string, id func(string) (int, bool)) ([]int, error) {
	var ids []int
	for _, name := range strings.Fields(strings.ReplaceAll(v, ",", " ")) {
		if n, err := strconv.Atoi(name); err == nil {
			ids = append(ids, n)
		} else if n, ok := id(name); ok {
			ids = append(ids, n)
		} else {
			return nil, fmt.Errorf("no such %s \"%s\"", what, name)
		}
	}
	return ids, nil
}

// sizeRange reads a size: 10k is from 10 KiB to just under 11, +10k more, -10k less.
func sizeRange(v string) (lo, hi int64, err error) {
	s := strings.TrimSpace(v)
	style := byte('=')
	if s != "" && (s[0] == '-' || s[0] == '+') {
		style, s = s[0], s[1:]
	}
	unit := int64(1)
	if s != "" {
		if i := strings.IndexByte("bkmgt", s[len(s)-1]|0x20); i >= 0 {
			unit = 1 << (10 * i)
			s = strings.TrimSpace(s[:len(s)-1])
		}
	}
	num, err := strconv.ParseInt(s, 10, 64)
	if num *= unit; err != nil {
		f, e := strconv.ParseFloat(s, 64)
		if e != nil {
			return 0, 0, fmt.Errorf("invalid size: \"%s\"", v)
		}
		num = int64(f * float64(unit))
	}
	switch style {
	case '-':
		return 0, num, nil
	case '+':
		return num, 1<<63 - 1, nil
	}
	return num, num + unit - 1, nil
}

var interval = sync.OnceValue(func() *pyre.Regexp {
	return pyre.MustCompile(`^\s*(?P<modifier>[+-]?)(?:(?P<week>\d+(?:\.\d*)?)\s*[wW])?\s*(?:(?P<day>\d+(?:\.\d*)?)\s*[dD])?\s*`+
		`(?:(?P<hour>\d+(?:\.\d*)?)\s*[hH])?\s*(?:(?P<minute>\d+(?:\.\d*)?)\s*[mM])?\s*(?:(?P<second>\d+(?:\.\d*)?)\s*[sS])?\s*$`, 0)
})

// timeLimit reads an age such as 2d or -1w 12h: seconds since 1970, and
// whether later times count.
func timeLimit(v string, now time.Time) (limit float64, newer bool, err error) {
	m := interval().Match(v)
	if m == nil {
		return 0, false, fmt.Errorf("invalid time interval: '%s'", v)
	}
	secs, resolution := 0.0, 0.0
	for _, u := range []struct {
		name string
		n    float64
	}{{"second", 1}, {"minute", 60}, {"hour", 3600}, {"day", 86400}, {"week", 604800}} {
		if s, ok := m.Named(u.name); ok {
			f, _ := strconv.ParseFloat(s, 64)
			secs += f * u.n
			if resolution == 0 {
				resolution = u.n
			}
		}
	}
	if resolution == 0 {
		return 0, false, fmt.Errorf("invalid time interval: '%s'", v)
	}
	modifier, _ := m.Named("modifier")
	return seconds(now) - float64(int64(secs/resolution))*resolution, modifier == "-", nil
}

type findArgs struct {
	Path   string     `py:"path"`     // where to look; a glob gives several places
	Args   []any      `py:"*args"`    // delete: removes files; print: gives paths
	Kwargs *value.Map `py:"**kwargs"` // name, iname, regex, iregex, type, owner, group, size, mtime, grep, mindepth, maxdepth, print, delete, exec, test
}

// findExec finds files much as find(1) does: tests are name, iname (globs),
// regex, iregex, type, owner, group, size, mtime and grep, actions are print,
// delete and exec.
func findExec(c *salt.Ctx, a findArgs) (any, error) {
	opts := new(value.Map)
	opts.Update(a.Kwargs)
	if args := strs(a.Args); slices.Contains(args, "delete") {
		opts.Set("delete", "f")
	} else if slices.Contains(args, "print") {
		opts.Set("print", "path")
	}
	f, err := newFinder(c, opts)
	if err != nil {
		return "error: " + err.Error(), nil
	}
	out := new(value.List)
	for _, p := range glob(c.Sys, expandUser(c, a.Path)) {
		if err := f.find(c, p, out); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out.Items, func(a, b any) int {
		n, e := value.Compare(a, b, "<")
		if e != nil {
			err = e
		}
		return n
	})
	return out, err
}
