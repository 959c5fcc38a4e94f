package mount

import (
	"fmt"

	"pinch/salt"
	"pinch/value"
)

// vfstabFormat is that of Solaris.
var vfstabFormat = format{
	keys: []string{"device", "device_fsck", "name", "fstype", "pass_fsck", "mount_at_boot", "opts"},
	min:  7,
	line: func(e entry) string {
		return fmt.Sprintf("%-11s %-3s %-19s %-8s %-3s %-6s %s\n", e["device"], e["device_fsck"], e["name"], e["fstype"], e["pass_fsck"], e["mount_at_boot"], e["opts"])
	},
	special: []string{"devfs", "proc", "ctfs", "objfs", "sharefs", "fs", "tmpfs"},
}

type vfstabArgs struct {
	Config string `py:"config='/etc/vfstab'"` // the file
}

// vfstab is mount.fstab of another file.
func vfstab(c *salt.Ctx, a vfstabArgs) (*value.Map, error) { return fstab(c, configArgs(a)) }

type rmVfstabArgs struct {
	Name   any    `py:"name"`                 // the mount point
	Device any    `py:"device"`               // the device, or None for any
	Config string `py:"config='/etc/vfstab'"` // the file
}

// rmVfstab is mount.rm_fstab of another file.
func rmVfstab(c *salt.Ctx, a rmVfstabArgs) (bool, error) { return rmFstab(c, rmFstabArgs(a)) }

type setVfstabArgs struct {
	Name        string     `py:"name"`                 // the mount point
	Device      string     `py:"device"`               // the device
	Fstype      string     `py:"fstype"`               // the type of the file system
	Opts        any        `py:"opts='-'"`             // options: a list, or text with commas
	DeviceFsck  string     `py:"device_fsck='-'"`      // the device for fsck(8)
	PassFsck    string     `py:"pass_fsck='-'"`        // when fsck(8) checks it
	MountAtBoot any        `py:"mount_at_boot='yes'"`  // anything but yes is no
	Config      string     `py:"config='/etc/vfstab'"` // the file
	Test        bool       `py:"test=False"`           // only say what would be done
	MatchOn     any        `py:"match_on='auto'"`      // the columns that tell which line is meant
	NotChange   bool       `py:"not_change=False"`     // leave a line as it is that is there
	Kwargs      *value.Map `py:"**kwargs"`             // ignored
}

// setVfstab makes sure that a file in the format of Solaris has a file
// system. It returns present, new or change.
func setVfstab(c *salt.Ctx, a setVfstabArgs) (string, error) {
	boot := "no"
	if a.MountAtBoot == "yes" {
		boot = "yes"
	}
	e := entry{"name": a.Name, "device": a.Device, "fstype": a.Fstype, "opts": joined(a.Opts), "device_fsck": a.DeviceFsck, "pass_fsck": a.PassFsck, "mount_at_boot": boot}
	return vfstabFormat.set(c, e, a.Config, a.MatchOn, a.Test || a.Kwargs.Truth("test"), a.NotChange)
}

type filesystemsArgs struct {
	Config string `py:"config='/etc/filesystems'"` // the file
}

// filesystems returns the file systems of AIX: none here.
func filesystems(*salt.Ctx, filesystemsArgs) (*value.Map, error) { return new(value.Map), nil }

type setFilesystemsArgs struct {
	Name      string     `py:"name"`                      // the mount point
	Device    string     `py:"device"`                    // the device
	Vfstype   string     `py:"vfstype"`                   // the type of the file system
	Opts      any        `py:"opts='-'"`                  // options
	Mount     any        `py:"mount='true'"`              // whether it is mounted at the start
	Config    string     `py:"config='/etc/filesystems'"` // the file
	Test      bool       `py:"test=False"`                // only say what would be done
	MatchOn   any        `py:"match_on='auto'"`           // the keys that tell which entry is meant
	NotChange bool       `py:"not_change=False"`          // leave an entry as it is that is there
	Kwargs    *value.Map `py:"**kwargs"`                  // further keys
}

// setFilesystems does nothing, and returns None, on machines other than AIX.
func setFilesystems(*salt.Ctx, setFilesystemsArgs) (any, error) { return nil, nil }

type rmFilesystemsArgs struct {
	Name   string `py:"name"`                      // the mount point
	Device string `py:"device"`                    // the device
	Config string `py:"config='/etc/filesystems'"` // the file
}

// rmFilesystems does nothing, and returns False, on machines other than AIX.
func rmFilesystems(*salt.Ctx, rmFilesystemsArgs) (bool, error) { return false, nil }
