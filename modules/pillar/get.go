package pillar

import (
	"fmt"

	"pinch/salt"
	"pinch/value"
)

type getArgs struct {
	Key              string  `py:"key"`                        // the path, its parts joined by the delimiter
	Default          any     `py:"default=<Constant.NOT_SET>"` // what to give when the path leads nowhere
	Merge            bool    `py:"merge=False"`                // merge the value over a default that is a mapping or a list
	MergeNestedLists any     `py:"merge_nested_lists=None"`    // join lists inside while merging; pillar_merge_lists by default
	Delimiter        string  `py:"delimiter=':'"`              // what stands between the parts of the path
	Pillarenv        *string `py:"pillarenv=None"`             // compile the pillar of this environment
	Saltenv          *string `py:"saltenv=None"`               // compile the pillar for this saltenv
	Unmask           *bool   `py:"unmask=None"`                // show the value
}

// get returns a value of the pillar by its path.
//
//	pinch pillar.get apache:port 80
func get(c *salt.Ctx, a getArgs) (any, error) {
	def := a.Default
	missing := def == salt.NotSet
	if missing && !c.Opts.Truth("pillar_raise_on_missing") {
		def, missing = "", false
	}
	data, err := of(c, a.Pillarenv, a.Saltenv)
	if err != nil {
		return nil, err
	}
	if a.Merge {
		lists := c.Opts.Truth("pillar_merge_lists")
		if a.MergeNestedLists != nil {
			lists = value.Truth(a.MergeNestedLists)
		}
		if merged, ok := mergeOver(c, data, a, def, lists); ok {
			return shown(c, merged, a.Unmask), nil
		}
	}
	v, ok := value.Traverse(data, a.Key, a.Delimiter)
	if !ok {
		if missing {
			return nil, value.Errorf("KeyError", "%s", value.Repr("Pillar key not found: "+a.Key))
		}
		v = def
	}
	return shown(c, v, a.Unmask), nil
}

// mergeOver merges what is at the path over the default; ok is false when the
// two do not fit, which the log says.
func mergeOver(c *salt.Ctx, data *value.Map, a getArgs, def any, lists bool) (any, bool) {
	skip := func(got any, kind string) {
		c.Log.Error(fmt.Sprintf("pillar.get: Default (%s) is a %s, but the returned pillar value (%s) is of type '%s'. Merge will be skipped.",
			value.Str(def), kind, value.Str(got), value.TypeName(got)))
	}
	switch d := def.(type) {
	case *value.Map:
		got := value.TraverseOr(data, a.Key, new(value.Map), a.Delimiter)
		m, ok := got.(*value.Map)
		if !ok {
			skip(got, "dict")
			return nil, false
		}
		return value.Update(value.Copy(d).(*value.Map), value.Copy(m).(*value.Map), lists), true
	case *value.List:
		got := value.TraverseOr(data, a.Key, new(value.List), a.Delimiter)
		l, ok := got.(*value.List)
		if !ok {
			skip(got, "list")
			return nil, false
		}
		return value.Union(d, l), true
	}
	c.Log.Error(fmt.Sprintf("pillar.get: Default (%s) is of type '%s', must be a dict or list to merge. Merge will be skipped.",
		value.Str(def), value.TypeName(def)))
	return nil, false
}

type itemArgs struct {
	Keys      []any   `py:"*args"`          // the paths
	Default   any     `py:"default=None"`   // for paths that lead nowhere
	Delimiter *string `py:"delimiter=None"` // what stands between the parts of a path, a colon by default
	Pillarenv *string `py:"pillarenv=None"` // compile the pillar of this environment
	Saltenv   *string `py:"saltenv=None"`   // compile the pillar for this saltenv
	Unmask    *bool   `py:"unmask=None"`    // show the values
}

// item returns the values of several paths by path.
//
//	pinch pillar.item roles apache:port
func item(c *salt.Ctx, a itemArgs) (any, error) {
	data, err := of(c, a.Pillarenv, a.Saltenv)
	if err != nil {
		return nil, err
	}
	if a.Default == nil {
		a.Default = ""
	}
	delimiter := ":"
	if a.Delimiter != nil {
		delimiter = *a.Delimiter
	}
	out := new(value.Map)
	for _, k := range a.Keys {
		if err := out.SetKey(k, value.TraverseOr(data, k, a.Default, delimiter)); err != nil {
			return nil, err
		}
	}
	return shown(c, out, a.Unmask), nil
}
