package disk

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type blkidArgs struct {
	Device any `py:"device=None"` // only this device
	Token  any `py:"token=None"`  // only devices like this: UUID=…, TYPE=ext4
}

// blkid returns what blkid(8) finds on block devices: UUID, LABEL, TYPE …
func blkid(c *salt.Ctx, a blkidArgs) (*value.Map, error) {
	if err := need(c, "blkid"); err != nil {
		return nil, err
	}
	argv := []string{"blkid"}
	if value.Truth(a.Device) {
		argv = append(argv, value.Str(a.Device))
	} else if value.Truth(a.Token) {
		argv = append(argv, "-t", value.Str(a.Token))
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: argv, Query: true})
	if err != nil || r.Code > 0 {
		return new(value.Map), err
	}
	return parseBlkid(string(r.Stdout)), nil
}

// parseBlkid reads lines such as /dev/sda1: UUID="…" TYPE="ext4".
func parseBlkid(text string) *value.Map {
	m := new(value.Map)
	for line := range strings.Lines(text) {
		device, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !strings.HasSuffix(device, ":") {
			continue
		}
		info := new(value.Map)
		for {
			key, tail, ok := strings.Cut(rest, `="`)
			if !ok {
				break
			}
			val, tail, ok := strings.Cut(tail, `"`)
			if !ok {
				break
			}
			info.Set(strings.TrimSpace(key), val)
			rest = tail
		}
		m.Set(strings.TrimSuffix(device, ":"), info)
	}
	return m
}

type tuneArgs struct {
	Device string     `py:"device"`   // a block device
	Kwargs *value.Map `py:"**kwargs"` // read-ahead, filesystem-read-ahead (sectors of 512 bytes), read-only, read-write (True)
}

// tune changes settings of a block device and returns those that were given.
//
//	salt-call disk.tune /dev/sda1 read-ahead=1024 read-write=True
func tune(c *salt.Ctx, a tuneArgs) (any, error) {
	argv, bad := []string{"blockdev"}, []string{}
	show := value.L()
	for key, v := range a.Kwargs.Items() {
		set := map[string]string{"read-ahead": "setra", "filesystem-read-ahead": "setfra", "read-only": "setro", "read-write": "setrw"}[key]
		only := set == "setro" || set == "setrw"
		switch {
		case strings.HasPrefix(key, "__"):
			continue
		case set == "" || only && v != true && v != "True":
			bad = append(bad, key+"="+value.Str(v))
			continue
		case set == "setrw":
			show.Append("getro")
		default:
			show.Append("get" + set[3:])
		}
		argv = append(argv, "--"+set)
		if !only {
			argv = append(argv, value.Str(v))
		}
	}
	if len(bad) > 0 {
		return nil, salt.InvocationError("Invalid keyword arguments: %s", strings.Join(bad, ", "))
	}
	_, stderr, code, err := run(c, append(argv, a.Device)...)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, salt.CommandError("%s", stderr)
	}
	return dump(c, dumpArgs{a.Device, show})
}

type deviceArgs struct {
	Device string `py:"device"` // a block device
}

// wipe removes the signatures of file systems from a device.
func wipe(c *salt.Ctx, a deviceArgs) (bool, error) {
	_, stderr, code, err := run(c, "wipefs", "-a", a.Device)
	if err == nil && code != 0 {
		c.Log.Error(fmt.Sprintf("Error wiping device %s: %s", a.Device, stderr))
	}
	return err == nil && code == 0, err
}

type dumpArgs struct {
	Device string `py:"device"`    // a block device
	Args   any    `py:"args=None"` // names of settings: getro, getsz, getra …; the default is all
}

// dump returns the settings of a block device, False when it is none.
func dump(c *salt.Ctx, a dumpArgs) (any, error) {
	names := []string{"getro", "getsz", "getss", "getpbsz", "getiomin", "getioopt", "getalignoff", "getmaxsect", "getsize", "getsize64", "getra", "getfra"}
	argv := []string{"blockdev"}
	for _, name := range names {
		argv = append(argv, "--"+name)
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: append(argv, a.Device), Query: true})
	if err != nil || r.Code != 0 {
		return false, err
	}
	m := new(value.Map)
	for i, word := range strings.Fields(string(r.Stdout)) {
		if i < len(names) {
			m.Set(names[i], word)
		}
	}
	l, ok := a.Args.(*value.List)
	if !ok || l.Len() == 0 {
		return m, nil
	}
	some := new(value.Map)
	for _, it := range l.Items {
		v, ok := m.GetKey(it)
		if !ok {
			return nil, value.Errorf("KeyError", "%s", value.Repr(it))
		}
		some.SetKey(it, v)
	}
	return some, nil
}

// resize2fs grows a file system of ext2 and its successors to the size of its
// device. It returns True, or None when that failed.
func resize2fs(c *salt.Ctx, a deviceArgs) (any, error) {
	_, _, code, err := run(c, "resize2fs", a.Device)
	if err == nil && code == 0 {
		return true, nil
	}
	return nil, err
}

type formatArgs struct {
	Device         string `py:"device"`                // a block device
	FsType         string `py:"fs_type='ext4'"`        // the type of the file system
	InodeSize      any    `py:"inode_size=None"`       // for ext and xfs
	LazyItableInit any    `py:"lazy_itable_init=None"` // for ext: 1 makes the tables of inodes later
	Fat            any    `py:"fat=None"`              // for fat: 12, 16 or 32
	Force          bool   `py:"force=False"`           // also when there is something on it
}

// format makes a file system on a device.
func format(c *salt.Ctx, a formatArgs) (bool, error) {
	for _, name := range []string{"sync", "mkfs"} {
		if err := need(c, name); err != nil {
			return false, err
		}
	}
	ext, xfs := strings.HasPrefix(a.FsType, "ext"), a.FsType == "xfs"
	argv := []string{"mkfs", "-t", a.FsType}
	if a.InodeSize != nil && ext {
		argv = append(argv, "-i", value.Str(a.InodeSize))
	} else if a.InodeSize != nil && xfs {
		argv = append(argv, "-i", "size="+value.Str(a.InodeSize))
	}
	if a.LazyItableInit != nil && ext {
		argv = append(argv, "-E", "lazy_itable_init="+value.Str(a.LazyItableInit))
	}
	if n := value.Str(a.Fat); strings.HasSuffix(a.FsType, "fat") && (n == "12" || n == "16" || n == "32") {
		argv = append(argv, "-F", n)
	}
	if a.Force && ext {
		argv = append(argv, "-F")
	} else if a.Force && xfs {
		argv = append(argv, "-f")
	}
	retcode := func(argv ...string) (bool, error) {
		v, err := c.CallKw("cmd.retcode", value.M("ignore_retcode", true, "python_shell", false), value.Strings(argv))
		return value.Equal(v, int64(0)), err
	}
	made, err := retcode(append(argv, a.Device)...)
	if err != nil {
		return false, err
	}
	synced, err := retcode("sync")
	return made && synced, err
}

// fstype returns the type of the file system on a device, or of the one that a
// path lies on; "" when there is none.
func fstype(c *salt.Ctx, a deviceArgs) (string, error) {
	info, err := c.Sys.Stat(a.Device)
	if err != nil {
		return "", nil
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", nil
	}
	if info.Mode().IsDir() || info.Mode().IsRegular() {
		return mountedType(c, number(uint64(st.Dev)))
	}
	// udev remembers what is on a device.
	if b, err := c.Sys.ReadFile("/run/udev/data/b" + number(uint64(st.Rdev))); err == nil {
		for line := range strings.Lines(string(b)) {
			if kind, ok := strings.CutPrefix(line, "E:ID_FS_TYPE="); ok {
				return strings.TrimSpace(kind), nil
			}
		}
	}
	if kind, err := mountedType(c, number(uint64(st.Rdev))); err != nil || kind != "" {
		return kind, err
	}
	if need(c, "lsblk") != nil {
		return "", nil
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"lsblk", "-n", "-d", "-o", "fstype", a.Device}, Query: true})
	return strings.TrimSpace(string(r.Stdout)), err
}

// number is a device number as the kernel writes it: 8:1.
func number(dev uint64) string {
	major, minor := dev>>8&0xfff|dev>>32&^0xfff, dev&0xff|dev>>12&^0xff
	return strconv.FormatUint(major, 10) + ":" + strconv.FormatUint(minor, 10)
}

// mountedType is the type of the mounted file system with a device number.
func mountedType(c *salt.Ctx, number string) (string, error) {
	b, err := c.Sys.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", salt.OSError(err)
	}
	for line := range strings.Lines(string(b)) {
		head, tail, _ := strings.Cut(line, " - ")
		if f, g := strings.Fields(head), strings.Fields(tail); len(f) > 2 && len(g) > 0 && f[2] == number {
			return g[0], nil
		}
	}
	return "", nil
}

type pathArgs struct {
	Path string `py:"path"` // a path
}

// getFstypeFromPath returns the type of the file system that a path lies on.
func getFstypeFromPath(c *salt.Ctx, a pathArgs) (string, error) {
	return fstype(c, deviceArgs{a.Path})
}
