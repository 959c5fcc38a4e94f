package value

// Marks are the maps and lists, by identity, that yamlex's tag !aggregate
// stood at.
type Marks map[any]bool

// Aggregate merges b into a copy of a as yamlex does
// (salt.utils.aggregation.aggregate): maps by key, lists that are marked by
// adding what is new, all else b's. The first levels are merged as if they were
// marked. What it makes of marked containers is marked again.
func Aggregate(a, b any, levels int, marks Marks) any {
	if levels > 0 {
		a, b = marks.mark(a), marks.mark(b)
	}
	left, lm := a.(*Map)
	right, rm := b.(*Map)
	if lm && rm {
		both := levels > 0 || marks[left] && marks[right]
		out := right.Shallow()
		if both {
			out = left.Shallow()
		}
		if marks != nil && (marks[right] || both) {
			marks[out] = true
		}
		for k, v := range right.All() {
			if old, ok := left.GetKey(k); ok {
				v = Aggregate(old, v, levels-1, marks)
			}
			out.put(k, v)
		}
		return out
	}
	l, ll := a.(*List)
	r, rl := b.(*List)
	if ll && rl && (levels > 0 || marks[l] && marks[r]) {
		out := &List{Items: append([]any(nil), l.Items...)}
		for _, it := range r.Items {
			if !contains(l.Items, it) {
				out.Append(it)
			}
		}
		if marks != nil {
			marks[out] = true
		}
		return out
	}
	return b
}

// mark makes v a container that counts as marked.
func (m Marks) mark(v any) any {
	switch v.(type) {
	case *Map, *List:
	default:
		v = L(v)
	}
	if m != nil {
		m[v] = true
	}
	return v
}

func contains(items []any, v any) bool {
	for _, it := range items {
		if Equal(it, v) {
			return true
		}
	}
	return false
}
