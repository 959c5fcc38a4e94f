package file

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// find yields the results for a path and all below it.
func (f *finder) find(c *salt.Ctx, top string, out *value.List) error {
	if f.mindepth < 1 {
		// As Python splits it: a path that ends in a slash has no name.
		if err := f.try(c, &entry{path: top, name: baseName(top)}, out); err != nil {
			return err
		}
	}
	return f.below(c, top, 1, out)
}

func (f *finder) below(c *salt.Ctx, dir string, depth int64, out *value.List) (err error) {
	if f.maxdepth >= 0 && depth > f.maxdepth || !sys.IsDir(c.Sys, dir) {
		return nil
	}
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if depth >= f.mindepth {
			if err := f.try(c, &entry{path: joinPath(dir, e.Name()), name: e.Name()}, out); err != nil {
				return err
			}
		}
		if e.IsDir() {
			if err := f.below(c, joinPath(dir, e.Name()), depth+1, out); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *finder) try(c *salt.Ctx, e *entry, out *value.List) error {
	for _, k := range f.criteria {
		if ok, err := k.match(c, e); !ok || err != nil {
			return err
		}
	}
	for _, a := range f.actions {
		v, err := a(c, e)
		if err != nil {
			return err
		}
		if v != nil {
			out.Append(v)
		}
	}
	return nil
}

func printAction(fields []string) action {
	if len(fields) == 0 {
		fields = []string{"path"}
	}
	return func(c *salt.Ctx, e *entry) (any, error) {
		var out []any
		for _, f := range fields {
			v, ok, err := printed(c, e, f)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, v)
			}
		}
		if len(out) == 1 {
			return out[0], nil
		}
		return value.L(out...), nil
	}
}

// printed is one field of print; unknown ones give nothing.
func printed(c *salt.Ctx, e *entry, field string) (any, bool, error) {
	switch field {
	case "path":
		return e.path, true, nil
	case "name":
		return e.name, true, nil
	}
	s, err := e.stat(c)
	if err != nil {
		return nil, false, err
	}
	switch field {
	case "size":
		return s.info.Size(), true, nil
	case "type":
		return typeLetter(s.info.Mode()), true, nil
	case "mode":
		return int64(s.info.Mode().Perm()), true, nil
	case "mtime":
		return s.mtime.Unix(), true, nil
	case "user":
		return userName(c, s.uid), true, nil
	case "group":
		return groupName(c, s.gid), true, nil
	case "md5":
		if !s.info.Mode().IsRegular() {
			return "", true, nil
		}
		sum, err := hashFile(c, e.path, "md5")
		return sum, true, err
	}
	return nil, false, nil
}

func (f *finder) remove(c *salt.Ctx, e *entry) (any, error) {
	if f.test {
		return e.path, nil
	}
	if removeAny(c, e.path) != nil {
		return nil, nil
	}
	return e.path, nil
}

func execAction(command string) action {
	return func(c *salt.Ctx, e *entry) (any, error) {
		line := strings.ReplaceAll(command, "{}", e.path)
		// The path is one word whatever is in it.
		words, err := py.ShellSplit(command)
		if err != nil || len(words) == 0 {
			return e.path + ": Failed", nil
		}
		for i, w := range words {
			words[i] = strings.ReplaceAll(w, "{}", e.path)
		}
		res, err := c.Sys.Run(c, sys.Cmd{Argv: words})
		if err != nil {
			return e.path + ": Failed", nil
		}
		return line + ":\n" + string(res.Stdout) + "\n", nil
	}
}
