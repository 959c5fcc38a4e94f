// Package args reads salt-call's command line: the grammar of Python's
// optparse, the options with Salt's names, how they and the configuration
// override each other, and the arguments of the function, typed as YAML.
//
//	call, err := args.Command{Prog: "salt-call"}.Start([]string{"--local", "test.echo", "a", "--out", "json"})
//	call.Fun                 // "test.echo"
//	call.Opts.Str("output")  // "json"
//	pos, kw := args.Parse(call.Arg, call.NoParse())
//
// What ends the run at once – help, a version, a usage error – is an *Exit.
package args

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"pinch/diag"
	"pinch/value"
)

// A Kind is what an option does with its value.
type Kind int

const (
	Flag    Kind = iota // no value: True
	Text                // one value, the last one counts
	Integer             // as Text, decimal, 0x, 0b or octal with a leading 0
	Choice              // as Text, one of Choices
	List                // one value a time, all are kept
	help                // prints the help and ends
	version             // prints the version and ends
)

// An Option is one option of the command line.
type Option struct {
	Names   []string // "-c", "--config-dir"
	Dest    string   // Salt's name for the value
	Kind    Kind
	Meta    string // what stands for the value in the help
	Default any
	Choices []string
	Help    string // one line
	Example string
}

// A Group is a titled set of options.
type Group struct {
	Title   string
	Options []Option
}

// A Grammar is the options of one command.
type Grammar struct {
	Prog   string // as it is called
	Usage  string // what follows it: "[options] <function> [arguments]"
	About  string // one sentence for the help
	Groups []Group
	Notes  string // the end of the help

	Version string // the line of --version

	// Hint explains an option that is none of these, "" when it cannot; nil:
	// the nearest of these is named.
	Hint func(name string) string
}

// A Line is a parsed command line.
type Line struct {
	Values   *value.Map      // by Dest, defaults included
	Explicit map[string]bool // the options that were given
	Args     []string        // everything else, in order
	Given    []Given         // the options in order
}

// A Given is one option as it was given, with its name in full.
type Given struct {
	*Option
	Value string // "" for a flag
}

// Words are the option as it is typed: "--name=value", "--name", or "-n" and
// the value.
func (g Given) Words() []string {
	name := g.Names[len(g.Names)-1]
	switch {
	case !g.Kind.takesValue():
		return []string{name}
	case strings.HasPrefix(name, "--"):
		return []string{name + "=" + g.Value}
	}
	return []string{name, g.Value}
}

// An Exit ends the run: what to print where, and the exit code.
type Exit struct {
	Code           int
	Stdout, Stderr string
	Help           bool // the help was asked for
}

// Error is the text for stderr, or that for stdout.
func (e *Exit) Error() string {
	if e.Stderr != "" {
		return strings.TrimSpace(e.Stderr)
	}
	return strings.TrimSpace(e.Stdout)
}

// UsageCode is the exit code of a mistake on the command line (EX_USAGE of
// sysexits.h).
const UsageCode = 64

// Fail is the usage error with this message.
func (g *Grammar) Fail(format string, a ...any) *Exit {
	return &Exit{Code: UsageCode, Stderr: g.usage() + "\n" + g.Prog + ": error: " + fmt.Sprintf(format, a...) + "\n"}
}

func (g *Grammar) usage() string { return "Usage: " + g.Prog + " " + g.Usage + "\n" }

// Parse reads a command line as optparse does: options and arguments in any
// order, "--" ends the options, "--name value", "--name=value", "-n value",
// "-nvalue", flags joined ("-gd"), and long names cut short while they are
// unambiguous.
func (g *Grammar) Parse(argv []string) (*Line, error) {
	l := &Line{Values: new(value.Map), Explicit: map[string]bool{}}
	for _, gr := range g.Groups {
		for i := range gr.Options {
			if o := &gr.Options[i]; o.Dest != "" {
				l.Values.Set(o.Dest, o.initial())
			}
		}
	}
	return l, g.parseInto(l, argv)
}

func (o *Option) initial() any {
	if o.Kind == Flag && o.Default == nil {
		return false
	}
	return o.Default
}

// With is the grammar with options of a command's own before the others, which
// lose what has the same name.
func (g *Grammar) With(own []Option) *Grammar {
	taken := func(o Option) bool {
		return slices.ContainsFunc(own, func(q Option) bool {
			return slices.ContainsFunc(q.Names, func(n string) bool { return slices.Contains(o.Names, n) })
		})
	}
	out := *g
	out.Groups = []Group{{"Options of its own", own}}
	for _, gr := range g.Groups {
		out.Groups = append(out.Groups, Group{gr.Title, slices.DeleteFunc(slices.Clone(gr.Options), taken)})
	}
	return &out
}

// parseInto reads more words over what l holds.
func (g *Grammar) parseInto(l *Line, argv []string) error {
	p := parsing{Grammar: g, line: l, rest: argv, names: map[string]*Option{}}
	for _, gr := range g.Groups {
		for i := range gr.Options {
			for _, n := range gr.Options[i].Names {
				p.names[n] = &gr.Options[i]
			}
		}
	}
	for len(p.rest) > 0 {
		word := p.rest[0]
		p.rest = p.rest[1:]
		var err *Exit
		switch {
		case word == "--":
			l.Args = append(l.Args, p.rest...)
			return nil
		case strings.HasPrefix(word, "--"):
			err = p.long(word)
		case strings.HasPrefix(word, "-") && len(word) > 1:
			err = p.short(word[1:])
		default:
			l.Args = append(l.Args, word)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type parsing struct {
	*Grammar
	line  *Line
	rest  []string
	names map[string]*Option
}

func (p *parsing) long(word string) *Exit {
	name, joined, has := strings.Cut(word, "=")
	name, err := p.match(name)
	if err != nil {
		return err
	}
	o := p.names[name]
	switch {
	case o.Kind.takesValue() && has:
		return p.set(o, name, joined)
	case o.Kind.takesValue():
		return p.next(o, name)
	case has:
		return p.Fail("%s option does not take a value", name)
	}
	return p.set(o, name, "")
}

// match completes a long name that may be cut short.
func (p *parsing) match(name string) (string, *Exit) {
	if p.names[name] != nil {
		return name, nil
	}
	var found []string
	for _, n := range slices.Sorted(maps.Keys(p.names)) {
		if strings.HasPrefix(n, name) {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return "", p.unknown(name)
	case 1:
		return found[0], nil
	}
	return "", p.Fail("ambiguous option: %s (%s?)", name, strings.Join(found, ", "))
}

// unknown refuses an option that is none of these.
func (p *parsing) unknown(name string) *Exit {
	e := p.Fail("no such option: %s", name)
	hint := ""
	if p.Hint != nil {
		hint = p.Hint(name)
	}
	if hint == "" && strings.HasPrefix(name, "--") {
		var bare []string
		for _, n := range slices.Sorted(maps.Keys(p.names)) {
			if long, ok := strings.CutPrefix(n, "--"); ok {
				bare = append(bare, long)
			}
		}
		if near := diag.Nearest(name[2:], bare); near != "" && len(name) > 5 { // any word is near three letters
			hint = "did you mean --" + near + "?"
		}
	}
	if hint != "" {
		e.Stderr += "hint: " + hint + "\n"
	}
	return e
}

// short reads the letters of one word; the first that takes a value takes the
// rest of the word, or the next one.
func (p *parsing) short(letters string) *Exit {
	for letters != "" {
		_, n := utf8.DecodeRuneInString(letters)
		name := "-" + letters[:n]
		letters = letters[n:]
		o := p.names[name]
		switch {
		case o == nil:
			return p.unknown(name)
		case o.Kind.takesValue() && letters != "":
			return p.set(o, name, letters)
		case o.Kind.takesValue():
			return p.next(o, name)
		}
		if err := p.set(o, name, ""); err != nil {
			return err
		}
	}
	return nil
}

func (k Kind) takesValue() bool { return k != Flag && k != help && k != version }

func (p *parsing) next(o *Option, name string) *Exit {
	if len(p.rest) == 0 {
		return p.Fail("%s option requires 1 argument", name)
	}
	v := p.rest[0]
	p.rest = p.rest[1:]
	return p.set(o, name, v)
}

func (p *parsing) set(o *Option, name, text string) *Exit {
	var v any = text
	p.line.Given = append(p.line.Given, Given{o, text})
	switch o.Kind {
	case help:
		return &Exit{Stdout: p.Help(), Help: true}
	case version:
		return &Exit{Stdout: p.Version + "\n"}
	case Flag:
		v = true
	case Integer:
		n, ok := number(text)
		if !ok {
			return p.Fail("option %s: invalid integer value: %s", name, value.Quote(text))
		}
		v = n
	case Choice:
		if !slices.Contains(o.Choices, text) {
			quoted := make([]string, len(o.Choices))
			for i, c := range o.Choices {
				quoted[i] = value.Quote(c)
			}
			return p.Fail("option %s: invalid choice: %s (choose from %s)", name, value.Quote(text), strings.Join(quoted, ", "))
		}
	case List:
		l, _ := p.line.Values.At(o.Dest).(*value.List)
		if l == nil || !p.line.Explicit[o.Dest] {
			l = new(value.List)
		}
		l.Append(text)
		v = l
	}
	p.line.Values.Set(o.Dest, v)
	p.line.Explicit[o.Dest] = true
	return nil
}

// number reads an integer in optparse's forms: 16, 0x10, 0b101, 017.
func number(s string) (any, bool) {
	digits, base := s, 10
	switch {
	case len(s) > 1 && strings.EqualFold(s[:2], "0x"):
		base = 16
		digits = s[2:]
	case len(s) > 1 && strings.EqualFold(s[:2], "0b"):
		base = 2
		if digits = s[2:]; digits == "" {
			digits = "0"
		}
	case strings.HasPrefix(s, "0"):
		base = 8
	}
	digits = strings.TrimSpace(digits)
	if strings.Contains(digits, "__") || strings.HasPrefix(digits, "_") || strings.HasSuffix(digits, "_") {
		return nil, false
	}
	n, ok := new(big.Int).SetString(strings.ReplaceAll(digits, "_", ""), base)
	if !ok {
		return nil, false
	}
	return value.Int(n), true
}
