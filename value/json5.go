package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseJSON5 reads JSON5: JSON with comments, commas before a closing bracket,
// keys without quotes, single quotes, hexadecimal numbers. Objects keep their
// order. It fails with a *JSONError.
func ParseJSON5(s string) (v any, err error) {
	r := &json5Reader{jsonReader{s: s}}
	return r.whole(r.space, r.value)
}

type json5Reader struct{ jsonReader }

// space skips white space and comments.
func (r *json5Reader) space() {
	for r.i < len(r.s) {
		rest := r.s[r.i:]
		c, n := utf8.DecodeRuneInString(rest)
		switch {
		case strings.HasPrefix(rest, "//"):
			if n = strings.IndexAny(rest, "\n\r\u2028\u2029"); n < 0 {
				n = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				r.fail("Unterminated comment starting at", r.i)
			}
			n = end + 4
		case !unicode.IsSpace(c) && c != 0xfeff && c != 0x2028 && c != 0x2029:
			return
		}
		r.i += n
	}
}

func (r *json5Reader) value(depth int) any {
	if depth > 990 {
		r.fail("Nesting too deep", r.i)
	}
	switch c := r.peek(); {
	case c == '"' || c == '\'':
		return r.string()
	case c == '{':
		m := new(Map)
		r.items('}', func() {
			k := r.key()
			r.space()
			if r.peek() != ':' {
				r.fail("Expecting ':' delimiter", r.i)
			}
			r.i++
			r.space()
			m.Set(k, r.value(depth+1))
		})
		return m
	case c == '[':
		l := new(List)
		r.items(']', func() { l.Append(r.value(depth + 1)) })
		return l
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c == 'N' || c == 'I':
		return r.number()
	}
	start := r.i
	switch word := r.word(); word {
	case "null":
		return nil
	case "true", "false":
		return word == "true"
	}
	r.fail("Expecting value", start)
	return nil
}

// items reads what stands between brackets, one after the other.
func (r *json5Reader) items(end byte, item func()) {
	r.i++
	for {
		if r.space(); r.peek() == end {
			r.i++
			return
		}
		item()
		switch r.space(); r.peek() {
		case end:
		case ',':
			r.i++
		default:
			r.fail("Expecting ',' delimiter", r.i)
		}
	}
}

func (r *json5Reader) key() string {
	if c := r.peek(); c == '"' || c == '\'' {
		return r.string()
	}
	k := r.word()
	if k == "" {
		r.fail("Expecting property name", r.i)
	}
	return k
}

// word reads an identifier.
func (r *json5Reader) word() string {
	start := r.i
	for r.i < len(r.s) {
		c, n := utf8.DecodeRuneInString(r.s[r.i:])
		if c != '_' && c != '$' && !unicode.IsLetter(c) && (r.i == start || !unicode.IsDigit(c) && !unicode.Is(unicode.Mn, c)) {
			break
		}
		r.i += n
	}
	return r.s[start:r.i]
}

func (r *json5Reader) number() any {
	start, sign := r.i, ""
	switch r.peek() {
	case '-':
		sign = "-"
		r.i++
	case '+':
		r.i++
	}
	switch rest := r.s[r.i:]; {
	case strings.HasPrefix(rest, "NaN"):
		r.i += len("NaN")
		return math.NaN()
	case strings.HasPrefix(rest, "Infinity"):
		r.i += len("Infinity")
		if sign != "" {
			return math.Inf(-1)
		}
		return math.Inf(1)
	case strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X"):
		r.i += 2
		if i, ok := new(big.Int).SetString(sign+r.run("0123456789abcdefABCDEF"), 16); ok {
			return Int(i)
		}
		r.fail("Expecting value", start)
	}
	whole, fraction, exponent := r.run("0123456789"), "", ""
	float := r.peek() == '.'
	if float {
		r.i++
		fraction = r.run("0123456789")
	}
	if whole == "" && fraction == "" {
		r.fail("Expecting value", start)
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		float = true
		r.i++
		mark := ""
		if c := r.peek(); c == '+' || c == '-' {
			mark = string(c)
			r.i++
		}
		if exponent = r.run("0123456789"); exponent == "" {
			r.fail("Expecting value", start)
		}
		exponent = "e" + mark + exponent
	}
	if float {
		f, _ := strconv.ParseFloat(sign+"0"+whole+"."+fraction+"0"+exponent, 64)
		return f
	}
	i, _ := new(big.Int).SetString(sign+whole, 10)
	return Int(i)
}

// run reads the bytes that are among those of set.
func (r *json5Reader) run(set string) string {
	start := r.i
	for r.i < len(r.s) && strings.IndexByte(set, r.s[r.i]) >= 0 {
		r.i++
	}
	return r.s[start:r.i]
}

// string reads a string with either kind of quotes.
func (r *json5Reader) string() string {
	begin, quote := r.i, r.s[r.i]
	r.i++
	var b strings.Builder
	for r.i < len(r.s) {
		switch c := r.s[r.i]; c {
		case quote:
			r.i++
			return b.String()
		case '\n', '\r':
			r.fail("Invalid control character at", r.i)
		case '\\':
			r.i++
			r.escape(&b)
		default:
			b.WriteByte(c)
			r.i++
		}
	}
	r.fail("Unterminated string starting at", begin)
	return ""
}

// escape reads what stands after a backslash.
func (r *json5Reader) escape(b *strings.Builder) {
	c, n := utf8.DecodeRuneInString(r.s[r.i:])
	if i := strings.IndexByte("bfnrtv0", byte(c)); i >= 0 && c < utf8.RuneSelf {
		b.WriteByte("\b\f\n\r\t\v\x00"[i])
		r.i += n
		return
	}
	switch c {
	case 'u':
		b.WriteRune(r.unicode())
	case 'x':
		if r.i+3 <= len(r.s) {
			if x, err := strconv.ParseUint(r.s[r.i+1:r.i+3], 16, 8); err == nil {
				b.WriteRune(rune(x))
				r.i += 3
				return
			}
		}
		r.fail("Invalid \\xXX escape", r.i)
	case '\r':
		r.i++
		if r.peek() == '\n' {
			r.i++
		}
	case '\n', 0x2028, 0x2029: // the string goes on in the next line
		r.i += n
	default:
		b.WriteString(r.s[r.i : r.i+n])
		r.i += n
	}
}
