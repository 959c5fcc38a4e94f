// Package temp holds Salt's temp module: it makes temporary files and folders.
// Its main variable is Module.
//
//	{% set work = salt['temp.dir'](prefix='build') %}
package temp

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
)

// Module is Salt's temp module.
var Module = salt.Module{
	Name: "temp",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"dir":  salt.Exec(dir),
			"file": salt.Exec(file),
		}
	},
}

type tempArgs struct {
	Suffix string  `py:"suffix=''"`    // the end of the name
	Prefix string  `py:"prefix='tmp'"` // the beginning of the name
	Parent *string `py:"parent=None"`  // the folder to make it in, $TMPDIR or /tmp by default
}

// name is a path that is not taken, as Python's tempfile names them.
func (a tempArgs) name() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789_"
	var b [8]byte
	rand.Read(b[:])
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	parent := os.TempDir()
	if a.Parent != nil && *a.Parent != "" {
		parent = *a.Parent
	}
	return filepath.Join(parent, a.Prefix+string(b[:])+a.Suffix)
}

// dir makes a folder that only the user can read and returns its path.
func dir(c *salt.Ctx, a tempArgs) (string, error) {
	for {
		path := a.name()
		err := c.Sys.Mkdir(path, 0o700)
		if !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// file makes an empty file that only the user can read and returns its path.
//
//	{% set conf = salt['temp.file'](suffix='.conf') %}
func file(c *salt.Ctx, a tempArgs) (string, error) {
	path := a.name()
	for sys.LExists(c.Sys, path) {
		path = a.name()
	}
	mode := fs.FileMode(0o600)
	return path, c.Sys.Replace(path, sys.FileAttrs{Mode: &mode}, func(io.Writer) error { return nil })
}
