package render

import (
	"strings"

	"pinch/render/jinja"
	"pinch/render/yaml"
	"pinch/value"
)

// printable is what {{ x }} makes of a map, also of one inside a list: Python's
// repr, but string values that have line ends or tabs as YAML reads them
// (salt.utils.jinja.PrintableDict).
func printable(_ *jinja.State, v any) (any, error) {
	if !hasMap(v, 0) {
		return v, nil
	}
	var b strings.Builder
	if m, ok := v.(*value.Map); ok {
		printMap(&b, m, true)
	} else {
		printRepr(&b, v)
	}
	return b.String(), nil
}

func hasMap(v any, depth int) bool {
	var items []any
	switch v := v.(type) {
	case *value.Map:
		return true
	case *value.List:
		items = v.Items
	case value.Tuple:
		items = v
	}
	if depth > 100 {
		return false
	}
	for _, it := range items {
		if hasMap(it, depth+1) {
			return true
		}
	}
	return false
}

// printMap writes a map; outer says whether its values print as by str(), as
// those of a map that is printed itself do.
func printMap(b *strings.Builder, m *value.Map, outer bool) {
	b.WriteByte('{')
	first := true
	for k, v := range m.All() {
		if !first {
			b.WriteString(", ")
		}
		first = false
		b.WriteString(value.Repr(k))
		b.WriteString(": ")
		switch v := v.(type) {
		case string:
			if !strings.ContainsAny(v, "\n\r\t") {
				value.QuoteTo(b, v)
			} else {
				b.WriteString(yaml.Dquote(v))
			}
		case *value.Map:
			printMap(b, v, outer)
		case *value.List, value.Tuple:
			printRepr(b, v)
		default:
			if outer {
				b.WriteString(value.Str(v))
			} else {
				b.WriteString(value.Repr(v))
			}
		}
	}
	b.WriteByte('}')
}

func printRepr(b *strings.Builder, v any) {
	open, end, items := "[", "]", []any(nil)
	switch v := v.(type) {
	case *value.Map:
		printMap(b, v, false)
		return
	case *value.List:
		items = v.Items
	case value.Tuple:
		open, end, items = "(", ")", v
		if len(v) == 1 {
			end = ",)"
		}
	default:
		b.WriteString(value.Repr(v))
		return
	}
	b.WriteString(open)
	for i, it := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		printRepr(b, it)
	}
	b.WriteString(end)
}
