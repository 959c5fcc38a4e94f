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
		width = max(width, widest(gr.Options))
	}
	for _, gr := range g.Groups {
		b.WriteString("\n" + gr.Title + ":\n")
		writeOptions(&b, gr.Options, min(width, 38))
	}
	if g.Notes != "" {
		b.WriteString("\n" + g.Notes + "\n")
	}
	return b.String()
}

// OptionLines describes options, each on a line of its own.
func OptionLines(all []Option) string {
	var b strings.Builder
	writeOptions(&b, all, widest(all))
	return b.String()
}

func widest(all []Option) int {
	width := 0
	for _, o := range all {
		width = max(width, utf8.RuneCountInString(o.left()))
	}
	return width
}

func writeOptions(b *strings.Builder, all []Option, width int) {
	for _, o := range all {
		left := o.left()
		pad := max(2, width+2-utf8.RuneCountInString(left))
		b.WriteString("  " + left + strings.Repeat(" ", pad) + o.Help)
		if o.Example != "" {
			b.WriteString(" (" + o.Example + ")")
		}
		b.WriteByte('\n')
	}
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
