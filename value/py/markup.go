package py

import (
	"strings"

	"pinch/value"
)

var htmlEscapes = strings.NewReplacer("&", "&amp;", ">", "&gt;", "<", "&lt;", "'", "&#39;", "\"", "&#34;")

// Escape is markupsafe.escape: Markup as it is, everything else as text with
// & < > ' " replaced.
func Escape(v any) Markup {
	if m, ok := v.(Markup); ok {
		return m
	}
	if h, ok := v.(interface{ HTML() string }); ok {
		return Markup(h.HTML())
	}
	return Markup(htmlEscapes.Replace(value.Str(v)))
}

func percentMarkup(f Markup, arg any) (any, error) {
	esc := func(v any) any {
		if s, ok := Text(v); ok {
			if _, safe := v.(Markup); safe {
				return s
			}
			return string(Escape(s))
		}
		return v
	}
	switch a := arg.(type) {
	case value.Tuple:
		t := make(value.Tuple, len(a))
		for i, x := range a {
			t[i] = esc(x)
		}
		arg = t
	case *value.Map:
		m := value.NewMap(a.Len())
		for k, x := range a.All() {
			if err := m.SetKey(k, esc(x)); err != nil {
				return nil, err
			}
		}
		arg = m
	default:
		arg = esc(arg)
	}
	s, err := Percent(string(f), arg)
	return Markup(s), err
}
