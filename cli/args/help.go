package args

import (
	"strings"
	"unicode/utf8"
)

// Help is the text of --help: each option on a line of its own.
func (g *Grammar) Help() string {
	var b strings.Builder
	b.WriteString(g.usage())
	if g.About != "" {
		b.WriteString("\n" + g.About + "\n")
	}
	width := 0
	for _, gr := range g.Groups {
		for _, o := range gr.Options {
			width = max(width, utf8.RuneCountInString(o.left()))
		}
	}
	width = min(width, 38)
	for _, gr := range g.Groups {
		b.WriteString("\n" + gr.Title + ":\n")
		for _, o := range gr.Options {
			left := o.left()
			pad := max(2, width+2-utf8.RuneCountInString(left))
			b.WriteString("  " + left + strings.Repeat(" ", pad) + o.Help)
			if o.Example != "" {
				b.WriteString(" (" + o.Example + ")")
			}
			b.WriteByte('\n')
		}
	}
	if g.Notes != "" {
		b.WriteString("\n" + g.Notes + "\n")
	}
	return b.String()
}

// left is the names of an option and what its value stands for.
func (o *Option) left() string {
	s := strings.Join(o.Names, ", ")
	if o.Names[0][1] == '-' {
		s = "    " + s
	}
	if o.Meta == "" {
		return s
	}
	if strings.HasPrefix(o.Names[len(o.Names)-1], "--") {
		return s + "=" + o.Meta
	}
	return s + " " + o.Meta
}
