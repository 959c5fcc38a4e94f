package file

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// shownAttrs are the attributes that Salt manages.
const shownAttrs = "aAcCdDeijPsStTu"

// fileAttrs are the attributes of a file, by their letters.
func fileAttrs(c *salt.Ctx, path string) (string, error) {
	s, err := c.Sys.Attrs(path)
	if err != nil {
		return "", err
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(shownAttrs, r) {
			return r
		}
		return -1
	}, s), nil
}

// attrsDiffer says which letters are missing and which are too many. The
// letter e (extents) is the file system's own.
func attrsDiffer(have, want string) (added, removed string) {
	if strings.Contains(have, "e") {
		want += "e"
	}
	return without(want, have), without(have, want)
}

func without(a, b string) string {
	var out strings.Builder
	for _, r := range a {
		if !strings.ContainsRune(b, r) && !strings.ContainsRune(out.String(), r) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// setAttrs is the part of check_perms for attributes.
func (r *permState) setAttrs(c *salt.Ctx, name, want string) {
	old, err := fileAttrs(c, name)
	if err != nil && want == "" {
		return
	}
	added, removed := attrsDiffer(old, want)
	if added == "" && removed == "" {
		return
	}
	now := want
	if !c.Test {
		if err := c.Sys.SetAttrs(name, without(old, removed)+added); err != nil {
			r.problem("Failed to change attributes to " + want)
			now, _ = fileAttrs(c, name)
		}
	}
	if old != now {
		r.note(true, "attrs", value.M("old", old, "new", now))
	}
}

// lsattr lists the attributes of a file, by its path.
func lsattr(c *salt.Ctx, a pathArgs) (*value.Map, error) {
	if !sys.Exists(c.Sys, a.Path) {
		return nil, salt.InvocationError("File or directory does not exist: %s", a.Path)
	}
	m := new(value.Map)
	paths := []string{a.Path}
	if sys.IsDir(c.Sys, a.Path) {
		paths = nil
		entries, err := c.Sys.ReadDir(a.Path)
		if err != nil {
			return nil, osError(err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				paths = append(paths, joinPath(a.Path, e.Name()))
			}
		}
	}
	for _, p := range paths {
		if s, err := fileAttrs(c, p); err == nil {
			m.Set(p, value.Strings(strings.Split(s, "")))
		}
	}
	return m, nil
}

type chattrArgs struct {
	Files  []any      `py:"*files"`   // the files
	Kwargs *value.Map `py:"**kwargs"` // operator: add or remove; attributes: the letters; flags: R goes into folders; version: the files' version
}

// chattr adds or removes attributes of files.
func chattr(c *salt.Ctx, a chattrArgs) (bool, error) {
	op, letters := a.Kwargs.Str("operator"), a.Kwargs.Str("attributes")
	if op != "add" && op != "remove" {
		return false, salt.InvocationError("Need an operator: 'add' or 'remove' to modify attributes.")
	}
	if a.Kwargs.At("attributes") == nil {
		return false, salt.InvocationError("Need attributes: [aAcCdDeijPsStTu]")
	}
	ok := true
	set := func(path string) {
		old, err := c.Sys.Attrs(path)
		if err == nil && op == "add" {
			err = c.Sys.SetAttrs(path, old+letters)
		} else if err == nil {
			err = c.Sys.SetAttrs(path, without(old, letters))
		}
		ok = ok && err == nil
	}
	for _, f := range a.Files {
		path := value.Str(f)
		if strings.Contains(a.Kwargs.Str("flags"), "R") && sys.IsDir(c.Sys, path) {
			walk(c.Sys, path, false, func(dir string, dirs, files []string) []string {
				for _, n := range append(dirs, files...) {
					set(joinPath(dir, n))
				}
				return dirs
			})
		}
		set(path)
	}
	return ok, nil
}
