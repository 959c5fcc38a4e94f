package value

// FilterBy chooses from a mapping by what stands at a path of data
// (salt.utils.data.filter_by, the core of grains.filter_by and its relatives).
// The keys of choices are globs. def is the key used when none matches, base
// the key of values that lie under the choice, merge is put over it: in place,
// as Salt does.
func FilterBy(choices *Map, path any, data *Map, merge, def, base any) (any, error) {
	ret := choose(choices, TraverseOr(data, path, L(), ":"))
	if ret == nil {
		ret, _ = choices.GetKey(def)
	}
	if under, ok := choices.GetKey(base); ok && Truth(base) {
		m, isMap := under.(*Map)
		switch {
		case ret == nil:
			ret = under
		case isMap:
			over, ok := ret.(*Map)
			if !ok {
				return nil, Errorf("SaltException", "filter_by default and look-up values must both be dictionaries.")
			}
			ret = Update(Copy(m).(*Map), over, false)
		}
	}
	if !Truth(merge) {
		return ret, nil
	}
	over, ok := merge.(*Map)
	if !ok {
		return nil, Errorf("SaltException", "filter_by merge argument must be a dictionary.")
	}
	if ret == nil {
		return over, nil
	}
	into, ok := ret.(*Map)
	if !ok {
		return nil, typeError("Cannot update using non-dict types in dictupdate.update()")
	}
	return Update(into, Copy(over).(*Map), false), nil
}

// choose finds the first choice whose key, a glob, matches one of the values.
func choose(choices *Map, v any) any {
	each := []any{v}
	if l, ok := v.(*List); ok {
		each = l.Items
	}
	for _, it := range each {
		text := Str(it)
		for k, choice := range choices.All() {
			if choice != nil && Fnmatch(text, Str(k)) {
				return choice
			}
			if choice == nil && Fnmatch(text, Str(k)) {
				break
			}
		}
	}
	return nil
}
