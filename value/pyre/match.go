package pyre

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// A Match is one place where an expression matched.
type Match struct {
	s     string
	re    *Regexp
	spans []int // start and end of the groups, -1 for one that took no part
}

// Group is the text of a group (0: all of it), and whether it took part.
func (m *Match) Group(i int) (string, bool) {
	if i < 0 || 2*i+1 >= len(m.spans) || m.spans[2*i] < 0 {
		return "", false
	}
	return m.s[m.spans[2*i]:m.spans[2*i+1]], true
}

// Text is the text of the whole match.
func (m *Match) Text() string { return m.s[m.spans[0]:m.spans[1]] }

// Named is Group for a group with a name.
func (m *Match) Named(name string) (string, bool) {
	i, ok := m.re.names[name]
	if !ok {
		return "", false
	}
	return m.Group(i)
}

// Span is where a group matched: byte offsets, -1 when it took no part.
func (m *Match) Span(i int) (start, end int) { return m.spans[2*i], m.spans[2*i+1] }

// subject is a text as the engine reads it, with the way back to byte offsets.
type subject struct {
	s     string
	runes []rune
	offs  []int // byte offset of each rune; nil when a rune is a byte
}

func (r *Regexp) subject(s string) *subject {
	t := &subject{s: s}
	if r.bytes || isASCII(s) {
		t.runes = make([]rune, len(s))
		for i := range len(s) {
			t.runes[i] = rune(s[i])
		}
		return t
	}
	n := utf8.RuneCountInString(s)
	t.runes, t.offs = make([]rune, 0, n), make([]int, 0, n+1)
	for i, c := range s {
		t.runes, t.offs = append(t.runes, c), append(t.offs, i)
	}
	t.offs = append(t.offs, len(s))
	return t
}

func (t *subject) offset(i int) int {
	if t.offs == nil {
		return i
	}
	return t.offs[i]
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (r *Regexp) match(t *subject, m *regexp2.Match) *Match {
	spans := make([]int, 0, 2*r.groups+2)
	for i := range r.groups + 1 {
		g := m.GroupByNumber(i)
		if g == nil || len(g.Captures) == 0 {
			spans = append(spans, -1, -1)
			continue
		}
		spans = append(spans, t.offset(g.Index), t.offset(g.Index+g.Length))
	}
	return &Match{t.s, r, spans}
}

// All yields the matches from left to right, as finditer does.
func (r *Regexp) All(s string) iter.Seq[*Match] {
	return func(yield func(*Match) bool) {
		if r.plain {
			r.allPlain(s, yield)
			return
		}
		t := r.subject(s)
		// Without a timeout the engine has no error to give.
		for m, _ := r.re.FindRunesMatch(t.runes); m != nil; m, _ = r.re.FindNextMatch(m) {
			if !yield(r.match(t, m)) {
				return
			}
		}
	}
}

func (r *Regexp) allPlain(s string, yield func(*Match) bool) {
	for pos := 0; pos <= len(s); {
		i := strings.Index(s[pos:], r.literal)
		if i < 0 {
			return
		}
		i += pos
		if !yield(&Match{s, r, []int{i, i + len(r.literal)}}) {
			return
		}
		pos = i + len(r.literal)
		if r.literal == "" {
			if pos == len(s) {
				return
			}
			_, n := utf8.DecodeRuneInString(s[pos:])
			pos += n
		}
	}
}

// Search finds the first match anywhere, nil if there is none.
func (r *Regexp) Search(s string) *Match {
	for m := range r.All(s) {
		return m
	}
	return nil
}

// Match finds a match at the start of s, nil if there is none.
func (r *Regexp) Match(s string) *Match {
	if r.plain {
		if !strings.HasPrefix(s, r.literal) {
			return nil
		}
		return &Match{s, r, []int{0, len(r.literal)}}
	}
	return r.start().Search(s)
}

// FullMatch finds a match of all of s, nil if there is none.
func (r *Regexp) FullMatch(s string) *Match {
	if r.plain {
		if s != r.literal {
			return nil
		}
		return &Match{s, r, []int{0, len(s)}}
	}
	return r.full().Search(s)
}

// bound is a variant of the expression that starts where the text starts.
func (r *Regexp) bound(end string) *Regexp {
	n := *r
	n.re = regexp2.MustCompile(`\A(?:`+r.source+end, r.options)
	return &n
}

// Split is Python's re.split: the pieces between matches, with the texts of
// groups among them. A group that took no part is "". 0 splits everywhere.
func (r *Regexp) Split(s string, maxsplit int) []string {
	var out []string
	pos, n := 0, 0
	for m := range r.All(s) {
		if maxsplit > 0 && n >= maxsplit {
			break
		}
		n++
		out = append(out, s[pos:m.spans[0]])
		for i := 1; i <= r.groups; i++ {
			g, _ := m.Group(i)
			out = append(out, g)
		}
		pos = m.spans[1]
	}
	return append(out, s[pos:])
}
