package py

import "pinch/value"

// dictMethod finds the methods of dict.
func dictMethod(name string) (m method[*value.Map], ok bool) {
	switch name {
	case "get":
		return pos(1, 2, func(m *value.Map, a args) (any, error) {
			v, ok, err := lookup(m, a[0])
			if err != nil || ok {
				return v, err
			}
			return a.or(1, nil), nil
		}), true
	case "pop":
		return pos(1, 2, dictPop), true
	case "popitem":
		return none(dictPopitem), true
	case "setdefault":
		return pos(1, 2, func(m *value.Map, a args) (any, error) {
			v, ok, err := lookup(m, a[0])
			if err != nil || ok {
				return v, err
			}
			v = a.or(1, nil)
			return v, m.SetKey(a[0], v)
		}), true
	case "copy":
		return none(func(m *value.Map) (any, error) { return m.Shallow(), nil }), true
	case "clear":
		return none(func(m *value.Map) (any, error) { m.Clear(); return nil, nil }), true
	case "fromkeys":
		return pos(1, 2, func(m *value.Map, a args) (any, error) {
			keys, err := Items(a[0])
			if err != nil {
				return nil, err
			}
			n := value.NewMap(len(keys))
			if m.Ordered() {
				n.Order()
			}
			for _, k := range keys {
				if err := n.SetKey(k, a.or(1, nil)); err != nil {
					return nil, err
				}
			}
			return n, nil
		}), true
	case "move_to_end": // of OrderedDict, which Salt's data often are
		return pos(1, 2, dictMoveToEnd), true
	}
	return m, false
}

// orderedMethod finds the methods of OrderedDict that dict does not have, or
// has with fewer arguments.
func orderedMethod(name string) (m method[*value.Map], ok bool) {
	switch name {
	case "popitem":
		return named(func(m *value.Map, a args) (any, error) {
			if m.Len() == 0 {
				return nil, &value.Exception{Class: "KeyError", Msg: "'dictionary is empty'"}
			}
			keys := m.Keys()
			k := keys[0]
			if value.Truth(a.or(0, true)) {
				k = keys[len(keys)-1]
			}
			v, _ := m.PopKey(k)
			return value.Tuple{k, v}, nil
		}, "last"), true
	case "move_to_end":
		m = named(dictMoveToEnd, "key", "last")
		m.sig.min = 1
		return m, true
	}
	return m, false
}

// viewOf is the method items, keys or values.
func viewOf(m *value.Map, name string) Func {
	return func(list []any, kw *value.Map) (any, error) {
		s := sig{kind: '0'}
		if _, err := s.bind("dict", name, list, kw); err != nil {
			return nil, err
		}
		return View{name, m}, nil
	}
}

func lookup(m *value.Map, key any) (any, bool, error) {
	if s, ok := key.(string); ok {
		v, ok := m.Get(s)
		return v, ok, nil
	}
	if _, err := value.HashKey(key); err != nil {
		return nil, false, err
	}
	if err := undefined(key); err != nil {
		return nil, false, err
	}
	v, ok := m.GetKey(key)
	return v, ok, nil
}

func dictPop(m *value.Map, a args) (any, error) {
	v, ok, err := lookup(m, a[0])
	switch {
	case err != nil:
		return nil, err
	case ok:
		m.PopKey(a[0])
		return v, nil
	case a.has(1):
		return a[1], nil
	}
	return nil, KeyError(a[0])
}

func dictPopitem(m *value.Map) (any, error) {
	keys := m.Keys()
	if len(keys) == 0 {
		return nil, &value.Exception{Class: "KeyError", Msg: "'popitem(): dictionary is empty'"}
	}
	k := keys[len(keys)-1]
	v, _ := m.PopKey(k)
	return value.Tuple{k, v}, nil
}

func dictMoveToEnd(m *value.Map, a args) (any, error) {
	v, ok := m.PopKey(a[0])
	if !ok {
		return nil, KeyError(a[0])
	}
	if value.Truth(a.or(1, true)) {
		return nil, m.SetKey(a[0], v)
	}
	rest := m.Shallow()
	m.Clear()
	if err := m.SetKey(a[0], v); err != nil {
		return nil, err
	}
	m.Update(rest)
	return nil, nil
}

// dictUpdate is dict.update, which takes keywords too.
func dictUpdate(m *value.Map) Func {
	return func(list []any, kw *value.Map) (any, error) {
		if len(list) > 1 {
			return nil, typeError("update expected at most 1 argument, got %d", len(list))
		}
		if len(list) == 1 {
			if err := UpdateMap(m, list[0]); err != nil {
				return nil, err
			}
		}
		m.Update(kw)
		return nil, nil
	}
}

// UpdateMap is m.update(from): a dict or an iterable of pairs.
func UpdateMap(m *value.Map, from any) error {
	if o, ok := from.(*value.Map); ok {
		if o != m {
			m.Update(o)
		}
		return nil
	}
	if keys, ok := Method(from, "keys"); ok {
		ks, err := keys(nil, nil)
		if err != nil {
			return err
		}
		items, err := Items(ks)
		if err != nil {
			return err
		}
		for _, k := range items {
			v, err := Index(from, k)
			if err != nil {
				return err
			}
			if err := m.SetKey(k, v); err != nil {
				return err
			}
		}
		return nil
	}
	pairs, err := Items(from)
	if err != nil {
		return err
	}
	for i, p := range pairs {
		kv, err := Items(p)
		if err != nil {
			return typeError("cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		if len(kv) != 2 {
			return valueError("dictionary update sequence element #%d has length %d; 2 is required", i, len(kv))
		}
		if err := m.SetKey(kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

// Dict is dict(*args, **kw).
func Dict(args []any, kw *value.Map) (*value.Map, error) {
	if len(args) > 1 {
		return nil, typeError("dict expected at most 1 argument, got %d", len(args))
	}
	m := new(value.Map)
	if len(args) == 1 {
		if err := UpdateMap(m, args[0]); err != nil {
			return nil, err
		}
	}
	m.Update(kw)
	return m, nil
}
