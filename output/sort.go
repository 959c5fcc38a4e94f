package output

import (
	"cmp"
	"slices"

	"pinch/value"
)

// sortValues sorts items by by(item) as Python's sorted does, and is stable.
// It fails with a TypeError when two of them have no order.
func sortValues(items []any, by func(any) any) error {
	keys := make([]any, len(items))
	text, ints := true, true
	for i, it := range items {
		keys[i] = by(it)
		_, isText := keys[i].(string)
		_, isInt := keys[i].(int64)
		text, ints = text && isText, ints && isInt
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	var err error
	switch {
	case text:
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a].(string), keys[b].(string)) })
	case ints:
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a].(int64), keys[b].(int64)) })
	default:
		slices.SortStableFunc(order, func(a, b int) int {
			c, e := value.Compare(keys[a], keys[b], "<")
			if e != nil && err == nil {
				err = e
			}
			return c
		})
	}
	old := slices.Clone(items)
	for i, j := range order {
		items[i] = old[j]
	}
	return err
}
