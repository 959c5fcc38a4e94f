package user

import (
	"pinch/salt"
	"pinch/value"
)

type absentArgs struct {
	Name  string `py:"name"`        // the user
	Purge bool   `py:"purge=False"` // remove the home directory too
	Force bool   `py:"force=False"` // remove the user even when it is logged in
	Local bool   `py:"local=False"` // change the files of this machine, also where accounts come from the network
}

// absent makes sure that a user does not exist.
//
//	leaver:
//	  user.absent:
//	    - purge: True
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	var root any
	if a.Local {
		root = "/"
	}
	if _, ok := find(c, a.Name, root); !ok {
		return salt.Correct("User %s is not present", a.Name)
	}
	if c.Test {
		return salt.Would(nil, "User %s set for removal", a.Name)
	}
	before := groupsOf(c, a.Name)
	ok, err := delete_(c, deleteArgs{Name: a.Name, Remove: a.Purge, Force: a.Force, Local: a.Local})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Failed to remove user %s", a.Name)
	}
	changes := new(value.Map)
	for _, g := range before {
		if _, err := c.Sys.Group(g); err != nil {
			changes.Set(g+" group", "removed")
		}
	}
	changes.Set(a.Name, "removed")
	return salt.Changed(changes, "Removed user %s", a.Name)
}
