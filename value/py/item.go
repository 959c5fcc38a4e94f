package py

import (
	"bytes"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

func runeLen(s string) int {
	if s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// Contains is v in obj.
func Contains(obj, v any) (bool, error) {
	switch o := obj.(type) {
	case string, Markup:
		s, _ := Text(o)
		sub, ok := Text(v)
		if !ok {
			if err := undefined(v); err != nil {
				return false, err
			}
			return false, typeError("'in <string>' requires string as left operand, not %s", TypeName(v))
		}
		return strings.Contains(s, sub), nil
	case *value.Map:
		if s, ok := v.(string); ok {
			return o.Has(s), nil
		}
		return hashed(v, o.HasKey)
	case *value.Set:
		return hashed(v, o.Has)
	case *value.List:
		return containsItem(o.Items, v), nil
	case value.Tuple:
		return containsItem(o, v), nil
	case []byte:
		return bytesContain(o, v)
	case Undefined:
		return false, o.StrictErr()
	case Container:
		return o.Contains(v)
	case Iterable:
		it := o.Iter()
		for {
			x, ok, err := it.Next()
			if err != nil || !ok {
				return false, err
			}
			if value.Equal(x, v) {
				return true, nil
			}
		}
	case seqIterable:
		for x := range o.Iterate() {
			if value.Equal(x, v) {
				return true, nil
			}
		}
		return false, nil
	}
	return false, typeError("argument of type '%s' is not iterable", TypeName(obj))
}

func hashed(v any, has func(any) bool) (bool, error) {
	if m, ok := v.(Markup); ok {
		v = string(m)
	}
	if _, err := value.HashKey(v); err != nil {
		return false, err
	}
	return has(v), nil
}

func containsItem(items []any, v any) bool {
	return slices.ContainsFunc(items, func(x any) bool { return value.Equal(x, v) })
}

func bytesContain(b []byte, v any) (bool, error) {
	switch v := v.(type) {
	case []byte:
		return bytes.Contains(b, v), nil
	case int64:
		if v < 0 || v > 255 {
			return false, valueError("byte must be in range(0, 256)")
		}
		return bytes.IndexByte(b, byte(v)) >= 0, nil
	}
	return false, typeError("a bytes-like object is required, not '%s'", TypeName(v))
}

// Index is obj[key]. A missing key is a KeyError whose text is the key's repr,
// a bad place an IndexError.
func Index(obj, key any) (any, error) {
	switch o := obj.(type) {
	case *value.Map:
		if s, ok := key.(string); ok {
			if v, ok := o.Get(s); ok {
				return v, nil
			}
			return nil, KeyError(key)
		}
		return mapItem(o, key)
	case *value.List:
		i, err := place(key, len(o.Items), "list")
		if err != nil {
			return nil, err
		}
		return o.Items[i], nil
	case value.Tuple:
		i, err := place(key, len(o), "tuple")
		if err != nil {
			return nil, err
		}
		return o[i], nil
	case string:
		return textItem(o, key)
	case Markup:
		s, err := textItem(string(o), key)
		if err != nil {
			return nil, err
		}
		return Markup(s.(string)), nil
	case []byte:
		i, err := place(key, len(o), "bytes")
		if err != nil {
			return nil, err
		}
		return int64(o[i]), nil
	case Undefined:
		return nil, o.UndefinedError()
	case Indexer:
		return o.Item(key)
	}
	return nil, typeError("'%s' object is not subscriptable", TypeName(obj))
}

func mapItem(m *value.Map, key any) (any, error) {
	switch k := key.(type) {
	case Undefined:
		return nil, k.UndefinedError()
	case Markup:
		key = string(k)
	}
	if _, err := value.HashKey(key); err != nil {
		return nil, err
	}
	if v, ok := m.GetKey(key); ok {
		return v, nil
	}
	return nil, KeyError(key)
}

// place turns an index into a valid offset of a sequence of n items.
func place(key any, n int, kind string) (int, error) {
	var i int64
	switch k := key.(type) {
	case int64:
		i = k
	case bool:
		i, _ = AsIndex(k)
	case *big.Int:
		return 0, value.Errorf("IndexError", "cannot fit 'int' into an index-sized integer")
	case Undefined:
		return 0, k.UndefinedError()
	default:
		switch kind {
		case "string":
			return 0, typeError("string indices must be integers, not '%s'", TypeName(key))
		case "bytes":
			return 0, typeError("byte indices must be integers or slices, not %s", TypeName(key))
		}
		return 0, typeError("%s indices must be integers or slices, not %s", kind, TypeName(key))
	}
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		switch kind {
		case "bytes":
			return 0, value.Errorf("IndexError", "index out of range")
		case "range":
			return 0, value.Errorf("IndexError", "range object index out of range")
		}
		return 0, value.Errorf("IndexError", "%s index out of range", kind)
	}
	return int(i), nil
}

func textItem(s string, key any) (any, error) {
	n := len(s)
	if !ascii(s) {
		n, _ = value.Len(s)
	}
	i, err := place(key, n, "string")
	if err != nil {
		return nil, err
	}
	if n == len(s) {
		return s[i : i+1], nil
	}
	start := offset(s, i)
	return s[start : start+runeLen(s[start:])], nil
}

// ascii reports whether code points and bytes are the same in s.
func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// offset is the byte offset of code point i.
func offset(s string, i int) int {
	at := 0
	for ; i > 0 && at < len(s); i-- {
		at += runeLen(s[at:])
	}
	return at
}

// Slice is obj[start:stop:step]; nil stands for an end that is left out.
func Slice(obj, start, stop, step any) (any, error) {
	if err := undefined(obj, start, stop, step); err != nil {
		return nil, err
	}
	pick := func(n int) (from, to, by int, err error) { return slicePlaces(start, stop, step, n) }
	switch o := obj.(type) {
	case *value.List:
		items, err := sliceOf(o.Items, pick)
		return &value.List{Items: items}, err
	case value.Tuple:
		items, err := sliceOf(o, pick)
		return value.Tuple(items), err
	case string:
		return sliceText(o, pick)
	case Markup:
		s, err := sliceText(string(o), pick)
		return Markup(s), err
	case []byte:
		return sliceOf(o, pick)
	case Range:
		return o.slice(pick)
	case *value.Map:
		return nil, typeError("unhashable type: 'slice'")
	case interface {
		Slice(start, stop, step any) (any, error)
	}:
		return o.Slice(start, stop, step)
	}
	return nil, typeError("'%s' object is not subscriptable", TypeName(obj))
}

func sliceOf[T any](items []T, pick func(int) (int, int, int, error)) ([]T, error) {
	from, to, by, err := pick(len(items))
	if err != nil {
		return nil, err
	}
	if by == 1 {
		return slices.Clone(items[from:max(from, to)]), nil
	}
	out := []T{}
	for i := from; by > 0 && i < to || by < 0 && i > to; i += by {
		out = append(out, items[i])
	}
	return out, nil
}

func sliceText(s string, pick func(int) (int, int, int, error)) (string, error) {
	if ascii(s) {
		from, to, by, err := pick(len(s))
		if err != nil {
			return "", err
		}
		if by == 1 {
			return s[from:max(from, to)], nil
		}
		b, err := sliceOf([]byte(s), pick)
		return string(b), err
	}
	parts, err := sliceOf(chars(s), pick)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.(string))
	}
	return b.String(), nil
}

// slicePlaces is slice.indices: valid places for a sequence of n items.
func slicePlaces(start, stop, step any, n int) (from, to, by int, err error) {
	by = 1
	if step != nil {
		if by, err = sliceArg(step); err != nil {
			return
		}
		if by == 0 {
			return 0, 0, 0, valueError("slice step cannot be zero")
		}
	}
	low, high := 0, n
	if by < 0 {
		low, high = -1, n-1
	}
	clamp := func(v any, dflt int) (int, error) {
		if v == nil {
			return dflt, nil
		}
		i, err := sliceArg(v)
		if err != nil {
			return 0, err
		}
		if i < 0 {
			i += n
		}
		return min(max(i, low), high), nil
	}
	first, last := low, high
	if by < 0 {
		first, last = high, low
	}
	if from, err = clamp(start, first); err != nil {
		return
	}
	to, err = clamp(stop, last)
	return
}

func sliceArg(v any) (int, error) {
	i, err := AsIndex(v)
	if err != nil {
		return 0, typeError("slice indices must be integers or None or have an __index__ method")
	}
	return int(min(max(i, -1<<40), 1<<40)), nil
}
