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
	var p printer
	if m, ok := v.(*value.Map); ok {
		p.mapping(m, true)
	} else {
		p.repr(v)
	}
	return p.String(), p.err
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

// A printer writes values; err is the first undefined one that was to be printed.
type printer struct {
	strings.Builder
	err error
}

// mapping writes a map; outer says whether its values print as by str(), as
// those of a map that is printed itself do.
func (p *printer) mapping(m *value.Map, outer bool) {
	p.WriteByte('{')
	first := true
	for k, v := range m.All() {
		if !first {
			p.WriteString(", ")
		}
		first = false
		p.WriteString(value.Repr(k))
		p.WriteString(": ")
		switch v := v.(type) {
		case string:
			if !strings.ContainsAny(v, "\n\r\t") {
				value.QuoteTo(&p.Builder, v)
			} else {
				p.WriteString(yaml.Dquote(v))
			}
		case *value.Map:
			p.mapping(v, outer)
		case *value.List, value.Tuple:
			p.repr(v)
		case *jinja.Undefined:
			if err := v.StrictErr(); err != nil && p.err == nil {
				p.err = err
			}
		default:
			if outer {
				p.WriteString(value.Str(v))
			} else {
				p.WriteString(value.Repr(v))
			}
		}
	}
	p.WriteByte('}')
}

func (p *printer) repr(v any) {
	open, end, items := "[", "]", []any(nil)
	switch v := v.(type) {
	case *value.Map:
		p.mapping(v, false)
		return
	case *value.List:
		items = v.Items
	case value.Tuple:
		open, end, items = "(", ")", v
		if len(v) == 1 {
			end = ",)"
		}
	default:
		p.WriteString(value.Repr(v))
		return
	}
	p.WriteString(open)
	for i, it := range items {
		if i > 0 {
			p.WriteString(", ")
		}
		p.repr(it)
	}
	p.WriteString(end)
}
