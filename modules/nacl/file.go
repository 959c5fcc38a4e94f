package nacl

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type fileArgs struct {
	Name   string     `py:"name"`     // the file: a path or a URL such as salt://
	Out    any        `py:"out=None"` // the file to write; without one the result is returned
	Kwargs *value.Map `py:"**kwargs"` // as those of enc
}

// encFile encrypts what is in a file.
func encFile(c *salt.Ctx, a fileArgs) (any, error) { return convert(c, a, enc) }

// decFile decrypts what is in a file.
func decFile(c *salt.Ctx, a fileArgs) (any, error) { return convert(c, a, dec) }

func convert(c *salt.Ctx, a fileArgs, with func(*salt.Ctx, dataArgs) (any, error)) (any, error) {
	data, err := content(c, a.Name)
	if err != nil {
		return nil, err
	}
	got, err := with(c, dataArgs{data, a.Kwargs})
	if err != nil || !value.Truth(a.Out) {
		return got, err
	}
	out := value.Str(a.Out)
	if sys.Exists(c.Sys, out) {
		return nil, value.Errorf("Exception", "file:%s already exist.", out)
	}
	b, err := message(got)
	if err != nil {
		return nil, err
	}
	if err := sys.WriteFile(c.Sys, out, b, sys.FileAttrs{}); err != nil {
		return nil, err
	}
	return "Wrote: " + out, nil
}

func content(c *salt.Ctx, name string) (any, error) {
	if strings.Contains(name, "://") {
		v, err := c.Call("cp.get_file_str", name)
		if _, ok := v.(string); err != nil || ok {
			return v, err
		}
	}
	b, err := c.Sys.ReadFile(name)
	if err != nil {
		return nil, value.Errorf("FileNotFoundError", "[Errno 2] No such file or directory: %s", value.Repr(name))
	}
	return b, nil
}
