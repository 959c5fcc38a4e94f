package saltfilters

import (
	"strings"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// element is an XML element on its way to text.
type element struct {
	tag      string
	attrs    [][2]string
	text     string
	children []*element
}

// formatXML writes a dict or a list of pairs as XML: scalars inside of a dict
// are attributes, dicts and lists are elements.
func formatXML(_ *jinja.Call, a []any) (any, error) {
	pairs, err := xmlPairs(a[0])
	if err != nil {
		return nil, err
	}
	root, err := buildXML(pairs, nil, 0)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, value.Errorf("AttributeError", "'NoneType' object has no attribute 'iter'")
	}
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" ?>\n")
	root.write(&b, "")
	return py.Markup(b.String()), nil
}

func xmlPairs(v any) ([]any, error) {
	var items []any
	switch x := v.(type) {
	case *value.List:
		items = x.Items
	case value.Tuple:
		items = x
	case *value.Map:
		return py.View{Kind: "items", Map: x}.Items(), nil
	default:
		return nil, runtimeError("Value is not a dict or list. Cannot render as XML")
	}
	if len(items) == 0 {
		return nil, value.Errorf("IndexError", "%s index out of range", value.TypeName(v))
	}
	if _, ok := py.Text(items[0]); ok {
		return items, nil
	}
	return nil, nil
}

// buildXML adds an element for each pair below parent, or makes the root; it
// gives the last one.
func buildXML(pairs []any, parent *element, depth int) (*element, error) {
	if depth > 400 {
		return nil, value.Errorf("RecursionError", "maximum recursion depth exceeded")
	}
	var last *element
	for _, p := range pairs {
		tag, attrs, err := xmlPair(p)
		if err != nil {
			return nil, err
		}
		if l, ok := attrs.(*value.List); ok {
			for _, it := range l.Items {
				if _, err := buildXML([]any{value.Tuple{tag, it}}, parent, depth+1); err != nil {
					return nil, err
				}
			}
			if err := checkItems(l); err != nil {
				return nil, err
			}
			continue
		}
		last = &element{tag: value.Str(tag)}
		if parent != nil {
			parent.children = append(parent.children, last)
		}
		switch attrs.(type) {
		case string, py.Markup, int64, bool, float64:
			last.text = value.Str(attrs)
			continue
		}
		if err := last.fill(attrs, depth); err != nil {
			return nil, err
		}
	}
	return last, nil
}

// checkItems fails where Python indexes an empty list or a text of one letter.
func checkItems(l *value.List) error {
	items, err := xmlPairs(l)
	if err != nil {
		return err
	}
	for _, v := range items {
		if _, err := py.Index(v, int64(1)); err != nil {
			return err
		}
	}
	return nil
}

func xmlPair(p any) (tag, attrs any, err error) {
	kv, err := py.Items(p)
	switch {
	case err != nil:
		return nil, nil, typeError("cannot unpack non-iterable %s object", py.TypeName(p))
	case len(kv) < 2:
		return nil, nil, value.Errorf("ValueError", "not enough values to unpack (expected 2, got %d)", len(kv))
	case len(kv) > 2:
		return nil, nil, value.Errorf("ValueError", "too many values to unpack (expected 2)")
	}
	return kv[0], kv[1], nil
}

// fill gives the element its attributes and children.
func (e *element) fill(attrs any, depth int) error {
	if m, ok := attrs.(*value.Map); ok {
		for k, v := range m.All() {
			switch v.(type) {
			case *value.Map, *value.List:
			default:
				e.attrs = append(e.attrs, [2]string{value.Str(k), value.Str(v)})
			}
		}
	}
	pairs, err := xmlPairs(attrs)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if kv, ok := p.(value.Tuple); ok && len(kv) == 2 {
			switch kv[1].(type) {
			case *value.Map, *value.List:
				if _, err := buildXML([]any{p}, e, depth+1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func xmlEscape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}

func (e *element) write(b *strings.Builder, indent string) {
	b.WriteString(indent + "<" + e.tag)
	for _, a := range e.attrs {
		b.WriteString(" " + a[0] + `="` + xmlEscape(a[1]) + `"`)
	}
	switch {
	case e.text != "" && len(e.children) == 0:
		b.WriteString(">" + xmlEscape(e.text) + "</" + e.tag + ">\n")
	case len(e.children) == 0:
		b.WriteString("/>\n")
	default:
		b.WriteString(">\n")
		for _, c := range e.children {
			c.write(b, indent+" ")
		}
		b.WriteString(indent + "</" + e.tag + ">\n")
	}
}
