// Package xfs holds Salt's xfs module: file systems of type XFS. Its main
// variable is Module.
//
//	salt-call xfs.mkfs /dev/vdb1 label=data dso='su=32k,sw=6'
package xfs

import (
	"errors"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's xfs module.
var Module = salt.Module{
	Name: "xfs",
	Virtual: func(c *salt.Ctx, _ string) error {
		if c.Grains.Str("kernel") != "Linux" {
			return errors.New("False")
		}
		return nil
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"defragment": salt.Exec(defragment),
			"devices":    salt.Exec(devices),
			"dump":       salt.Exec(dump),
			"estimate":   salt.Exec(estimate),
			"info":       salt.Exec(info),
			"inventory":  salt.Exec(inventory),
			"mkfs":       salt.Exec(mkfs),
			"modify":     salt.Exec(modify),
			"prune_dump": salt.Exec(pruneDump),
		}
	},
}

// run runs a command; what it complains about when it fails is the error.
func run(c *salt.Ctx, words ...string) (string, error) {
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), value.Strings(words))
	if err != nil {
		return "", err
	}
	m, _ := v.(*value.Map)
	if value.Truth(m.At("retcode")) && m.Str("stderr") != "" {
		return "", salt.CommandError("%s", m.Str("stderr"))
	}
	return m.Str("stdout"), nil
}

// query runs a command that only looks.
func query(c *salt.Ctx, words ...string) (out, errs string, failed bool, err error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: words, Query: true})
	return strings.TrimRight(string(r.Stdout), "\n"), strings.TrimRight(string(r.Stderr), "\n"), r.Code != 0, err
}

func looked(c *salt.Ctx, words ...string) (string, error) {
	out, errs, failed, err := query(c, words...)
	if err == nil && failed && errs != "" {
		err = salt.CommandError("%s", errs)
	}
	return out, err
}

type deviceArgs struct {
	Device string `py:"device"` // the device, or where it is mounted
}

// info returns the geometry of a file system by section: meta-data, data,
// naming, log, realtime.
func info(c *salt.Ctx, a deviceArgs) (*value.Map, error) {
	out, errs, _, err := query(c, "xfs_info", a.Device)
	if err != nil {
		return nil, err
	}
	if errs != "" {
		return nil, salt.CommandError("%s", strings.TrimSpace(strings.ReplaceAll(errs, "xfs_info:", "")))
	}
	return geometry(out)
}

// defragment gives the files of a mounted file system fewer pieces.
func defragment(c *salt.Ctx, a deviceArgs) (*value.Map, error) {
	if a.Device == "/" {
		return nil, salt.CommandError("Root is not a device.")
	}
	mounted, err := mounts(c)
	if err != nil {
		return nil, err
	}
	if !mounted.Has(a.Device) {
		return nil, salt.CommandError("Device \"%s\" is not mounted", a.Device)
	}
	out, err := run(c, "xfs_fsr", a.Device)
	return value.M("log", out), err
}

// devices returns the file systems of type XFS by device: UUID and label,
// where they are mounted and with which options.
func devices(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	out, err := looked(c, "blkid", "-o", "export")
	if err != nil {
		return nil, err
	}
	return described(c, out)
}

// mounts are the mounted file systems of type XFS, by device.
func mounts(c *salt.Ctx) (*value.Map, error) {
	b, err := c.Sys.ReadFile("/proc/mounts")
	if err != nil {
		return nil, salt.OSError(err)
	}
	m := new(value.Map)
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 6 && f[2] == "xfs" {
			m.Set(f[0], value.M("mount_point", f[1], "options", value.Strings(strings.Split(f[3], ","))))
		}
	}
	return m, nil
}

// described reads what blkid exports: blocks of KEY=value.
func described(c *salt.Ctx, out string) (*value.Map, error) {
	m := new(value.Map)
	for block := range strings.SplitSeq(out, "\n\n") {
		dev := new(value.Map)
		for line := range strings.SplitSeq(strings.TrimSpace(block), "\n") {
			if key, val, ok := strings.Cut(line, "="); ok {
				dev.Set(strings.ToLower(key), val)
			}
		}
		if t, _ := dev.Pop("type"); t == "xfs" {
			dev.Set("label", dev.At("label"))
			name, _ := dev.Pop("devname")
			m.Set(value.Str(name), dev)
		}
	}
	mounted, err := mounts(c)
	if err != nil {
		return nil, err
	}
	for name, it := range mounted.Items() {
		if dev := m.Map(name); dev.Len() > 0 {
			dev.Update(it.(*value.Map))
		}
	}
	return m, nil
}

type estimateArgs struct {
	Path string `py:"path"` // a folder
}

// estimate says how much room a folder would take in a file system of type
// XFS.
func estimate(c *salt.Ctx, a estimateArgs) (*value.Map, error) {
	if !sys.Exists(c.Sys, a.Path) {
		return nil, salt.CommandError("Path \"%s\" was not found.", a.Path)
	}
	out, err := looked(c, "xfs_estimate", "-v", a.Path)
	if err != nil {
		return nil, err
	}
	m := new(value.Map)
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if f := strings.Fields(line); i > 0 && len(f) == 5 {
			m.Set(f[0], value.M("block _size", f[1], "blocks", f[2], "megabytes", f[3], "logsize", f[4]))
		}
	}
	return m, nil
}

type mkfsArgs struct {
	Device  string `py:"device"`       // the device
	Label   any    `py:"label=None"`   // the label
	Ssize   any    `py:"ssize=None"`   // the size of sectors
	Noforce any    `py:"noforce=None"` // leave a device alone that has a file system
	Bso     any    `py:"bso=None"`     // options of blocks
	Gmo     any    `py:"gmo=None"`     // options of metadata
	Ino     any    `py:"ino=None"`     // options of inodes
	Lso     any    `py:"lso=None"`     // options of the log
	Rso     any    `py:"rso=None"`     // options of the realtime section
	Nmo     any    `py:"nmo=None"`     // options of names
	Dso     any    `py:"dso=None"`     // options of the data section
}

// mkfs makes a file system and returns its geometry. What is on the device is
// lost, unless noforce is set.
func mkfs(c *salt.Ctx, a mkfsArgs) (*value.Map, error) {
	words := []string{"mkfs.xfs"}
	if value.Truth(a.Label) {
		words = append(words, "-L", value.Str(a.Label))
	}
	if value.Truth(a.Ssize) {
		words = append(words, "-s", value.Str(a.Ssize))
	}
	for _, o := range []struct {
		flag string
		v    any
	}{{"-b", a.Bso}, {"-m", a.Gmo}, {"-n", a.Nmo}, {"-i", a.Ino}, {"-d", a.Dso}, {"-l", a.Lso}, {"-r", a.Rso}} {
		text, ok := o.v.(string)
		switch {
		case o.v == nil || o.v == "" || ok && !strings.Contains(text, "="):
			continue
		case !ok || !pairs(text):
			return nil, salt.CommandError("Wrong parameters \"%s\" for option \"%s\"", value.Str(o.v), o.flag)
		}
		words = append(words, o.flag, text)
	}
	if !value.Truth(a.Noforce) {
		words = append(words, "-f")
	}
	out, err := run(c, append(words, a.Device)...)
	if err != nil {
		return nil, err
	}
	return geometry(out)
}

// pairs reports whether a text is KEY=value,KEY=value.
func pairs(s string) bool {
	for p := range strings.SplitSeq(s, ",") {
		if strings.Count(p, "=") != 1 {
			return false
		}
	}
	return true
}

type modifyArgs struct {
	Device       string `py:"device"`             // the device
	Label        any    `py:"label=None"`         // the new label
	LazyCounting any    `py:"lazy_counting=None"` // turn lazy counters on or off
	UUID         any    `py:"uuid=None"`          // True: a new UUID, False: none
}

// modify changes a file system and returns what it is now.
func modify(c *salt.Ctx, a modifyArgs) (*value.Map, error) {
	if !value.Truth(a.Label) && a.LazyCounting == nil && a.UUID == nil {
		return nil, salt.CommandError("Nothing specified for modification for \"%s\" device", a.Device)
	}
	words := []string{"xfs_admin"}
	if value.Truth(a.Label) {
		words = append(words, "-L", value.Str(a.Label))
	}
	switch {
	case a.LazyCounting == false:
		words = append(words, "-c", "0")
	case value.Truth(a.LazyCounting):
		words = append(words, "-c", "1")
	}
	switch {
	case a.UUID == false:
		words = append(words, "-U", "nil")
	case value.Truth(a.UUID):
		words = append(words, "-U", "generate")
	}
	if _, err := run(c, append(words, a.Device)...); err != nil {
		return nil, err
	}
	out, err := looked(c, "blkid", "-o", "export", a.Device)
	if err != nil {
		return nil, err
	}
	return described(c, out)
}

// stamp is the label of a dump that was given none.
func stamp(device string, t time.Time) string {
	return strings.ReplaceAll("XFS dump for \""+device+"\" of "+t.Format("2006.01.02, 15:04"), "'", `"`)
}
