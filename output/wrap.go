package output

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wrap is Python's textwrap.fill: text in lines of at most width columns, each
// indented, broken at white space, hyphens and dashes; longer words are cut.
func wrap(text string, width, indent int) string {
	chunks := chunk(plainSpace(text))
	pad := strings.Repeat(" ", indent)
	room := width - indent
	var out []string
	for i := 0; i < len(chunks); {
		if len(out) > 0 && strings.TrimSpace(chunks[i]) == "" {
			i++ // white space at the start of a line, but for the first
			continue
		}
		var line []string
		used := 0
		for i < len(chunks) && used+utf8.RuneCountInString(chunks[i]) <= room {
			line = append(line, chunks[i])
			used += utf8.RuneCountInString(chunks[i])
			i++
		}
		if i < len(chunks) && utf8.RuneCountInString(chunks[i]) > room {
			head := cut(chunks[i], room-used)
			line = append(line, head)
			chunks[i] = chunks[i][len(head):]
		}
		if n := len(line); n > 0 && strings.TrimSpace(line[n-1]) == "" {
			line = line[:n-1]
		}
		if len(line) > 0 {
			out = append(out, pad+strings.Join(line, ""))
		}
	}
	return strings.Join(out, "\n")
}

// cut is the part of a long word that fits into n columns, up to its last
// hyphen when there is one.
func cut(word string, n int) string {
	end := 0
	for range n {
		_, size := utf8.DecodeRuneInString(word[end:])
		end += size
	}
	if h := strings.LastIndexByte(word[:end], '-'); h > 0 && strings.Trim(word[:h], "-") != "" {
		return word[:h+1]
	}
	return word[:end]
}

// plainSpace expands tabs to columns of 8 and makes all other white space blanks.
func plainSpace(s string) string {
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := 8 - column%8
			b.WriteString(strings.Repeat(" ", n))
			column += n
		case '\n', '\r':
			b.WriteByte(' ')
			column = 0
		case '\v', '\f':
			b.WriteByte(' ')
			column++
		default:
			b.WriteRune(r)
			column++
		}
	}
	return b.String()
}

// chunk cuts text where a line may end: white space, words, the parts of
// hyphenated words, and dashes between words.
func chunk(s string) []string {
	r := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(r) {
			return 0
		}
		return r[i]
	}
	dash := func(i int) int { // the end of a dash of two hyphens or more before a word
		j := i
		for at(j) == '-' {
			j++
		}
		if j-i >= 2 && isWord(at(j)) {
			return j
		}
		return 0
	}
	var out []string
	for i := 0; i < len(r); {
		j := i + 1
		switch {
		case r[i] == ' ':
			for at(j) == ' ' {
				j++
			}
		case isWordPunct(at(i-1)) && dash(i) > 0:
			j = dash(i)
		default:
			for ; j < len(r) && r[j] != ' '; j++ {
				if r[j] == '-' && (isLetter(at(j-1)) && isLetter(at(j-2)) || isWordPunct(at(j-1)) && at(j-2) == '-' && isLetter(at(j-3))) &&
					isLetter(at(j+1)) && (isLetter(at(j+2)) || at(j+2) == '-' && isLetter(at(j+3))) {
					j++
					break
				}
				if isWordPunct(r[j-1]) && dash(j) > 0 {
					break
				}
			}
		}
		out = append(out, string(r[i:j]))
		i = j
	}
	return out
}

func isWord(r rune) bool      { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }
func isLetter(r rune) bool    { return r == '_' || unicode.IsLetter(r) }
func isWordPunct(r rune) bool { return isWord(r) || r != 0 && strings.ContainsRune("!\"'&.,?", r) }

// title is Python's str.title for headings.
func title(s string) string {
	inWord := false
	return strings.Map(func(r rune) rune {
		was := inWord
		inWord = unicode.IsLetter(r)
		if was {
			return unicode.ToLower(r)
		}
		return unicode.ToTitle(r)
	}, s)
}
