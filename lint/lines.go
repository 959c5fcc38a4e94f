package lint

import (
	"fmt"
	"path/filepath"
	"strings"

	"pinch/apply"
	"pinch/diag"
)

// lines finds what a line by itself shows.
func (l *linter) lines(path, text string, r role) {
	sls := filepath.Ext(path) == ".sls"
	add := func(id string, line, col int, summary, hint string) {
		l.add(&diag.Diagnostic{ID: id, Pos: diag.Pos{File: path, Line: line, Col: col}, Summary: summary, Hint: hint, Source: text})
	}
	if base := strings.TrimSuffix(filepath.Base(path), ".sls"); sls && r == states && strings.Contains(base, ".") {
		add("214", 1, 0, "an SLS whose file name has a further period cannot be named", "rename it without the period")
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if sls && (r == states || r == tests) {
			l.modeOf(line, n, add)
			requisiteName(line, n, add)
		}
	}
	if l.o.Style {
		l.style(path, text, sls)
	}
}

type adder func(id string, line, col int, summary, hint string)

// argument splits "  - key: value"; col is where the value begins.
func argument(line string) (key, val string, col int) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- ")
	if !ok {
		return "", "", 0
	}
	key, val, ok = strings.Cut(rest, ":")
	if !ok {
		return "", "", 0
	}
	trimmed := strings.TrimLeft(val, " ")
	return strings.TrimSpace(key), strings.TrimSpace(trimmed), len(line) - len(trimmed) + 1
}

// modeOf reports file modes without quotes: YAML takes them for numbers, and
// 0644 only works because Salt drops the zero.
func (l *linter) modeOf(line string, n int, add adder) {
	key, val, col := argument(line)
	switch key {
	case "mode", "file_mode", "dir_mode":
	default:
		return
	}
	val, _, _ = strings.Cut(val, " #")
	val = strings.TrimSpace(val)
	if digits := strings.Trim(val, "01234567"); digits == "" && len(val) >= 3 {
		add("207", n, col, "the mode "+val+" has no quotes: YAML reads it as a number", fmt.Sprintf("write %s: '%s'", key, fourDigits(val)))
	}
}

func fourDigits(mode string) string {
	if len(mode) == 3 {
		return "0" + mode
	}
	return mode
}

// requisiteName reports requisites that are written in a way that Salt takes
// for arguments of the state.
func requisiteName(line string, n int, add adder) {
	key, val, _ := argument(line)
	if val != "" {
		return
	}
	right := apply.Keyword(key)
	if right == "" {
		return
	}
	id := "217"
	if strings.HasPrefix(right, "onchanges") {
		id = "216"
	}
	add(id, n, strings.Index(line, key)+1, "there is no requisite "+key, `did you mean "`+right+`"?`)
}
