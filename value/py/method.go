package py

import "pinch/value"

// Method gives the method of recv's type with that name, bound to recv; ok is
// false when Python's type has none.
func Method(recv any, name string) (f Func, ok bool) {
	if m, ok := recv.(Methods); ok {
		return m.Method(name)
	}
	return nil, false
}

var _ = value.TypeName
