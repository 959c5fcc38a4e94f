package pkg

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// brew is Homebrew, the manager of macOS. Formulae and casks are both packages.
type brew struct{ tool }

type brewKey struct{}

// brewOf is brew, for functions that only it has.
func brewOf(c *salt.Ctx, fun string) (brew, error) {
	if b, ok := managerOf(c).(brew); ok {
		return b, nil
	}
	return brew{}, &salt.LookupError{Name: "pkg." + fun}
}

// prefix is the folder that Homebrew lives in, "" if there is none.
func (b brew) prefix() string {
	if dir, ok := os.LookupEnv("HOMEBREW_PREFIX"); ok {
		return dir
	}
	dir, _ := salt.Once(b.c.Run, brewKey{}, func() (string, error) { return b.findPrefix(), nil })
	return dir
}

// findPrefix looks where the command lies, and asks a command that lies
// elsewhere than in its prefix.
func (b brew) findPrefix() string {
	program := b.c.Sys.LookPath("brew")
	if silicon := "/opt/homebrew/bin/brew"; program == "" && sys.Exists(b.c.Sys, silicon) {
		program = silicon
	}
	if program == "" {
		return ""
	}
	dir := filepath.Dir(filepath.Dir(program))
	if sys.IsDir(b.c.Sys, dir+"/Library/Homebrew") || sys.IsDir(b.c.Sys, dir+"/Homebrew/Library") {
		return dir
	}
	out, err := b.as(true, program, "--prefix")
	if err != nil || out.code != 0 {
		return ""
	}
	return out.stdout
}

// as runs brew, which refuses to run as root, as the user that it belongs to.
// Words with blanks are several words for it.
func (b brew) as(query bool, program string, words ...string) (output, error) {
	argv, err := py.ShellSplit(strings.Join(append([]string{program}, words...), " "))
	if err != nil {
		return output{}, salt.CommandError("%s", err)
	}
	owner, err := b.c.Call("file.get_user", program)
	if err != nil {
		return output{}, err
	}
	if user := value.Str(owner); owner != nil && user != b.self() {
		argv = append([]string{"sudo", "-i", "-n", "-H", "-u", user, "--"}, argv...)
	}
	return b.run(query, argv...)
}

// self is who we run as.
func (b brew) self() string {
	if user := b.c.Opts.Str("user"); user != "" {
		return user
	}
	u, _ := b.c.Sys.UserID(b.c.Sys.Getuid())
	return u.Name
}

func (b brew) try(query bool, words ...string) (output, error) {
	return b.as(query, b.prefix()+"/bin/brew", words...)
}

// call runs brew; that it fails is an error.
func (b brew) call(query bool, words ...string) (output, error) {
	out, err := b.try(query, words...)
	if err == nil && out.code != 0 {
		return out, &problem{"Brew command failed", value.M("result", ran(out))}
	}
	return out, err
}

// read calls brew for JSON.
func (b brew) read(words ...string) (*value.Map, error) {
	out, err := b.call(true, words...)
	if err != nil {
		return nil, err
	}
	v, err := value.ParseJSON(out.stdout)
	m, ok := v.(*value.Map)
	if err == nil && !ok {
		err = salt.CommandError("no object")
	}
	if err != nil {
		return nil, salt.CommandError(`unable to interpret output from "brew %s": %s`, words[0], err)
	}
	return m, nil
}

func (b brew) normalize(name string) string { return name }

// list has each package under all its names, with its tap and without.
func (b brew) list() (*listing, error) {
	return b.listed(func() (*value.Map, error) {
		all, err := b.read("info", "--json=v2", "--installed")
		if err != nil {
			return nil, err
		}
		m := new(value.Map)
		for p := range objects(all, "formulae") {
			for v := range objects(p, "installed") {
				for _, name := range brewNames(p, "aliases", "name", "full_name") {
					addVersion(m, name, v.Str("version"))
				}
			}
		}
		for p := range objects(all, "casks") {
			tap := p.Str("tap")
			if tap == "" {
				tap = "homebrew/cask"
			}
			version := value.Str(orEmpty(p.At("installed")))
			for _, name := range append(brewNames(p, "full_token", "token"), tap+"/"+p.Str("token")) {
				addVersion(m, name, version)
			}
		}
		return m, nil
	})
}

// objects are the maps in the list under a key.
func objects(m *value.Map, key string) func(func(*value.Map) bool) {
	return func(yield func(*value.Map) bool) {
		l := m.List(key)
		if l == nil {
			return
		}
		for _, it := range l.Items {
			if x, ok := it.(*value.Map); ok && !yield(x) {
				return
			}
		}
	}
}

// brewNames are the names under keys: texts, and lists of texts.
func brewNames(p *value.Map, keys ...string) []string {
	var out []string
	for _, k := range keys {
		switch v := p.At(k).(type) {
		case string:
			out = append(out, v)
		case *value.List:
			out = append(out, texts(v.Items)...)
		}
	}
	return out
}

// info is what brew tells of packages, by the names that they are asked by.
func (b brew) info(names []string, options any) (*value.Map, error) {
	all, err := b.read(slices.Concat([]string{"info", "--json=v2"}, words(options), names)...)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for _, kind := range []string{"formulae", "casks"} {
		for p := range objects(all, kind) {
			keys := []string{"name", "full_name", "aliases"}
			if kind == "casks" {
				keys = []string{"token", "full_token"}
			}
			for _, name := range brewNames(p, keys...) {
				if slices.Contains(names, name) {
					ret.Set(name, p)
				}
			}
		}
	}
	return ret, nil
}

// words are options: a list, or a text.
func words(options any) []string {
	if l, ok := asList(options); ok {
		return texts(l)
	}
	if value.Truth(options) {
		return []string{value.Str(options)}
	}
	return nil
}

// latest are the versions that brew has, also of packages that are up to date.
func (b brew) latest(names []string, o latestOptions) (*value.Map, error) {
	if o.refresh {
		if err := b.update(); err != nil {
			return nil, err
		}
	}
	found, err := b.info(names, o.options)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for name, p := range found.Items() {
		ret.Set(name, brewVersion(p.(*value.Map)))
	}
	return ret, nil
}

// brewVersion is the stable version of a formula, with the revision of its
// bottle, or that of a cask.
func brewVersion(p *value.Map) string {
	of := p.Map("versions")
	if of == nil {
		return p.Str("version")
	}
	version := value.Str(orEmpty(of.At("stable")))
	if version == "" {
		version = of.Str("devel")
	}
	if revision, _ := p.At("revision").(int64); of.Truth("bottle") && revision >= 1 {
		version += "_" + strconv.FormatInt(revision, 10)
	}
	return version
}

// available: brew has one version of each package.
func (b brew) available(specs []string) (*value.Map, error) {
	ret := new(value.Map)
	if len(specs) == 0 {
		return nil, &salt.LookupError{Name: "pkg.list_repo_pkgs"}
	}
	names, conditions := splitSpecs(specs)
	found, err := b.latest(names, latestOptions{})
	for name, v := range found.Items() {
		if fulfills(b, []string{value.Str(v)}, conditions[name], nil, false) {
			ret.Set(name, value.L(v))
		}
	}
	return ret, err
}

// tapped is the name of a package without its tap.
func tapped(name string) string { return path.Base(name) }
