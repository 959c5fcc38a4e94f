package output

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// nested prints maps and lists by indentation, strings without quotes. It is
// the outputter of functions that ask for none.
func nested(data any, o *Options) (string, error) {
	return nestedAt(data, o, o.colors(), o.NestedIndent, o.Retcode), nil
}

func nestedAt(data any, o *Options, c *palette, indent, retcode int) string {
	n := nester{c: c, strip: o.StripColors, keys: c[cyan], items: c[green]}
	if retcode != 0 {
		n.keys, n.items = c[red], c[red]
	}
	n.display(data, indent, "")
	return strings.TrimSuffix(string(n.b), "\n")
}

type nester struct {
	b           []byte
	c           *palette
	strip       bool
	keys, items string // colours; red after a failed call
}

func (n *nester) line(indent int, color, prefix, text, suffix string) {
	for range indent {
		n.b = append(n.b, ' ')
	}
	n.b = append(n.b, color...)
	n.b = append(n.b, prefix...)
	n.b = append(n.b, text...)
	n.b = append(n.b, n.c[endc]...)
	n.b = append(n.b, suffix...)
	n.b = append(n.b, '\n')
}

func (n *nester) display(v any, indent int, prefix string) {
	switch v := v.(type) {
	case nil, bool, int64, float64, *big.Int:
		n.line(indent, n.c[lightYellow], prefix, value.Repr(v), "")
	case []byte:
		if utf8.Valid(v) {
			n.text(string(v), indent, prefix)
		}
	case string:
		n.text(v, indent, prefix)
	case *value.List:
		n.list(v.Items, indent)
	case value.Tuple:
		n.list(v, indent)
	case *value.Map:
		n.dict(v, indent, prefix)
	}
}

func (n *nester) text(s string, indent int, prefix string) {
	if n.strip {
		s = noEscapes(s)
	}
	for start, i := 0, 0; start < len(s); i++ {
		size := 0
		if i < len(s) {
			if size = lineEnd(s, i); size == 0 {
				continue
			}
		}
		n.line(indent, n.c[green], prefix, s[start:i], "")
		prefix = strings.Repeat(" ", len(prefix))
		start = i + size
		i = start - 1
	}
}

func (n *nester) list(items []any, indent int) {
	for _, it := range items {
		switch it.(type) {
		case *value.List, value.Tuple:
			n.line(indent, n.items, "", "|_", "")
			n.display(it, indent+2, "- ")
		case *value.Map:
			n.line(indent, n.items, "", "|_", "")
			n.display(it, indent+2, "")
		default:
			n.display(it, indent, "- ")
		}
	}
}

func (n *nester) dict(m *value.Map, indent int, prefix string) {
	if indent > 0 {
		n.line(indent, n.keys, "", "----------", "")
	}
	keys, err := sortedKeys(m)
	if err != nil { // keys without a common order: by their text
		t := new(value.Map)
		for k, v := range m.All() {
			t.Set(value.Str(k), v)
		}
		m = t
		keys, _ = sortedKeys(m)
	}
	for _, k := range keys {
		v, _ := m.GetKey(k)
		n.line(indent, n.keys, prefix, value.Str(k), ":")
		n.display(v, indent+4, "")
	}
}

// noReturn prints the minions that did not answer: strings in red, the rest of
// the data is left out.
func noReturn(data any, o *Options) (string, error) {
	n := nester{c: o.colors()}
	err := n.silent(data, 0)
	return string(n.b), err
}

func (n *nester) silent(v any, indent int) error {
	pad := strings.Repeat(" ", indent)
	switch v := v.(type) {
	case string:
		for line := range strings.SplitSeq(v, "\n") {
			n.line(0, n.c[red], pad, line, "")
		}
	case *value.Map:
		keys, err := sortedKeys(v)
		if err != nil {
			return err
		}
		for _, k := range keys {
			it, _ := v.GetKey(k)
			n.line(0, n.c[cyan], pad, value.Str(k), ":")
			if err := n.silent(it, indent+4); err != nil {
				return err
			}
		}
	}
	return nil
}
