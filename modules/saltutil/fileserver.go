package saltutil

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A trees is the file server as a runner's arguments name it.
type trees struct {
	c     *salt.Ctx
	fs    salt.FileServer
	names []string // the chosen backends
}

// fileserver are the runners over the state trees; ok is false for one that
// there is not.
func fileserver(c *salt.Ctx, fun string, arg func(int, string) any) (v any, ok bool, err error) {
	fs, is := c.Files().(salt.FileServer)
	if !is {
		return nil, false, nil
	}
	t := &trees{c: c, fs: fs}
	switch fun {
	case "file_list", "dir_list", "empty_dir_list", "symlink_list":
		t.choose(arg(1, "backend"))
		v, err = t.list(fun, arg(0, "saltenv"))
	case "envs":
		t.choose(arg(0, "backend"))
		v, err = t.envs(value.Truth(arg(1, "sources")))
	case "update":
		t.choose(arg(0, "backend"))
		if _, errs := fs.Upkeep(c, fun, "", t.names...); len(errs) > 0 {
			return nil, true, salt.CommandError("%s", errs[0])
		}
		v = true
	case "clear_cache":
		t.choose(arg(0, "backend"))
		v = t.keep(fun, "", "cleared", "No cache was cleared")
	case "clear_lock", "lock":
		t.choose(arg(0, "backend"))
		remote := ""
		if r := arg(1, "remote"); r != nil {
			remote = value.Str(r)
		}
		done, none := "cleared", "No locks were removed"
		if fun == "lock" {
			done, none = "locked", "No locks were set"
		}
		v = t.keep(fun, remote, done, none)
	case "clear_file_list_cache":
		fs.Clear()
		t.choose(arg(1, "backend"))
		v, err = t.cleared(arg(0, "saltenv"))
	default:
		return nil, false, nil
	}
	return v, true, err
}

// choose takes backends by their names, or with a leading - all but those.
func (t *trees) choose(back any) {
	all := t.fs.Backends()
	var given []string
	switch b := back.(type) {
	case nil:
		t.names = all
		return
	case *value.List:
		for _, it := range b.Items {
			given = append(given, value.Str(it))
		}
	default:
		given = strings.Split(value.Str(b), ",")
	}
	without := len(given) > 0
	for i, name := range given {
		bare, minus := strings.CutPrefix(strings.TrimSpace(name), "-")
		without = without && minus
		given[i] = map[string]string{"git": "gitfs", "localfs": "roots", "fs": "roots"}[bare]
		if given[i] == "" {
			given[i] = bare
		}
	}
	for _, name := range all {
		if slices.Contains(given, name) != without {
			t.names = append(t.names, name)
		}
	}
}

func (t *trees) list(fun string, saltenv any) (any, error) {
	files := t.fs.Only(t.names...)
	var envs []string
	switch e := saltenv.(type) {
	case nil:
		envs = []string{"base"}
	case *value.List:
		for _, it := range e.Items {
			envs = append(envs, value.Str(it))
		}
	default:
		envs = strings.Split(value.Str(e), ",")
	}
	links := map[string]string{}
	var out []string
	for _, env := range envs {
		var more []string
		var err error
		switch fun {
		case "file_list":
			more, err = files.List(t.c, env, "")
		case "dir_list":
			more, err = files.Dirs(t.c, env, "")
		case "empty_dir_list":
			more, err = files.EmptyDirs(t.c, env, "")
		case "symlink_list":
			var l map[string]string
			l, err = files.Symlinks(t.c, env, "")
			for k, v := range l {
				links[k] = v
			}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	if fun == "symlink_list" {
		return value.Of(links), nil
	}
	slices.Sort(out)
	return value.Strings(slices.Compact(out)), nil
}

// envs are the environments, with sources those of each backend.
func (t *trees) envs(sources bool) (any, error) {
	if !sources {
		list, err := t.fs.Only(t.names...).Envs(t.c)
		return value.Strings(list), err
	}
	out := new(value.Map)
	for _, name := range t.names {
		list, err := t.fs.Only(name).Envs(t.c)
		if err != nil {
			return nil, err
		}
		out.Set(name, value.Strings(list))
	}
	return out, nil
}

// cleared tells of which environments lists are forgotten, as Salt does that
// keeps them on the disk.
func (t *trees) cleared(saltenv any) (any, error) {
	out := new(value.Map)
	for _, name := range t.names {
		list, err := t.fs.Only(name).Envs(t.c)
		if err != nil {
			return nil, err
		}
		if saltenv != nil {
			list = slices.DeleteFunc(list, func(e string) bool { return e != value.Str(saltenv) })
		}
		if len(list) > 0 {
			out.Set(name, value.Strings(list))
		}
	}
	return out, nil
}

func (t *trees) keep(what, remote, did, none string) any {
	done, errs := t.fs.Upkeep(t.c, what, remote, t.names...)
	out := new(value.Map)
	if len(done) > 0 {
		out.Set(did, value.Strings(done))
	}
	if len(errs) > 0 {
		l := new(value.List)
		for _, e := range errs {
			l.Append(e.Error())
		}
		out.Set("errors", l)
	}
	if out.Len() == 0 {
		return none
	}
	return out
}
