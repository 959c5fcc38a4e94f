package slsutil

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type pathArgs struct {
	Path    string `py:"path"`           // below the file roots, without salt://
	Saltenv string `py:"saltenv='base'"` // the environment
}

// fileExists reports whether a file is in the state tree.
func fileExists(c *salt.Ctx, a pathArgs) (bool, error) {
	all, err := c.Files().List(c, a.Saltenv, "")
	return slices.Contains(all, a.Path), err
}

// dirExists reports whether a directory is in the state tree.
func dirExists(c *salt.Ctx, a pathArgs) (bool, error) {
	all, err := c.Files().Dirs(c, a.Saltenv, "")
	return slices.Contains(all, a.Path), err
}

// pathExists reports whether a file or directory is in the state tree.
func pathExists(c *salt.Ctx, a pathArgs) (bool, error) {
	if ok, err := fileExists(c, a); ok || err != nil {
		return ok, err
	}
	return dirExists(c, a)
}

type findupArgs struct {
	Startpath any    `py:"startpath"`      // where to begin, below the file roots
	Filenames any    `py:"filenames"`      // one name or several, the wanted one first
	Saltenv   string `py:"saltenv='base'"` // the environment
}

// findup looks for a file in a directory of the tree, then in those above it,
// and returns the path of the first.
//
//	{% from salt['slsutil.findup'](tplfile, 'map.jinja') import nginx %}
func findup(c *salt.Ctx, a findupArgs) (string, error) {
	start, ok := a.Startpath.(string)
	if !ok && value.Truth(a.Startpath) {
		return "", value.Errorf("TypeError", "expected str, bytes or os.PathLike object, not %s", value.ClassName(a.Startpath))
	}
	if start != "" {
		start = path.Clean(start)
		if ok, err := pathExists(c, pathArgs{start, a.Saltenv}); err != nil {
			return "", err
		} else if !ok {
			return "", salt.InvocationError("Starting path not found in the state tree: %s", start)
		}
	}
	var names []string
	switch f := a.Filenames.(type) {
	case string:
		names = []string{f}
	case *value.List:
		for _, it := range f.Items {
			names = append(names, value.Str(it))
		}
	default:
		return "", salt.InvocationError("Filenames argument must be a string or list of strings")
	}
	for {
		for _, name := range names {
			full := path.Join(start, name)
			if ok, err := pathExists(c, pathArgs{full, a.Saltenv}); ok || err != nil {
				return full, err
			}
		}
		if start == "" {
			return "", salt.CommandError("File pattern(s) not found in path ancestry")
		}
		if start = path.Dir(start); start == "." || start == "/" {
			start = ""
		}
	}
}

type rendererArgs struct {
	Path            *string    `py:"path=None"`                     // a file on this machine or salt://
	String          *string    `py:"string=None"`                   // the template itself
	DefaultRenderer string     `py:"default_renderer='jinja|yaml'"` // when the template does not begin with #!
	Kwargs          *value.Map `py:"**kwargs"`                      // what the template sees besides the usual names
}

// renderer renders a file or a text through Salt's renderers.
//
//	pinch slsutil.renderer salt://web/map.jinja 'jinja|json'
func renderer(c *salt.Ctx, a rendererArgs) (any, error) {
	env := "base"
	if a.Kwargs.Has("saltenv") {
		env = a.Kwargs.Str("saltenv")
	}
	t := salt.Template{Engine: a.DefaultRenderer, Env: env, Vars: plain(a.Kwargs), Name: ":string:"}
	switch {
	case a.Path == nil && a.String == nil:
		return nil, salt.InvocationError("Must pass either path or string.")
	case a.Path != nil && a.String != nil:
		return nil, salt.InvocationError("Must not pass both path and string.")
	case a.String != nil:
		t.Text = *a.String
	default:
		f, err := c.Files().Get(c, *a.Path, env, salt.GetOptions{})
		if errors.Is(err, fs.ErrNotExist) {
			return new(value.Map), nil
		}
		if err != nil {
			return nil, salt.CommandError("%s", err)
		}
		b, err := f.Read()
		if err != nil {
			return nil, salt.CommandError("%s", err)
		}
		t.Text, t.Name, t.File = string(b), *a.Path, f.Local
	}
	d, err := c.RenderData(c, t)
	if err != nil {
		return nil, err
	}
	if s, ok := d.Value.(string); ok && !strings.Contains(a.DefaultRenderer, "|") {
		return s, nil
	}
	return d.Value, nil
}
