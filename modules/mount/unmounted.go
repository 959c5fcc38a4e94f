package mount

import (
	"pinch/salt"
	"pinch/value"
)

type unmountedArgs struct {
	Name    string     `py:"name"`                // the mount point
	Device  any        `py:"device=None"`         // the device; a line of fstab(5) for another one stays
	Config  string     `py:"config='/etc/fstab'"` // the file to remove it from
	Persist bool       `py:"persist=False"`       // remove it from that file
	User    any        `py:"user=None"`           // the user who unmounts
	Kwargs  *value.Map `py:"**kwargs"`            // ignored
}

// unmounted makes sure that nothing is mounted at a path.
func unmounted(c *salt.Ctx, a unmountedArgs) salt.Result {
	if a.Name == "" {
		return salt.Failed("Must provide name to mount.unmounted")
	}
	t, err := mounts(c, true)
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Correct("Target was already unmounted")
	if t.at(a.Name) != nil {
		if c.Test {
			return salt.Would(nil, "Mount point %s is mounted but should not be", a.Name)
		}
		var device any
		if value.Truth(a.Device) {
			device = a.Device
		}
		out, err := umount(c, umountArgs{Name: a.Name, Device: device, User: a.User})
		if err != nil {
			return salt.Raised(err)
		}
		if text, ok := out.(string); ok {
			r = salt.Failed("%s", text)
		} else {
			r = salt.Changed(value.M("umount", true), "Target was successfully unmounted")
		}
		if _, err := deleteMountCache(c, deleteMountCacheArgs{a.Name}); err != nil {
			return salt.Raised(err)
		}
	}
	if !a.Persist {
		return r
	}
	return a.purge(c, r)
}

// purge removes the mount point from fstab(5).
func (a *unmountedArgs) purge(c *salt.Ctx, r salt.Result) salt.Result {
	table, err := fstab(c, configArgs{a.Config})
	if err != nil {
		return salt.Raised(err)
	}
	e := table.Map(a.Name)
	switch {
	case e == nil:
		r.Comment += ". fstab entry not found"
		return r
	case value.Truth(a.Device) && e.At("device") != a.Device:
		r.Comment += ". fstab entry for device " + value.Str(a.Device) + " not found"
		return r
	case c.Test:
		return salt.Would(nil, "Mount point %s is unmounted but needs to be purged from %s to be made persistent", a.Name, a.Config)
	}
	if _, err := rmFstab(c, rmFstabArgs{a.Name, a.Device, a.Config}); err != nil {
		return salt.Raised(err)
	}
	r.Comment += ". Removed target from fstab"
	changes := r.Changes.Shallow()
	changes.Set("persist", "purged")
	r.Changes = changes
	return r
}

type watchArgs struct {
	Name   string     `py:"name"`      // the mount point
	User   any        `py:"user=None"` // the user who mounts
	Kwargs *value.Map `py:"**kwargs"`  // the arguments of the state
}

// modWatch mounts again what is mounted, when something it watches changed.
func modWatch(c *salt.Ctx, a watchArgs) salt.Result {
	kw := a.Kwargs
	if kw.Str("sfun") != "mounted" {
		return salt.Correct("Watch not supported in %s at this time", kw.Str("sfun"))
	}
	if c.Test {
		return salt.Would(nil, "%s would be remounted", a.Name)
	}
	opts, ok := kw.Get("opts")
	if !ok {
		opts = "defaults"
	}
	out, err := remount(c, remountArgs{a.Name, kw.At("device"), false, kw.Str("fstype"), opts, a.User})
	switch {
	case err != nil:
		return salt.Raised(err)
	case out != true:
		return salt.Failed("%s failed to remount: %s", a.Name, value.Str(out))
	}
	return salt.Correct("%s remounted", a.Name)
}
