package value

// MergeStrategies are the names that Merge knows besides "smart".
var MergeStrategies = []string{"recurse", "list", "aggregate", "overwrite", "none"}

// Update merges upd into dest, recursively where both sides are maps, and
// returns dest (salt.utils.dictupdate.update). With lists, a list of upd adds
// the items that dest's list lacks instead of replacing it.
func Update(dest, upd *Map, lists bool) *Map {
	for k, v := range upd.All() {
		old, _ := dest.GetKey(k)
		switch w := v.(type) {
		case *Map:
			if o, ok := old.(*Map); ok {
				v = Update(o, w, lists)
			}
		case *List:
			if o, ok := old.(*List); ok && lists {
				v = Union(o, w)
			}
		}
		dest.put(k, v)
	}
	return dest
}

// Union copies a and adds the items of b that a lacks; what stands twice in b
// is added twice, as Salt does.
func Union(a, b *List) *List {
	out := Copy(a).(*List)
	old := out.Items
	for _, it := range b.Items {
		has := false
		for _, x := range old {
			if has = Equal(x, it); has {
				break
			}
		}
		if !has {
			out.Append(it)
		}
	}
	return out
}

// Merge is salt.utils.dictupdate.merge: a new map of a with b on top. Strategy
// is smart, recurse, list, aggregate, overwrite or none; an unknown one counts
// as recurse. Smart means aggregate when the renderer ends in yamlex.
func Merge(a, b *Map, strategy, renderer string, lists bool) *Map {
	return MergeMarked(a, b, strategy, renderer, lists, nil)
}

// MergeMarked is Merge for data whose marks say what yamlex's !aggregate stood at.
func MergeMarked(a, b *Map, strategy, renderer string, lists bool, marks Marks) *Map {
	if strategy == "smart" {
		strategy = "recurse"
		if isYamlex(renderer) {
			strategy = "aggregate"
		}
	}
	switch strategy {
	case "list":
		out := NewMap(a.Len())
		for k, v := range a.All() {
			if w, ok := b.GetKey(k); ok {
				v = L(v, w)
			}
			out.put(k, v)
		}
		return out
	case "aggregate":
		return Aggregate(a, b, 1, marks).(*Map)
	case "overwrite":
		a = a.Shallow()
		for k, v := range b.All() {
			if a.HasKey(k) {
				a.put(k, v)
			}
		}
		return Update(Copy(a).(*Map), b, lists)
	case "recurse":
		return Update(Copy(a).(*Map), b, lists)
	}
	return Update(Copy(a).(*Map), b, false)
}

func isYamlex(renderer string) bool {
	for i := len(renderer); i > 0; i-- {
		if renderer[i-1] == '|' {
			return renderer[i:] == "yamlex"
		}
	}
	return renderer == "yamlex" || len(renderer) > 7 && renderer[:7] == "yamlex_"
}
