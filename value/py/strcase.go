package py

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// strCaseMethod finds the methods of str that change case.
func strCaseMethod(name string) (m method[string], ok bool) {
	var f func(string) string
	switch name {
	case "upper":
		f = Upper
	case "lower":
		f = Lower
	case "title":
		f = Title
	case "capitalize":
		f = Capitalize
	case "swapcase":
		f = swapcase
	case "casefold":
		f = casefold
	default:
		return m, false
	}
	return none(func(s string) (any, error) { return f(s), nil }), true
}

// Upper is str.upper, with Unicode's full mapping (ß becomes SS).
func Upper(s string) string {
	if ascii(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

// Lower is str.lower.
func Lower(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

func casefold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	return cases.Fold().String(s)
}

func titleRune(r rune) string {
	if r < utf8.RuneSelf {
		return string(unicode.ToUpper(r))
	}
	switch r {
	case 'ß':
		return "Ss"
	case 'ﬀ':
		return "Ff"
	case 'ﬁ':
		return "Fi"
	case 'ﬂ':
		return "Fl"
	}
	return string(unicode.ToTitle(r))
}

// Capitalize is str.capitalize.
func Capitalize(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return titleRune(r) + Lower(s[n:])
}

func cased(r rune) bool { return upper(r) || lower(r) || unicode.IsTitle(r) }

// Title is str.title: a letter after anything that is no letter is upper case.
func Title(s string) string {
	var b strings.Builder
	in := false
	for i, r := range s {
		switch {
		case !in:
			b.WriteString(titleRune(r))
		case r < utf8.RuneSelf:
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteString(lowerAt(s, i, r))
		}
		in = cased(r)
	}
	return b.String()
}

// lowerAt is the lower case of the letter r at s[i:]; a sigma at the end of a
// word has its own form.
func lowerAt(s string, i int, r rune) string {
	if r != 'Σ' {
		return string(unicode.ToLower(r))
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); !cased(before) {
		return "σ"
	}
	next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
	if cased(next) {
		return "σ"
	}
	return "ς"
}

func swapcase(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case upper(r):
			b.WriteString(lowerAt(s, i, r))
		case lower(r):
			b.WriteString(Upper(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// strIsMethod finds isalpha, isdigit and their like.
func strIsMethod(name string) (m method[string], ok bool) {
	var every func(rune) bool
	switch name {
	case "isalpha":
		every = unicode.IsLetter
	case "isdigit":
		every = func(r rune) bool { return unicode.Is(unicode.Nd, r) || superDigit(r) }
	case "isdecimal":
		every = func(r rune) bool { return unicode.Is(unicode.Nd, r) }
	case "isnumeric":
		every = isNumeric
	case "isalnum":
		every = func(r rune) bool { return unicode.IsLetter(r) || isNumeric(r) }
	case "isspace":
		every = isSpace
	case "isascii":
		return none(func(s string) (any, error) { return ascii(s), nil }), true
	case "isprintable":
		return none(func(s string) (any, error) { return strings.IndexFunc(s, unprintable) < 0, nil }), true
	case "isidentifier":
		return none(func(s string) (any, error) { return isIdentifier(s), nil }), true
	case "isupper":
		return none(func(s string) (any, error) { return IsUpper(s), nil }), true
	case "islower":
		return none(func(s string) (any, error) { return IsLower(s), nil }), true
	case "istitle":
		return none(func(s string) (any, error) { return isTitle(s), nil }), true
	default:
		return m, false
	}
	return none(func(s string) (any, error) {
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !every(r) }) < 0, nil
	}), true
}

// isNumeric also takes the letters that CJK writes numbers with.
func isNumeric(r rune) bool {
	return unicode.IsNumber(r) || unicode.Is(unicode.Han, r) && strings.ContainsRune("一二三四五六七八九十百千万亿零〇壹贰叁肆伍陆柒捌玖拾佰仟萬億兆两兩廿卅卌", r)
}

func upper(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Other_Uppercase) }
func lower(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Other_Lowercase) }

// superDigit are digits that are no decimals: superscripts, circled ones.
func superDigit(r rune) bool {
	return r == '²' || r == '³' || r == '¹' || r == '⁰' || r >= '⁴' && r <= '⁹' || r >= '₀' && r <= '₉' || r >= '①' && r <= '⑨' || r >= '⑴' && r <= '⑼' || r >= '⒈' && r <= '⒐'
}

func unprintable(r rune) bool {
	return r != ' ' && (!unicode.IsGraphic(r) || unicode.Is(unicode.Zs, r))
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) && (i == 0 || !unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)) {
			return false
		}
	}
	return s != ""
}

// IsUpper is str.isupper: there is a cased letter, and none is lower case.
func IsUpper(s string) bool {
	return strings.IndexFunc(s, upper) >= 0 && strings.IndexFunc(s, func(r rune) bool { return lower(r) || unicode.IsTitle(r) }) < 0
}

// IsLower is str.islower.
func IsLower(s string) bool {
	return strings.IndexFunc(s, lower) >= 0 && strings.IndexFunc(s, func(r rune) bool { return upper(r) || unicode.IsTitle(r) }) < 0
}

func isTitle(s string) bool {
	in, any := false, false
	for _, r := range s {
		switch {
		case upper(r) || unicode.IsTitle(r):
			if in {
				return false
			}
			in, any = true, true
		case lower(r):
			if !in {
				return false
			}
		default:
			in = false
		}
	}
	return any
}
