package slsutil

import (
	"strings"
	"unicode/utf8"

	"pinch/salt"
	"pinch/value"
)

type bannerArgs struct {
	Width       int64   `py:"width=72"`        // columns of the banner
	Commentchar string  `py:"commentchar='#'"` // what begins a comment line
	Borderchar  string  `py:"borderchar='#'"`  // what the border is made of
	Blockstart  *string `py:"blockstart=None"` // a line before, such as /*
	Blockend    *string `py:"blockend=None"`   // a line behind, such as */
	Title       *string `py:"title=None"`      // the heading
	Text        *string `py:"text=None"`       // the text below
	Newline     bool    `py:"newline=False"`   // end with a newline
}

// banner draws the comment that tells readers of a file who wrote it.
func banner(_ *salt.Ctx, a bannerArgs) (string, error) {
	title := "THIS FILE IS MANAGED BY SALT - DO NOT EDIT"
	text := "The contents of this file are managed by Salt. Any changes to this file may be overwritten automatically and without warning."
	if a.Title != nil {
		title = *a.Title
	}
	if a.Text != nil {
		text = *a.Text
	}
	n := utf8.RuneCountInString
	left, right := strings.TrimRight(a.Commentchar, " \t\n"), strings.TrimSpace(a.Commentchar)
	inner := int(a.Width) - n(left) - n(right) - 2
	if inner <= 0 {
		return "", value.Errorf("ArgumentValueError", "Width is too small to render banner")
	}
	border := a.Borderchar
	if n(border) > 1 {
		border = string([]rune(border)[:1])
	}
	border = a.Commentchar + strings.Repeat(border, max(0, int(a.Width)-n(left)-n(right))) + right
	spacer := a.Commentchar + strings.Repeat(" ", max(0, int(a.Width)-2*n(a.Commentchar))) + a.Commentchar
	var lines []string
	if a.Blockstart != nil {
		lines = append(lines, *a.Blockstart)
	}
	lines = append(lines, border, spacer)
	for _, l := range wrap(title, inner) {
		pad := inner - n(l)
		before := pad/2 + pad&inner&1 // as str.center
		lines = append(lines, left+" "+strings.Repeat(" ", before)+l+strings.Repeat(" ", pad-before)+" "+right)
	}
	lines = append(lines, spacer)
	for _, l := range wrap(text, inner) {
		lines = append(lines, left+" "+l+strings.Repeat(" ", inner-n(l))+" "+right)
	}
	lines = append(lines, border)
	if a.Blockend != nil {
		lines = append(lines, *a.Blockend)
	}
	out := strings.Join(lines, "\n")
	if a.Newline {
		out += "\n"
	}
	return out, nil
}

// wrap breaks text at spaces and behind hyphens, and cuts words that are
// longer than a line.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		r := []rune(word)
		used := utf8.RuneCountInString(line)
		if used > 0 && used+1+len(r) <= width {
			line += " " + word
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		for len(r) > width {
			lines = append(lines, string(r[:width]))
			r = r[width:]
		}
		line = string(r)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
