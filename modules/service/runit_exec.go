package service

import (
	"path/filepath"
	"slices"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type runitArgs struct {
	Name string `py:"name"` // the service
}

// fullRestart restarts a service of runit.
func fullRestart(c *salt.Ctx, a runitArgs) (bool, error) {
	r, err := only[runit](c, "full_restart")
	if err != nil {
		return false, err
	}
	return r.restart(a.Name, options{})
}

// statusAutostart says whether runit starts an enabled service by itself: its
// folder has no file called down.
func statusAutostart(c *salt.Ctx, a runitArgs) (bool, error) {
	r, err := only[runit](c, "status_autostart")
	if err != nil {
		return false, err
	}
	return r.autostart(a.Name)
}

func (r runit) autostart(name string) (bool, error) {
	path, err := r.path(name)
	return err == nil && !sys.Exists(r.c.Sys, filepath.Join(path, "down")), err
}

type globArgs struct {
	Name string `py:"name='*'"` // a glob
}

// getSvcBrokenPath lists what lies among runit's enabled services and is none.
func getSvcBrokenPath(c *salt.Ctx, a globArgs) ([]string, error) {
	r, err := only[runit](c, "get_svc_broken_path")
	if err != nil {
		return nil, err
	}
	dir, err := r.dir()
	if err != nil {
		return nil, err
	}
	broken := []string{}
	entries, _ := c.Sys.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if hidden := e.Name()[0] == '.' && a.Name[:min(1, len(a.Name))] != "."; !hidden && value.Fnmatch(e.Name(), a.Name) && !r.isService(path) {
			broken = append(broken, path)
		}
	}
	return broken, nil
}

// getSvcAvailPath lists the folders with services that runit can be told to run.
func getSvcAvailPath(c *salt.Ctx, _ salt.NoArgs) ([]string, error) {
	r, err := only[runit](c, "get_svc_avail_path")
	if err != nil {
		return nil, err
	}
	return slices.Clone(*r.avail()), nil
}

type pathArgs struct {
	Path string `py:"path"` // a folder of services
}

// addSvcAvailPath adds such a folder for the rest of the run.
func addSvcAvailPath(c *salt.Ctx, a pathArgs) (bool, error) {
	r, err := only[runit](c, "add_svc_avail_path")
	if err != nil || !sys.Exists(c.Sys, a.Path) {
		return false, err
	}
	if dirs := r.avail(); !slices.Contains(*dirs, a.Path) {
		*dirs = append(*dirs, a.Path)
	}
	return true, nil
}

// getSvcAlias maps services of runit to the links that are other names of them.
func getSvcAlias(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	r, err := only[runit](c, "get_svc_alias")
	if err != nil {
		return nil, err
	}
	return r.aliases(), nil
}

// show is what runit knows of a service.
func (r runit) show(name string) (*value.Map, error) {
	ret := value.M("enabled", false, "disabled", true, "running", false, "service_path", nil, "autostart", false, "command_path", nil)
	ok, err := r.available(name)
	ret.Set("available", ok)
	if err != nil || !ok {
		return ret, err
	}
	on, err := r.enabled(name, options{})
	if err != nil {
		return nil, err
	}
	runs, err := r.active(name)
	if err != nil {
		return nil, err
	}
	auto, err := r.autostart(name)
	if err != nil {
		return nil, err
	}
	paths, err := r.paths(name)
	if err != nil {
		return nil, err
	}
	ret.Set("enabled", on)
	ret.Set("disabled", !on)
	ret.Set("running", runs)
	ret.Set("autostart", auto)
	ret.Set("service_path", paths[0])
	ret.Set("command_path", filepath.Join(paths[0], "run"))
	return ret, nil
}

// remove stops a service of runit and takes its link away.
func remove(c *salt.Ctx, a runitArgs) (bool, error) {
	r, err := only[runit](c, "remove")
	if err != nil {
		return false, err
	}
	if on, err := r.enabled(a.Name, options{}); err != nil || !on {
		return false, err
	}
	path, err := r.path(a.Name)
	if err != nil {
		return false, err
	}
	if _, err := c.Sys.Readlink(path); err != nil {
		c.Log.Error(path + " is not a symlink: not removed")
		return false, nil
	}
	if ok, err := r.stop(a.Name, options{}); err != nil || !ok {
		c.Log.Error("Failed to stop service " + a.Name)
		return false, err
	}
	if err := c.Sys.Remove(path); err != nil {
		c.Log.Error("Unable to remove symlink " + path + ": " + err.Error())
		return false, nil
	}
	return true, nil
}
