package args

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pinch/render/yaml"
	"pinch/value"
)

// Parse sorts a function's words into positional and named arguments, each
// read as YAML. Names in noParse keep their text.
//
//	Parse([]string{"web", "test=True"}, nil) // [web], {test: true}
func Parse(words []string, noParse []string) ([]any, *value.Map) {
	var pos []any
	kw := new(value.Map)
	for _, w := range words {
		name, text, ok := Named(w)
		if !ok {
			pos = append(pos, Typed(w))
			continue
		}
		var v any = text
		if !contains(noParse, name) {
			v = Typed(text)
		}
		kw.Set(name, v)
	}
	return pos, kw
}

func contains(list []string, s string) bool {
	for _, it := range list {
		if it == s {
			return true
		}
	}
	return false
}

// Named takes "name=value" apart. A name begins with a letter or underscore and
// goes on with these, digits, dots and hyphens; "a==b" and a value with a line
// end are no named argument.
func Named(word string) (name, text string, ok bool) {
	i := 0
	for i < len(word) {
		r, n := utf8.DecodeRuneInString(word[i:])
		letter := r == '_' || unicode.IsLetter(r)
		if !letter && (i == 0 || r != '.' && r != '-' && !unicode.IsNumber(r)) {
			break
		}
		i += n
	}
	if i == 0 || i == len(word) || word[i] != '=' {
		return "", "", false
	}
	text = word[i+1:]
	if strings.HasPrefix(text, "=") || strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
		return "", "", false
	}
	return word[:i], strings.TrimSuffix(text, "\n"), true
}

// Typed reads one word as YAML, where that gives what was plainly meant: text
// that would lose something by it stays as it is (white space, comments,
// digits with underscores, times of day, maps and lists without their brackets).
func Typed(word string) any {
	bare := strings.TrimFunc(word, isSpace)
	switch {
	case bare == "", bare == "---", bare == "...", strings.ContainsAny(word, "\t\r\n"),
		strings.Contains(word, "_") && strings.Trim(bare, "0123456789_") == "",
		strings.Contains(word, ":") && strings.Trim(bare, "0123456789:_+-.") == "":
		return word
	case word == "None":
		return nil
	}
	if v, ok := plain(word); ok {
		return v
	}
	v, err := yaml.Load("", word)
	if err != nil {
		return word
	}
	_, isText := v.(string)
	if strings.Contains(word, "#") { // it may be a comment: only what is plainly no text
		if isText || v == nil {
			return word
		}
		return v
	}
	switch v.(type) {
	case *value.Map:
		if strings.HasPrefix(word, "{") {
			return v
		}
		return word
	case *value.List:
		if strings.HasPrefix(word, "[") {
			return v
		}
		return word
	case nil:
		if word == "!" {
			return word
		}
		return nil
	case string:
		if v == "" && (word == "|" || word == "!") {
			return word
		}
		return v
	case bool, int64, float64:
		return v
	}
	if value.TypeName(v) == "int" { // a big one
		return v
	}
	return word
}

// plain spares the YAML reader for words that are plainly text.
func plain(word string) (any, bool) {
	for i := 0; i < len(word); i++ {
		c := word[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '/' && c != '_' && c != '.' && (c < '0' || c > '9')) {
			return nil, false
		}
	}
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return nil, false
	}
	return word, true
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
