package py

import (
	"strconv"
	"strings"

	"pinch/value"
)

// An AttrFunc gives obj.name for a {0.name} field.
type AttrFunc func(obj any, name string) (any, error)

// StrFormat is format.format(*args, **kw). A nil attr means Attr.
func StrFormat(format string, args []any, kw *value.Map, attr AttrFunc) (string, error) {
	f := formatter{args: args, lookup: func(key string) (any, error) {
		if v, ok := kw.Get(key); ok {
			return v, nil
		}
		return nil, KeyError(key)
	}, attr: attr}
	return f.run(format, 1)
}

// StrFormatMap is format.format_map(mapping).
func StrFormatMap(format string, mapping any, attr AttrFunc) (string, error) {
	f := formatter{mapped: true, attr: attr, lookup: func(key string) (any, error) { return Index(mapping, key) }}
	return f.run(format, 1)
}

type formatter struct {
	args   []any
	lookup func(string) (any, error)
	attr   AttrFunc
	mapped bool // format_map: positions are not allowed
	auto   int  // next automatic number
	mode   byte // 'a' automatic, 'm' manual numbers
}

// run formats s; depth is how many levels of {} may still come.
func (f *formatter) run(s string, depth int) (string, error) {
	if depth < 0 {
		return "", valueError("Max string recursion exceeded")
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		c := s[i]
		s = s[i+1:]
		if s != "" && s[0] == c {
			b.WriteByte(c)
			s = s[1:]
			continue
		}
		if c == '}' {
			return "", valueError("Single '}' encountered in format string")
		}
		if s == "" {
			return "", valueError("Single '{' encountered in format string")
		}
		rest, out, err := f.field(s, depth)
		if err != nil {
			return "", err
		}
		b.WriteString(out)
		s = rest
		if b.Len() > MaxBytes {
			return "", tooBig()
		}
	}
	return b.String(), nil
}

// field reads one field after its opening brace.
func (f *formatter) field(s string, depth int) (rest, out string, err error) {
	end := fieldNameEnd(s)
	if end < 0 {
		return "", "", valueError("expected '}' before end of string")
	}
	name, tail := s[:end], s[end:]
	if tail[0] == '{' {
		return "", "", valueError("unexpected '{' in field name")
	}
	var conv byte
	spec := ""
	switch tail[0] {
	case '}':
		rest = tail[1:]
	default:
		if conv, spec, rest, err = fieldTail(tail); err != nil {
			return "", "", err
		}
	}
	v, err := f.get(name)
	if err != nil {
		return "", "", err
	}
	switch conv {
	case 0:
	case 's':
		v = value.Str(v)
	case 'r':
		v = value.Repr(v)
	case 'a':
		v = ASCII(v)
	default:
		if conv > 32 && conv < 127 {
			return "", "", valueError("Unknown conversion specifier %c", conv)
		}
		return "", "", valueError("Unknown conversion specifier \\x%x", conv)
	}
	if strings.ContainsAny(spec, "{}") {
		if spec, err = f.run(spec, depth-1); err != nil {
			return "", "", err
		}
	}
	out, err = Format(v, spec)
	return rest, out, err
}

// fieldNameEnd finds the ':', '!', '{' or '}' that ends a field name; in
// brackets only ']' counts.
func fieldNameEnd(s string) int {
	bracket := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		case bracket:
		case c == '{' || c == '}' || c == ':' || c == '!':
			return i
		}
	}
	return -1
}

// fieldTail reads "!r:spec}" with nested braces in the spec.
func fieldTail(tail string) (conv byte, spec, rest string, err error) {
	bad := valueError("unmatched '{' in format spec")
	if tail[0] == '!' {
		if len(tail) < 2 {
			return 0, "", "", valueError("end of string while looking for conversion specifier")
		}
		if len(tail) < 3 {
			return 0, "", "", bad
		}
		conv, tail = tail[1], tail[2:]
		if tail[0] == '}' {
			return conv, "", tail[1:], nil
		}
		if conv == '}' {
			return 0, "", "", bad
		}
		if tail[0] != ':' {
			return 0, "", "", valueError("expected ':' after conversion specifier")
		}
	}
	tail = tail[1:]
	depth := 1
	for i := range len(tail) {
		switch tail[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return conv, tail[:i], tail[i+1:], nil
			}
		}
	}
	return 0, "", "", bad
}

// get resolves a field name: an argument, then attributes and items of it.
func (f *formatter) get(name string) (any, error) {
	first, path := name, ""
	if i := strings.IndexAny(name, ".["); i >= 0 {
		first, path = name[:i], name[i:]
	}
	v, err := f.argument(first)
	for err == nil && path != "" {
		if path[0] == '.' {
			end := 1 + len(path[1:])
			if i := strings.IndexAny(path[1:], ".["); i >= 0 {
				end = 1 + i
			}
			attr := path[1:end]
			path = path[end:]
			if attr == "" {
				return nil, valueError("Empty attribute in format string")
			}
			if f.attr != nil {
				v, err = f.attr(v, attr)
			} else {
				v, err = Attr(v, attr)
			}
			continue
		}
		if path[0] != '[' {
			return nil, valueError("Only '.' or '[' may follow ']' in format field specifier")
		}
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return nil, valueError("Missing ']' in format string")
		}
		key := path[1:end]
		path = path[end+1:]
		if key == "" {
			return nil, valueError("Empty attribute in format string")
		}
		if n, ok := fieldNumber(key); ok {
			v, err = Index(v, n)
		} else {
			v, err = Index(v, key)
		}
	}
	return v, err
}

func fieldNumber(s string) (int64, bool) {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

func (f *formatter) argument(name string) (any, error) {
	n, numbered := fieldNumber(name)
	if name != "" && !numbered {
		return f.lookup(name)
	}
	mode := byte('a')
	if name != "" {
		mode = 'm'
	}
	if f.mode == 0 {
		f.mode = mode
	}
	switch {
	case f.mode == 'a' && mode == 'm':
		return nil, valueError("cannot switch from automatic field numbering to manual field specification")
	case f.mode == 'm' && mode == 'a':
		return nil, valueError("cannot switch from manual field specification to automatic field numbering")
	}
	if mode == 'a' {
		n = int64(f.auto)
		f.auto++
	}
	if f.mapped {
		return nil, valueError("Format string contains positional fields")
	}
	if n >= int64(len(f.args)) {
		return nil, value.Errorf("IndexError", "Replacement index %d out of range for positional args tuple", n)
	}
	return f.args[n], nil
}
