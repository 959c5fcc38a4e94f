package translate

import (
	"math/big"
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// split cuts text at a separator and takes the blanks off the parts.
func split(s, sep string) []string { return splitN(s, sep, -1) }

func splitN(s, sep string, n int) []string {
	parts := strings.SplitN(s, sep, n)
	for i, p := range parts {
		parts[i] = strip(p)
	}
	return parts
}

// strip is Python's str.strip().
func strip(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f || r == 0x85 || r == 0xa0 || strings.ContainsRune("\u1680\u2028\u2029\u202f\u205f\u3000", r) || r >= 0x2000 && r <= 0x200a
	})
}

func isInt(v any) bool {
	switch v.(type) {
	case int64, *big.Int, bool:
		return true
	}
	return false
}

// isDictlist reports whether v is a list of maps of one entry, as SLS files
// write maps; an empty list is one.
func isDictlist(v any) bool {
	l, ok := v.(*value.List)
	if !ok {
		return false
	}
	for _, it := range l.Items {
		if m, ok := it.(*value.Map); !ok || m.Len() != 1 {
			return false
		}
	}
	return true
}

// repack makes one map of a list of maps of one entry.
func repack(v any) *value.Map {
	out := new(value.Map)
	for _, it := range v.(*value.List).Items {
		out.Update(it.(*value.Map))
	}
	return out
}

func readStr(v any, _ *args) (any, error) { return value.Str(v), nil }

func readBool(v any, _ *args) (any, error) { return value.Truth(v), nil }

func readInt(v any, _ *args) (any, error) {
	if isInt(v) {
		return v, nil
	}
	n, err := intOf(v)
	if err != nil {
		if isOverflow(err) {
			return nil, err
		}
		return nil, invalidf("'%s' is not an integer", value.Str(v))
	}
	return n, nil
}

// intOf is int(v).
func intOf(v any) (any, error) { return py.Int(v) }

func isOverflow(err error) bool {
	x, ok := err.(*value.Exception)
	return ok && x.Class == "OverflowError"
}

func readDict(v any, _ *args) (any, error) {
	if _, ok := v.(*value.Map); !ok {
		return nil, invalidf("'%s' is not a dictionary", value.Str(v))
	}
	return v, nil
}

// readCommand reads a command: one text, or a list of words.
func readCommand(v any, _ *args) (any, error) {
	l, ok := v.(*value.List)
	if !ok {
		return value.Str(v), nil
	}
	return allStr(l), nil
}

func allStr(l *value.List) *value.List {
	for i, it := range l.Items {
		l.Items[i] = value.Str(it)
	}
	return l
}

// readBytes reads a number of bytes, or text such as 100mb.
func readBytes(v any, _ *args) (any, error) {
	n, err := intOf(v)
	if err == nil {
		return n, nil
	}
	if isOverflow(err) {
		return nil, err
	}
	return value.Str(v), nil
}

// words reads a list of strings; text is one with commas.
func words(v any) *value.List {
	if l, ok := v.(*value.List); ok {
		return allStr(l)
	}
	return value.Strings(split(value.Str(v), ","))
}

func readWords(v any, _ *args) (any, error) { return words(v), nil }

// keyVal reads a map of lines such as key=value.
func keyVal(sep string) reader {
	return func(v any, _ *args) (any, error) { return keyVals(v, sep) }
}

func keyVals(v any, sep string) (*value.Map, error) {
	if m, ok := v.(*value.Map); ok {
		return m, nil
	}
	out := new(value.Map)
	for _, it := range words(v).Items {
		kv := splitN(it.(string), sep, 2)
		if len(kv) != 2 {
			return nil, invalidf("'%s' is not a key%svalue pair", it, sep)
		}
		out.Set(kv[0], kv[1])
	}
	return out, nil
}

// labels reads a map of labels; one without a value has an empty one.
func labels(v any, _ *args) (any, error) {
	if _, ok := v.(*value.Map); ok {
		return v, nil
	}
	l, ok := v.(*value.List)
	if !ok {
		s, ok := v.(string)
		if !ok {
			return nil, errAsIs
		}
		l = value.Strings(split(s, ","))
	}
	out := new(value.Map)
	for _, it := range l.Items {
		switch it := it.(type) {
		case *value.Map:
			if it.Len() != 1 {
				return nil, invalidf("Invalid label(s)")
			}
			for k, v := range it.Items() {
				out.Set(k, value.Str(v))
			}
		case string:
			kv := append(splitN(it, "=", 2), "")
			if len(kv) == 2 {
				kv[0] = it
			}
			out.Set(kv[0], kv[1])
		default:
			return nil, errAsIs
		}
	}
	return out, nil
}

// mapVals reads lines of values with colons as maps with these names. fill, if
// there is one, stands in for values that are missing.
func mapVals(v any, fill *string, names ...string) ([]*value.Map, error) {
	var out []*value.Map
	for _, it := range words(v).Items {
		parts := split(it.(string), ":")
		up := ""
		if fill != nil {
			up = "up to "
		}
		if n := len(parts); n > len(names) || n < len(names) && fill == nil {
			if n < len(names) {
				up = ""
			}
			return nil, invalidf("'%s' contains %d value(s) (expected %s%d)", it, n, up, len(names))
		}
		m := new(value.Map)
		for i, name := range names {
			if i < len(parts) {
				m.Set(name, parts[i])
			} else {
				m.Set(name, *fill)
			}
		}
		out = append(out, m)
	}
	return out, nil
}

func listOf(maps []*value.Map) *value.List {
	l := value.L()
	for _, m := range maps {
		l.Append(m)
	}
	return l
}
