package pkg

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// repack turns a pkgs argument (names, and maps of a name to a version) into a
// map from name to version. Normalize drops architectures that go without
// saying. A list that names a package twice is an error.
func repack(c *salt.Ctx, m manager, pkgs any, normalize bool) (*value.Map, error) {
	out := new(value.Map)
	n := 0
	l, ok := asList(pkgs)
	if ok {
		n = len(l)
		for _, it := range l {
			switch it := it.(type) {
			case *value.Map:
				if it.Len() != 1 {
					c.Log.Error("Invalid input for repack_dictlist: key/value pairs must contain only one element (data passed: " + value.Repr(it) + ").")
					out, ok = new(value.Map), false
				}
				for k, v := range it.Items() {
					if ok {
						set(out, m, k, v, normalize)
					}
				}
			case string, int64, float64:
				set(out, m, value.Str(it), nil, normalize)
			default:
				c.Log.Error("Invalid input for repack_dictlist: element " + value.Str(it) + " is not a string/dict/numeric value")
				out, ok = new(value.Map), false
			}
			if !ok {
				break
			}
		}
	} else if k, isLen := value.Len(pkgs); isLen {
		n = k
		c.Log.Error("Invalid input for repack_dictlist, data passed is not a list (" + value.Str(pkgs) + ")")
	}
	if n != out.Len() {
		return nil, salt.InvocationError("You are passing a list of packages that contains duplicated packages names: %s. This cannot be processed. In case you are targeting different versions of the same package, please target them individually", value.Str(pkgs))
	}
	return out, nil
}

func set(out *value.Map, m manager, name string, version any, normalize bool) {
	if normalize {
		name = m.normalize(name)
	}
	if version != nil {
		version = value.Str(version)
	}
	out.Set(name, version)
}

func asList(v any) ([]any, bool) {
	switch v := v.(type) {
	case *value.List:
		return v.Items, true
	case value.Tuple:
		return v, true
	case string:
		// On a command line a list of packages may come as JSON, which is YAML too.
		if x, err := value.ParseJSON(v); err == nil {
			if l, ok := x.(*value.List); ok {
				return l.Items, true
			}
		}
	}
	return nil, false
}

// packSources turns a sources argument, a list of maps with one key or the YAML
// of one, into a map from name to source; empty when it is something else.
func packSources(c *salt.Ctx, m manager, sources any, normalize bool) *value.Map {
	out := new(value.Map)
	if text, ok := sources.(string); ok {
		v, err := yaml.Load("sources", text)
		if err != nil {
			c.Log.Error(err.Error())
			return out
		}
		sources = v
	}
	l, ok := asList(sources)
	for _, it := range l {
		one, isMap := it.(*value.Map)
		if !isMap || one.Len() != 1 {
			ok = false
			break
		}
		for k, v := range one.Items() {
			if normalize {
				k = m.normalize(k)
			}
			out.Set(k, v)
		}
	}
	if !ok {
		c.Log.Error("Invalid input: " + value.Repr(sources))
		c.Log.Error("Input must be a list of 1-element dicts")
		return new(value.Map)
	}
	return out
}

// The kinds of targets.
const (
	fromRepository = "repository"
	fromFile       = "file"
)

// targets is what a call asks for (pkg_resource.parse_targets): names with
// versions, or paths of package files; nil when there is nothing.
func targets(c *salt.Ctx, m manager, name string, pkgs, sources any, saltenv string, normalize bool, version any) (*value.Map, string, error) {
	switch {
	case value.Truth(pkgs) && value.Truth(sources):
		c.Log.Error(`Only one of "pkgs" and "sources" can be used.`)
		return nil, "", nil
	case value.Truth(pkgs):
		if version != nil {
			c.Log.Warn("'version' argument will be ignored for multiple package targets")
		}
		out, err := repack(c, m, pkgs, normalize)
		if err != nil || out.Len() == 0 {
			return nil, "", err
		}
		return out, fromRepository, nil
	case value.Truth(sources):
		if version != nil {
			c.Log.Warn("'version' argument will be ignored for multiple package targets")
		}
		packed := packSources(c, m, sources, normalize)
		if packed.Len() == 0 {
			return nil, "", nil
		}
		out := new(value.Map)
		for pkg, src := range packed.Items() {
			path, err := sourceFile(c, pkg, value.Str(src), saltenv)
			if err != nil {
				return nil, "", err
			}
			out.Set(path, nil)
		}
		return out, fromFile, nil
	case name != "":
		out := new(value.Map)
		for n := range strings.SplitSeq(name, ",") {
			if normalize {
				n = m.normalize(n)
			}
			out.Set(n, version)
		}
		return out, fromRepository, nil
	}
	c.Log.Error("No package sources provided")
	return nil, "", nil
}

var protocol = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(salt|http|https|swift|s3|ftp|file)://`) })

// sourceFile is the path of a package file, which is fetched if need be.
func sourceFile(c *salt.Ctx, pkg, src, saltenv string) (string, error) {
	if protocol().MatchString(src) {
		path, err := c.Files().Cache(c, src, saltenv, salt.GetOptions{})
		if salt.IsUnfetched(err) {
			return "", salt.CommandError("%s", err)
		}
		if err != nil || path == "" {
			return "", salt.CommandError("Unable to cache source %s for package %s", src, pkg)
		}
		return path, nil
	}
	if !filepath.IsAbs(src) {
		return "", salt.InvocationError("Path %s for package %s is either not absolute or an invalid protocol", src, pkg)
	}
	return src, nil
}
