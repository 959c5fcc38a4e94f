// Package pyre runs Python's regular expressions: its syntax, flags, error
// texts and replacement templates, on text and on bytes.
//
// The main type is Regexp. Groups are numbered as Python numbers them, and
// offsets are byte offsets into the Go string, so that text which is not
// UTF-8 passes through unharmed.
//
//	re, err := pyre.Compile(`^(?P<key>\w+) *= *`, pyre.Multiline)
//	text, n, err := re.Sub(`\g<key>: `, "a = 1\nb=2\n", 0) // "a: 1\nb: 2\n", 2
package pyre

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// Flags are those of Python's module re, with its numbers.
type Flags int

const (
	IgnoreCase Flags = 2
	Locale     Flags = 4
	Multiline  Flags = 8
	DotAll     Flags = 16
	Unicode    Flags = 32
	Verbose    Flags = 64
	ASCII      Flags = 256
)

// FlagNames are the names and short names of the flags.
var flagNames = map[string]Flags{
	"IGNORECASE": IgnoreCase, "I": IgnoreCase, "LOCALE": Locale, "L": Locale, "MULTILINE": Multiline, "M": Multiline,
	"DOTALL": DotAll, "S": DotAll, "UNICODE": Unicode, "U": Unicode, "VERBOSE": Verbose, "X": Verbose, "ASCII": ASCII, "A": ASCII,
}

// Flag finds a flag by its name in Python's module re ("MULTILINE" or "M").
func Flag(name string) (Flags, bool) { f, ok := flagNames[name]; return f, ok }

// An Error is Python's re.error.
type Error struct {
	Msg     string
	Pattern string
	Pos     int // code points from the start; -1: no place
}

// Error is the text of Python's exception.
func (e *Error) Error() string {
	if e.Pos < 0 {
		return e.Msg
	}
	s := fmt.Sprintf("%s at position %d", e.Msg, e.Pos)
	if strings.Contains(e.Pattern, "\n") {
		before := string([]rune(e.Pattern)[:min(e.Pos, utf8.RuneCountInString(e.Pattern))])
		line := 1 + strings.Count(before, "\n")
		s += fmt.Sprintf(" (line %d, column %d)", line, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])+1)
	}
	return s
}

// A Regexp is a compiled expression; it is safe for use by several goroutines.
type Regexp struct {
	re      *regexp2.Regexp
	source  string // the pattern in the engine's syntax
	options regexp2.RegexOptions
	start   func() *Regexp // the variant for Match, FullMatch
	full    func() *Regexp
	literal string // what the whole pattern stands for, when it is plain text
	plain   bool
	bytes   bool
	groups  int
	names   map[string]int
	pattern string
}

type cacheKey struct {
	pattern string
	flags   Flags
	bytes   bool
}

// cache keeps what was compiled, as Python's module re does; it is emptied
// when it is full.
var cache = struct {
	sync.Mutex
	m map[cacheKey]*Regexp
}{m: map[cacheKey]*Regexp{}}

const cacheSize = 512

// Compile compiles a pattern for text. The error is an *Error.
func Compile(pattern string, flags Flags) (*Regexp, error) { return compile(pattern, flags, false) }

// CompileBytes compiles a pattern of bytes (b'…' in Python): it matches byte
// by byte and its classes are ASCII's.
func CompileBytes(pattern string, flags Flags) (*Regexp, error) {
	return compile(pattern, flags, true)
}

// MustCompile is Compile for patterns that are known to be right.
func MustCompile(pattern string, flags Flags) *Regexp {
	re, err := Compile(pattern, flags)
	if err != nil {
		panic(fmt.Sprintf("pyre: %q: %v", pattern, err))
	}
	return re
}

func compile(pattern string, flags Flags, bytes bool) (*Regexp, error) {
	key := cacheKey{pattern, flags, bytes}
	cache.Lock()
	re := cache.m[key]
	cache.Unlock()
	if re != nil {
		return re, nil
	}
	re, err := build(pattern, flags, bytes)
	if err != nil {
		return nil, err
	}
	cache.Lock()
	if len(cache.m) >= cacheSize {
		clear(cache.m)
	}
	cache.m[key] = re
	cache.Unlock()
	return re, nil
}

func build(pattern string, flags Flags, bytes bool) (*Regexp, error) {
	p := newParser(pattern, flags, bytes)
	if err := p.parse(); err != nil {
		return nil, err
	}
	re := &Regexp{bytes: bytes, groups: p.groups, names: p.names, pattern: pattern}
	if p.plain && p.flags&IgnoreCase == 0 {
		re.plain, re.literal = true, string(p.text)
		return re, nil
	}
	var opt regexp2.RegexOptions
	for f, o := range map[Flags]regexp2.RegexOptions{IgnoreCase: regexp2.IgnoreCase, Multiline: regexp2.Multiline, DotAll: regexp2.Singleline} {
		if p.flags&f != 0 {
			opt |= o
		}
	}
	var err error
	re.source, re.options = string(p.out), opt
	if re.re, err = regexp2.Compile(re.source, opt); err != nil {
		return nil, &Error{err.Error(), pattern, -1}
	}
	re.start = sync.OnceValue(func() *Regexp { return re.bound(")") })
	re.full = sync.OnceValue(func() *Regexp { return re.bound(`)\z`) })
	return re, nil
}

// String is the pattern as it was given.
func (r *Regexp) String() string { return r.pattern }

// Groups is the number of groups, without the whole match.
func (r *Regexp) Groups() int { return r.groups }

// Names are the groups that have a name, by it.
func (r *Regexp) Names() map[string]int { return r.names }

const escaped = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"

// Escape is Python's re.escape.
func Escape(s string) string {
	if !strings.ContainsAny(s, escaped) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(escaped, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
