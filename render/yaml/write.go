package yaml

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// scalar chooses the style of a scalar and writes it.
func (e *emitter) scalar(t text, c context) {
	a := e.analyze(t.s)
	plainOK := t.tag == impliedTag(t.s)
	quotedOK := t.tag == tagStr
	tagged := e.o.Canonical || !plainOK && !quotedOK
	simple := c == inSimpleKey
	style := t.style
	if e.o.Canonical || simple && a.multiline {
		style = '"'
	}
	if style == 0 {
		if e.flowLevel > 0 && !a.flowPlain || e.flowLevel == 0 && !a.blockPlain ||
			t.s == "" && (e.flowLevel > 0 || simple) || !tagged && !plainOK {
			style = '\''
		}
	}
	if style == '\'' && !a.single {
		style = '"'
	}
	if (style == '|' || style == '>') && (!a.block || e.flowLevel > 0 || simple) {
		style = '"'
	}
	switch {
	case tagged:
		e.tag(t.tag)
	case !quotedOK && style != 0:
		if !e.whitespace {
			e.putByte(' ')
		}
		e.put("!")
		e.whitespace, e.indention = false, false
	}
	old := e.deeper(true, false)
	switch style {
	case 0:
		e.plain(t.s, !simple)
	case '\'':
		e.single(t.s, !simple)
	case '"':
		e.double(t.s, !simple)
	default:
		e.blockScalar(t.s, style)
	}
	e.indent = old
}

// impliedTag is the tag that a plain scalar with this text has.
func impliedTag(s string) tag {
	t := resolve(s)
	if t == tagStr {
		switch {
		case timestamp(s):
			return tagTimestamp
		case s == "!" || s == "&" || s == "*":
			return tagOther
		}
	}
	return t
}

// run is the number of bytes that can be written at once: ASCII without
// blanks, breaks and single quotes.
func run(s string) int {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == '\'' || c >= 0x7f {
			return i
		}
	}
	return len(s)
}

// copyRune writes the character at the start of s and gives its length.
func (e *emitter) copyRune(s string) int {
	n := 1
	if s[0] >= utf8.RuneSelf {
		_, n = utf8.DecodeRuneInString(s)
	}
	e.b = append(e.b, s[:n]...)
	e.column++
	return n
}

// copyBreak writes the line break of n bytes at the start of s.
func (e *emitter) copyBreak(s string, n int) {
	if s[0] == '\n' {
		e.putBreak()
		return
	}
	e.b = append(e.b, s[:n]...)
	e.column = 0
}

func spaceAt(s string, i int) bool { return i < len(s) && s[i] == ' ' }

func (e *emitter) plain(s string, split bool) {
	if !e.whitespace && (s != "" || e.flowLevel > 0) {
		e.putByte(' ')
	}
	e.flowText(s, split, false)
	e.whitespace, e.indention = false, false
}

func (e *emitter) single(s string, split bool) {
	e.indicator("'", true, false, false)
	if e.flowText(s, split, true) {
		e.writeIndent()
	}
	e.indicator("'", false, false, false)
	e.whitespace, e.indention = false, false
}

// flowText writes a plain or single quoted text; it reports that a line break
// was last.
func (e *emitter) flowText(s string, split, quoted bool) bool {
	spaces, breaks := false, false
	for i := 0; i < len(s); {
		c := s[i]
		if c == ' ' {
			inside := !quoted || i > 0 && i < len(s)-1
			if split && !spaces && e.column > e.width && inside && !spaceAt(s, i+1) {
				e.writeIndent()
			} else {
				e.putByte(' ')
			}
			i++
			spaces = true
			continue
		}
		if n := lineBreakAt(s[i:]); n > 0 {
			if !breaks && c == '\n' {
				e.putBreak()
			}
			e.copyBreak(s[i:], n)
			i += n
			e.indention, breaks = true, true
			continue
		}
		if breaks {
			e.writeIndent()
		}
		if quoted && c == '\'' {
			e.putByte('\'')
		}
		n := run(s[i:])
		if n == 0 {
			n = e.copyRune(s[i:])
		} else {
			e.put(s[i : i+n])
		}
		i += n
		e.indention, spaces, breaks = false, false, false
	}
	return breaks
}

func (e *emitter) double(s string, split bool) {
	e.indicator("\"", true, false, false)
	spaces := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\' || !e.printable(r, n) || lineBreakAt(s[i:]) > 0:
			if r == utf8.RuneError && n == 1 {
				r = rune(s[i])
			}
			e.putEscape(r)
			spaces = false
		case r == ' ':
			if split && !spaces && e.column > e.width && i > 0 && i < len(s)-1 {
				e.writeIndent()
				if spaceAt(s, i+1) {
					e.putByte('\\')
				}
			} else {
				e.putByte(' ')
			}
			spaces = true
		default:
			e.copyRune(s[i:])
			spaces = false
		}
		i += n
	}
	e.indicator("\"", false, false, false)
	e.whitespace, e.indention = false, false
}

func (e *emitter) putEscape(r rune) { e.put(escaped(r)) }

// escaped is the escape sequence of a character in double quotes.
func escaped(r rune) string {
	switch r {
	case 0:
		return `\0`
	case 7:
		return `\a`
	case 8:
		return `\b`
	case 9:
		return `\t`
	case 10:
		return `\n`
	case 11:
		return `\v`
	case 12:
		return `\f`
	case 13:
		return `\r`
	case 0x1b:
		return `\e`
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case 0x85:
		return `\N`
	case 0xa0:
		return `\_`
	case 0x2028:
		return `\L`
	case 0x2029:
		return `\P`
	}
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02X`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04X`, r)
	}
	return fmt.Sprintf(`\U%08X`, r)
}

// blockScalar writes a literal ("|") or folded (">") text.
func (e *emitter) blockScalar(s string, style byte) {
	e.indicator(string(style), true, false, false)
	e.hints(s)
	e.putBreak()
	e.indention, e.whitespace = true, true
	breaks, leading := true, true
	for i := 0; i < len(s); {
		if n := lineBreakAt(s[i:]); n > 0 {
			if style == '>' && !breaks && !leading && s[i] == '\n' {
				k := i
				for m := n; m > 0; m = lineBreakAt(s[k:]) {
					k += m
				}
				if !blankAt(s[k:]) {
					e.putBreak()
				}
			}
			e.copyBreak(s[i:], n)
			i += n
			e.indention, breaks = true, true
			continue
		}
		if breaks {
			e.writeIndent()
			leading = s[i] == ' ' || s[i] == '\t'
		}
		if style == '>' && !breaks && s[i] == ' ' && !spaceAt(s, i+1) && e.column > e.width {
			e.writeIndent()
			i++
		} else {
			i += e.copyRune(s[i:])
		}
		e.indention, breaks = false, false
	}
}

// hints writes the indentation and chomping indicators of a block scalar.
func (e *emitter) hints(s string) {
	if s != "" && (s[0] == ' ' || lineBreakAt(s) > 0) {
		e.indicator(strconv.Itoa(e.step), false, false, false)
	}
	e.openEnded = false
	last := lastBreak(s)
	switch {
	case last == 0:
		e.indicator("-", false, false, false)
	case last == len(s) || lastBreak(s[:len(s)-last]) > 0:
		e.indicator("+", false, false, false)
		e.openEnded = true
	}
}

// lastBreak is the length of the line break at the end of s.
func lastBreak(s string) int {
	if s == "" {
		return 0
	}
	_, n := utf8.DecodeLastRuneInString(s)
	return lineBreakAt(s[len(s)-n:])
}
