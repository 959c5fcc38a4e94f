package mount

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type mountArgs struct {
	Name   string `py:"name"`            // the mount point
	Device any    `py:"device=False"`    // the device; False mounts what fstab(5) says
	Mkmnt  bool   `py:"mkmnt=False"`     // make the mount point
	Fstype string `py:"fstype=''"`       // the type of the file system
	Opts   any    `py:"opts='defaults'"` // options: a list, or text with commas
	User   any    `py:"user=None"`       // the user who mounts
	Util   string `py:"util='mount'"`    // mount; other tools are not supported and give False
}

// mount mounts a file system. It returns True, or what mount(8) said.
//
//	salt-call mount.mount /mnt/data /dev/sdb1 True fstype=ext4
func mount(c *salt.Ctx, a mountArgs) (any, error) {
	if a.Util != "mount" {
		return false, nil
	}
	if a.Mkmnt && !sys.Exists(c.Sys, a.Name) {
		if err := mkdir(c, a.Name, a.User); err != nil {
			return nil, err
		}
	}
	return command(c, a.User, argv(a.Name, a.Device, a.Fstype, options(a.Opts))...)
}

func mkdir(c *salt.Ctx, name string, user any) error {
	_, err := c.CallKw("file.mkdir", value.M("user", user), name)
	return err
}

func argv(name string, device any, fstype string, opts []string) []string {
	if !value.Truth(device) {
		return []string{"mount", name}
	}
	argv := []string{"mount"}
	if o := strings.Join(opts, ","); o != "" {
		argv = append(argv, "-o", o)
	}
	if fstype != "" {
		argv = append(argv, "-t", fstype)
	}
	return append(argv, value.Str(device), name)
}

// command runs a command that changes what is mounted: True, or what it said.
func command(c *salt.Ctx, user any, argv ...string) (any, error) {
	v, err := c.CallKw("cmd.run_all", value.M("runas", user, "python_shell", false), value.Strings(argv))
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	if value.Truth(m.At("retcode")) {
		return m.Str("stderr"), nil
	}
	return true, nil
}

type remountArgs struct {
	Name   string `py:"name"`            // the mount point
	Device any    `py:"device"`          // the device
	Mkmnt  bool   `py:"mkmnt=False"`     // make the mount point
	Fstype string `py:"fstype=''"`       // the type of the file system
	Opts   any    `py:"opts='defaults'"` // options: a list, or text with commas
	User   any    `py:"user=None"`       // the user who mounts
}

// remount gives a mounted file system other options, or mounts it. It returns
// True, or what mount(8) said.
func remount(c *salt.Ctx, a remountArgs) (any, error) {
	t, err := mounts(c, false)
	if err != nil {
		return nil, err
	}
	if t.at(a.Name) == nil {
		return mount(c, mountArgs{a.Name, a.Device, a.Mkmnt, a.Fstype, a.Opts, a.User, "mount"})
	}
	opts := options(a.Opts)
	if !slices.Contains(opts, "remount") {
		opts = append(opts, "remount")
	}
	return command(c, a.User, argv(a.Name, a.Device, a.Fstype, opts)...)
}

type umountArgs struct {
	Name   string `py:"name"`         // the mount point
	Device any    `py:"device=None"`  // the device, to be unmounted instead
	User   any    `py:"user=None"`    // the user who unmounts
	Util   string `py:"util='mount'"` // mount
	Lazy   bool   `py:"lazy=False"`   // take it out of sight at once, and free it when it is no longer used
}

// umount unmounts a file system. It returns True, or what umount(8) said.
func umount(c *salt.Ctx, a umountArgs) (any, error) {
	t, err := mounts(c, false)
	if err != nil {
		return nil, err
	}
	if t.at(a.Name) == nil {
		return a.Name + " does not have anything mounted", nil
	}
	argv := []string{"umount"}
	if a.Lazy {
		argv = append(argv, "-l")
	}
	target := a.Name
	if value.Truth(a.Device) {
		target = value.Str(a.Device)
	}
	return command(c, a.User, append(argv, target)...)
}
