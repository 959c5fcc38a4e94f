package lvm

import (
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type lvPresentArgs struct {
	Name       string     `py:"name"`             // the logical volume
	Vgname     string     `py:"vgname=None"`      // its volume group, for a thin volume with /POOL behind it
	Size       any        `py:"size=None"`        // its size, such as 10G; without a unit in MB
	Extents    any        `py:"extents=None"`     // its size in extents, or such as 100%FREE: then a volume that is there is not resized
	Snapshot   any        `py:"snapshot=None"`    // the name of the snapshot to make of the volume
	Pv         any        `py:"pv=''"`            // the physical volume to use
	Thinvolume bool       `py:"thinvolume=False"` // a thin volume
	Thinpool   bool       `py:"thinpool=False"`   // a pool of thin volumes
	Force      bool       `py:"force=False"`      // ask nothing; also make a volume smaller
	Resizefs   bool       `py:"resizefs=False"`   // resize the file system too
	Kwargs     *value.Map `py:"**kwargs"`         // options of lvcreate(8), as in lvm.lvcreate
}

// megabytes reads a size.
func megabytes(size any) (float64, error) {
	text := strings.ToLower(value.Str(size))
	unit := "m"
	switch {
	case text == "":
	case strings.HasSuffix(text, "b") && len(text) > 1:
		unit, text = text[len(text)-2:len(text)-1], text[:len(text)-2]
	case text[len(text)-1] < '0' || text[len(text)-1] > '9':
		unit, text = text[len(text)-1:], text[:len(text)-1]
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, value.Errorf("ArgumentValueError", "Size %s is invalid.", value.Str(size))
	}
	switch unit {
	case "s":
		return n / 2048, nil
	case "m":
		return n, nil
	case "g":
		return n * (1 << 10), nil
	case "t":
		return n * (1 << 20), nil
	case "p":
		return n * (1 << 30), nil
	}
	return 0, value.Errorf("ArgumentValueError", "Unit %s is invalid.", unit)
}

// lvPresent makes sure that there is a logical volume of this size.
func lvPresent(c *salt.Ctx, a lvPresentArgs) salt.Result {
	name, size := a.Name, 0.0
	if value.Truth(a.Size) {
		if value.Truth(a.Extents) {
			return salt.Failed("Only one of extents or size can be specified.")
		}
		var err error
		if size, err = megabytes(a.Size); err != nil {
			return salt.Raised(err)
		}
	}
	var origin any
	if value.Truth(a.Snapshot) {
		name, origin = value.Str(a.Snapshot), a.Name
	}
	group := a.Vgname
	if a.Thinvolume {
		group, _, _ = strings.Cut(group, "/")
	}
	v := volume{c, a, name, "/dev/" + group + "/" + name}
	now, err := v.look()
	switch {
	case err != nil:
		return salt.Raised(err)
	case now != nil:
		return v.resized(now, size)
	case c.Test:
		return salt.Would(nil, "Logical Volume %s is set to be created", name)
	}
	made, err := lvcreate(c, lvcreateArgs{name, a.Vgname, a.Size, a.Extents, origin, a.Pv, a.Thinvolume, a.Thinpool, a.Force, a.Kwargs})
	if err != nil {
		return salt.Raised(err)
	}
	if now, err = v.look(); err != nil || now == nil {
		text := value.Str(made)
		if m, ok := made.(*value.Map); ok {
			text = m.Str("Output from lvcreate")
		}
		return salt.Failed("Failed to create Logical Volume %s. Error: %s", name, text)
	}
	return salt.Changed(value.M("created", made), "Created Logical Volume %s", name)
}

// A volume is what lv_present is about.
type volume struct {
	c          *salt.Ctx
	a          lvPresentArgs
	name, path string
}

// look is what LVM says about the volume, nil if it is not there.
func (v *volume) look() (*value.Map, error) {
	m, err := lvdisplay(v.c, lvdisplayArgs{v.path, true})
	return m.Map(v.path), err
}

// resized gives a volume that is there the size in MB, or the extents.
func (v *volume) resized(now *value.Map, size float64) salt.Result {
	r := salt.Correct("Logical Volume %s already present", v.name)
	bySize := value.Truth(v.a.Size)
	if !bySize && !value.Truth(v.a.Extents) {
		return r
	}
	oldExtents, err := strconv.ParseInt(now.Str("Current Logical Extents Associated"), 10, 64)
	if err != nil {
		return salt.Raised(salt.CommandError("lvdisplay: unexpected output: %s", value.Repr(now)))
	}
	oldSize, err := megabytes(now.Str("Logical Volume Size") + "s")
	if err != nil {
		return salt.Raised(err)
	}
	extents := oldExtents
	if !bySize {
		size = oldSize
		if text := value.Str(v.a.Extents); strings.Contains(text, "%") {
			r.Comment = "Logical Volume " + v.name + " already present, " + text + " won't be resized."
		} else if extents, err = strconv.ParseInt(text, 10, 64); err != nil {
			return salt.Failed("extents must be a number or a percentage: %s", text)
		}
	}
	switch {
	case !v.a.Force && (size < oldSize || extents < oldExtents):
		return salt.Failed("To reduce a Logical Volume option 'force' must be True.")
	case size == oldSize && extents == oldExtents:
		return r
	case v.c.Test:
		return salt.Would(nil, "Logical Volume %s is set to be resized", v.name)
	}
	args := lvresizeArgs{Lvpath: v.path, Extents: v.a.Extents, Force: v.a.Force, Resizefs: v.a.Resizefs}
	if bySize {
		args.Size, args.Extents = v.a.Size, nil
	}
	changes, err := lvresize(v.c, args)
	if err != nil {
		return salt.Raised(err)
	}
	if now, err = v.look(); err != nil {
		return salt.Raised(err)
	}
	if is, err := megabytes(now.Str("Logical Volume Size") + "s"); err != nil || is == oldSize {
		return salt.Failed("Failed to resize Logical Volume %s.\nError: %s", v.name, changes.Str("Output from lvresize"))
	}
	return salt.Changed(value.M("resized", changes), "Resized Logical Volume %s", v.name)
}

type lvAbsentArgs struct {
	Name   string `py:"name"`        // the logical volume
	Vgname string `py:"vgname=None"` // its volume group
}

// lvAbsent makes sure that there is no such logical volume. What is on it is
// lost.
func lvAbsent(c *salt.Ctx, a lvAbsentArgs) salt.Result {
	path := "/dev/" + a.Vgname + "/" + a.Name
	now, err := lvdisplay(c, lvdisplayArgs{path, true})
	switch {
	case err != nil:
		return salt.Raised(err)
	case now.Len() == 0:
		return salt.Correct("Logical Volume %s already absent", a.Name)
	case c.Test:
		return salt.Would(nil, "Logical Volume %s is set to be removed", a.Name)
	}
	gone, err := lvremove(c, lvremoveArgs{a.Name, a.Vgname, true})
	if err != nil {
		return salt.Raised(err)
	}
	if now, err = lvdisplay(c, lvdisplayArgs{path, true}); err != nil || now.Len() > 0 {
		return salt.Failed("Failed to remove Logical Volume %s", a.Name)
	}
	return salt.Changed(value.M("removed", gone), "Removed Logical Volume %s", a.Name)
}
