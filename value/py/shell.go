package py

import (
	"strings"

	"pinch/value"
)

// ShellSplit splits a command line as Python's shlex.split does: quotes and
// backslashes as in a POSIX shell, and nothing else (no variables, no
// comments, no operators).
func ShellSplit(s string) ([]string, error) {
	var out []string
	var b strings.Builder
	quote, inWord := rune(0), false
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case quote == '\'' && r == '\'', quote == '"' && r == '"':
			quote = 0
		case quote == '\'':
			b.WriteRune(r)
		case r == '\\':
			if i++; i == len(runes) {
				return nil, value.Errorf("ValueError", "No escaped character")
			}
			// Between double quotes a backslash escapes only these two.
			if quote == '"' && runes[i] != '"' && runes[i] != '\\' {
				b.WriteRune('\\')
			}
			b.WriteRune(runes[i])
			inWord = true
		case quote == '"':
			b.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\r' || r == '\n':
			if inWord {
				out = append(out, b.String())
				b.Reset()
			}
			inWord = false
		default:
			b.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, value.Errorf("ValueError", "No closing quotation")
	}
	if inWord {
		out = append(out, b.String())
	}
	return out, nil
}

// ShellQuote is Python's shlex.quote.
func ShellQuote(s string) string {
	if s == "" {
		return "''"
	}
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r)
	}
	if strings.TrimFunc(s, safe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'"
}
