package py

import "pinch/value"

func setDifference(a, b *value.Set) *value.Set {
	out := new(value.Set)
	for _, v := range a.Items() {
		if !b.Has(v) {
			_ = out.Add(v) // it was hashable before
		}
	}
	return out
}
