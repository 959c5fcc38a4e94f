package lvm

import (
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

type vgcreateArgs struct {
	Vgname  any        `py:"vgname"`      // the volume group
	Devices any        `py:"devices"`     // its physical volumes: a list, or a text with commas
	Force   bool       `py:"force=False"` // answer yes to all questions
	Kwargs  *value.Map `py:"**kwargs"`    // options of vgcreate(8): addtag, alloc, autobackup, clustered, maxlogicalvolumes, maxphysicalvolumes, metadatatype, vgmetadatacopies, metadatacopies, physicalextentsize, zero
}

// outcome is what a command said, or the text for its success.
func outcome(r command.Answer, success string) string {
	if r.Code != 0 {
		return strings.TrimSpace(r.Err)
	}
	return success
}

const bothNeeded = "Error: vgname and device(s) are both required"

// vgcreate makes a volume group. It returns the group as lvm.vgdisplay does,
// with "Output from vgcreate".
func vgcreate(c *salt.Ctx, a vgcreateArgs) (any, error) {
	devices := list(a.Devices)
	if !value.Truth(a.Vgname) || len(devices) == 0 {
		return bothNeeded, nil
	}
	name := value.Str(a.Vgname)
	words := append([]string{"vgcreate", name}, devices...)
	words = append(words, answer(a.Force))
	words = append(words, options(a.Kwargs, "addtag alloc autobackup clustered maxlogicalvolumes maxphysicalvolumes metadatatype vgmetadatacopies metadatacopies physicalextentsize zero", "")...)
	r, err := command.Do(c, words...)
	if err != nil {
		return nil, err
	}
	m, err := vgdisplay(c, vgdisplayArgs{name, false})
	m.Set("Output from vgcreate", outcome(r, `Volume group "`+name+`" successfully created`))
	return m, err
}

type vgextendArgs struct {
	Vgname  any  `py:"vgname"`      // the volume group
	Devices any  `py:"devices"`     // more physical volumes: a list, or a text with commas
	Force   bool `py:"force=False"` // answer yes to all questions
}

// vgextend adds physical volumes to a group. It returns "Output from
// vgextend".
func vgextend(c *salt.Ctx, a vgextendArgs) (any, error) {
	devices := list(a.Devices)
	if !value.Truth(a.Vgname) || len(devices) == 0 {
		return bothNeeded, nil
	}
	name := value.Str(a.Vgname)
	r, err := command.Do(c, append([]string{"vgextend", name, answer(a.Force)}, devices...)...)
	return value.M("Output from vgextend", outcome(r, `Volume group "`+name+`" successfully extended`)), err
}

type vgremoveArgs struct {
	Vgname string `py:"vgname"`     // the volume group
	Force  bool   `py:"force=True"` // answer yes to all questions
}

// vgremove removes a volume group and returns what was said.
func vgremove(c *salt.Ctx, a vgremoveArgs) (string, error) {
	r, err := command.Do(c, "vgremove", a.Vgname, answer(a.Force))
	return outcome(r, `Volume group "`+a.Vgname+`" successfully removed`), err
}

type vgPresentArgs struct {
	Name    string     `py:"name"`         // the volume group
	Devices any        `py:"devices=None"` // its physical volumes: a list, or a text with commas
	Kwargs  *value.Map `py:"**kwargs"`     // force and options of vgcreate(8), as in lvm.vgcreate
}

// vgPresent makes sure that there is a volume group which has these physical
// volumes. Others stay in it.
func vgPresent(c *salt.Ctx, a vgPresentArgs) salt.Result {
	now, err := vgdisplay(c, vgdisplayArgs{a.Name, true})
	switch {
	case err != nil:
		return salt.Raised(err)
	case now.Len() > 0:
		return extended(c, a)
	case c.Test:
		return salt.Would(nil, "Volume Group %s is set to be created", a.Name)
	}
	made, err := vgcreate(c, vgcreateArgs{a.Name, a.Devices, a.Kwargs.Truth("force"), a.Kwargs})
	if err != nil {
		return salt.Raised(err)
	}
	if now, err = vgdisplay(c, vgdisplayArgs{a.Name, false}); err != nil || now.Len() == 0 {
		return salt.Failed("Failed to create Volume Group %s", a.Name)
	}
	return salt.Changed(value.M("created", made), "Created Volume Group %s", a.Name)
}

// groupOf is the group that a device belongs to.
func groupOf(c *salt.Ctx, device string) (group string, isVolume bool, err error) {
	path := real(c, device)
	m, err := pvdisplay(c, pvdisplayArgs{path, true, false})
	return m.Map(path).Str("Volume Group Name"), m.Map(path) != nil, err
}

// extended adds the devices that a group lacks.
func extended(c *salt.Ctx, a vgPresentArgs) salt.Result {
	r := salt.Correct("Volume Group %s already present", a.Name)
	say := func(text string, ok bool) {
		r.Comment += "\n" + text
		if !ok {
			r.Result = salt.False()
		}
	}
	for _, device := range list(a.Devices) {
		group, is, err := groupOf(c, device)
		switch {
		case err != nil:
			return salt.Raised(err)
		case !is:
			say("pv "+device+" is not present", false)
			continue
		case group == a.Name:
			say(device+" is part of Volume Group", true)
			continue
		case group != "" && group != "#orphans_lvm2":
			say(device+" is part of "+group, false)
			continue
		case c.Test:
			say(device+" is set to be added", true)
			if r.OK() {
				r.Result = nil
			}
			continue
		}
		if _, err := vgextend(c, vgextendArgs{a.Name, device, false}); err != nil {
			return salt.Raised(err)
		}
		if group, _, err = groupOf(c, device); err != nil {
			return salt.Raised(err)
		}
		if group == a.Name {
			r.Changes.Set(device, "added to "+a.Name)
		} else {
			say(device+" could not be added", false)
		}
	}
	return r
}

// vgAbsent makes sure that there is no such volume group.
func vgAbsent(c *salt.Ctx, a nameArgs) salt.Result {
	now, err := vgdisplay(c, vgdisplayArgs{a.Name, true})
	switch {
	case err != nil:
		return salt.Raised(err)
	case now.Len() == 0:
		return salt.Correct("Volume Group %s already absent", a.Name)
	case c.Test:
		return salt.Would(nil, "Volume Group %s is set to be removed", a.Name)
	}
	gone, err := vgremove(c, vgremoveArgs{a.Name, true})
	if err != nil {
		return salt.Raised(err)
	}
	if now, err = vgdisplay(c, vgdisplayArgs{a.Name, true}); err != nil || now.Len() > 0 {
		return salt.Failed("Failed to remove Volume Group %s", a.Name)
	}
	return salt.Changed(value.M("removed", gone), "Removed Volume Group %s", a.Name)
}
