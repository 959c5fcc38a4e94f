// Package defaults holds Salt's defaults module: the defaults.yaml or
// defaults.json of a formula. Its main variable is Module.
//
//	{{ salt['defaults.get']('nginx:port') }}
package defaults

import (
	"errors"
	"io/fs"
	"strings"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's defaults module.
var Module = salt.Module{
	Name: "defaults",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"deepcopy": salt.Exec(deepcopy),
			"get":      salt.Exec(get),
			"merge":    salt.Exec(merge),
			"update":   salt.Exec(update),
		}
	},
}

type getArgs struct {
	Key     string `py:"key"`        // the formula, then the path in its defaults: core:users:root
	Default any    `py:"default=''"` // when the path leads nowhere
}

// get returns a value of a formula's defaults, which are read from
// salt://FORMULA/defaults.yaml or else defaults.json.
func get(c *salt.Ctx, a getArgs) (any, error) {
	formula, key, _ := strings.Cut(a.Key, ":")
	data, err := load(c, formula)
	if err != nil || key == "" {
		return data, err
	}
	return value.TraverseOr(data, key, a.Default, ":"), nil
}

func load(c *salt.Ctx, formula string) (any, error) {
	for _, name := range []string{"defaults.yaml", "defaults.json"} {
		f, err := c.Files().Get(c, "salt://"+formula+"/"+name, c.Env, salt.GetOptions{})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		b, err := f.Read()
		if err != nil {
			return nil, err
		}
		read := value.ParseJSON
		if name == "defaults.yaml" {
			read = func(s string) (any, error) { return yaml.Load(f.Path, s) }
		}
		v, err := read(string(b))
		if err == nil && !value.Truth(v) {
			v = new(value.Map)
		}
		return v, err
	}
	return nil, nil
}

type deepcopyArgs struct {
	Source any `py:"source"` // the data
}

// deepcopy copies data with all that is inside.
func deepcopy(_ *salt.Ctx, a deepcopyArgs) (any, error) { return value.Copy(a.Source), nil }

type mergeArgs struct {
	Dest        any  `py:"dest"`              // the mapping below
	Src         any  `py:"src"`               // the mapping on top
	MergeLists  bool `py:"merge_lists=False"` // join lists instead of replacing them
	InPlace     bool `py:"in_place=True"`     // change dest instead of copying it
	ConvertNone bool `py:"convert_none=True"` // take None for an empty mapping
}

// merge puts one mapping on top of another and returns it.
func merge(_ *salt.Ctx, a mergeArgs) (any, error) {
	return merged(a.Dest, a.Src, a.MergeLists, a.InPlace, a.ConvertNone)
}

func merged(dest, src any, lists, inPlace, none bool) (any, error) {
	if src == nil && none {
		src = new(value.Map)
	}
	switch {
	case inPlace && dest == nil:
		return nil, value.Errorf("TypeError", "Can't perform in-place merge into NoneType")
	case dest == nil && none:
		dest = new(value.Map)
	case !inPlace:
		dest = value.Copy(dest)
	}
	d, ok := dest.(*value.Map)
	s, ok2 := src.(*value.Map)
	if !ok || !ok2 {
		return nil, value.Errorf("TypeError", "Cannot update using non-dict types in dictupdate.update()")
	}
	return value.Update(d, s, lists), nil
}

type updateArgs struct {
	Dest        any  `py:"dest"`              // mappings by name
	Defaults    any  `py:"defaults"`          // what each of them has at least
	MergeLists  bool `py:"merge_lists=True"`  // join lists instead of replacing them
	InPlace     bool `py:"in_place=True"`     // change dest instead of copying it
	ConvertNone bool `py:"convert_none=True"` // take None for an empty mapping
}

// update lays defaults under each mapping of a mapping and returns it.
func update(_ *salt.Ctx, a updateArgs) (any, error) {
	if a.Dest == nil && a.InPlace {
		return nil, value.Errorf("TypeError", "Can't perform in-place update into NoneType")
	}
	if a.Dest == nil && a.ConvertNone {
		a.Dest = new(value.Map)
	}
	if a.Defaults == nil && a.ConvertNone {
		a.Defaults = new(value.Map)
	}
	if !a.InPlace {
		a.Dest = value.Copy(a.Dest)
	}
	nodes, ok := a.Dest.(*value.Map)
	if !ok {
		return nil, value.Errorf("AttributeError", "'%s' object has no attribute 'items'", value.TypeName(a.Dest))
	}
	for _, k := range nodes.Keys() {
		v, _ := nodes.GetKey(k)
		m, err := merged(value.Copy(a.Defaults), v, a.MergeLists, true, a.ConvertNone)
		if err != nil {
			return nil, err
		}
		nodes.SetKey(k, m)
	}
	return nodes, nil
}
