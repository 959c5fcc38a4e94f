package lint

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"pinch/diag"
)

// A form is one of salt-lint's rules about the form of a line.
type form struct {
	id, what, hint string
	sls            bool // of SLS files only, not of other templates
	jinja          bool // not of what stands between raw and endraw
	find           func(line string) (at int)
}

// forms are the rules that --style adds, as salt-lint 0.9.2 has them.
var forms = sync.OnceValue(func() []form {
	like := func(pattern string) func(string) int {
		re := regexp.MustCompile(pattern)
		return func(line string) int {
			if at := re.FindStringIndex(line); at != nil {
				return at[0]
			}
			return -1
		}
	}
	last := func(pattern string) func(string) int { // the place of the group
		re := regexp.MustCompile(pattern)
		return func(line string) int {
			if at := re.FindStringSubmatchIndex(line); at != nil {
				return at[2]
			}
			return -1
		}
	}
	inside := func(open, shut string) func(string) int {
		return like(open + `[^ \-+]|` + open + `[\-+][^ ]|[^ \-+]` + shut + `|[^ ][\-+]` + shut)
	}
	return []form{
		{"201", "white space at the end of the line", "", false, false, like(`\s+$`)},
		{"203", "a tab", "indent with spaces", true, false, like(`\t`)},
		{"204", "the line is longer than 160 characters", "", false, false, func(line string) int {
			if utf8.RuneCountInString(line) > 160 {
				return 160
			}
			return -1
		}},
		{"202", "a Jinja statement without spaces inside its braces", "", false, true, inside(`\{%`, `%\}`)},
		{"206", "a Jinja variable without spaces inside its braces", "", false, true,
			like(`\{\{[^ {}\-+\d]|\{\{[\-+][^ {}]|[^ {}\-+\d]\}\}|[^ {}][\-+\d]\}\}`)},
		{"209", "a Jinja comment without spaces inside its braces", "", false, true, inside(`\{#`, `#\}`)},
		{"208", "the mode has no leading zero", "write four digits in quotes", true, false, last(`^\s+- (?:dir_|file_)?mode: ['"]?([0-9]{3})(?:['"\s]|$)`)},
		{"210", "a number that begins with 0 has no quotes", "", true, false, last(`^[^:]+:\s*(0[0-9]+)\s*(?:\{#|#|$)`)},
		{"212", "a space that is none of the keyboard's", "", false, false, like("[\u00a0\u2007\u202f\u200b]")},
		{"213", "cmd.wait is an old form", "use cmd.run with onchanges", true, false, last(`^  (cmd\.wait):\s*$`)},
	}
})

var rawBlocks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)\{%[+-]?\s?raw\s?[+-]?%\}.*\{%[+-]?\s?endraw\s?[+-]?%\}`)
})

// nested finds a map below context or defaults that stands no deeper than a
// list's items do: YAML makes it arguments of the state.
var nested = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(\s+)-\s+(?:context|defaults):[^{\[\n]*\n+( +)[^-{\[\s][^:\n]*:\s.+`)
})

// style is what salt-lint says about the form of a file.
func (l *linter) style(path, text string, sls bool) {
	add := func(id string, line, col int, what, hint string) {
		l.add(&diag.Diagnostic{ID: id, Pos: diag.Pos{File: path, Line: line, Col: col}, Summary: what, Hint: hint, Source: text})
	}
	open := strings.Split(rawBlocks().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }), "\n")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			continue
		}
		skip := skipped(line)
		for _, f := range forms() {
			if f.sls && !sls || slices.Contains(skip, f.id) {
				continue
			}
			s := line
			if f.jinja {
				s = open[i]
			}
			if at := f.find(s); at >= 0 {
				add(f.id, i+1, at+1, f.what, f.hint)
			}
		}
	}
	if !sls {
		return
	}
	for _, at := range nested().FindAllStringSubmatchIndex(text, -1) {
		if list, m := at[3]-at[2], at[5]-at[4]; m >= list && m <= list+3 && !slices.Contains(skipped(text[at[0]:at[1]]), "219") {
			line := 1 + strings.Count(text[:at[4]], "\n")
			add("219", line, m+1, "a map of context or defaults that is not indented deeper than they are", "indent it by four spaces")
		}
	}
}

// skipped are the rules that a comment "# noqa: 204 206" in a text switches off.
func skipped(text string) []string {
	var ids []string
	for line := range strings.Lines(text) {
		if _, rest, ok := strings.Cut(line, "# noqa"); ok {
			ids = append(ids, strings.Fields(rest)...)
		}
	}
	return ids
}
