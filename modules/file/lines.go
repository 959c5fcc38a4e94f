package file

import (
	"strings"
	"unicode/utf8"
)

// splitText splits as Python's str.splitlines(True): also at the rarer ends
// of line that Unicode knows. The ends stay on the lines.
func splitText(s string) []string {
	if !hasRareEnd(s) {
		return splitBytes(s)
	}
	var out []string
	for s != "" {
		n := strings.IndexFunc(s, isLineEnd)
		if n < 0 {
			return append(out, s)
		}
		_, size := utf8.DecodeRuneInString(s[n:])
		if s[n] == '\r' && strings.HasPrefix(s[n+1:], "\n") {
			size = 2
		}
		out = append(out, s[:n+size])
		s = s[n+size:]
	}
	return out
}

func hasRareEnd(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\v' || c == '\f' || c >= 0x1c && c <= 0x1e:
			return true
		case c >= utf8.RuneSelf:
			return strings.ContainsAny(s, "\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		}
	}
	return false
}

func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// splitBytes splits at \n, \r\n and \r, as Python splits bytes, and text that
// it reads from a file. The ends stay on the lines.
func splitBytes(s string) []string {
	if strings.IndexByte(s, '\r') < 0 {
		return splitNewline(s)
	}
	var out []string
	for s != "" {
		n := strings.IndexAny(s, "\r\n")
		if n < 0 {
			return append(out, s)
		}
		n++
		if s[n-1] == '\r' && strings.HasPrefix(s[n:], "\n") {
			n++
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// splitNewline splits at \n only, as Python reads lines of bytes.
func splitNewline(s string) []string {
	out := make([]string, 0, strings.Count(s, "\n")+1)
	for l := range strings.Lines(s) {
		out = append(out, l)
	}
	return out
}

// bare are the lines of splitText without their ends.
func bare(s string) []string {
	lines := splitText(s)
	for i, l := range lines {
		lines[i] = strings.TrimRightFunc(l, isLineEnd)
	}
	return lines
}

// isText guesses as Salt does whether the start of a file is text.
func isText(block []byte) bool { return !isBinary(block[:min(len(block), 512)]) }

func isBinary(data []byte) bool {
	if len(data) == 0 {
		return false
	}
	odd, high := 0, 0
	for _, c := range data {
		switch {
		case c == 0:
			return true
		case c >= 128 && c < 255:
			high++
		case c < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\b' || c == 127 || c == 255:
			odd++
		}
	}
	if high > 0 && !utf8.Valid(data) && !cutShort(data) {
		odd += high
	}
	return float64(odd)/float64(len(data)) > 0.3
}

// cutShort reports whether data is UTF-8 whose last character is not complete.
func cutShort(data []byte) bool {
	for n := 1; n <= 3 && n <= len(data); n++ {
		tail := data[len(data)-n:]
		if utf8.RuneStart(tail[0]) {
			return !utf8.FullRune(tail) && utf8.Valid(data[:len(data)-n])
		}
	}
	return false
}

// decode is text that is shown: bytes that are not UTF-8 are taken for Latin-1.
func decode(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}
