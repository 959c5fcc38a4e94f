package value

// Plain gives data in which every map is a plain dict, as what Salt sends
// through a format or prints is. Data without an OrderedDict come back as
// they are, not as a copy.
func Plain(v any) any {
	if !hasOrdered(v, nil) {
		return v
	}
	return plainer{}.plain(v)
}

func hasOrdered(v any, open []any) bool {
	switch v.(type) {
	case *List, *Map:
		for _, o := range open {
			if o == v {
				return false
			}
		}
		open = append(open, v)
	}
	switch v := v.(type) {
	case *List:
		for _, it := range v.Items {
			if hasOrdered(it, open) {
				return true
			}
		}
	case Tuple:
		for _, it := range v {
			if hasOrdered(it, open) {
				return true
			}
		}
	case *Map:
		if v.Ordered() {
			return true
		}
		for _, it := range v.All() {
			if hasOrdered(it, open) {
				return true
			}
		}
	}
	return false
}

// A plainer remembers what it made, for data that contain themselves.
type plainer map[any]any

func (p plainer) plain(v any) any {
	switch v := v.(type) {
	case *List:
		if made, ok := p[v]; ok {
			return made
		}
		n := &List{Items: make([]any, len(v.Items))}
		p[v] = n
		for i, it := range v.Items {
			n.Items[i] = p.plain(it)
		}
		return n
	case Tuple:
		n := make(Tuple, len(v))
		for i, it := range v {
			n[i] = p.plain(it)
		}
		return n
	case *Map:
		if v == nil {
			return v
		}
		if made, ok := p[v]; ok {
			return made
		}
		n := NewMap(v.Len())
		p[v] = n
		for k, it := range v.All() {
			n.put(k, p.plain(it))
		}
		return n
	}
	return v
}
