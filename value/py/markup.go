package py

import (
	"html"
	"slices"
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

// markupMethod gives the methods of Markup: those of str, whose text
// arguments are escaped first and whose text results are safe again.
func markupMethod(m Markup, name string) (Func, bool) {
	switch name {
	case "unescape":
		return func([]any, *value.Map) (any, error) { return html.UnescapeString(string(m)), nil }, true
	case "striptags":
		return func([]any, *value.Map) (any, error) { return StripTags(string(m)), nil }, true
	}
	f, ok := Method(string(m), name)
	if !ok {
		return nil, false
	}
	return func(args []any, kw *value.Map) (any, error) {
		args = slices.Clone(args)
		for i, a := range args {
			if name == "join" {
				items, err := Items(a)
				if err != nil {
					return nil, err
				}
				l := new(value.List)
				for _, it := range items {
					l.Append(string(Escape(it)))
				}
				a = l
			}
			if s, ok := a.(string); ok {
				a = string(Escape(s))
			}
			args[i] = a
		}
		r, err := f(args, kw)
		if err != nil {
			return nil, err
		}
		return markAll(r), nil
	}, true
}

func markAll(v any) any {
	switch v := v.(type) {
	case string:
		return Markup(v)
	case *value.List:
		for i, x := range v.Items {
			v.Items[i] = markAll(x)
		}
	case value.Tuple:
		for i, x := range v {
			v[i] = markAll(x)
		}
	}
	return v
}

// StripTags is Markup.striptags: comments and tags go, white space shrinks to
// one blank, entities become characters.
func StripTags(s string) string {
	s = cutAll(s, "<!--", "-->")
	s = cutAll(s, "<", ">")
	return html.UnescapeString(strings.Join(strings.FieldsFunc(s, isSpace), " "))
}

func cutAll(s, from, to string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, from)
		if i < 0 {
			break
		}
		n := strings.Index(s[i:], to)
		if n < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i+n+len(to):]
	}
	return b.String() + s
}
