package py

import "pinch/value"

// setMethod finds the methods of set.
func setMethod(name string) (m method[*value.Set], ok bool) {
	all := func(do func(*value.Set, []*value.Set) (any, error)) (method[*value.Set], bool) {
		return pos(0, -1, func(s *value.Set, a args) (any, error) {
			others := make([]*value.Set, len(a))
			for i, v := range a {
				o, err := Set(v)
				if err != nil {
					return nil, err
				}
				others[i] = o
			}
			return do(s, others)
		}), true
	}
	with := func(do func(s, o *value.Set) any) (method[*value.Set], bool) {
		return one(func(s *value.Set, v any) (any, error) {
			o, err := Set(v)
			if err != nil {
				return nil, err
			}
			return do(s, o), nil
		}), true
	}
	switch name {
	case "add":
		return one(func(s *value.Set, v any) (any, error) { return nil, s.Add(v) }), true
	case "remove", "discard":
		return one(func(s *value.Set, v any) (any, error) {
			if _, err := value.HashKey(v); err != nil {
				return nil, err
			}
			if !s.Remove(v) && name == "remove" {
				return nil, KeyError(v)
			}
			return nil, nil
		}), true
	case "pop":
		return none(func(s *value.Set) (any, error) {
			if s.Len() == 0 {
				return nil, &value.Exception{Class: "KeyError", Msg: "'pop from an empty set'"}
			}
			v := s.Items()[0]
			s.Remove(v)
			return v, nil
		}), true
	case "clear":
		return none(func(s *value.Set) (any, error) { *s = value.Set{}; return nil, nil }), true
	case "copy":
		return none(func(s *value.Set) (any, error) { return value.NewSet(s.Items()...) }), true
	case "update":
		return all(func(s *value.Set, others []*value.Set) (any, error) { setAdd(s, others); return nil, nil })
	case "union":
		return all(func(s *value.Set, others []*value.Set) (any, error) {
			out, err := value.NewSet(s.Items()...)
			setAdd(out, others)
			return out, err
		})
	case "intersection", "difference", "intersection_update", "difference_update":
		return all(func(s *value.Set, others []*value.Set) (any, error) {
			out := setKeep(s, others, name[0] == 'i')
			if name[len(name)-1] == 'e' && len(name) > len("intersection") {
				*s = *out
				return nil, nil
			}
			return out, nil
		})
	case "symmetric_difference":
		return with(func(s, o *value.Set) any { return setXor(s, o) })
	case "symmetric_difference_update":
		return with(func(s, o *value.Set) any { *s = *setXor(s, o); return nil })
	case "issubset":
		return with(func(s, o *value.Set) any { return setDifference(s, o).Len() == 0 })
	case "issuperset":
		return with(func(s, o *value.Set) any { return setDifference(o, s).Len() == 0 })
	case "isdisjoint":
		return with(func(s, o *value.Set) any { return setDifference(s, o).Len() == s.Len() })
	}
	return m, false
}

// Set is set(v).
func Set(v any) (*value.Set, error) {
	if s, ok := v.(*value.Set); ok {
		return s, nil
	}
	items, err := Items(v)
	if err != nil {
		return nil, err
	}
	return value.NewSet(items...)
}

// setAdd puts all members of others, known to be hashable, into s.
func setAdd(s *value.Set, others []*value.Set) {
	for _, o := range others {
		for _, v := range o.Items() {
			_ = s.Add(v)
		}
	}
}

// setKeep keeps the members that are in all the others (in) or in none.
func setKeep(s *value.Set, others []*value.Set, in bool) *value.Set {
	out := new(value.Set)
next:
	for _, v := range s.Items() {
		for _, o := range others {
			if o.Has(v) != in {
				continue next
			}
		}
		_ = out.Add(v)
	}
	return out
}

func setDifference(a, b *value.Set) *value.Set { return setKeep(a, []*value.Set{b}, false) }

func setXor(a, b *value.Set) *value.Set {
	out := setDifference(a, b)
	setAdd(out, []*value.Set{setDifference(b, a)})
	return out
}
