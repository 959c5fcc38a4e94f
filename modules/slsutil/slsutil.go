// Package slsutil holds Salt's slsutil module: helpers for templates and SLS
// files. Its main variable is Module.
//
//	{% set conf = salt['slsutil.merge'](defaults, salt['pillar.get']('web', {})) %}
package slsutil

import (
	"pinch/salt"
	"pinch/serializers"
	"pinch/value"
)

// Module is Salt's slsutil module.
var Module = salt.Module{
	Name: "slsutil",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"banner":      salt.Exec(banner),
			"boolstr":     salt.Exec(boolstr),
			"deserialize": salt.Exec(deserialize),
			"dir_exists":  salt.Exec(dirExists),
			"file_exists": salt.Exec(fileExists),
			"findup":      salt.Exec(findup),
			"merge":       salt.Exec(merge),
			"merge_all":   salt.Exec(mergeAll),
			"path_exists": salt.Exec(pathExists),
			"renderer":    salt.Exec(renderer),
			"serialize":   salt.Exec(serialize),
			"update":      salt.Exec(update),
		}
	},
}

// maps takes both for mappings.
func maps(a, b any) (x, y *value.Map, err error) {
	x, ok := a.(*value.Map)
	y, ok2 := b.(*value.Map)
	if !ok || !ok2 {
		err = value.Errorf("TypeError", "Cannot update using non-dict types in dictupdate.update()")
	}
	return x, y, err
}

type updateArgs struct {
	Dest            any  `py:"dest"`                  // the mapping that changes
	Upd             any  `py:"upd"`                   // what goes on top of it
	RecursiveUpdate bool `py:"recursive_update=True"` // merge mappings inside instead of replacing them
	MergeLists      bool `py:"merge_lists=False"`     // join lists instead of replacing them
}

// update puts one mapping on top of another, which it changes and returns.
func update(_ *salt.Ctx, a updateArgs) (any, error) {
	dest, upd, err := maps(a.Dest, a.Upd)
	if err != nil {
		return nil, err
	}
	if !a.RecursiveUpdate {
		dest.Update(upd)
		return dest, nil
	}
	return value.Update(dest, upd, a.MergeLists), nil
}

type mergeArgs struct {
	A          any    `py:"obj_a"`             // the mapping below
	B          any    `py:"obj_b"`             // the mapping on top
	Strategy   string `py:"strategy='smart'"`  // smart, recurse, aggregate, list or overwrite
	Renderer   string `py:"renderer='yaml'"`   // smart aggregates for yamlex and recurses for others
	MergeLists bool   `py:"merge_lists=False"` // join lists instead of replacing them
}

// merge gives a new mapping of two.
//
//	{{ salt['slsutil.merge']({'a': 1}, {'b': 2}) }}
func merge(_ *salt.Ctx, a mergeArgs) (any, error) {
	x, y, err := maps(a.A, a.B)
	if err != nil {
		return nil, err
	}
	return value.Merge(x, y, a.Strategy, a.Renderer, a.MergeLists), nil
}

type mergeAllArgs struct {
	Lst        *value.List `py:"lst"`               // the mappings, the strongest last
	Strategy   string      `py:"strategy='smart'"`  // smart, recurse, aggregate, list or overwrite
	Renderer   string      `py:"renderer='yaml'"`   // smart aggregates for yamlex and recurses for others
	MergeLists bool        `py:"merge_lists=False"` // join lists instead of replacing them
}

// mergeAll gives a new mapping of all in a list.
func mergeAll(_ *salt.Ctx, a mergeAllArgs) (any, error) {
	out := new(value.Map)
	for _, it := range a.Lst.Items {
		_, m, err := maps(out, it)
		if err != nil {
			return nil, err
		}
		out = value.Merge(out, m, a.Strategy, a.Renderer, a.MergeLists)
	}
	return out, nil
}

type serializeArgs struct {
	Serializer string     `py:"serializer"`   // json, yaml, toml, msgpack, configparser, keyvalue or python
	Obj        any        `py:"obj"`          // the data
	Kwargs     *value.Map `py:"**mod_kwargs"` // options of the format, such as indent or default_flow_style
}

// serialize turns data into text.
//
//	{{ salt['slsutil.serialize']('json', {'a': 1}, indent=2) }}
func serialize(c *salt.Ctx, a serializeArgs) (any, error) {
	if cu := c.Run.Custom; cu != nil && cu.Has(c, "serializers", a.Serializer) {
		return cu.Call(c, "serializers", a.Serializer, "serialize", []any{a.Obj}, plain(a.Kwargs))
	}
	return serializers.Serialize(a.Serializer, a.Obj, plain(a.Kwargs))
}

type deserializeArgs struct {
	Serializer string     `py:"serializer"`       // json, yaml, toml, msgpack, configparser or keyvalue
	Text       any        `py:"stream_or_string"` // the text
	Kwargs     *value.Map `py:"**mod_kwargs"`     // options of the format
}

// deserialize reads data from text.
func deserialize(c *salt.Ctx, a deserializeArgs) (any, error) {
	if cu := c.Run.Custom; cu != nil && cu.Has(c, "serializers", a.Serializer) {
		return cu.Call(c, "serializers", a.Serializer, "deserialize", []any{a.Text}, plain(a.Kwargs))
	}
	text := value.Str(a.Text)
	if b, ok := a.Text.([]byte); ok {
		text = string(b)
	}
	return serializers.Deserialize(a.Serializer, text, plain(a.Kwargs))
}

// plain leaves the engine's own keywords out.
func plain(kw *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range kw.Items() {
		if len(k) < 2 || k[:2] != "__" {
			out.Set(k, v)
		}
	}
	return out
}

type boolstrArgs struct {
	Value any `py:"value"`         // what is true or not
	True  any `py:"true='true'"`   // given for a true one
	False any `py:"false='false'"` // given for a false one
}

// boolstr chooses one of two texts by the truth of a value.
func boolstr(_ *salt.Ctx, a boolstrArgs) (any, error) {
	if value.Truth(a.Value) {
		return a.True, nil
	}
	return a.False, nil
}
