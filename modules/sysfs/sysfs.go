// Package sysfs holds Salt's sysfs module: attributes of the kernel's objects
// below /sys. Its main variable is Module.
//
//	block/sda/queue/scheduler:
//	  sysfs.present:
//	    - value: none
package sysfs

import (
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's sysfs module.
var Module = salt.Module{
	Name: "sysfs",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"attr":       salt.Exec(attr),
			"interfaces": salt.Exec(interfaces),
			"read":       salt.Exec(read),
			"target":     salt.Exec(target),
			"write":      salt.Exec(write),
		}
	},
}

const root = "/sys"

// find is the real path of a key; ok is false when it is not there, or leads
// out of /sys.
func find(c *salt.Ctx, key string) (path string, ok bool) {
	if !strings.HasPrefix(key, root) {
		key = filepath.Join(root, key)
	}
	path, err := c.Sys.EvalSymlinks(key)
	if err != nil || path != root && !strings.HasPrefix(path, root+"/") {
		c.Log.Debug("Unknown SysFS key " + key)
		return "", false
	}
	return path, true
}

type attrArgs struct {
	Key   string `py:"key"`        // a path, below /sys
	Value any    `py:"value=None"` // a new value
}

// attr reads an attribute, or writes it when there is a value. It returns the
// path of a folder, and False for what is not there.
//
//	salt-call sysfs.attr block/sda/queue/logical_block_size
func attr(c *salt.Ctx, a attrArgs) (any, error) {
	path, ok := find(c, a.Key)
	switch {
	case !ok:
		return false, nil
	case sys.IsDir(c.Sys, path):
		return path, nil
	case a.Value != nil:
		return write(c, writeArgs(a))
	}
	return content(c, path), nil
}

type writeArgs struct {
	Key   string `py:"key"`   // a path, below /sys
	Value any    `py:"value"` // the new value
}

// write writes an attribute and reports whether that worked.
func write(c *salt.Ctx, a writeArgs) (bool, error) {
	path, ok := find(c, a.Key)
	if !ok {
		return false, nil
	}
	if _, err := c.Sys.WriteAt(path, []byte(value.Str(a.Value)+"\n"), 0); err != nil {
		c.Log.Debug("cannot write " + path + ": " + err.Error())
		return false, nil
	}
	return true, nil
}

type readArgs struct {
	Key  any    `py:"key"`     // a path below /sys, or a list of them
	Root string `py:"root=''"` // the folder that the paths are in
}

// read returns an attribute as a number where it is one, all attributes of a
// folder, or the attributes of a list. What is not there, is empty or cannot
// be read is False.
func read(c *salt.Ctx, a readArgs) (any, error) {
	l, ok := a.Key.(*value.List)
	if !ok {
		path, ok := find(c, filepath.Join(a.Root, value.Str(a.Key)))
		if !ok {
			return false, nil
		}
		if sys.IsDir(c.Sys, path) {
			return folder(c, path), nil
		}
		return content(c, path), nil
	}
	m := new(value.Map)
	for _, key := range l.Items {
		v, err := read(c, readArgs{key, a.Root})
		if err != nil {
			return nil, err
		}
		if v != false {
			m.SetKey(key, v)
		}
	}
	return m, nil
}

// folder are the attributes below a path, as nested maps.
func folder(c *salt.Ctx, path string) *value.Map {
	m := new(value.Map)
	var found kinds
	found.walk(c, path, "")
	for _, key := range append(found.r, found.rw...) {
		file, ok := find(c, filepath.Join(path, key))
		if !ok {
			continue
		}
		v := content(c, file)
		if v == false {
			continue
		}
		at, parts := m, strings.Split(key, "/")
		for _, part := range parts[:len(parts)-1] {
			sub := at.Map(part)
			if sub == nil {
				sub = new(value.Map)
				at.Set(part, sub)
			}
			at = sub
		}
		at.Set(parts[len(parts)-1], v)
	}
	return m
}

func content(c *salt.Ctx, path string) any {
	b, err := c.Sys.ReadFile(path)
	text := strings.TrimSpace(string(b))
	if err != nil || text == "" {
		return false
	}
	return number(text)
}

// number reads what Python's int() and float() read; anything else is text.
func number(text string) any {
	digits := strings.ReplaceAll(text, "_", "")
	if i, ok := new(big.Int).SetString(digits, 10); ok && !strings.HasPrefix(text, "_") && !strings.HasSuffix(text, "_") && !strings.Contains(text, "__") {
		return value.Int(i)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xXpP_") {
		return f
	}
	return text
}

type targetArgs struct {
	Key  string `py:"key"`       // a path, below /sys
	Full bool   `py:"full=True"` // the whole path; False: only its last part
}

// target returns the real path behind a link, False when it is not there.
//
//	salt-call sysfs.target class/tty/ttyS0
func target(c *salt.Ctx, a targetArgs) (any, error) {
	path, ok := find(c, a.Key)
	switch {
	case !ok:
		return false, nil
	case a.Full:
		return path, nil
	}
	return filepath.Base(path), nil
}

// kinds are attributes that can be read, written, or both.
type kinds struct{ r, w, rw []string }

func (k *kinds) walk(c *salt.Ctx, dir, prefix string) {
	entries, _ := c.Sys.ReadDir(dir)
	var dirs []os.DirEntry
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			dirs = append(dirs, e)
			continue
		}
		info, err := c.Sys.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		key := prefix + e.Name()
		switch info.Mode().Perm() & 0o600 {
		case 0o600:
			k.rw = append(k.rw, key)
		case 0o400:
			k.r = append(k.r, key)
		case 0o200:
			k.w = append(k.w, key)
		}
	}
	for _, e := range dirs {
		k.walk(c, filepath.Join(dir, e.Name()), prefix+e.Name()+"/")
	}
}

type interfacesArgs struct {
	Root string `py:"root"` // a folder, below /sys
}

// interfaces returns the attributes below a folder: r, w and rw are those that
// can be read, written, or both.
func interfaces(c *salt.Ctx, a interfacesArgs) (any, error) {
	path, ok := find(c, a.Root)
	if !ok || !sys.IsDir(c.Sys, path) {
		c.Log.Error("SysFS " + a.Root + " not a dir")
		return false, nil
	}
	var k kinds
	k.walk(c, path, "")
	return value.M("r", value.Strings(k.r), "w", value.Strings(k.w), "rw", value.Strings(k.rw)), nil
}

type presentArgs struct {
	Name   string `py:"name"`        // a path, below /sys
	Value  any    `py:"value"`       // the wanted value
	Config any    `py:"config=None"` // ignored
}

var outside = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`.*\[|\].*`) })

// present makes sure that an attribute has a value, until the next start. Of
// several choices, such as "none [mq-deadline]", the one in brackets counts.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	now, err := read(c, readArgs{Key: a.Name})
	if err != nil {
		return salt.Raised(err)
	}
	if now == false {
		return salt.Failed("SysFS attribute %s doesn't exist.", a.Name)
	}
	if _, ok := now.(*value.Map); ok {
		return salt.Failed("%s is not a SysFS attribute.", a.Name)
	}
	if s, ok := now.(string); ok {
		now = outside().ReplaceAllString(s, "")
	}
	switch {
	case value.Equal(a.Value, now):
		return salt.Correct("SysFS attribute %s is already set.", a.Name)
	case c.Test:
		return salt.Would(nil, "SysFS attribute %s set to be changed.", a.Name)
	}
	if ok, _ := write(c, writeArgs{a.Name, a.Value}); !ok {
		return salt.Failed("Failed to set %s to %s", a.Name, value.Str(a.Value))
	}
	return salt.Changed(value.M(a.Name, a.Value), "Updated SysFS attribute %s to %s", a.Name, value.Str(a.Value))
}
