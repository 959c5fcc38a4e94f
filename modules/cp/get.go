package cp

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type getFileArgs struct {
	Path     string     `py:"path"`           // salt://PATH
	Dest     string     `py:"dest"`           // where to; a folder gets the file under its own name
	Saltenv  *string    `py:"saltenv=None"`   // the environment; that of the run if there is none
	Makedirs bool       `py:"makedirs=False"` // make the folders above
	Template *string    `py:"template=None"`  // render path and dest with this engine
	Gzip     any        `py:"gzip=None"`      // compression on the way; there is no way here
	Kwargs   *value.Map `py:"**kwargs"`       // ignored
}

// getFile copies a file of the tree to this machine and returns its path;
// False when the folder is not there, nothing when the file is not.
func getFile(c *salt.Ctx, a getFileArgs) (any, error) {
	env := envOf(c, a.Saltenv)
	if err := renderNames(c, a.Template, env, &a.Path, &a.Dest); err != nil {
		return nil, err
	}
	u, env := split(a.Path, env)
	f, err := open(c, u, env, salt.GetOptions{})
	if f == nil || err != nil {
		return "", err
	}
	if !strings.HasPrefix(u, "salt://") {
		return f.Local, nil
	}
	return copyTo(c, f, a.Dest, a.Makedirs)
}

// renderNames renders paths that are templates.
func renderNames(c *salt.Ctx, engine *string, env string, names ...*string) error {
	if engine == nil || *engine == "" {
		return nil
	}
	for _, n := range names {
		s, err := c.Render(c, salt.Template{Text: *n, Name: "<path>", Engine: *engine, Env: env})
		if err != nil {
			return salt.CommandError("Failed to render file path with error: %s", err)
		}
		*n = s
	}
	return nil
}

// copyTo writes a file to where it shall be.
func copyTo(c *salt.Ctx, f *salt.File, to string, makedirs bool) (any, error) {
	b, err := f.Read()
	if err != nil {
		return nil, err
	}
	return put(c, b, to, path.Base(f.Path), makedirs, nil)
}

func put(c *salt.Ctx, b []byte, to, name string, makedirs bool, mode *fs.FileMode) (any, error) {
	if sys.IsDir(c.Sys, to) || strings.HasSuffix(to, "/") {
		to = filepath.Join(to, name)
	}
	if dir := filepath.Dir(to); !sys.IsDir(c.Sys, dir) {
		if !makedirs {
			return false, nil
		}
		if err := sys.MkdirAll(c.Sys, dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := sys.WriteFile(c.Sys, to, b, sys.FileAttrs{Mode: mode}); err != nil {
		return nil, salt.CommandError("%s", err)
	}
	return to, nil
}

type getTemplateArgs struct {
	Path     string     `py:"path"`             // salt://PATH
	Dest     string     `py:"dest"`             // where to
	Template string     `py:"template='jinja'"` // the engine
	Saltenv  *string    `py:"saltenv=None"`     // the environment; that of the run if there is none
	Makedirs bool       `py:"makedirs=False"`   // make the folders above
	Kwargs   *value.Map `py:"**kwargs"`         // context and defaults: what the template sees; the rest as names of their own
}

// getTemplate renders a file of the tree to this machine and returns its path.
func getTemplate(c *salt.Ctx, a getTemplateArgs) (any, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	f, err := open(c, u, env, salt.GetOptions{})
	if f == nil || err != nil {
		return "", err
	}
	b, err := f.Read()
	if err != nil {
		return nil, err
	}
	vars := new(value.Map)
	vars.Update(a.Kwargs.Map("defaults"))
	vars.Update(a.Kwargs.Map("context"))
	for k, v := range a.Kwargs.Items() {
		if k != "context" && k != "defaults" && !strings.HasPrefix(k, "__") {
			vars.Set(k, v)
		}
	}
	text, err := c.Render(c, salt.Template{Text: string(b), Name: u, File: f.Local, Engine: a.Template, Env: env, Vars: vars})
	if err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o600)
	got, err := put(c, []byte(text), a.Dest, path.Base(f.Path), a.Makedirs, &mode)
	if got == false {
		got = ""
	}
	return got, err
}

type getDirArgs struct {
	Path     string     `py:"path"`          // salt://FOLDER
	Dest     string     `py:"dest"`          // the folder to put it in
	Saltenv  *string    `py:"saltenv=None"`  // the environment; that of the run if there is none
	Template *string    `py:"template=None"` // render path and dest with this engine
	Gzip     any        `py:"gzip=None"`     // compression on the way; there is no way here
	Kwargs   *value.Map `py:"**kwargs"`      // ignored
}

// getDir copies a folder of the tree to this machine and returns the paths.
func getDir(c *salt.Ctx, a getDirArgs) (*value.List, error) {
	env := envOf(c, a.Saltenv)
	if err := renderNames(c, a.Template, env, &a.Path, &a.Dest); err != nil {
		return nil, err
	}
	u, env := split(a.Path, env)
	dir, err := proto(strings.TrimRight(u, "/"))
	if err != nil {
		return nil, err
	}
	prefix := path.Dir(dir)
	if prefix == "." {
		prefix = ""
	}
	out := new(value.List)
	all, err := c.Files().List(c, env, dir)
	if err != nil {
		return nil, err
	}
	for _, name := range all {
		if !inside(name, dir) {
			continue
		}
		f, err := c.Files().Find(c, name, env)
		if f == nil || err != nil {
			return nil, err
		}
		p, err := copyTo(c, f, filepath.Join(a.Dest, strings.TrimPrefix(name, prefix)), true)
		if err != nil {
			return nil, err
		}
		out.Append(p)
	}
	empty, err := c.Files().EmptyDirs(c, env, dir)
	for _, d := range empty {
		if inside(d, dir) {
			p := filepath.Join(a.Dest, strings.TrimPrefix(d, prefix))
			if err := sys.MkdirAll(c.Sys, p, 0o755); err != nil {
				return nil, err
			}
			out.Append(p)
		}
	}
	return out, err
}

type getURLArgs struct {
	Path       string  `py:"path"`             // a URL of any kind
	Dest       *string `py:"dest=''"`          // where to; empty: the cache; None: return the content
	Saltenv    *string `py:"saltenv=None"`     // the environment; that of the run if there is none
	Makedirs   bool    `py:"makedirs=False"`   // make the folders above
	SourceHash *string `py:"source_hash=None"` // a cached copy with this digest is not downloaded again
}

// getURL fetches what a URL names and returns its path, or its content when
// dest is None; False if it is not to be had.
func getURL(c *salt.Ctx, a getURLArgs) (any, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	var o salt.GetOptions
	if a.SourceHash != nil {
		o.Hash = *a.SourceHash
	}
	f, err := open(c, u, env, o)
	if salt.IsUnfetched(err) {
		return nil, err
	}
	if f == nil || err != nil {
		c.Log.Error(fmt.Sprintf("Unable to fetch file %s from saltenv %s.", u, env))
		return false, nil
	}
	switch {
	case a.Dest == nil:
		b, err := f.Read()
		return string(b), err
	case strings.HasPrefix(u, "file://") || strings.HasPrefix(u, "/"):
		return f.Local, nil
	case *a.Dest == "":
		return cached(c, u, env, o)
	}
	return copyTo(c, f, *a.Dest, a.Makedirs)
}

type getFileStrArgs struct {
	Path    string  `py:"path"`         // a URL or a path of this machine
	Saltenv *string `py:"saltenv=None"` // the environment; that of the run if there is none
}

// getFileStr gives the content of a file, False if it is not there.
func getFileStr(c *salt.Ctx, a getFileStrArgs) (any, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	f, err := open(c, u, env, salt.GetOptions{})
	if salt.IsUnfetched(err) {
		return nil, err
	}
	if f == nil || err != nil {
		return false, nil
	}
	if strings.HasPrefix(u, "salt://") {
		if _, err := cached(c, u, env, salt.GetOptions{}); err != nil {
			return nil, err
		}
	}
	b, err := f.Read()
	if err != nil {
		return false, nil
	}
	return string(b), nil
}
