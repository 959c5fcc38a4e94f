package mount

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type fstabPresentArgs struct {
	Name      string `py:"name"`                 // the device, UUID=…, LABEL=…
	FsFile    string `py:"fs_file"`              // the mount point
	FsVfstype string `py:"fs_vfstype"`           // the type of the file system
	FsMntops  any    `py:"fs_mntops='defaults'"` // options: a list, or text with commas
	FsFreq    any    `py:"fs_freq=0"`            // whether dump(8) saves it
	FsPassno  any    `py:"fs_passno=0"`          // when fsck(8) checks it
	MountBy   any    `py:"mount_by=None"`        // name the device by its device, label, uuid, partlabel or partuuid
	Config    string `py:"config='/etc/fstab'"`  // the file
	Mount     bool   `py:"mount=True"`           // mount it when the line is new
	MatchOn   any    `py:"match_on='auto'"`      // the columns that tell which line is meant
	NotChange bool   `py:"not_change=False"`     // leave a line as it is that is there
	FsMount   any    `py:"fs_mount=True"`        // only for AIX
}

// fstabPresent makes sure that fstab(5) has a file system.
//
//	/dev/vdb1:
//	  mount.fstab_present:
//	    - fs_file: /srv
//	    - fs_vfstype: ext4
//	    - mount_by: uuid
func fstabPresent(c *salt.Ctx, a fstabPresentArgs) salt.Result {
	file := trimmed(a.FsFile)
	spec, err := convertTo(c, a.Name, a.MountBy)
	switch {
	case err != nil:
		return salt.Raised(err)
	case spec == "":
		return salt.Failed("Device %s cannot be converted to %s", a.Name, value.Str(a.MountBy))
	}
	answer, err := setFstab(c, setFstabArgs{file, spec, a.FsVfstype, a.FsMntops, a.FsFreq, a.FsPassno, a.Config, c.Test, a.MatchOn, a.NotChange, nil})
	if err != nil {
		return salt.Raised(err)
	}
	entry := file + " entry "
	switch {
	case c.Test && answer == "present":
		return salt.Correct("%sis already in %s.", entry, a.Config)
	case c.Test && answer == "new" && a.Mount:
		return salt.Would(nil, "%swill be written in %s.\nWill mount %s on %s", entry, a.Config, a.Name, file)
	case c.Test && answer == "new":
		return salt.Would(nil, "%swill be written in %s.", entry, a.Config)
	case c.Test:
		return salt.Would(nil, "%swill be updated in %s.", entry, a.Config)
	case answer == "present":
		return salt.Correct("%swas already in %s.", entry, a.Config)
	case answer == "change":
		return salt.Changed(value.M("persist", answer), "%supdated in %s.", entry, a.Config)
	}
	r := salt.Changed(value.M("persist", answer), "%sadded in %s.", entry, a.Config)
	if !a.Mount {
		return r
	}
	out, err := mount(c, mountArgs{Name: file, Opts: "defaults", Util: "mount"})
	if err != nil {
		return salt.Raised(err)
	}
	if text, ok := out.(string); ok {
		if _, tail, ok := strings.Cut(text, ":"); ok {
			text = tail
		}
		r.Result = salt.False()
		r.Comment += "\nError while mounting " + text
		return r
	}
	r.Comment += "\nMounted " + a.Name + " on " + file
	return r
}

// trimmed is a mount point without slashes at its end.
func trimmed(path string) string {
	if path == "/" {
		return path
	}
	return strings.TrimRight(path, "/")
}

type fstabAbsentArgs struct {
	Name    string `py:"name"`                // the device, UUID=…, LABEL=…
	FsFile  string `py:"fs_file"`             // the mount point
	MountBy any    `py:"mount_by=None"`       // name the device by its device, label, uuid, partlabel or partuuid
	Config  string `py:"config='/etc/fstab'"` // the file
}

// fstabAbsent makes sure that fstab(5) does not have a file system.
func fstabAbsent(c *salt.Ctx, a fstabAbsentArgs) salt.Result {
	file := trimmed(a.FsFile)
	spec, err := convertTo(c, a.Name, a.MountBy)
	if err != nil {
		return salt.Raised(err)
	}
	table, err := fstab(c, configArgs{a.Config})
	switch {
	case err != nil:
		return salt.Raised(err)
	case c.Test && !table.Has(file):
		return salt.Would(nil, "%s entry is already missing in %s.", file, a.Config)
	case c.Test:
		return salt.Would(nil, "%s entry will be removed from %s.", file, a.Config)
	case !table.Has(file):
		return salt.Correct("%s entry is already missing in %s.", file, a.Config)
	}
	var device any
	if spec != "" {
		device = spec
	}
	if _, err := rmFstab(c, rmFstabArgs{file, device, a.Config}); err != nil {
		return salt.Raised(err)
	}
	return salt.Changed(value.M("persist", "removed"), "%s entry removed from %s.", file, a.Config)
}
