// Package blockdev holds Salt's blockdev states: settings of block devices and
// the file systems on them. Its main variable is Module.
//
//	/dev/vdb:
//	  blockdev.formatted:
//	    - fs_type: ext4
package blockdev

import (
	"os"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's blockdev module.
var Module = salt.Module{
	Name: "blockdev",
	States: func() salt.Funcs {
		return salt.Funcs{
			"tuned":     salt.State(tuned),
			"formatted": salt.State(formatted),
		}
	},
}

type tunedArgs struct {
	Name   string     `py:"name"`     // a block device
	Kwargs *value.Map `py:"**kwargs"` // read-ahead, filesystem-read-ahead (sectors of 512 bytes), read-only, read-write (True)
}

// tuned makes sure that a block device has settings, until the next start.
//
//	/dev/vg/master-data:
//	  blockdev.tuned:
//	    - read-only: True
//	    - read-ahead: 1024
func tuned(c *salt.Ctx, a tunedArgs) salt.Result {
	info, err := c.Sys.Stat(a.Name)
	switch {
	case err != nil || info.Mode()&os.ModeDevice == 0 || info.Mode()&os.ModeCharDevice != 0:
		return salt.Failed("Changes to %s cannot be applied. Not a block device.", a.Name)
	case c.Test:
		return salt.Would(nil, "Changes to %s will be applied ", a.Name)
	}
	v, err := c.Call("disk.dump", a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	before, _ := v.(*value.Map)
	if v, err = c.CallKw("disk.tune", a.Kwargs, a.Name); err != nil {
		return salt.Raised(err)
	}
	after, _ := v.(*value.Map)
	if after.Len() == 0 {
		return salt.Failed("Failed to modify block device %s", a.Name)
	}
	changes := new(value.Map)
	for key, want := range a.Kwargs.Items() {
		get := map[string]string{"read-ahead": "getra", "filesystem-read-ahead": "getfra", "read-only": "getro", "read-write": "getro"}[key]
		if get == "" || before.Str(get) == after.Str(get) {
			continue
		}
		was, is := before.At(get), after.At(get)
		if _, ok := want.(bool); ok {
			was, is = was == "1", is == "1"
		}
		if key == "read-write" {
			was, is = !value.Truth(was), !value.Truth(is)
		}
		changes.Set(key, "Changed from "+value.Str(was)+" to "+value.Str(is))
	}
	if changes.Len() == 0 {
		return salt.Correct("Block device %s already in correct state", a.Name)
	}
	return salt.Changed(changes, "Block device %s successfully modified ", a.Name)
}

type formattedArgs struct {
	Name   string     `py:"name"`           // a block device
	FsType string     `py:"fs_type='ext4'"` // the type of the file system
	Force  bool       `py:"force=False"`    // also when there is something on it
	Kwargs *value.Map `py:"**kwargs"`       // more arguments of disk.format: inode_size, lazy_itable_init, fat
}

// formatted makes sure that a device has a file system of a type. What was on
// it is lost.
func formatted(c *salt.Ctx, a formattedArgs) salt.Result {
	if !sys.Exists(c.Sys, a.Name) {
		return salt.Failed("%s does not exist", a.Name)
	}
	now, err := kind(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case now == a.FsType:
		return salt.Correct("%s already formatted with %s", a.Name, a.FsType)
	case c.Sys.LookPath("mkfs."+a.FsType) == "":
		return salt.Failed("Invalid fs_type: %s", a.FsType)
	case c.Test:
		return salt.Would(nil, "Changes to %s will be applied ", a.Name)
	}
	kw := new(value.Map)
	for key, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(key, "__") {
			kw.Set(key, v)
		}
	}
	kw.Set("force", a.Force)
	if _, err := c.CallKw("disk.format", kw, a.Name, a.FsType); err != nil {
		return salt.Raised(err)
	}
	for range 10 {
		is, err := kind(c, a.Name)
		switch {
		case err != nil:
			return salt.Raised(err)
		case is == a.FsType:
			return salt.Changed(value.M("new", a.FsType, "old", is), "%s has been formatted with %s", a.Name, a.FsType)
		case is != "":
			return salt.Failed("Failed to format %s", a.Name)
		}
		if err := c.Sys.Sleep(c, 3*time.Second); err != nil {
			return salt.Raised(err)
		}
	}
	return salt.Failed("Failed to format %s", a.Name)
}

// kind is the type of the file system that lies on a device: blkid(8) looks at
// the device itself, where udev's memory may be old.
func kind(c *salt.Ctx, device string) (string, error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"blkid", "-o", "value", "-s", "TYPE", device}, Query: true})
	return strings.TrimSpace(string(r.Stdout)), err
}
