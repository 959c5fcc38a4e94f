package filters

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dlclark/regexp2"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// wordSeparators is where Python's textwrap may break: white space, em-dashes
// between words and hyphens between letters.
var wordSeparators = sync.OnceValue(func() *regexp2.Regexp {
	const (
		ws     = `[\t\n\x0b\x0c\r ]`
		nws    = `[^\t\n\x0b\x0c\r ]`
		punct  = `[\w!"'&.,?]`
		letter = `[^\d\W]`
	)
	return regexp2.MustCompile(`(`+ws+`+|(?<=`+punct+`)-{2,}(?=\w)|`+nws+`+?(?:-(?:(?<=`+letter+`{2}-)|(?<=`+letter+`-`+punct+`-))(?=`+letter+`-?`+letter+`)|(?=`+ws+`|\z)|(?<=`+punct+`)(?=-{2,}\w)))`, 0)
})

func wordwrap(c *jinja.Call, a []any) (any, error) {
	with := a[3]
	if with == nil {
		nl := c.State.Env.NewlineSequence
		if nl == "" {
			nl = "\n"
		}
		with = nl
	}
	s, ok := py.Text(a[0])
	if !ok {
		if u, is := a[0].(*jinja.Undefined); is {
			return nil, u.UndefinedError()
		}
		_, err := py.Attr(a[0], "splitlines")
		return nil, err
	}
	width, err := py.AsIndex(a[1])
	if err != nil {
		return nil, err
	}
	if width <= 0 {
		return nil, value.Errorf("ValueError", "invalid width %d (must be > 0)", width)
	}
	sep, ok := py.Text(with)
	if !ok {
		_, err := py.Attr(with, "join")
		return nil, err
	}
	var parts []string
	for _, line := range py.SplitLines(s, false) {
		parts = append(parts, strings.Join(wrap(line, int(width), value.Truth(a[2]), value.Truth(a[4])), sep))
	}
	return strings.Join(parts, sep), nil
}

func chunks(s string, hyphens bool) []string {
	var out []string
	if hyphens {
		m, _ := wordSeparators().FindStringMatch(s)
		at := 0
		runes := []rune(s)
		for ; m != nil; m, _ = wordSeparators().FindNextMatch(m) {
			if m.Index > at {
				out = append(out, string(runes[at:m.Index]))
			}
			out = append(out, m.String())
			at = m.Index + m.Length
		}
		if at < len(runes) {
			out = append(out, string(runes[at:]))
		}
		return out
	}
	for s != "" {
		blank := func(r rune) bool { return strings.ContainsRune("\t\n\v\f\r ", r) }
		i := strings.IndexFunc(s, blank)
		if i == 0 {
			i = strings.IndexFunc(s, func(r rune) bool { return !blank(r) })
		}
		if i < 0 {
			i = len(s)
		}
		out = append(out, s[:i])
		s = s[i:]
	}
	return out
}

// wrap is textwrap.wrap of one line that keeps its white space characters.
func wrap(s string, width int, breakLong, hyphens bool) []string {
	var lines []string
	rest := chunks(s, hyphens)
	white := func(s string) bool { return strings.TrimFunc(s, isBlank) == "" }
	for len(rest) > 0 {
		var cur []string
		n := 0
		if white(rest[0]) && len(lines) > 0 {
			rest = rest[1:]
		}
		for len(rest) > 0 {
			l := utf8.RuneCountInString(rest[0])
			if n+l > width {
				break
			}
			cur, rest, n = append(cur, rest[0]), rest[1:], n+l
		}
		if len(rest) > 0 && utf8.RuneCountInString(rest[0]) > width {
			switch {
			case breakLong:
				head, tail := breakWord(rest[0], max(width-n, 1), hyphens)
				cur, rest[0] = append(cur, head), tail
			case len(cur) == 0:
				cur, rest = append(cur, rest[0]), rest[1:]
			}
		}
		if len(cur) > 0 && white(cur[len(cur)-1]) {
			cur = cur[:len(cur)-1]
		}
		if len(cur) > 0 {
			lines = append(lines, strings.Join(cur, ""))
		}
	}
	return lines
}

// breakWord cuts a word that is longer than a line, after a hyphen if one is
// in reach.
func breakWord(word string, room int, hyphens bool) (head, tail string) {
	r := []rune(word)
	end := room
	if hyphens && len(r) > room {
		for i := room - 1; i > 0; i-- {
			if r[i] == '-' {
				if strings.Trim(string(r[:i]), "-") != "" {
					end = i + 1
				}
				break
			}
		}
	}
	return string(r[:end]), string(r[end:])
}
