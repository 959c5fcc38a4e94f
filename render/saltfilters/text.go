package saltfilters

import (
	"strings"
	"unicode"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

func textFilters() []filters.Entry {
	return []filters.Entry{
		entry("to_bytes", sig("to_bytes", "s", "encoding", nil, "errors", "strict"), toBytesFilter),
		entry("contains_whitespace", sig("contains_whitespace", "text"), containsWhitespace),
		entry("human_to_bytes", sig("human_to_bytes", "size", "default_unit", "B", "handle_metric", false), humanToBytes),
		entry("check_whitelist_blacklist", sig("check_whitelist_blacklist", "value", "whitelist", nil, "blacklist", nil), checkLists),
		entry("to_snake_case", sig("camel_to_snake_case", "camel_input"), snakeCase),
		entry("to_camelcase", sig("snake_to_camel_case", "snake_input", "uppercamel", false), camelCase),
		entry("path_join", sig("join", "", "*", "**"), pathJoin),
	}
}

// toBytes is Salt's to_bytes with the encodings to try in turn.
func toBytes(v any, encoding any, errs string) ([]byte, error) {
	if b, ok := v.([]byte); ok {
		return b, nil
	}
	s, ok := py.Text(v)
	if !ok {
		return nil, typeError("expected str, bytes, or bytearray not %s", classOf(v))
	}
	encodings := []any{"utf-8"}
	switch e := encoding.(type) {
	case nil:
	case *value.List:
		encodings = e.Items
	case value.Tuple:
		encodings = e
	default:
		encodings = []any{e}
	}
	if len(encodings) == 0 {
		return nil, value.Errorf("ValueError", "encoding cannot be empty")
	}
	var err error
	for _, e := range encodings {
		var b []byte
		if b, err = py.Encode(s, value.Str(e), errs); !isA(err, "UnicodeEncodeError") {
			return b, err
		}
	}
	return nil, err
}

func toBytesFilter(_ *jinja.Call, a []any) (any, error) {
	b, err := toBytes(a[0], a[1], value.Str(a[2]))
	if err != nil {
		return nil, err
	}
	return b, nil
}

func containsWhitespace(_ *jinja.Call, a []any) (any, error) {
	items, err := py.Items(a[0])
	if err != nil {
		return nil, err
	}
	for _, x := range items {
		f, err := py.Attr(x, "isspace")
		if err != nil {
			return nil, err
		}
		is, err := py.Call(f, nil, nil)
		if err != nil || is == true {
			return is, err
		}
	}
	return false, nil
}

// humanToBytes reads "2G", "30MB" or "64KiB"; what it cannot read is 0.
func humanToBytes(c *jinja.Call, a []any) (any, error) {
	s, err := c.State.Str(a[0])
	if err != nil {
		return nil, err
	}
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(s)
	}
	unit := strings.ToLower(strings.TrimLeftFunc(s[end:], unicode.IsSpace))
	if unit == "" {
		unit = strings.ToLower(value.Str(a[1]))
	}
	num, err := py.Int(s[:end])
	if err != nil {
		if num, err = py.Float(s[:end]); err != nil {
			return int64(0), nil
		}
	}
	p := strings.IndexByte("bkmgtpezy", firstByte(unit))
	metric := p > 0 && len(unit) == 2 && unit[1] == 'b'
	if p < 0 || !metric && unit != "b" && !(p > 0 && (unit[1:] == "" || unit[1:] == "ib")) {
		return int64(0), nil
	}
	unitSize, err := py.Pow(int64(2), int64(10*p))
	if metric && value.Truth(a[2]) {
		unitSize, err = py.Pow(int64(10), int64(3*p))
	}
	if err != nil {
		return nil, err
	}
	v, err := py.Mul(num, unitSize)
	if err != nil {
		return nil, err
	}
	return py.Int(v)
}

func firstByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

func checkLists(_ *jinja.Call, a []any) (any, error) {
	var match [2]bool
	var given [2]bool
	for i, name := range []string{"whitelist", "blacklist"} {
		list := a[1+i]
		if given[i] = value.Truth(list); !given[i] {
			continue
		}
		if _, ok := py.Text(list); ok {
			list = value.L(list)
		}
		if !py.CanIterate(list) {
			return nil, typeError("Expecting iterable %s, but got %s (%s)", name, py.TypeName(list), value.Str(list))
		}
		items, err := py.Items(list)
		if err != nil {
			return nil, err
		}
		for _, x := range items {
			match[i] = match[i] || exprMatch(a[0], x)
		}
	}
	switch {
	case given[0] && given[1]:
		return match[0] && !match[1], nil
	case given[1]:
		return !match[1], nil
	case given[0]:
		return match[0], nil
	}
	return true, nil
}

// exprMatch is a shell pattern or an expression that matches all of v.
func exprMatch(v, expr any) bool {
	s, ok := py.Text(v)
	e, ok2 := py.Text(expr)
	if !ok || !ok2 {
		return false
	}
	if value.Fnmatch(s, e) {
		return true
	}
	re, err := pyre.Compile(`\A`+e+`\Z`, 0)
	return err == nil && re.Match(s) != nil
}

func snakeCase(_ *jinja.Call, a []any) (any, error) {
	s, ok := py.Text(a[0])
	if !ok {
		if _, err := py.Index(a[0], int64(0)); err != nil {
			return nil, err
		}
		return nil, value.Errorf("AttributeError", "'%s' object has no attribute 'lower'", py.TypeName(a[0]))
	}
	if s == "" {
		return nil, value.Errorf("IndexError", "string index out of range")
	}
	r := []rune(s)
	var b strings.Builder
	for i, c := range r {
		if i > 0 && unicode.IsUpper(c) && (unicode.IsLower(r[i-1]) || i != len(r)-1 && unicode.IsLower(r[i+1])) {
			b.WriteByte('_')
		}
		b.WriteString(py.Lower(string(c)))
	}
	return b.String(), nil
}

func camelCase(_ *jinja.Call, a []any) (any, error) {
	s, ok := py.Text(a[0])
	if !ok {
		_, err := py.Attr(a[0], "split")
		return nil, err
	}
	words := strings.Split(s, "_")
	for i := range words {
		if i > 0 || value.Truth(a[1]) {
			words[i] = py.Capitalize(words[i])
		}
	}
	return strings.Join(words, ""), nil
}

// pathJoin joins like a shell's "a/b": later absolute parts are put below.
func pathJoin(_ *jinja.Call, a []any) (any, error) {
	parts, kw := a[0].(value.Tuple), a[1].(*value.Map)
	for k := range kw.Items() {
		if k != "use_posixpath" && !strings.HasPrefix(k, "__") {
			return nil, invocationError("The following keyword arguments are not valid: %s=%s", k, value.Str(kw.At(k)))
		}
	}
	var out string
	for i, p := range parts {
		b, ok := p.([]byte)
		s, isText := py.Text(p)
		if ok {
			var err error
			if s, err = py.Decode(b, "utf-8", "strict"); err != nil {
				return nil, err
			}
		} else if !isText {
			return nil, typeError("expected str, bytes, or bytearray not %s", classOf(p))
		}
		s = normpath(s)
		switch {
		case i == 0:
			out = s
		case strings.HasSuffix(out, "/"):
			out += strings.TrimLeft(s, "/")
		default:
			out += "/" + strings.TrimLeft(s, "/")
		}
	}
	if len(parts) == 0 {
		return "", nil
	}
	return normpath(out), nil
}

// normpath is Python's posixpath.normpath: exactly two leading slashes stay.
func normpath(p string) string {
	root := ""
	if strings.HasPrefix(p, "/") {
		root = "/"
		if strings.HasPrefix(p, "//") && !strings.HasPrefix(p, "///") {
			root = "//"
		}
	}
	var out []string
	for _, s := range strings.Split(p, "/") {
		switch {
		case s == "" || s == ".":
		case s != ".." || root == "" && len(out) == 0 || len(out) > 0 && out[len(out)-1] == "..":
			out = append(out, s)
		case len(out) > 0:
			out = out[:len(out)-1]
		}
	}
	if p = root + strings.Join(out, "/"); p == "" {
		return "."
	}
	return p
}
