package matcher

import (
	"strings"

	"pinch/value"
)

// A comparison says how the last part of a grain or pillar target is compared
// with a value. Both sides are in lower case by then.
type comparison int

const (
	byGlob comparison = iota
	byRegexp
	exactly
)

func (c comparison) match(target any, pattern string) bool {
	text, pattern := strings.ToLower(value.Str(target)), strings.ToLower(pattern)
	switch c {
	case byRegexp:
		ok, err := matchStart(pattern, text)
		return ok && err == nil
	case exactly:
		return text == pattern
	}
	return value.Fnmatch(text, pattern)
}

// subdict is the matcher of grain and pillar targets.
func subdict(data *value.Map, expr any, delimiter string, c comparison) (bool, error) {
	switch e := expr.(type) {
	case string:
		return c.subdict(data, e, delimiter), nil
	case *value.List:
		if !holds(e.Items, delimiter) {
			return false, nil
		}
	case *value.Map:
		if !e.Has(delimiter) {
			return false, nil
		}
	default:
		return false, notIterable(expr)
	}
	return false, value.Errorf("AttributeError", "'%s' object has no attribute 'split'", value.TypeName(expr))
}

// SubdictMatch reports whether "path:to:value" holds in data (Salt's
// subdict_match with globs): the longest path that leads somewhere is tried
// first, so that a delimiter may also be part of the value.
func SubdictMatch(data any, expr, delimiter string) bool {
	return byGlob.subdict(data, expr, delimiter)
}

// SubdictMatchRegexp is SubdictMatch with a Python regular expression that has
// to match from the start of the value.
func SubdictMatchRegexp(data any, expr, delimiter string) bool {
	return byRegexp.subdict(data, expr, delimiter)
}

// SubdictMatchExact is SubdictMatch without globs, but for a "*" as a key.
func SubdictMatchExact(data any, expr, delimiter string) bool {
	return exactly.subdict(data, expr, delimiter)
}

func (c comparison) subdict(data any, expr, delimiter string) bool {
	parts := strings.Split(expr, delimiter)
	for i := len(parts) - 1; i > 0; i-- {
		key, pattern := strings.Join(parts[:i], delimiter), strings.Join(parts[i:], delimiter)
		found := data
		if key == "*" {
			pattern = expr
		} else {
			var ok bool
			if found, ok = value.Traverse(data, key, delimiter); !ok {
				continue
			}
		}
		if c.anywhere(found, pattern) {
			return true
		}
	}
	return false
}

func (c comparison) anywhere(found any, pattern string) bool {
	switch f := found.(type) {
	case *value.Map:
		return f.Len() > 0 && c.dict(f, pattern)
	case *value.List:
		return c.member(f.Items, pattern)
	case value.Tuple:
		return c.member(f, pattern)
	}
	return c.match(found, pattern)
}

func (c comparison) member(items []any, pattern string) bool {
	for _, it := range items {
		if m, ok := it.(*value.Map); ok && c.dict(m, pattern) || c.match(it, pattern) {
			return true
		}
	}
	return false
}

// dict matches a pattern that ends at a map: a key that is there, a key that
// fits, a deeper path, or, after "*:", the same below every key.
func (c comparison) dict(m *value.Map, pattern string) bool {
	pattern, wildcard := strings.CutPrefix(pattern, "*:")
	if pattern == "*" || m.Has(pattern) {
		return true
	}
	for _, k := range m.Keys() {
		if c.match(k, pattern) {
			return true
		}
	}
	if c.subdict(m, pattern, DefaultDelimiter) {
		return true
	}
	if !wildcard {
		return false
	}
	for _, v := range m.All() {
		switch v := v.(type) {
		case *value.Map:
			if c.dict(v, pattern) {
				return true
			}
		case *value.List:
			for _, it := range v.Items {
				if c.match(it, pattern) {
					return true
				}
			}
		default:
			if c.match(v, pattern) {
				return true
			}
		}
	}
	return false
}
