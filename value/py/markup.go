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

// Plain gives v with every Markup inside of it as a string, for what knows only
// the types of package value. It copies no more than it has to.
func Plain(v any) any {
	switch x := v.(type) {
	case Markup:
		return string(x)
	case *value.List, *value.Map, value.Tuple:
		if markupIn(v, 100) {
			return plainCopy(v, 100)
		}
	}
	return v
}

// markupIn looks down as far as data reasonably go; a list that holds itself
// ends there too.
func markupIn(v any, depth int) bool {
	in := func(items []any) bool {
		return slices.ContainsFunc(items, func(it any) bool { return markupIn(it, depth-1) })
	}
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case Markup:
		return true
	case *value.List:
		return in(v.Items)
	case value.Tuple:
		return in(v)
	case *value.Map:
		for _, it := range v.All() {
			if markupIn(it, depth-1) {
				return true
			}
		}
	}
	return false
}

func plainCopy(v any, depth int) any {
	if depth == 0 {
		return v
	}
	switch x := v.(type) {
	case Markup:
		return string(x)
	case *value.List:
		l := new(value.List)
		for _, it := range x.Items {
			l.Append(plainCopy(it, depth-1))
		}
		return l
	case value.Tuple:
		t := make(value.Tuple, len(x))
		for i, it := range x {
			t[i] = plainCopy(it, depth-1)
		}
		return t
	case *value.Map:
		m := value.NewMap(x.Len())
		for k, it := range x.All() {
			_ = m.SetKey(k, plainCopy(it, depth-1))
		}
		return m
	}
	return v
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
