package grains

import (
	"pinch/salt"
	"pinch/value"
)

type filterArgs struct {
	Lookup  *value.Map `py:"lookup_dict"`       // glob → anything
	Grain   string     `py:"grain='os_family'"` // the grain to compare; any item of a list may fit
	Merge   any        `py:"merge=None"`        // a map that is merged into what was found
	Default any        `py:"default='default'"` // the key to take when none fits
	Base    any        `py:"base=None"`         // the key of a map that what was found is merged over
}

// filterBy returns what stands under the first key that fits a grain.
//
//	{% set apache = salt['grains.filter_by']({
//	    'Debian': {'pkg': 'apache2'},
//	    'RedHat': {'pkg': 'httpd'},
//	}, default='Debian') %}
func filterBy(c *salt.Ctx, a filterArgs) (any, error) {
	ret := fitting(a.Lookup, lookup(c, a.Grain, new(value.List), ":"))
	if ret == nil {
		ret, _ = a.Lookup.GetKey(a.Default)
	}
	if base, ok := a.Lookup.GetKey(a.Base); ok && value.Truth(a.Base) {
		b, isMap := base.(*value.Map)
		switch {
		case ret == nil:
			ret = base
		case isMap:
			r, ok := ret.(*value.Map)
			if !ok {
				return nil, value.Errorf("SaltException", "filter_by default and look-up values must both be dictionaries.")
			}
			ret = value.Update(value.Copy(b).(*value.Map), r, false)
		}
	}
	if !value.Truth(a.Merge) {
		return ret, nil
	}
	merge, ok := a.Merge.(*value.Map)
	if !ok {
		return nil, value.Errorf("SaltException", "filter_by merge argument must be a dictionary.")
	}
	if ret == nil {
		return merge, nil
	}
	dest, ok := ret.(*value.Map)
	if !ok {
		return nil, value.Errorf("TypeError", "Cannot update using non-dict types in dictupdate.update()")
	}
	return value.Update(dest, value.Copy(merge).(*value.Map), false), nil
}

// fitting is the first value that is not null under a key that fits.
func fitting(m *value.Map, grain any) any {
	each := []any{grain}
	if l, ok := grain.(*value.List); ok {
		each = l.Items
	}
	for _, e := range each {
		for k, v := range m.All() {
			if value.Fnmatch(value.Str(e), value.Str(k)) {
				if v != nil {
					return v
				}
				break
			}
		}
	}
	return nil
}
