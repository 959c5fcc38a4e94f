package service

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// runit is the manager of machines whose first process is runit.
//
// A service is a folder with a program called run. Those in the folder that
// runsvdir watches (serviceDirs) are enabled, mostly links to the folders with
// all services (availDirs). Whether one runs is read from the status file of
// its supervisor (see supervised); sv is started for changes.
type runit struct{ c *salt.Ctx }

var serviceDirs = []string{"/service", "/var/service", "/etc/service"}

func onRunit(c *salt.Ctx) bool {
	return c.Grains.Str("init") == "runit" || c.Grains.Str("os") == "Void" && c.Sys.LookPath("sv") != ""
}

type availKey struct{}

// avail are the folders with services to choose from, which
// service.add_svc_avail_path extends for the rest of the run.
func (r runit) avail() *[]string {
	dirs, _ := salt.Once(r.c.Run, availKey{}, func() (*[]string, error) {
		if sys.IsDir(r.c.Sys, "/etc/sv") {
			return &[]string{"/etc/sv"}, nil
		}
		return new([]string), nil
	})
	return dirs
}

// dir is the folder of the enabled services.
func (r runit) dir() (string, error) {
	for _, d := range serviceDirs {
		if sys.Exists(r.c.Sys, d) {
			return d, nil
		}
	}
	return "", salt.CommandError("Could not find service directory.")
}

func (r runit) path(name string) (string, error) {
	dir, err := r.dir()
	return filepath.Join(dir, name), err
}

func (r runit) isService(dir string) bool {
	return r.c.Sys.Access(filepath.Join(dir, "run"), 1) == nil
}

// in are the paths of the services in a folder, only the one called name when
// that is not "".
func (r runit) in(dir, name string) []string {
	names := []string{name}
	if name == "" {
		names = nil
		entries, _ := r.c.Sys.ReadDir(dir)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				names = append(names, e.Name())
			}
		}
	}
	var paths []string
	for _, n := range names {
		if p := filepath.Join(dir, n); r.isService(p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// on are the paths of enabled services: where their links lead to.
func (r runit) on(name string) ([]string, error) {
	dir, err := r.dir()
	if err != nil {
		return nil, err
	}
	paths := r.in(dir, name)
	for i, p := range paths {
		if target, err := r.c.Sys.Readlink(p); err == nil {
			paths[i] = filepath.Clean(target)
			if !filepath.IsAbs(target) {
				paths[i] = filepath.Join(dir, target)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// off are the paths of the services that can be enabled, or are.
func (r runit) off(name string) []string {
	var paths []string
	for _, dir := range *r.avail() {
		paths = append(paths, r.in(dir, name)...)
	}
	return paths
}

// paths are those of all services.
func (r runit) paths(name string) ([]string, error) {
	on, err := r.on(name)
	on = append(on, r.off(name)...)
	slices.Sort(on)
	return slices.Compact(on), err
}

func bases(paths []string, err error) ([]string, error) {
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	slices.Sort(paths)
	return paths, err
}

func (r runit) all(string) ([]string, error)         { return bases(r.paths("")) }
func (r runit) listEnabled(string) ([]string, error) { return bases(r.on("")) }
func (r runit) listDisabled(string) ([]string, error) {
	on, err := r.on("")
	off := r.off("")
	slices.Sort(off)
	return bases(less(slices.Compact(off), on), err)
}

func (r runit) available(name string) (bool, error) {
	all, err := bases(r.paths(name))
	return slices.Contains(all, name), err
}

func (r runit) enabled(name string, _ options) (bool, error) {
	on, err := bases(r.on(name))
	return slices.Contains(on, name), err
}

func (r runit) disabled(name string, o options) (bool, error) {
	on, err := r.enabled(name, o)
	return err == nil && !on, err
}

func (r runit) start(name string, _ options) (bool, error)   { return r.sv("start", name) }
func (r runit) stop(name string, _ options) (bool, error)    { return r.sv("stop", name) }
func (r runit) restart(name string, _ options) (bool, error) { return r.sv("restart", name) }
func (r runit) reload(name string, _ options) (bool, error)  { return r.sv("reload", name) }

func (r runit) sv(verb, name string) (bool, error) {
	path, err := r.path(name)
	if err != nil {
		return false, err
	}
	return succeeds(r.c, "sv", verb, path)
}

// enable links the folder of a service into that of the enabled ones. Runsvdir
// starts what is linked, unless it finds a file called down.
func (r runit) enable(name string, o options) (bool, error) {
	paths, err := r.paths(name)
	if all, _ := bases(slices.Clone(paths), nil); err != nil || !slices.Contains(all, name) {
		return false, err
	}
	if r.aliases().Has(name) {
		r.c.Log.Error("This service is aliased, enable its alias instead")
		return false, nil
	}
	down := filepath.Join(paths[0], "down")
	if on, err := r.enabled(name, o); err != nil || on {
		return err == nil && r.clear(down), err
	}
	link, err := r.path(name)
	if err != nil || !o.start && !r.touch(down) {
		return false, err
	}
	if err := r.c.Sys.Symlink(paths[0], link); err != nil {
		r.c.Log.Error("Unable to create symlink " + link + ": " + err.Error())
		if !o.start {
			r.clear(down)
		}
		return false, nil
	}
	ok, err := r.noticed(link)
	if !o.start {
		ok = r.clear(down) && ok
	}
	if !ok || err != nil {
		_ = r.c.Sys.Remove(link)
	}
	return ok && err == nil, err
}

// noticed waits for runsvdir to find a new service, which takes it five seconds.
func (r runit) noticed(path string) (bool, error) {
	for range 10 {
		if err := r.c.Sys.Sleep(r.c, 500*time.Millisecond); err != nil {
			return false, err
		}
		res, err := r.c.Sys.Run(r.c, sys.Cmd{Argv: []string{"sv", "status", path}, Query: true})
		if err != nil || res.Code == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// touch makes a file down, and says whether it is there.
func (r runit) touch(down string) bool {
	w, err := r.c.Sys.Append(down)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		r.c.Log.Error("Unable to create file " + down + ": " + err.Error())
	}
	return err == nil
}

// clear removes a file down, and says whether it is gone.
func (r runit) clear(down string) bool {
	if !sys.Exists(r.c.Sys, down) {
		return true
	}
	err := r.c.Sys.Remove(down)
	if err != nil {
		r.c.Log.Error("Unable to remove file " + down + ": " + err.Error())
	}
	return err == nil
}

// disable makes runsvdir not start a service; it stays enabled as Salt has it.
func (r runit) disable(name string, o options) (bool, error) {
	if on, err := r.enabled(name, o); err != nil || !on {
		return false, err
	}
	paths, err := r.paths(name)
	if err != nil {
		return false, err
	}
	if o.stop {
		if _, err := r.stop(name, o); err != nil {
			return false, err
		}
	}
	return r.touch(filepath.Join(paths[0], "down")), nil
}

// aliases maps the names of services to the links to them among the services.
func (r runit) aliases() *value.Map {
	ret := new(value.Map)
	for _, dir := range *r.avail() {
		entries, _ := r.c.Sys.ReadDir(dir)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			target, err := r.c.Sys.Readlink(path)
			if err != nil || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			name := filepath.Base(target)
			if !ret.Has(name) {
				ret.Set(name, value.L())
			}
			ret.List(name).Append(path)
		}
	}
	return ret
}
