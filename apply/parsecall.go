package apply

import (
	"strings"
	"unicode"

	"pinch/value"
)

// parseCall reads "mod.fun(a, 'b c', k=v)" as Python's shlex splits it: all
// arguments are strings, brackets hold commas together, and what stands
// outside of quotes loses its spaces.
func parseCall(s string) (fun string, args []any, kw *value.Map, ok bool) {
	toks := tokens(s)
	i := 0
	for i < len(toks) && !toks[i].is("(") {
		fun += toks[i].text
		i++
	}
	if fun == "" || i == len(toks) {
		return "", nil, nil, false
	}
	kw = new(value.Map)
	var word strings.Builder
	key, filled := "", false
	var open []byte
	flush := func() {
		switch {
		case key != "":
			kw.Set(key, word.String())
		case filled:
			args = append(args, word.String())
		}
		key, filled = "", false
		word.Reset()
	}
	for _, t := range toks[i+1:] {
		switch {
		case t.is("[") || t.is("{") || t.is("("):
			open = append(open, t.text[0])
			word.WriteString(t.text)
			filled = true
		case (t.is(",") || t.is(")")) && len(open) == 0:
			flush()
			if t.text == ")" {
				return fun, args, kw, true
			}
		case t.is("]") || t.is("}") || t.is(")"):
			if len(open) == 0 || closing[open[len(open)-1]] != t.text {
				return "", nil, nil, false
			}
			open = open[:len(open)-1]
			word.WriteString(t.text)
			filled = true
		case t.is("=") && len(open) == 0:
			key = word.String()
			word.Reset()
			filled = false
		default:
			word.WriteString(t.text)
			filled = true
		}
	}
	return "", nil, nil, false
}

var closing = map[byte]string{'[': "]", '{': "}", '(': ")"}

// A token is a word, a quoted text or one other character.
type token struct {
	text   string
	quoted bool
}

func (t token) is(s string) bool { return !t.quoted && t.text == s }

// tokens splits as shlex.shlex(s, posix=True) does: words are letters, digits
// and underscores, joined with the quoted parts that touch them.
func tokens(s string) []token {
	var out []token
	rs := []rune(s)
	for i := 0; i < len(rs); {
		c := rs[i]
		switch {
		case unicode.IsSpace(c):
			i++
		case c == '#':
			for i < len(rs) && rs[i] != '\n' {
				i++
			}
		case wordRune(c) || c == '"' || c == '\'' || c == '\\':
			var b strings.Builder
			quoted := false
		word:
			for i < len(rs) {
				switch c := rs[i]; {
				case c == '"' || c == '\'':
					quoted = true
					for i++; i < len(rs) && rs[i] != c; i++ {
						if rs[i] == '\\' && i+1 < len(rs) && (rs[i+1] == c || rs[i+1] == '\\') {
							i++
						}
						b.WriteRune(rs[i])
					}
					i++
				case c == '\\' && i+1 < len(rs):
					b.WriteRune(rs[i+1])
					i += 2
				case wordRune(c):
					b.WriteRune(c)
					i++
				default:
					break word
				}
			}
			out = append(out, token{b.String(), quoted})
		default:
			out = append(out, token{string(c), false})
			i++
		}
	}
	return out
}

func wordRune(c rune) bool {
	return c == '_' || unicode.IsLetter(c) || c >= '0' && c <= '9'
}
