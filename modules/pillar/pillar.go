// Package pillar reads the minion's pillar.
//
// With pillar_mask_output: True, a person who calls the functions sees that a
// value is there, and what it is with unmask only; templates, states and modules
// get the values.
package pillar

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's pillar module.
var Module = salt.Module{
	Name: "pillar",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get":         salt.Exec(get),
			"fetch":       salt.Exec(get).Named("get"),
			"items":       salt.Exec(items),
			"data":        salt.Exec(items),
			"item":        salt.Exec(item),
			"raw":         salt.Exec(raw),
			"ls":          salt.Exec(ls),
			"keys":        salt.Exec(keys),
			"obfuscate":   salt.Exec(obfuscate),
			"ext":         salt.Exec(ext),
			"file_exists": salt.Exec(fileExists),
			"filter_by":   salt.Exec(filterBy),
		}
	},
}

// shown hides v unless it is to be seen. A person who asks for the pillar gets
// it, unless pillar_mask_output is set.
func shown(c *salt.Ctx, v any, unmask *bool) any {
	show := !c.Mask || !value.Truth(c.Opts.At("pillar_mask_output"))
	if unmask != nil {
		show = *unmask
	}
	if show {
		return v
	}
	return masked(v)
}

// placeholder stands for every value that is hidden.
const placeholder = "**********"

// masked replaces all texts and numbers that say something; zero, False, None,
// keys and the shape stay.
func masked(v any) any {
	switch v := v.(type) {
	case *value.Map:
		m := value.NewMap(v.Len())
		for k, it := range v.All() {
			m.SetKey(k, masked(it))
		}
		return m
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(masked(it))
		}
		return l
	case []byte:
		if len(v) > 0 {
			return []byte(placeholder)
		}
	case string, bool, int64, float64:
		if value.Truth(v) {
			return placeholder
		}
	}
	return v
}

// of is the pillar of the run, or a fresh one for other environments.
func of(c *salt.Ctx, pillarenv, saltenv *string) (*value.Map, error) {
	if pillarenv == nil && saltenv == nil {
		return c.Pillar, nil
	}
	fresh, err := compile(c, nil, pillarenv, saltenv)
	if err != nil {
		return nil, err
	}
	data := c.Pillar.Shallow()
	data.Update(fresh)
	// Salt hides these before unmask is looked at.
	return shown(c, data, nil).(*value.Map), nil
}

func compile(c *salt.Ctx, override *value.Map, pillarenv, saltenv *string) (*value.Map, error) {
	o := salt.PillarOptions{Override: override, SaltEnv: c.Opts.Str("saltenv")}
	switch {
	case pillarenv != nil:
		o.Env = *pillarenv
	case c.Opts.Truth("pillarenv_from_saltenv"):
		o.Env = o.SaltEnv
		if saltenv != nil {
			o.Env = *saltenv
		}
	default:
		o.Env = c.Opts.Str("pillarenv")
	}
	return c.CompilePillar(c, o)
}
