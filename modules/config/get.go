package config

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type getArgs struct {
	Key        string `py:"key"`               // the path, its parts joined by the delimiter
	Default    any    `py:"default=''"`        // when nothing has it
	Delimiter  string `py:"delimiter=':'"`     // what stands between the parts of the path
	Merge      any    `py:"merge=None"`        // recurse or overwrite: merge all sources before looking
	OmitOpts   bool   `py:"omit_opts=False"`   // don't look at the minion's options
	OmitPillar bool   `py:"omit_pillar=False"` // don't look at the pillar
	OmitMaster bool   `py:"omit_master=False"` // don't look at the master's options in the pillar
	OmitGrains bool   `py:"omit_grains=False"` // don't look at the grains
}

// get returns what stands at a path of the minion's options, else of the
// grains, the pillar, the master's options in the pillar.
//
//	pinch config.get pkg:apache
func get(c *salt.Ctx, a getArgs) (any, error) {
	if a.Merge != nil {
		return merged(c, a)
	}
	for _, s := range []struct {
		omit bool
		data func() *value.Map
	}{
		{a.OmitOpts, func() *value.Map { return c.Opts }},
		{a.OmitGrains, func() *value.Map { return c.Grains }},
		{a.OmitPillar, func() *value.Map { return c.Pillar }},
		{a.OmitMaster, func() *value.Map { return c.Pillar.Map("master") }},
		{false, defaults},
	} {
		if s.omit {
			continue
		}
		if v, ok := value.Traverse(s.data(), a.Key, a.Delimiter); ok {
			return secret(c, v)
		}
	}
	return a.Default, nil
}

// merged looks the path up in all sources merged, the strongest on top.
func merged(c *salt.Ctx, a getArgs) (any, error) {
	strategy, _ := a.Merge.(string)
	if strategy != "recurse" && strategy != "overwrite" {
		c.Log.Warn(fmt.Sprintf("Unsupported merge strategy '%s'. Falling back to 'recurse'.", value.Str(a.Merge)))
		strategy = "recurse"
	}
	// Only the path's first part can matter: the rest of the sources need not
	// be copied, nor gathered.
	first, _, _ := strings.Cut(a.Key, a.Delimiter)
	data := new(value.Map)
	for _, m := range []*value.Map{defaults(), c.Pillar.Map("master"), c.Pillar, c.Grains, c.Opts} {
		part := new(value.Map)
		for _, k := range []string{first, a.Key} {
			if v, ok := m.Get(k); ok {
				part.Set(k, v)
			}
		}
		data = value.Merge(data, part, strategy, "yaml", false)
	}
	if v, ok := value.Traverse(data, a.Key, a.Delimiter); ok {
		return secret(c, v)
	}
	return a.Default, nil
}

// secret looks up a value that is an address of an sdb store (sdb://name/key).
func secret(c *salt.Ctx, v any) (any, error) {
	if s, ok := v.(string); ok && strings.HasPrefix(s, "sdb://") {
		return c.Call("sdb.get", s)
	}
	return v, nil
}

type mergeArgs struct {
	Value      string `py:"value"`             // the option's name
	Default    any    `py:"default=''"`        // when nothing has it
	OmitOpts   bool   `py:"omit_opts=False"`   // don't look at the minion's options
	OmitMaster bool   `py:"omit_master=False"` // don't look at the master's options in the pillar
	OmitPillar bool   `py:"omit_pillar=False"` // don't look at the pillar
}

// merge joins the mappings or lists that options, master's options and pillar
// have under a name; a text of the first one that has it wins.
func merge(c *salt.Ctx, a mergeArgs) (any, error) {
	var ret any
	for _, s := range []struct {
		omit bool
		data func() *value.Map
	}{
		{a.OmitOpts, func() *value.Map { return c.Opts }},
		{a.OmitMaster, func() *value.Map { return c.Pillar.Map("master") }},
		{a.OmitPillar, func() *value.Map { return c.Pillar }},
	} {
		if s.omit {
			continue
		}
		v, ok := s.data().Get(a.Value)
		if !ok {
			continue
		}
		if ret == nil {
			ret = v
		} else {
			ret = join(v, ret)
		}
		if text, ok := ret.(string); ok {
			return text, nil
		}
	}
	if ret == nil {
		if v, ok := defaults().Get(a.Value); ok {
			return v, nil
		}
		return a.Default, nil
	}
	return ret, nil
}

// join puts the stronger of two mappings over the other, or two lists one
// behind the other; what does not fit together stays the stronger one.
func join(weak, strong any) any {
	switch s := strong.(type) {
	case *value.Map:
		if w, ok := weak.(*value.Map); ok {
			m := w.Shallow()
			m.Update(s)
			return m
		}
	case *value.List:
		if w, ok := weak.(*value.List); ok {
			return value.L(append(append([]any{}, s.Items...), w.Items...)...)
		}
	}
	return strong
}

type dotArgs struct {
	Value string `py:"value"` // the first part of the names
}

// dotVals returns the options whose names begin with a word and a dot.
//
//	pinch config.dot_vals host
func dotVals(c *salt.Ctx, a dotArgs) (*value.Map, error) {
	out := new(value.Map)
	for _, m := range []*value.Map{c.Pillar.Map("master"), c.Opts} {
		for k, v := range m.Items() {
			if strings.HasPrefix(k, a.Value+".") {
				out.Set(k, v)
			}
		}
	}
	return out, nil
}

// items returns all options of the minion.
func items(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) { return c.Opts, nil }

type bootstrapArgs struct {
	Bootstrap *string `py:"bootstrap=None"` // where to fetch the script
}

// gatherBootstrapScript fetches salt-bootstrap and returns the files updated.
func gatherBootstrapScript(c *salt.Ctx, a bootstrapArgs) (any, error) {
	url := "https://bootstrap.saltproject.io"
	if a.Bootstrap != nil {
		url = *a.Bootstrap
	}
	path, err := c.Files().Cache(c, url, c.Env, salt.GetOptions{})
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	return value.L(path), nil
}
