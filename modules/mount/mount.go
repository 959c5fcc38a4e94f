// Package mount holds Salt's mount module: mounted file systems, swap and
// fstab(5). What is mounted is read from /proc; commands run only to change
// something. Its main variable is Module.
//
//	/mnt/data:
//	  mount.mounted:
//	    - device: UUID=066e0200-2867-4ebe-b9e6-f30026ca2314
//	    - fstype: xfs
//	    - opts: [noatime, nodev]
//	    - mkmnt: True
package mount

import "pinch/salt"

// Module is Salt's mount module.
var Module = salt.Module{
	Name: "mount",
	States: func() salt.Funcs {
		return salt.Funcs{
			"mounted":       salt.State(mounted),
			"unmounted":     salt.State(unmounted),
			"swap":          salt.State(swap),
			"fstab_present": salt.State(fstabPresent),
			"fstab_absent":  salt.State(fstabAbsent),
			"mod_watch":     watch,
		}
	},
	Watch: watch,
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"active":               salt.Exec(active),
			"automaster":           salt.Exec(automaster),
			"delete_mount_cache":   salt.Exec(deleteMountCache),
			"filesystems":          salt.Exec(filesystems),
			"fstab":                salt.Exec(fstab),
			"get_device_from_path": salt.Exec(getDeviceFromPath),
			"get_mount_from_path":  salt.Exec(getMountFromPath),
			"is_fuse_exec":         salt.Exec(isFuseExec),
			"is_mounted":           salt.Exec(isMounted),
			"mount":                salt.Exec(mount),
			"read_mount_cache":     salt.Exec(readMountCache),
			"remount":              salt.Exec(remount),
			"rm_automaster":        salt.Exec(rmAutomaster),
			"rm_filesystems":       salt.Exec(rmFilesystems),
			"rm_fstab":             salt.Exec(rmFstab),
			"rm_vfstab":            salt.Exec(rmVfstab),
			"set_automaster":       salt.Exec(setAutomaster),
			"set_filesystems":      salt.Exec(setFilesystems),
			"set_fstab":            salt.Exec(setFstab),
			"set_vfstab":           salt.Exec(setVfstab),
			"swapoff":              salt.Exec(swapoff),
			"swapon":               salt.Exec(swapon),
			"swaps":                salt.Exec(swaps),
			"umount":               salt.Exec(umount),
			"vfstab":               salt.Exec(vfstab),
			"write_mount_cache":    salt.Exec(writeMountCache),
		}
	},
}

var watch = salt.State(modWatch)
