package file

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

// addition is a text that file.append or file.prepend adds unless it is there.
type addition struct {
	chunks     []string
	whitespace bool // white space does not matter in the comparison
	anyhow     bool // no look at what is there
}

// missing are the lines of the chunks that the text lacks.
func (a *addition) missing(text string) ([]string, error) {
	var out []string
	for _, chunk := range a.chunks {
		there, err := a.there(text, chunk)
		if err != nil {
			return nil, err
		}
		if !there {
			out = append(out, bare(chunk)...)
		}
	}
	return out, nil
}

func (a *addition) there(text, chunk string) (bool, error) {
	if a.anyhow {
		return false, nil
	}
	pattern := chunk
	if a.whitespace {
		pattern = looseRegex(chunk)
	}
	re, err := compileBytes(pattern, pyre.Multiline)
	if err != nil {
		return false, err
	}
	return re.Search(text) != nil, nil
}

const looseSpace = `(?:[\s]+)?`

// looseRegex matches a text whatever white space stands between its words.
func looseRegex(text string) string {
	var b strings.Builder
	b.WriteString("(?m)^")
	for _, line := range bare(text) {
		words := shellWords(line, quotesFor(text))
		for i, w := range words {
			words[i] = pyre.Escape(w)
		}
		b.WriteString(looseSpace + strings.Join(words, looseSpace) + looseSpace)
	}
	b.WriteString("$")
	return b.String()
}

// quotesFor are the quotes that hold words together in a text: where one kind
// stands in it as an apostrophe may, only the other does.
func quotesFor(text string) string {
	switch {
	case strings.Contains(text, `'\"`):
		return ""
	case strings.Contains(text, "'"):
		return `"`
	case strings.Contains(text, `"`):
		return "'"
	}
	return `'"`
}

// shellWords splits at white space outside of quotes, which stay, as Python's
// shlex does with whitespace_split. An open quote runs to the end.
func shellWords(line, quotes string) []string {
	var out []string
	var word strings.Builder
	var quote rune
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range line {
		switch {
		case quote != 0:
			word.WriteRune(r)
			if r == quote {
				quote = 0
				flush()
			}
		case strings.ContainsRune(" \t\r\n", r):
			flush()
		case strings.ContainsRune(quotes, r):
			if word.Len() == 0 {
				quote = r
			}
			word.WriteRune(r)
		default:
			word.WriteRune(r)
		}
	}
	flush()
	return out
}

type appendArgs struct {
	Name       string `py:"name"`                   // the file
	Text       any    `py:"text=None"`              // a text, or a list of them
	Makedirs   bool   `py:"makedirs=False"`         // makes the missing folders above
	Source     any    `py:"source=None"`            // a template to append instead of text
	Hash       any    `py:"source_hash=None"`       // the digest of source
	Template   string `py:"template='jinja'"`       // the language of the sources
	Sources    any    `py:"sources=None"`           // several templates
	Hashes     any    `py:"source_hashes=None"`     // their digests
	Defaults   any    `py:"defaults=None"`          // what the templates see where context has nothing
	Context    any    `py:"context=None"`           // what the templates see
	Whitespace bool   `py:"ignore_whitespace=True"` // False looks for the text as a regular expression, white space and all
	Show       bool   `py:"show_changes=True"`      // False keeps the diff out of the result
}

// append_ adds texts to the end of a file unless it has them. The file is
// made if it is not there.
//
//	/etc/motd:
//	  file.append:
//	    - text: All your base are belong to us
func append_(c *salt.Ctx, a appendArgs) salt.Result {
	name := expandUser(c, a.Name)
	if name == "" {
		return salt.Failed("Must provide name to file.append")
	}
	ad := &adding{name, a.Makedirs, a.Show, addition{whitespace: a.Whitespace}, a.Text, false}
	return renamed(a.Name, name, ad.run(c, a.Source, a.Hash, a.Sources, a.Hashes, a.Template, a.Defaults, a.Context))
}

type prependArgs struct {
	Name     string `py:"name"`               // the file
	Text     any    `py:"text=None"`          // a text, or a list of them
	Makedirs bool   `py:"makedirs=False"`     // makes the missing folders above
	Source   any    `py:"source=None"`        // a template to prepend instead of text
	Hash     any    `py:"source_hash=None"`   // the digest of source
	Template string `py:"template='jinja'"`   // the language of the sources
	Sources  any    `py:"sources=None"`       // several templates
	Hashes   any    `py:"source_hashes=None"` // their digests
	Defaults any    `py:"defaults=None"`      // what the templates see where context has nothing
	Context  any    `py:"context=None"`       // what the templates see
	Header   any    `py:"header=None"`        // True: the text must be the very start of the file
	Show     bool   `py:"show_changes=True"`  // False keeps the diff out of the result
}

// prepend adds texts to the start of a file unless it has them.
//
//	/etc/motd:
//	  file.prepend:
//	    - text: Unauthorised use is forbidden
//	    - header: True
func prepend(c *salt.Ctx, a prependArgs) salt.Result {
	name := expandUser(c, a.Name)
	if name == "" {
		return salt.Failed("Must provide name to file.prepend")
	}
	ad := &adding{name, a.Makedirs, a.Show, addition{whitespace: true, anyhow: value.Truth(a.Header)}, a.Text, true}
	return renamed(a.Name, name, ad.run(c, a.Source, a.Hash, a.Sources, a.Hashes, a.Template, a.Defaults, a.Context))
}

// adding is one run of file.append or file.prepend.
type adding struct {
	name     string
	makedirs bool
	show     bool
	addition
	text  any
	front bool
}

func (a *adding) run(c *salt.Ctx, source, hash, sources, hashes any, template string, defaults, context any) salt.Result {
	pairs, msg := pairSources(source, hash, sources, hashes)
	if msg != "" {
		return salt.Failed("%s", msg)
	}
	if !isAbs(a.name) {
		return salt.Failed("Specified file %s is not an absolute path", a.name)
	}
	there := sys.Exists(c.Sys, a.name)
	if !there && c.Test {
		return touchState(c, a.name, nil, nil, a.makedirs)
	}
	if !there {
		if r := touchState(c, a.name, nil, nil, a.makedirs); !sys.Exists(c.Sys, a.name) {
			if r.Bad() && r.Comment != "" && !strings.HasPrefix(r.Comment, "Directory not present") {
				return r
			}
			return salt.Failed("%s: file not found", a.name)
		}
	}
	texts, bad := templateTexts(c, pairs, template, defaults, context)
	if bad != nil {
		return *bad
	}
	if pairs == nil {
		if a.text == nil {
			return salt.Failed("No text found to append. Nothing appended")
		}
		texts = stringList(a.text)
	}
	a.chunks = texts
	b, err := c.Sys.ReadFile(a.name)
	if err != nil {
		return salt.Failed("%s", osText(err))
	}
	lines, err := a.missing(string(b))
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	if a.front {
		return a.prepend(c, string(b), lines)
	}
	return a.append(c, string(b), lines)
}

// append is the result, and unless test=True the deed.
func (a *adding) append(c *salt.Ctx, old string, lines []string) salt.Result {
	if lines == nil {
		return salt.Correct("File %s is in correct state", a.name)
	}
	before := bare(old)
	after := append(slices.Clone(before), lines...)
	r := salt.Would(nil, "File %s is set to be updated", a.name)
	if !c.Test {
		if old != "" && !strings.HasSuffix(old, "\n") {
			old += "\n"
		}
		if err := writeFile(c, a.name, old+strings.Join(lines, "\n")+"\n"); err != nil {
			return salt.Failed("%s", text(err))
		}
		r = salt.Correct("Appended %d lines", len(lines))
	}
	a.setDiff(&r, old, strings.Join(py.UnifiedDiff(before, after, "", "", "\n"), "\n"))
	return r
}

func (a *adding) prepend(c *salt.Ctx, old string, lines []string) salt.Result {
	before := splitText(old)
	if a.anyhow && startsWith(before, lines) {
		lines = nil
	}
	if len(lines) == 0 {
		return salt.Correct("File %s is in correct state", a.name)
	}
	head := strings.Join(lines, "\n") + "\n"
	r := salt.Would(nil, "File %s is set to be updated", a.name)
	if !c.Test {
		if err := writeFile(c, a.name, head+old); err != nil {
			return salt.Failed("%s", text(err))
		}
		r = salt.Correct("Prepended %d lines", len(lines))
	}
	a.setDiff(&r, old, strings.Join(py.UnifiedDiff(before, splitText(head+old), "", "", "\n"), ""))
	return r
}

func startsWith(have, lines []string) bool {
	if len(have) < len(lines) {
		return false
	}
	for i, l := range lines {
		if strings.TrimRightFunc(have[i], isLineEnd) != l {
			return false
		}
	}
	return true
}

func (a *adding) setDiff(r *salt.Result, old, diff string) {
	if r.Changes == nil {
		r.Changes = new(value.Map)
	}
	switch {
	case !isText([]byte(old)):
		diff = "Replace binary file"
	case !a.show:
		diff = "<show_changes=False>"
	}
	r.Changes.Set("diff", diff)
}

type linesArgs struct {
	Path   string     `py:"path"`     // the file
	Args   []any      `py:"*args"`    // the lines
	Kwargs *value.Map `py:"**kwargs"` // args: the lines as a list, or one line
}

func (a *linesArgs) lines() []string {
	if v, ok := a.Kwargs.Get("args"); ok {
		if l, ok := v.(*value.List); ok {
			return strs(l.Items)
		}
		return []string{value.Str(v)}
	}
	return strs(a.Args)
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// appendExec adds lines to the end of a file.
func appendExec(c *salt.Ctx, a linesArgs) (string, error) {
	path, lines := expandUser(c, a.Path), a.lines()
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return "", osError(err)
	}
	add := joined(lines)
	if len(b) > 0 && b[len(b)-1] != '\n' {
		add = "\n" + add
	}
	if err := appendFile(c, realPath(c.Sys, path), add); err != nil {
		return "", err
	}
	return "Wrote " + strconv.Itoa(len(lines)) + ` lines to "` + path + `"`, nil
}

// prependExec adds lines to the start of a file, which is made if need be.
func prependExec(c *salt.Ctx, a linesArgs) (string, error) {
	path, lines := expandUser(c, a.Path), a.lines()
	b, _ := c.Sys.ReadFile(path)
	if err := writeFile(c, path, joined(lines)+string(b)); err != nil {
		return "", err
	}
	return "Prepended " + strconv.Itoa(len(lines)) + ` lines to "` + path + `"`, nil
}

// write makes a file of lines.
func write(c *salt.Ctx, a linesArgs) (string, error) {
	path, lines := expandUser(c, a.Path), a.lines()
	if err := writeFile(c, path, joined(lines)); err != nil {
		return "", err
	}
	return "Wrote " + strconv.Itoa(len(lines)) + ` lines to "` + path + `"`, nil
}
