package output

import (
	"strings"
	"unicode"

	"pinch/value"
)

// lineEnd reports the length of the line end at s[i:], by Python's
// str.splitlines; 0 when there is none.
func lineEnd(s string, i int) int {
	switch c := s[i]; c {
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			return 2
		}
		return 1
	case '\n', '\v', '\f', 0x1c, 0x1d, 0x1e:
		return 1
	case 0xc2:
		if strings.HasPrefix(s[i:], "\u0085") {
			return 2
		}
	case 0xe2:
		if strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029") {
			return 3
		}
	}
	return 0
}

// lines is Python's s.splitlines(keep).
func lines(s string, keep bool) []string {
	var all []string
	start := 0
	for i := 0; i < len(s); {
		n := lineEnd(s, i)
		if n == 0 {
			i++
			continue
		}
		end := i
		if keep {
			end += n
		}
		all = append(all, s[start:end])
		i += n
		start = i
	}
	if start < len(s) {
		all = append(all, s[start:])
	}
	return all
}

// isSpace is Python's str.isspace for one code point.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func strip(s string) string  { return strings.TrimFunc(s, isSpace) }
func rstrip(s string) string { return strings.TrimRightFunc(s, isSpace) }

// noEscapes keeps data from steering the terminal.
func noEscapes(s string) string { return strings.ReplaceAll(s, "\x1b", "?") }

// sortedKeys are the keys in Python's order; a TypeError where they have none.
func sortedKeys(m *value.Map) ([]any, error) {
	keys := m.Keys()
	err := sortValues(keys, func(v any) any { return v })
	return keys, err
}

// txt prints what a command wrote: one line of output a line, after the key.
func txt(data any, _ *Options) (string, error) {
	var b strings.Builder
	switch data := data.(type) {
	case *value.Map:
		for k, v := range data.All() {
			name := value.Str(k)
			s, ok := v.(string)
			if !ok {
				b.WriteString(name + ": " + value.Str(v) + "\n")
				continue
			}
			for _, line := range lines(s, false) {
				b.WriteString(name + ": " + line + "\n")
			}
		}
		return b.String(), nil
	case string:
		return data, nil
	}
	return pformat(data, 1), nil
}

// raw prints Python's str of the data.
func raw(data any, _ *Options) (string, error) { return value.Str(data), nil }

// pprint prints Python's pprint.pformat of the data.
func pprint(data any, o *Options) (string, error) {
	if !o.HasIndent {
		return pformat(data, 1), nil
	}
	switch n := o.Indent.(type) {
	case int64:
		if n >= 0 {
			return pformat(data, int(n)), nil
		}
		return pformat(data, 1), nil
	case bool:
		if n {
			return pformat(data, 1), nil
		}
		return pformat(data, 0), nil
	}
	return "", value.Errorf("TypeError", "'>=' not supported between instances of '%s' and 'int'", value.TypeName(o.Indent))
}
