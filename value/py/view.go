package py

import (
	"pinch/value"
)

// A View is what dict.keys(), dict.values() and dict.items() give: it follows
// the dict. Kind is "keys", "values" or "items".
type View struct {
	Kind string
	Map  *value.Map
}

// TypeName is dict_keys, dict_values or dict_items, of an OrderedDict odict_keys.
func (v View) TypeName() string {
	if v.Map.Ordered() {
		return "odict_" + v.Kind
	}
	return "dict_" + v.Kind
}

// Len is the dict's.
func (v View) Len() int { return v.Map.Len() }

// Truth reports whether the dict has anything.
func (v View) Truth() bool { return v.Map.Len() > 0 }

// Items lists the keys, values or (key, value) tuples.
func (v View) Items() []any {
	if v.Kind == "keys" {
		return v.Map.Keys()
	}
	out := make([]any, 0, v.Map.Len())
	for k, it := range v.Map.All() {
		if v.Kind == "items" {
			out = append(out, value.Tuple{k, it})
		} else {
			out = append(out, it)
		}
	}
	return out
}

// Iter iterates over Items.
func (v View) Iter() Iterator { return SliceIter(v.Items()) }

// Repr is Python's repr.
func (v View) Repr() string {
	return v.TypeName() + "(" + value.Repr(&value.List{Items: v.Items()}) + ")"
}

// String is the repr.
func (v View) String() string { return v.Repr() }

// Contains is x in v.
func (v View) Contains(x any) (bool, error) {
	switch v.Kind {
	case "keys":
		return hashed(x, v.Map.HasKey)
	case "items":
		t, ok := x.(value.Tuple)
		if !ok || len(t) != 2 {
			return false, nil
		}
		it, ok := v.Map.GetKey(t[0])
		return ok && value.Equal(it, t[1]), nil
	}
	return containsItem(v.Items(), x), nil
}

// Equal compares keys and items as sets do; values are equal only to themselves.
func (v View) Equal(o any) bool {
	w, ok := o.(View)
	if !ok || v.Kind == "values" || v.Len() != w.Len() {
		return ok && v == w
	}
	for _, x := range v.Items() {
		if in, _ := w.Contains(x); !in {
			return false
		}
	}
	return true
}
