package file

import (
	"pinch/salt"
	"pinch/value"
)

type beaconArgs struct {
	Name   string     `py:"name"`     // the path to watch
	Kwargs *value.Map `py:"**kwargs"` // sfun: the state's function; beacon, beacon_data: what the state asks for
}

// modBeacon sets up an inotify beacon for the path of a file.managed or
// file.directory that has beacon: True. The engine calls it.
func modBeacon(c *salt.Ctx, a beaconArgs) salt.Result {
	fun := a.Kwargs.Str("sfun")
	if fun != "managed" && fun != "directory" {
		return salt.Failed("file.%s does not work with the beacon state function", orText(fun, "None"))
	}
	if !a.Kwargs.Truth("beacon") {
		return salt.Correct("Not adding beacon.")
	}
	given := a.Kwargs.Map("beacon_data")
	or := func(key string, def any) any {
		if v, ok := given.Get(key); ok {
			return v
		}
		return def
	}
	data := value.M("mask", or("mask", value.L("create", "delete", "modify")))
	if fun == "directory" {
		data.Set("auto_add", or("auto_add", true))
		data.Set("recurse", or("recurse", true))
		data.Set("exclude", or("exclude", value.L()))
	}
	r, err := c.CallState(c, "beacon.present", value.M("name", "beacon_inotify_"+a.Name, "files", value.M(a.Name, data),
		"interval", or("interval", int64(60)), "coalesce", or("coalesce", false), "beacon_module", "inotify"))
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	return r
}

type shortcutArgs struct {
	Name        string     `py:"name"`               // the shortcut
	Target      string     `py:"target"`             // what it opens
	Arguments   any        `py:"arguments=None"`     // with what arguments
	WorkingDir  any        `py:"working_dir=None"`   // in what folder
	Description any        `py:"description=None"`   // a text
	Icon        any        `py:"icon_location=None"` // where the icon lies
	Force       bool       `py:"force=False"`        // replaces what is in the way
	Backup      any        `py:"backupname=None"`    // what is in the way is moved there
	Makedirs    bool       `py:"makedirs=False"`     // makes the missing folders above
	User        any        `py:"user=None"`          // the owner
	Kwargs      *value.Map `py:"**kwargs"`           // Salt takes and ignores any other
}

// shortcut exists on Windows only, and fails elsewhere.
func shortcut(*salt.Ctx, shortcutArgs) salt.Result {
	return salt.Failed("Shortcuts are only supported on Windows")
}
