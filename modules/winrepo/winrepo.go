// Package winrepo holds Salt's winrepo states: the table of Windows packages
// that a master gives to its minions. Its main variable is Module.
//
//	winrepo:
//	  winrepo.genrepo
package winrepo

import (
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's winrepo module.
var Module = salt.Module{
	Name: "winrepo",
	States: func() salt.Funcs {
		return salt.Funcs{
			"genrepo": salt.State(genrepo),
		}
	},
}

type genrepoArgs struct {
	Name       string `py:"name"`              // the name of the state, free to choose
	Force      any    `py:"force=False"`       // make the table even when nothing is newer than it
	AllowEmpty any    `py:"allow_empty=False"` // no packages are no failure
}

// genrepo makes sure that the table of the packages in winrepo_dir of the
// master's configuration is newer than its files.
func genrepo(c *salt.Ctx, a genrepoArgs) salt.Result {
	dir, cache, err := places(c)
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Correct("")
	stale := value.Truth(a.Force)
	if !stale {
		if !sys.Exists(c.Sys, dir) {
			return salt.Failed("%s is missing", dir)
		}
		if stale, r.Comment, err = newer(c, dir, cache); err != nil {
			return salt.Raised(salt.OSError(err))
		}
	}
	switch {
	case c.Test:
		r.Result = nil
		return r
	case !stale:
		return r
	}
	table, err := compile(c, dir)
	if err != nil {
		return salt.Raised(salt.OSError(err))
	}
	if table.Len() == 0 && !value.Truth(a.AllowEmpty) {
		if err := c.Sys.Remove(cache); err != nil && sys.LExists(c.Sys, cache) {
			return salt.Raised(salt.OSError(err))
		}
		r.Result, r.Comment, r.Changes = salt.False(), "winrepo.genrepo returned empty", value.M("winrepo", table)
		return r
	}
	data, err := value.Msgpack(table)
	if err == nil {
		err = sys.WriteFile(c.Sys, cache, data, sys.FileAttrs{})
	}
	if err != nil {
		return salt.Raised(salt.OSError(err))
	}
	r.Changes = value.M("winrepo", table)
	return r
}

// places are the folder of the packages and the file of the table, as the
// master's configuration names them.
func places(c *salt.Ctx) (dir, cache string, err error) {
	dir, cache = "/srv/salt/win/repo", "winrepo.p"
	conf := c.Opts.Str("config_dir")
	if conf == "" {
		conf = "/etc/salt"
	}
	path := filepath.Join(conf, "master")
	if b, err := c.Sys.ReadFile(path); err == nil {
		v, err := yaml.Load(path, string(b))
		if err != nil {
			return "", "", err
		}
		if m, ok := v.(*value.Map); ok {
			if s := m.Str("winrepo_dir"); s != "" {
				dir = s
			}
			if s := m.Str("winrepo_cachefile"); s != "" {
				cache = s
			}
		}
	}
	if !filepath.IsAbs(cache) {
		cache = filepath.Join(dir, cache)
	}
	return dir, cache, nil
}

// newer reports whether the table is missing or older than something in the
// folder, and which.
func newer(c *salt.Ctx, dir, cache string) (bool, string, error) {
	info, err := c.Sys.Stat(cache)
	if err != nil {
		return true, cache + " is missing", nil
	}
	stale, comment := false, ""
	err = walk(c, dir, func(path string, _ bool) error {
		i, err := c.Sys.Stat(path)
		if err == nil && i.ModTime().Truncate(time.Second).After(info.ModTime().Truncate(time.Second)) {
			stale, comment = true, "mtime("+cache+") < mtime("+path+")"
		}
		return err
	})
	return stale, comment, err
}

func walk(c *salt.Ctx, dir string, do func(path string, isDir bool) error) error {
	all, err := c.Sys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range all {
		path := filepath.Join(dir, e.Name())
		if err := do(path, e.IsDir()); err != nil {
			return err
		}
		if e.Type()&fs.ModeType == fs.ModeDir {
			if err := walk(c, path, do); err != nil {
				return err
			}
		}
	}
	return nil
}

// compile reads the definitions of all packages; those that do not render are
// left out, with an error in the log.
func compile(c *salt.Ctx, dir string) (*value.Map, error) {
	table := new(value.Map)
	if err := sys.MkdirAll(c.Sys, dir, 0o755); err != nil {
		return nil, err
	}
	err := walk(c, dir, func(path string, isDir bool) error {
		if isDir || !strings.HasSuffix(path, ".sls") {
			return nil
		}
		b, err := c.Sys.ReadFile(path)
		if err != nil {
			return err
		}
		d, err := c.RenderData(c, salt.Template{Text: string(b), Name: path, File: path, Env: c.Env, SLSFile: true})
		if err != nil {
			c.Log.Error("winrepo: " + path + ": " + err.Error())
			return nil
		}
		if defs, ok := d.Value.(*value.Map); ok && defs.Len() > 0 {
			add(c, table, defs, path)
		}
		return nil
	})
	return table, err
}

// add puts the packages of one file into the table.
func add(c *salt.Ctx, table, defs *value.Map, path string) {
	names := new(value.Map)
	for pkg, v := range defs.Items() {
		versions, ok := v.(*value.Map)
		if !ok {
			c.Log.Error("winrepo: " + path + ": " + pkg + " has no versions")
			continue
		}
		texts := new(value.Map)
		for version, data := range versions.All() {
			texts.Set(value.Str(version), data)
			if m, ok := data.(*value.Map); ok {
				names.Set(m.Str("full_name"), pkg)
			} else {
				c.Log.Error("winrepo: " + path + ": " + pkg + " " + value.Str(version) + " is no map")
			}
		}
		defs.Set(pkg, texts)
	}
	for key, m := range map[string]*value.Map{"repo": defs, "name_map": names} {
		if table.Map(key) == nil {
			table.Set(key, new(value.Map))
		}
		table.Map(key).Update(m)
	}
}
