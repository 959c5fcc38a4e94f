package cp

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type envArgs struct {
	Saltenv *string `py:"saltenv=None"` // the environment; that of the run if there is none
}

type prefixArgs struct {
	Saltenv *string `py:"saltenv=None"` // the environment; that of the run if there is none
	Prefix  string  `py:"prefix=''"`    // only what is below this folder
}

// envs lists the environments.
func envs(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	all, err := c.Files().Envs(c)
	return value.Strings(all), err
}

// listMaster lists the files of the state tree.
func listMaster(c *salt.Ctx, a prefixArgs) (*value.List, error) {
	all, err := c.Files().List(c, envOf(c, a.Saltenv), a.Prefix)
	return value.Strings(all), err
}

// listMasterDirs lists the folders of the state tree.
func listMasterDirs(c *salt.Ctx, a prefixArgs) (*value.List, error) {
	all, err := c.Files().Dirs(c, envOf(c, a.Saltenv), a.Prefix)
	all = slices.DeleteFunc(all, func(d string) bool { return d == "." })
	return value.Strings(all), err
}

// listMasterSymlinks lists the links of the state tree with their targets.
func listMasterSymlinks(c *salt.Ctx, a prefixArgs) (*value.Map, error) {
	all, err := c.Files().Symlinks(c, envOf(c, a.Saltenv), a.Prefix)
	out := new(value.Map)
	for _, name := range sortedKeys(all) {
		out.Set(name, all[name])
	}
	return out, err
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// listStates lists the SLS files of the state tree by their names.
func listStates(c *salt.Ctx, a envArgs) (*value.List, error) {
	all, err := c.Files().List(c, envOf(c, a.Saltenv), "")
	var names []string
	for _, f := range all {
		if s, ok := strings.CutSuffix(f, ".sls"); ok && s != "init" {
			names = append(names, strings.ReplaceAll(strings.TrimSuffix(s, "/init"), "/", "."))
		}
	}
	slices.Sort(names)
	return value.Strings(names), err
}

// listMinion lists the files that are cached on this machine.
func listMinion(c *salt.Ctx, a envArgs) (*value.List, error) {
	cache := c.Opts.Str("cachedir")
	var all []string
	for _, dir := range []string{filepath.Join(cache, "files", envOf(c, a.Saltenv)), filepath.Join(cache, "localfiles")} {
		all = append(all, below(c, dir)...)
	}
	slices.Sort(all)
	return value.Strings(all), nil
}

func below(c *salt.Ctx, dir string) []string {
	var out []string
	entries, _ := c.Sys.ReadDir(dir)
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		if e.IsDir() {
			out = append(out, below(c, p)...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

type hashFileArgs struct {
	Path    string  `py:"path"`         // salt://PATH, or a path of this machine
	Saltenv *string `py:"saltenv=None"` // the environment; that of the run if there is none
}

// hashFile gives a file's digest and the kind of it; nothing for a file that
// is not there.
func hashFile(c *salt.Ctx, a hashFileArgs) (any, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	f, err := open(c, u, env, salt.GetOptions{})
	if f == nil || err != nil || f.Mode.IsDir() {
		return "", nil
	}
	kind := c.Opts.Str("hash_type")
	if kind == "" {
		kind = "sha256"
	}
	sum, err := c.Files().Hash(c, u, env, kind)
	if err != nil {
		return "", nil
	}
	return value.M("hsum", sum, "hash_type", kind), nil
}

type statFileArgs struct {
	Path    string  `py:"path"`         // salt://PATH
	Saltenv *string `py:"saltenv=None"` // the environment; that of the run if there is none
	Octal   bool    `py:"octal=True"`   // as text such as 0644 instead of a number
}

// statFile gives the mode of a file of the tree; nothing if it is not there.
func statFile(c *salt.Ctx, a statFileArgs) (any, error) {
	u, env := split(a.Path, envOf(c, a.Saltenv))
	f, err := open(c, u, env, salt.GetOptions{})
	if f == nil || err != nil {
		return "", nil
	}
	bits := int64(sys.Bits(f.Mode))
	if a.Octal {
		return fmt.Sprintf("%04o", bits), nil
	}
	switch {
	case f.Mode.IsDir():
		return bits | 0o40000, nil
	case f.Mode&fs.ModeSymlink != 0:
		return bits | 0o120000, nil
	}
	return bits | 0o100000, nil
}
