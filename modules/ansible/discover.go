package ansible

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type discoverArgs struct {
	Path              any  `py:"path=None"`               // a folder
	Locations         any  `py:"locations=None"`          // or several
	PlaybookExtension any  `py:"playbook_extension=None"` // what ends the name of a playbook, or a list; .yml and .yaml
	HostsFilename     any  `py:"hosts_filename=None"`     // what an inventory is called; hosts
	SyntaxCheck       bool `py:"syntax_check=False"`      // leave out what ansible-playbook cannot read
}

// discoverPlaybooks finds playbooks in folders and the folders in these. It
// returns by folder the playbooks with fullpath and custom_inventory.
func discoverPlaybooks(c *salt.Ctx, a discoverArgs) (*value.Map, error) {
	switch {
	case !value.Truth(a.Path) && !value.Truth(a.Locations):
		return nil, salt.CommandError("You have to specify either 'path' or 'locations' arguments")
	case value.Truth(a.Path) && value.Truth(a.Locations):
		return nil, salt.CommandError("You cannot specify 'path' and 'locations' at the same time")
	}
	if !value.Truth(a.HostsFilename) {
		a.HostsFilename = "hosts"
	}
	ret := new(value.Map)
	if !value.Truth(a.Path) {
		l, _ := a.Locations.(*value.List)
		if l == nil {
			return nil, salt.InvocationError("locations must be a list")
		}
		for _, it := range l.Items {
			found, err := a.explore(c, value.Str(it))
			if err != nil {
				return nil, err
			}
			ret.Set(value.Str(it), found)
		}
		return ret, nil
	}
	path := value.Str(a.Path)
	switch {
	case !filepath.IsAbs(path):
		return nil, salt.CommandError("The given path is not an absolute path: %s", path)
	case !sys.IsDir(c.Sys, path):
		return nil, salt.CommandError("The given path is not a directory: %s", path)
	}
	found, err := a.explore(c, path)
	ret.Set(path, found)
	return ret, err
}

func (a *discoverArgs) extensions() []string {
	switch v := a.PlaybookExtension.(type) {
	case string:
		if v != "" {
			return []string{v}
		}
	case *value.List:
		if v.Len() > 0 {
			out := make([]string, v.Len())
			for i, it := range v.Items {
				out[i] = value.Str(it)
			}
			return out
		}
	}
	return []string{".yml", ".yaml"}
}

func (a *discoverArgs) explore(c *salt.Ctx, path string) (*value.Map, error) {
	ret := new(value.Map)
	switch {
	case !filepath.IsAbs(path):
		c.Log.Error("The given path is not an absolute path: " + path)
		return ret, nil
	case !sys.IsDir(c.Sys, path):
		c.Log.Error("The given path is not a directory: " + path)
		return ret, nil
	}
	err := a.look(c, path, "", ret, true)
	if err != nil {
		return nil, salt.CommandError("There was an exception while discovering playbooks: %s", salt.OSError(err))
	}
	if a.SyntaxCheck {
		for _, key := range ret.Keys() {
			full := ret.Map(key.(string)).Str("fullpath")
			r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"ansible-playbook", "--syntax-check", full}, Query: true})
			if err != nil {
				return nil, salt.CommandError("There was an exception while checking syntax of playbooks: %s", err)
			}
			if r.Code != 0 {
				ret.Pop(key.(string))
			}
		}
	}
	return ret, nil
}

// look adds the playbooks of a folder.
func (a *discoverArgs) look(c *salt.Ctx, dir, prefix string, ret *value.Map, deeper bool) error {
	all, err := c.Sys.ReadDir(dir)
	if err != nil {
		return err
	}
	hosts := filepath.Join(dir, value.Str(a.HostsFilename))
	for _, e := range all {
		path := filepath.Join(dir, e.Name())
		switch {
		case sys.IsFile(c.Sys, path):
			for _, ext := range a.extensions() {
				if strings.HasSuffix(path, ext) {
					m := value.M("fullpath", path)
					if sys.IsFile(c.Sys, hosts) {
						m.Set("custom_inventory", hosts)
					}
					ret.Set(prefix+e.Name(), m)
					break
				}
			}
		case deeper && sys.IsDir(c.Sys, path):
			if err := a.look(c, path, e.Name()+"/", ret, false); err != nil {
				return err
			}
		}
	}
	return nil
}
