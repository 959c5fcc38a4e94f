package yaml

import (
	"strings"
	"unicode/utf8"
)

// analysis is what styles a scalar's text allows.
type analysis struct {
	multiline, flowPlain, blockPlain, single, block bool
}

// safe marks the ASCII characters that need no closer look inside a text.
var safe = func() (t [128]bool) {
	for c := byte('!'); c < 0x7f; c++ {
		t[c] = !strings.ContainsRune(":,?[]{}#", rune(c))
	}
	return t
}()

// printable is libyaml's idea of what need not be escaped; characters beyond
// the first plane, tabs and carriage returns are not among them.
func (e *emitter) printable(r rune, n int) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == '\n' || r >= ' ' && r < 0x7f
	case e.o.ASCII || r == utf8.RuneError && n == 1:
		return false
	}
	return r >= 0xa0 && r <= 0xfffd && r != 0xfeff
}

func blankAt(s string) bool {
	return s == "" || s[0] == ' ' || s[0] == '\t' || s[0] == 0 || lineBreakAt(s) > 0
}

// analyze is libyaml's analysis of a scalar.
func (e *emitter) analyze(s string) analysis {
	if s == "" {
		return analysis{blockPlain: true, single: true}
	}
	var flowInd, blockInd, breaks, special bool
	var edgeSpace, trailingSpace, breakSpace, spaceBreak bool
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		flowInd, blockInd = true, true
	}
	before := true // white space stands before the character
	wasSpace, wasBreak := false, false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf && safe[c] && i > 0 {
			before, wasSpace, wasBreak = false, false, false
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		last := i+n == len(s)
		if c < utf8.RuneSelf {
			f, b := indicates(c, i == 0, before, blankAt(s[i+1:]))
			flowInd, blockInd = flowInd || f, blockInd || b
		}
		special = special || !e.printable(r, n)
		isBreak := lineBreakAt(s[i:]) > 0
		switch {
		case c == ' ':
			edgeSpace = edgeSpace || i == 0 || last
			trailingSpace = trailingSpace || last
			breakSpace = breakSpace || wasBreak
			wasSpace, wasBreak = true, false
		case isBreak:
			breaks = true
			edgeSpace = edgeSpace || i == 0 || last
			spaceBreak = spaceBreak || wasSpace
			wasSpace, wasBreak = false, true
		default:
			wasSpace, wasBreak = false, false
		}
		before = c == ' ' || c == '\t' || c == 0 || isBreak
		i += n
	}
	bad := spaceBreak || special
	a := analysis{
		multiline:  breaks,
		single:     !breakSpace && !bad,
		block:      !trailingSpace && !bad,
		flowPlain:  !edgeSpace && !breakSpace && !bad && !breaks && !flowInd,
		blockPlain: !edgeSpace && !breakSpace && !bad && !breaks && !blockInd,
	}
	return a
}

// indicates reports whether a character is taken for an indicator in flow and
// in block context.
func indicates(c byte, first, before, after bool) (flow, block bool) {
	if first {
		switch c {
		case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
			return true, true
		case '?', ':':
			return true, after
		case '-':
			return after, after
		}
		return false, false
	}
	switch c {
	case ',', '?', '[', ']', '{', '}':
		return true, false
	case ':':
		return true, after
	case '#':
		return before, before
	}
	return false, false
}
