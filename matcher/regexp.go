package matcher

import (
	"strings"

	"github.com/dlclark/regexp2"

	"pinch/value"
)

// matchStart is Python's bool(re.match(pattern, s)). A bad pattern is the
// exception re.error.
func matchStart(pattern, s string) (bool, error) {
	re, err := regexp2.Compile(fromPython(pattern), regexp2.None)
	if err != nil {
		return false, value.Errorf("error", "%s", regexpError(err, pattern))
	}
	m, err := re.FindStringMatch(s)
	if err != nil {
		return false, value.Errorf("error", "%v", err)
	}
	return m != nil && m.Index == 0, nil
}

// fromPython rewrites what Python's re spells differently.
func fromPython(p string) string {
	if !strings.ContainsAny(p, `\(`) {
		return p
	}
	var b strings.Builder
	inSet := false
	for i := 0; i < len(p); i++ {
		rest := p[i:]
		switch {
		case p[i] == '\\' && i+1 < len(p):
			i++
			if p[i] == 'Z' && !inSet {
				b.WriteString(`\z`)
			} else {
				b.WriteByte('\\')
				b.WriteByte(p[i])
			}
			continue
		case p[i] == '[' && !inSet:
			inSet = true
		case p[i] == ']':
			inSet = false
		case !inSet && strings.HasPrefix(rest, "(?P<"):
			b.WriteString("(?<")
			i += len("(?P<") - 1
			continue
		case !inSet && strings.HasPrefix(rest, "(?P="):
			if end := strings.IndexByte(rest, ')'); end > 0 {
				b.WriteString(`\k<` + rest[4:end] + ">")
				i += end
				continue
			}
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// regexpError words the commonest mistakes as Python does.
func regexpError(err error, pattern string) string {
	switch text := err.Error(); {
	case strings.Contains(text, "missing closing )"), strings.Contains(text, "not enough )"):
		return "missing ), unterminated subpattern at position " + value.Str(int64(strings.LastIndexByte(pattern, '(')))
	case strings.Contains(text, "quantifier"):
		return "nothing to repeat at position 0"
	case strings.Contains(text, "unterminated ["):
		return "unterminated character set at position " + value.Str(int64(strings.LastIndexByte(pattern, '[')))
	default:
		return text
	}
}
