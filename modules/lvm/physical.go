package lvm

import (
	"pinch/command"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type pvcreateArgs struct {
	Devices  any        `py:"devices"`       // a list, or a text with commas
	Override bool       `py:"override=True"` // leave those alone that are volumes already, instead of an error
	Force    bool       `py:"force=True"`    // answer yes to all questions
	Kwargs   *value.Map `py:"**kwargs"`      // options of pvcreate(8): metadatasize, dataalignment, dataalignmentoffset, pvmetadatacopies, metadatacopies, metadataignore, restorefile, norestorefile, labelsector, setphysicalvolumesize
}

// isVolume reports whether a device is a physical volume.
func isVolume(c *salt.Ctx, device string) (bool, error) {
	m, err := pvdisplay(c, pvdisplayArgs{device, false, true})
	return m.Len() > 0, err
}

// pvcreate makes physical volumes. It returns True, or what went wrong.
func pvcreate(c *salt.Ctx, a pvcreateArgs) (any, error) {
	devices := list(a.Devices)
	if len(devices) == 0 {
		return "Error: at least one device is required", nil
	}
	words := []string{"pvcreate", answer(a.Force)}
	for _, device := range devices {
		if !sys.Exists(c.Sys, device) {
			return device + " does not exist", nil
		}
		is, err := isVolume(c, device)
		switch {
		case err != nil:
			return nil, err
		case !is:
			words = append(words, device)
		case !a.Override:
			return `Device "` + device + `" is already an LVM physical volume.`, nil
		}
	}
	if len(words) == 2 {
		return true, nil
	}
	words = append(words, options(a.Kwargs, "metadatasize dataalignment dataalignmentoffset pvmetadatacopies metadatacopies metadataignore restorefile labelsector setphysicalvolumesize", "norestorefile")...)
	r, err := command.Do(c, words...)
	if err != nil || r.Code != 0 {
		return r.Err, err
	}
	return affected(c, devices, true)
}

// affected checks that devices are volumes now, or are none.
func affected(c *salt.Ctx, devices []string, want bool) (any, error) {
	for _, device := range devices {
		is, err := isVolume(c, device)
		if err != nil || is != want {
			return `Device "` + device + `" was not affected.`, err
		}
	}
	return true, nil
}

type pvArgs struct {
	Devices  any  `py:"devices"`       // a list, or a text with commas
	Override bool `py:"override=True"` // leave those alone that are no volumes, instead of an error
	Force    bool `py:"force=True"`    // answer yes to all questions
}

// on runs a command on the devices that are volumes.
func (a *pvArgs) on(c *salt.Ctx, tool string) (done bool, text any, err error) {
	words := []string{tool, answer(a.Force)}
	for _, device := range list(a.Devices) {
		is, err := isVolume(c, device)
		switch {
		case err != nil:
			return false, nil, err
		case is:
			words = append(words, device)
		case !a.Override:
			return false, device + " is not a physical volume", nil
		}
	}
	if len(words) == 2 {
		return false, true, nil
	}
	r, err := command.Do(c, words...)
	if err != nil || r.Code != 0 {
		return false, r.Err, err
	}
	return true, true, nil
}

// pvremove removes physical volumes. It returns True, or what went wrong.
func pvremove(c *salt.Ctx, a pvArgs) (any, error) {
	done, text, err := a.on(c, "pvremove")
	if err != nil || !done {
		return text, err
	}
	return affected(c, list(a.Devices), false)
}

// pvresize gives physical volumes the size of their devices. It returns True,
// or what went wrong.
func pvresize(c *salt.Ctx, a pvArgs) (any, error) {
	_, text, err := a.on(c, "pvresize")
	return text, err
}

type pvPresentArgs struct {
	Name   string     `py:"name"`     // the device
	Kwargs *value.Map `py:"**kwargs"` // override, force and options of pvcreate(8), as in lvm.pvcreate
}

// pvPresent makes sure that a device is a physical volume.
func pvPresent(c *salt.Ctx, a pvPresentArgs) salt.Result {
	is, err := isVolume(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case is:
		return salt.Correct("Physical Volume %s already present", a.Name)
	case c.Test:
		return salt.Would(nil, "Physical Volume %s is set to be created", a.Name)
	}
	args := pvcreateArgs{a.Name, true, true, a.Kwargs}
	for key, field := range map[string]*bool{"override": &args.Override, "force": &args.Force} {
		if v, ok := a.Kwargs.Get(key); ok {
			*field = value.Truth(v)
		}
	}
	made, err := pvcreate(c, args)
	if err != nil {
		return salt.Raised(err)
	}
	if is, err = isVolume(c, a.Name); err != nil || !is {
		return salt.Failed("Failed to create Physical Volume %s", a.Name)
	}
	return salt.Changed(value.M("created", made), "Created Physical Volume %s", a.Name)
}

type nameArgs struct {
	Name string `py:"name"` // the device of a physical volume, the name of a volume group
}

// pvAbsent makes sure that a device is no physical volume.
func pvAbsent(c *salt.Ctx, a nameArgs) salt.Result {
	is, err := isVolume(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !is:
		return salt.Correct("Physical Volume %s does not exist", a.Name)
	case c.Test:
		return salt.Would(nil, "Physical Volume %s is set to be removed", a.Name)
	}
	gone, err := pvremove(c, pvArgs{a.Name, true, true})
	if err != nil {
		return salt.Raised(err)
	}
	if is, err = isVolume(c, a.Name); err != nil || is {
		return salt.Failed("Failed to remove Physical Volume %s", a.Name)
	}
	return salt.Changed(value.M("removed", gone), "Removed Physical Volume %s", a.Name)
}
