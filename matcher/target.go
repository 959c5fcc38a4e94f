package matcher

import (
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// A target is one word of a compound expression: "G|@os|Debian" has engine
// 'G', delimiter "|" and pattern "os|Debian"; a word without an engine is a
// glob.
type target struct {
	engine    byte // 0: none
	delimiter string
	pattern   string
}

func parseTarget(word string) target {
	plain := target{pattern: word}
	if word == "" || !strings.ContainsRune("GPIJLNSERTM", rune(word[0])) {
		return plain
	}
	t, rest := target{engine: word[0]}, word[1:]
	if strings.ContainsRune("GPIJ", rune(t.engine)) {
		if _, n := utf8.DecodeRuneInString(rest); n > 0 && len(rest) > n+1 && rest[n] == '@' {
			t.delimiter, t.pattern = rest[:n], rest[n+1:]
			return t
		}
	}
	if len(rest) > 1 && rest[0] == '@' {
		t.pattern = rest[1:]
		return t
	}
	return plain
}

// engines names the matcher of each letter. Node groups are expanded before;
// R (range) counts as unknown, as in a Salt without its library.
var engines = map[byte]string{
	'G': "grain", 'P': "grain_pcre", 'I': "pillar", 'J': "pillar_pcre", 'L': "list",
	'S': "ipcidr", 'E': "pcre", 'T': "resource", 'M': "managing_minion",
}

func isOperator(word string) bool {
	switch word {
	case "and", "or", "not", "(", ")":
		return true
	}
	return false
}

// expandNodegroup gives the words that a node group stands for. An unknown or
// looping group stands for nothing. outer are the groups being expanded.
func expandNodegroup(name string, groups *value.Map, outer []string) []string {
	for _, o := range outer {
		if o == name {
			return nil
		}
	}
	var words []string
	switch def := groups.At(name).(type) {
	case string:
		words = strings.Fields(def)
	case *value.List:
		words = strs(def.Items)
	case value.Tuple:
		words = strs(def)
	default:
		return nil
	}
	outer = append(outer, name)
	var out []string
	nested := false
	for _, w := range words {
		if len(w) >= 3 && strings.HasPrefix(w, "N@") {
			nested = true
			out = append(out, expandNodegroup(w[2:], groups, outer)...)
		} else {
			out = append(out, w)
		}
	}
	first := len(outer) == 1
	if !nested || !first {
		if joined := joinedGroup(words); joined != "" {
			return []string{joined}
		}
		if first {
			return words
		}
	}
	if len(out) == 0 {
		return nil
	}
	return append(append([]string{"("}, out...), ")")
}

func strs(items []any) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = value.Str(it)
	}
	return out
}

// joinedGroup makes one target of a group that is a plain list of minions or
// regular expressions. It is "" for a group with operators, engines or stars.
func joinedGroup(words []string) string {
	engine := "L@"
	for _, w := range words {
		if isOperator(w) || strings.Contains(w, "*") || len(w) > 1 && w[1] == '@' && 'A' <= w[0] && w[0] <= 'Z' {
			return ""
		}
		if strings.ContainsAny(w, `([{\?}])`) {
			engine = "E@"
		}
	}
	return engine + strings.Join(words, ",")
}
