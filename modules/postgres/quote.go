package postgres

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// ident is a name as an SQL identifier.
func ident(v any) string { return `"` + strings.ReplaceAll(value.Str(v), `"`, `""`) + `"` }

// literal is a text as an SQL literal, whatever standard_conforming_strings is.
func literal(v any) string {
	s := strings.ReplaceAll(value.Str(v), "'", "''")
	if strings.Contains(s, `\`) {
		return " E'" + strings.ReplaceAll(s, `\`, `\\`) + "'"
	}
	return "'" + s + "'"
}

// bare is a name that Salt puts into statements without quotes: a plain word
// stays, so that SQL folds its case, and so does one that is quoted already;
// anything else is quoted.
func bare(v any) string {
	s := value.Str(v)
	if plainWord(s) || wellQuoted(s, '"') {
		return s
	}
	return ident(s)
}

// bareText is bare for words that can be literals: versions.
func bareText(v any) string {
	s := value.Str(v)
	if plainWord(s) || wellQuoted(s, '"') || wellQuoted(s, '\'') {
		return s
	}
	return literal(s)
}

func plainWord(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '$') {
			return false
		}
	}
	return s != ""
}

// wellQuoted reports a text in quotes that has these inside only doubled.
func wellQuoted(s string, q byte) bool {
	if len(s) < 3 || s[0] != q || s[len(s)-1] != q || strings.Contains(s, `\`) {
		return false
	}
	return !strings.Contains(strings.ReplaceAll(s[1:len(s)-1], string([]byte{q, q}), ""), string(q))
}

// ddlValue is a quoted value of CREATE DATABASE.
func ddlValue(v any, quote string) (string, error) {
	s := value.Str(v)
	if strings.Contains(s, quote) {
		return "", salt.InvocationError("Unsupported character %s in value: %s", quote, s)
	}
	return quote + s + quote, nil
}

// setting is an option with a value, such as random_page_cost = 1.1.
func setting(k string, v any) string {
	text := value.Str(v)
	if strings.Trim(text, "0123456789.") != "" && !wellQuoted(text, '\'') {
		text = literal(text)
	}
	return fmt.Sprintf("%s = %s", bare(k), text)
}
