package yaml

import (
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// Filter is what the Jinja filter yaml gives. The filter's own default is
// Flow; v|yaml(False) is Block.
func Filter(v any, style FlowStyle) (string, error) {
	s, err := Dump(v, DumpOptions{Flow: style})
	return strings.TrimSuffix(trimSpace(s), "\n..."), err
}

// trimSpace is Python's str.strip.
func trimSpace(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		switch {
		case r >= 9 && r <= 13, r >= 0x1c && r <= ' ', r == 0x85, r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a,
			r == 0x2028, r == 0x2029, r == 0x202f, r == 0x205f, r == 0x3000:
			return true
		}
		return false
	})
}

// Dquote is the filter yaml_dquote: the text of v in double quotes, with
// everything beyond ASCII escaped.
func Dquote(v any) string {
	s := value.Str(v)
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, escaped(0xdc00+rune(s[i]))...)
		case r < ' ' || r > '~' || r == '"' || r == '\\':
			b = append(b, escaped(r)...)
		default:
			b = append(b, byte(r))
		}
		i += n
	}
	return string(append(b, '"'))
}

// Squote is the filter yaml_squote: the text of v in single quotes.
func Squote(v any) string {
	s := value.Str(v)
	b := make([]byte, 0, len(s)+2)
	b = append(b, '\'')
	breaks := false
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case s[i] == '\'':
			b = append(b, '\'')
			breaks = false
		case lineBreakAt(s[i:]) > 0 && s[i] != '\r':
			if !breaks && s[i] == '\n' {
				b = append(b, '\n')
			}
			breaks = true
		default:
			breaks = false
		}
		b = append(b, s[i:i+n]...)
		i += n
	}
	return string(append(b, '\''))
}

// Encode is the filter yaml_encode: a scalar as YAML, strings in double
// quotes. It fails with a TypeError for anything else.
func Encode(v any) (string, error) {
	if m, ok := v.(*value.Map); ok && m.Ordered() { // PyYAML's own dumper knows no OrderedDict
		return "", value.Errorf("RepresenterError", "('cannot represent an object', %s)", value.Repr(m))
	}
	t, ok := new(emitter).represent(v)
	if !ok {
		return "", value.Errorf("TypeError", "yaml_encode() only works with YAML scalar data; failed for <class '%s'>", value.TypeName(v))
	}
	if t.tag == tagStr {
		return Dquote(t.s), nil
	}
	return t.s, nil
}

// Output is what Salt's yaml outputter prints. indent is --out-indent: nil
// when it is not given, negative for one line.
func Output(v any, indent *int) (string, error) {
	o := DumpOptions{Flow: Block}
	switch {
	case indent != nil && *indent < 0:
		o.Flow = Flow
	case indent != nil:
		o.Indent = *indent
	}
	return Dump(v, o)
}
