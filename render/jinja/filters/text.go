package filters

import (
	"strings"
	"unicode"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func textFilters() []Entry {
	return []Entry{
		{[]string{"upper"}, py.Signature{Name: "do_upper", Required: []string{"s"}}, upper},
		{[]string{"lower"}, py.Signature{Name: "do_lower", Required: []string{"s"}}, lower},
		{[]string{"capitalize"}, py.Signature{Name: "do_capitalize", Required: []string{"s"}}, capitalize},
		{[]string{"title"}, py.Signature{Name: "do_title", Required: []string{"s"}}, title},
		{[]string{"trim"}, py.Signature{Name: "do_trim", Required: []string{"value"}, Optional: []py.Default{{Name: "chars"}}}, trim},
		{[]string{"center"}, py.Signature{Name: "do_center", Required: []string{"value"}, Optional: []py.Default{{Name: "width", Value: int64(80)}}}, center},
		{[]string{"string"}, py.Signature{Name: "soft_str", Required: []string{"s"}}, toString},
		{[]string{"replace"}, py.Signature{Name: "do_replace", Hidden: 1, Required: []string{"s", "old", "new"}, Optional: []py.Default{{Name: "count"}}}, replace},
		{[]string{"indent"}, py.Signature{Name: "do_indent", Required: []string{"s"}, Optional: []py.Default{{Name: "width", Value: int64(4)}, {Name: "first", Value: false}, {Name: "blank", Value: false}}}, Indent},
		{[]string{"truncate"}, py.Signature{Name: "do_truncate", Hidden: 1, Required: []string{"s"}, Optional: []py.Default{{Name: "length", Value: int64(255)}, {Name: "killwords", Value: false}, {Name: "end", Value: "..."}, {Name: "leeway"}}}, truncate},
		{[]string{"wordwrap"}, py.Signature{Name: "do_wordwrap", Hidden: 1, Required: []string{"s"}, Optional: []py.Default{{Name: "width", Value: int64(79)}, {Name: "break_long_words", Value: true}, {Name: "wrapstring"}, {Name: "break_on_hyphens", Value: true}}}, wordwrap},
		{[]string{"wordcount"}, py.Signature{Name: "do_wordcount", Required: []string{"s"}}, wordcount},
		{[]string{"format"}, py.Signature{Name: "do_format", Required: []string{"value"}, Args: true, Kwargs: true}, format},
		{[]string{"pprint"}, py.Signature{Name: "do_pprint", Required: []string{"value"}}, pprint},
	}
}

func upper(c *jinja.Call, a []any) (any, error)      { return recased(c, a[0], "upper", py.Upper) }
func lower(c *jinja.Call, a []any) (any, error)      { return recased(c, a[0], "lower", py.Lower) }
func capitalize(c *jinja.Call, a []any) (any, error) { return method(c, a[0], "capitalize") }
func trim(c *jinja.Call, a []any) (any, error)       { return method(c, a[0], "strip", a[1]) }
func center(c *jinja.Call, a []any) (any, error)     { return method(c, a[0], "center", a[1]) }
func toString(c *jinja.Call, a []any) (any, error)   { return soft(c, a[0]) }

// recased is a method that changes case, quick for the text that it mostly gets.
func recased(c *jinja.Call, v any, name string, do func(string) string) (any, error) {
	if s, ok := v.(string); ok {
		return do(s), nil
	}
	return method(c, v, name)
}

// title makes the first letter after a blank, hyphen or opening bracket upper
// case and all others lower case; unlike str.title it leaves "don't" alone.
func title(c *jinja.Call, a []any) (any, error) {
	s, err := c.State.Str(a[0])
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	begins := func(r rune) bool { return strings.ContainsRune("-({[<", r) || isBlank(r) }
	for s != "" {
		i := strings.IndexFunc(s, begins)
		switch {
		case i < 0:
			i = len(s)
		case i == 0:
			if i = strings.IndexFunc(s, func(r rune) bool { return !begins(r) }); i < 0 {
				i = len(s)
			}
		}
		part := s[:i]
		s = s[i:]
		_, n := firstRune(part)
		b.WriteString(py.Upper(part[:n]) + py.Lower(part[n:]))
	}
	return b.String(), nil
}

func firstRune(s string) (rune, int) {
	for i, r := range s {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(s)
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func replace(c *jinja.Call, a []any) (any, error) {
	if a[3] == nil {
		a[3] = int64(-1)
	}
	if c.Autoescape() {
		return replaceSafe(c, a)
	}
	var text [3]any
	for i := range text {
		s, err := c.State.Str(a[i])
		if err != nil {
			return nil, err
		}
		text[i] = s
	}
	f, _ := py.Method(text[0], "replace")
	return f([]any{text[1], text[2], a[3]}, nil)
}

func replaceSafe(c *jinja.Call, a []any) (any, error) {
	_, s := a[0].(py.Markup)
	_, old := a[1].(py.Markup)
	_, with := a[2].(py.Markup)
	if old || with && !s {
		a[0] = py.Escape(a[0])
	}
	for i := 1; i < 3; i++ {
		v, err := soft(c, a[i])
		if err != nil {
			return nil, err
		}
		a[i] = v
	}
	return method(c, a[0], "replace", a[1], a[2], a[3])
}

// Indent is the indent filter: a is the text, a width or text to indent by,
// and whether the first line and blank lines are indented too.
func Indent(c *jinja.Call, a []any) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		return nil, u.UndefinedError()
	}
	s, ok := py.Text(a[0])
	if !ok {
		return nil, value.Errorf("TypeError", "unsupported operand type(s) for +=: '%s' and 'str'", py.TypeName(a[0]))
	}
	_, safe := a[0].(py.Markup)
	by, ok := py.Text(a[1])
	if !ok {
		v, err := py.Mul(" ", a[1])
		if err != nil {
			return nil, err
		}
		by = v.(string)
	}
	if safe {
		by = string(py.Escape(a[1]))
		if !ok {
			v, _ := py.Mul(" ", a[1])
			by = v.(string)
		}
	}
	out := indentLines(py.SplitLines(s+"\n", false), by, value.Truth(a[3]))
	if value.Truth(a[2]) {
		out = by + out
	}
	if safe {
		return py.Markup(out), nil
	}
	return out, nil
}

func indentLines(lines []string, by string, blank bool) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
			if blank || line != "" {
				b.WriteString(by)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

func truncate(c *jinja.Call, a []any) (any, error) {
	if a[4] == nil {
		a[4] = int64(5)
	}
	var n [2]int64
	for i, v := range []any{a[1], a[4]} {
		x, err := py.AsIndex(v)
		if err != nil {
			return nil, err
		}
		n[i] = x
	}
	limit, leeway := int(n[0]), int(n[1])
	size, err := py.Len(a[3])
	if err != nil {
		return nil, err
	}
	switch {
	case limit < size:
		return nil, value.Errorf("AssertionError", "expected length >= %d, got %d", size, limit)
	case leeway < 0:
		return nil, value.Errorf("AssertionError", "expected leeway >= 0, got %d", leeway)
	}
	length, err := py.Len(a[0])
	if err != nil {
		return nil, err
	}
	if length <= limit+leeway {
		return a[0], nil
	}
	cut, err := py.Slice(a[0], nil, int64(limit-size), nil)
	if err != nil {
		return nil, err
	}
	if value.Truth(a[2]) {
		return py.Add(cut, a[3])
	}
	rsplit, err := py.Attr(cut, "rsplit")
	if err != nil {
		return nil, err
	}
	parts, err := py.Call(rsplit, []any{" ", int64(1)}, nil)
	if err != nil {
		return nil, err
	}
	return py.Add(parts.(*value.List).Items[0], a[3])
}

// wordcount counts runs of letters, digits and underscores.
func wordcount(c *jinja.Call, a []any) (any, error) {
	s, err := c.State.Str(a[0])
	if err != nil {
		return nil, err
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	return int64(len(words)), nil
}

func format(c *jinja.Call, a []any) (any, error) {
	args, kw := a[1].(value.Tuple), a[2].(*value.Map)
	if len(args) > 0 && kw.Len() > 0 {
		return nil, argumentError("can't handle positional and keyword arguments at the same time")
	}
	s, err := soft(c, a[0])
	if err != nil {
		return nil, err
	}
	if kw.Len() > 0 {
		return py.Mod(s, kw)
	}
	return py.Mod(s, args)
}
