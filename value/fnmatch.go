package value

import (
	"strings"
	"unicode/utf8"
)

// Fnmatch is Python's fnmatch.fnmatch on a Unix machine: * ? [seq] [!seq],
// letter case counts, and the whole of name must match.
func Fnmatch(name, pattern string) bool {
	if !strings.ContainsAny(pattern, "*?[") {
		return name == pattern
	}
	return globMatch(parseGlob(pattern), name)
}

// IsGlob reports whether a pattern has one of fnmatch's special characters.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, "*?[") }

// A globToken is one element of a pattern: a star, or one character out of set.
type globToken struct {
	star, negate bool
	set          []runeRange
}

type runeRange struct{ lo, hi rune }

func (t *globToken) matches(r rune) bool {
	for _, s := range t.set {
		if s.lo <= r && r <= s.hi {
			return !t.negate
		}
	}
	return t.negate
}

func parseGlob(pattern string) []globToken {
	p := []rune(pattern)
	var out []globToken
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '*':
			if n := len(out); n == 0 || !out[n-1].star {
				out = append(out, globToken{star: true})
			}
		case '?':
			out = append(out, globToken{negate: true})
		case '[':
			if end := setEnd(p, i+1); end > 0 {
				out = append(out, parseSet(p[i+1:end]))
				i = end
				continue
			}
			fallthrough
		default:
			out = append(out, globToken{set: []runeRange{{c, c}}})
		}
	}
	return out
}

// setEnd is the place of the bracket that closes a set, or 0: a bracket that
// comes first (after a "!") is a member.
func setEnd(p []rune, j int) int {
	if j < len(p) && p[j] == '!' {
		j++
	}
	if j < len(p) && p[j] == ']' {
		j++
	}
	for ; j < len(p); j++ {
		if p[j] == ']' {
			return j
		}
	}
	return 0
}

// parseSet reads what stands between the brackets. A range whose ends are in
// the wrong order is empty; a "-" at either end or right after a range is
// itself a member.
func parseSet(s []rune) globToken {
	var t globToken
	if s[0] == '!' {
		t.negate, s = true, s[1:]
	}
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' {
			if s[i] <= s[i+2] {
				t.set = append(t.set, runeRange{s[i], s[i+2]})
			}
			i += 2
			continue
		}
		t.set = append(t.set, runeRange{s[i], s[i]})
	}
	return t
}

// globMatch walks the text once and goes back only to the last star.
func globMatch(pat []globToken, s string) bool {
	i, p := 0, 0
	star, resume := -1, 0
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case p < len(pat) && pat[p].star:
			star, resume = p, i
			p++
			continue
		case p < len(pat) && pat[p].matches(r):
			p++
			i += n
			continue
		case star < 0:
			return false
		}
		_, n = utf8.DecodeRuneInString(s[resume:])
		resume += n
		p, i = star+1, resume
	}
	for p < len(pat) && pat[p].star {
		p++
	}
	return p == len(pat)
}
