// Package chroot holds Salt's chroot module: it calls functions and applies
// states inside a folder that is the root of another system, such as a mounted
// disk or the tree of an image. This program is copied there meanwhile, and
// needs nothing else of it. Its main variable is Module.
//
//	salt-call chroot.sls /mnt web,users
package chroot

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's chroot module.
var Module = salt.Module{
	Name:    "chroot",
	Virtual: salt.Needs("chroot", "Module chroot requires the command chroot"),
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"apply":     salt.Exec(apply).Named("apply_"),
			"call":      salt.Exec(call),
			"create":    salt.Exec(create),
			"exist":     salt.Exec(exist),
			"highstate": salt.Exec(highstate),
			"in_chroot": salt.Exec(inChroot),
			"sls":       salt.Exec(sls),
		}
	},
}

type rootArgs struct {
	Root string `py:"root"` // the folder
}

func complete(c *salt.Ctx, root string) bool {
	for _, d := range []string{"", "dev", "proc", "sys"} {
		if !sys.IsDir(c.Sys, filepath.Join(root, d)) {
			return false
		}
	}
	return true
}

// exist says whether a folder has what a chroot needs: dev, proc and sys.
func exist(c *salt.Ctx, a rootArgs) (bool, error) { return complete(c, a.Root), nil }

// create makes the folder with dev, proc and sys.
func create(c *salt.Ctx, a rootArgs) (bool, error) {
	if complete(c, a.Root) {
		return true, nil
	}
	for name, mode := range map[string]fs.FileMode{"dev": 0o755, "proc": 0o555, "sys": 0o555} {
		dir := filepath.Join(a.Root, name)
		if sys.IsDir(c.Sys, dir) {
			continue
		}
		if err := sys.MkdirAll(c.Sys, a.Root, 0o755); err != nil {
			return false, err
		}
		if err := c.Sys.Mkdir(dir, mode); err != nil {
			c.Log.Error("Error when trying to create chroot directories: " + err.Error())
			return false, nil
		}
	}
	return true, nil
}

// inChroot says whether this program runs in a chroot.
func inChroot(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	top, err1 := c.Sys.ReadFile("/proc/1/mountinfo")
	own, err2 := c.Sys.ReadFile("/proc/self/mountinfo")
	return err1 == nil && err2 == nil && string(top) != string(own), nil
}

type callArgs struct {
	Root     string     `py:"root"`     // the folder
	Function string     `py:"function"` // the function
	Args     []any      `py:"*args"`    // its arguments
	Kwargs   *value.Map `py:"**kwargs"` // its keyword arguments
}

// call calls a function inside.
//
//	salt-call chroot.call /mnt test.ping
func call(c *salt.Ctx, a callArgs) (any, error) {
	switch {
	case a.Function == "":
		return nil, salt.CommandError("Missing function parameter")
	case !complete(c, a.Root):
		return nil, salt.CommandError("Chroot environment not found")
	}
	dir := sys.TempName(a.Root, "")
	if err := c.Sys.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	defer c.Sys.RemoveAll(dir)
	if err := copySelf(c, filepath.Join(dir, "salt-call")); err != nil {
		return nil, err
	}
	inside := "/" + filepath.Base(dir)
	words := []string{inside + "/salt-call", "--metadata", "--local", "--log-file", inside + "/log", "--cachedir", inside + "/cache", "--out", "json", "-l", "quiet", "--", a.Function}
	for _, v := range a.Args {
		words = append(words, argument(v))
	}
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") && v != nil {
			words = append(words, k+"="+argument(v))
		}
	}
	for i, w := range words {
		words[i] = "'" + strings.ReplaceAll(w, "'", `'"'"'`) + "'"
	}
	v, err := c.Call("cmd.run_chroot", a.Root, strings.Join(words, " "))
	if err != nil {
		return nil, err
	}
	ran, _ := v.(*value.Map)
	return result(c, ran), nil
}

// argument writes a value so that the command line reads it back.
func argument(v any) string {
	switch v.(type) {
	case string:
		return value.Str(v)
	case *value.Map, *value.List:
		if s, err := value.JSON(v, value.JSONOptions{}); err == nil {
			return s
		}
	}
	return value.Str(v)
}

// result takes the return out of what the call printed.
func result(c *salt.Ctx, ran *value.Map) any {
	out := ran.Str("stdout")
	v, err := value.ParseJSON(out[max(0, strings.IndexByte(out, '{')):])
	m, ok := v.(*value.Map)
	if err != nil || !ok {
		return value.M("result", false, "retcode", ran.At("retcode"), "comment", value.M("stdout", out, "stderr", ran.At("stderr")))
	}
	data, ok := m.At("local").(*value.Map)
	if !ok {
		return m
	}
	if n, ok := data.At("retcode").(int64); ok {
		c.Run.SetRetcode(int(n))
	}
	if r, ok := data.Get("return"); ok {
		return r
	}
	return data
}

func copySelf(c *salt.Ctx, to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	in, err := c.Sys.Open(self)
	if err != nil {
		return fmt.Errorf("chroot: this program cannot be read: %w", err)
	}
	defer in.Close()
	mode := fs.FileMode(0o700)
	return c.Sys.Replace(to, sys.FileAttrs{Mode: &mode}, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}
