package args

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pinch/diag"
)

// A Verb is a command of pinch's own, beside Salt's functions: words with a
// dot are functions (state.apply), words without one are verbs (apply).
type Verb struct {
	Name     string
	Usage    string // what follows the name: "[SLS…] [name=value…]"
	About    string // one sentence
	Options  []Option
	Examples []string // without the program's name: "apply web test=True"
}

// IsFunction reports whether a word names a function of Salt.
func IsFunction(word string) bool { return strings.Contains(word, ".") }

// Grammar is the grammar of a verb: its own options and those of the groups
// that it shares with salt-call. An own option hides a shared one's name.
func (v *Verb) Grammar(prog, version string, shared []Group) *Grammar {
	g := &Grammar{Prog: prog + " " + v.Name, Usage: strings.TrimSpace("[options] " + v.Usage), About: v.About, Version: version}
	var own []string
	for _, o := range v.Options {
		own = append(own, o.Names...)
	}
	if len(v.Options) > 0 {
		g.Groups = append(g.Groups, Group{"Options", v.Options})
	}
	for _, gr := range shared {
		keep := Group{Title: gr.Title}
		if gr.Title == "Options" {
			keep.Title = "As for functions"
		}
		for _, o := range gr.Options {
			o.Names = slices.DeleteFunc(slices.Clone(o.Names), func(n string) bool { return slices.Contains(own, n) })
			if len(o.Names) > 0 {
				keep.Options = append(keep.Options, o)
			}
		}
		if len(keep.Options) > 0 {
			g.Groups = append(g.Groups, keep)
		}
	}
	if len(v.Examples) > 0 {
		g.Notes = "Examples:\n  " + prog + " " + strings.Join(v.Examples, "\n  "+prog+" ")
	}
	return g
}

// First is the place of the first word that is neither an option nor an
// option's value; len(argv) when there is none. Options before it must be of
// this grammar, those behind it need not be.
func (g *Grammar) First(argv []string) int {
	for n := range argv {
		l, err := g.Parse(argv[:n+1])
		if err == nil && len(l.Args) > 0 {
			return n
		}
	}
	return len(argv)
}

// Overview is the text of "help": every verb on a line of its own.
func Overview(prog, about string, verbs []Verb) string {
	var b strings.Builder
	b.WriteString("Usage: " + prog + " VERB [options] [arguments]\n       " + prog + " FUNCTION [options] [arguments]\n\n" + about + "\n\nVerbs:\n")
	width := 0
	for _, v := range verbs {
		width = max(width, utf8.RuneCountInString(v.Name))
	}
	for _, v := range verbs {
		b.WriteString("  " + v.Name + strings.Repeat(" ", width+2-utf8.RuneCountInString(v.Name)) + v.About)
		if len(v.Examples) > 0 {
			b.WriteString(" (" + prog + " " + v.Examples[0] + ")")
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nA word with a dot is a function of Salt: " + prog + " test.ping, " + prog + " state.apply web.\n")
	b.WriteString("More: " + prog + " help VERB, " + prog + " -d FUNCTION, " + prog + " --help.\n")
	return b.String()
}

// Unknown is the usage error for a word that is no verb.
func Unknown(prog, word string, verbs []Verb) *Exit {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = v.Name
	}
	text := prog + ": error: no such verb: " + word + "\n"
	if near := diag.Nearest(word, names); near != "" {
		text += "did you mean \"" + prog + " " + near + "\"?\n"
	}
	return &Exit{Code: UsageCode, Stderr: "Usage: " + prog + " VERB [options] [arguments]\n\n" + text + "see \"" + prog + " help\" for the verbs; functions of Salt have a dot (test.ping)\n"}
}
