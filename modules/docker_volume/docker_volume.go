// Package docker_volume holds Salt's docker_volume states: the volumes of a
// Docker daemon. Its main variable is Module.
//
//	cache:
//	  docker_volume.present:
//	    - driver: local
//	    - driver_opts:
//	      - type: tmpfs
//	      - device: tmpfs
package docker_volume

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's docker_volume module.
var Module = salt.Module{
	Name:    "docker_volume",
	Aliases: []string{"moby_volume"},
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
}

// find is what the daemon knows about a volume, nil without one.
func find(c *salt.Ctx, name string) (*value.Map, error) {
	v, err := c.Call("docker.volumes")
	m, _ := v.(*value.Map)
	if l := m.List("Volumes"); l != nil {
		for _, it := range l.Items {
			if v, ok := it.(*value.Map); ok && v.Str("Name") == name {
				return v, nil
			}
		}
	}
	return nil, err
}

type presentArgs struct {
	Name       string `py:"name"`             // the volume
	Driver     any    `py:"driver=None"`      // what keeps it; None: any, local for a new one
	DriverOpts any    `py:"driver_opts=None"` // options for the driver of a new volume: a map, or a list of maps
	Force      bool   `py:"force=False"`      // replace a volume of another driver, with what is in it
}

// present makes sure that there is a volume, and that it has this driver.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	now, err := find(c, a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	if now == nil {
		if c.Test {
			return salt.Would(nil, "The volume '%s' will be created", a.Name)
		}
		return a.create(c, new(value.Map))
	}
	if a.Driver == nil || value.Equal(now.At("Driver"), a.Driver) {
		return salt.Correct("Volume '%s' already exists.", a.Name)
	}
	if !a.Force {
		r := salt.Failed("Driver for existing volume '%s' ('%s') does not match specified driver ('%s') and force is False", a.Name, now.Str("Driver"), value.Str(a.Driver))
		if c.Test {
			r.Result = nil
		}
		return r
	}
	if c.Test {
		return salt.Would(nil, "The volume '%s' will be replaced with a new one using the driver '%s'", a.Name, value.Str(a.Driver))
	}
	changes := new(value.Map)
	gone, err := c.Call("docker.remove_volume", a.Name)
	if err != nil {
		return salt.Failed("Failed to remove volume '%s': %s", a.Name, err)
	}
	changes.Set("removed", gone)
	return a.create(c, changes)
}

func (a *presentArgs) create(c *salt.Ctx, changes *value.Map) salt.Result {
	v, err := c.CallKw("docker.create_volume", value.M("driver", a.Driver, "driver_opts", repacked(a.DriverOpts)), a.Name)
	if err != nil {
		r := salt.Failed("Failed to create volume '%s': %s", a.Name, err)
		r.Changes = changes
		return r
	}
	changes.Set("created", v)
	return salt.Changed(changes, "")
}

// repacked makes one map of a list of maps with a key each.
func repacked(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := new(value.Map)
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !ok || m.Len() != 1 {
			return v
		}
		out.Update(m)
	}
	return out
}

type absentArgs struct {
	Name   string `py:"name"`        // the volume
	Driver any    `py:"driver=None"` // not looked at, as in Salt
}

// absent makes sure that there is no such volume.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	now, err := find(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case now == nil:
		return salt.Correct("Volume '%s' already absent", a.Name)
	case c.Test:
		return salt.Would(nil, "The volume '%s' will be removed", a.Name)
	}
	gone, err := c.Call("docker.remove_volume", a.Name)
	if err != nil {
		return salt.Failed("Failed to remove volume '%s': %s", a.Name, err)
	}
	return salt.Changed(value.M("removed", gone), "")
}
