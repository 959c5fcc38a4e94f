package file

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

// lineEdit is what file.line shall do to the lines of a file.
type lineEdit struct {
	content       *string
	match         string
	mode          string // insert, ensure, delete, replace
	location      string // start, end
	before, after *string
	indent        bool
}

// planLine edits lines, which have their ends. The lines do not change when
// the file is as it shall be.
func planLine(lines []string, e *lineEdit) ([]string, error) {
	match := e.match
	if match == "" && e.before == nil && e.after == nil && e.content != nil {
		match = *e.content
	}
	after, err := matching(lines, e.after)
	if err != nil {
		return nil, err
	}
	before, err := matching(lines, e.before)
	if err != nil {
		return nil, err
	}
	var matched []string
	if match != "" {
		if matched, err = matching(lines, &match); err != nil {
			return nil, err
		}
	}
	p := &linePlan{e, lines, before, after}
	switch e.mode {
	case "delete":
		if len(matched) > 0 {
			p.lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == matched[0] })
		}
	case "replace":
		if len(matched) > 0 {
			i := slices.Index(lines, matched[0])
			p.lines = slices.Clone(lines)
			p.lines[i] = p.indented(lines[i])
		}
	case "insert":
		err = p.insert()
	case "ensure":
		err = p.ensure()
	}
	return p.lines, err
}

// matching are the lines that a pattern matches, or that hold it as it is.
// nil says that there is nothing to look for, or nowhere.
func matching(lines []string, pattern *string) ([]string, error) {
	if len(lines) == 0 || pattern == nil || *pattern == "" {
		return nil, nil
	}
	re, err := compile(*pattern, pyre.DotAll)
	if err != nil {
		return nil, salt.CommandError("%s: '%s'", err, *pattern)
	}
	out := []string{}
	for _, l := range lines {
		if re.Search(l) != nil || strings.Contains(l, *pattern) {
			out = append(out, l)
		}
	}
	return out, nil
}

type linePlan struct {
	*lineEdit
	lines         []string
	before, after []string // the lines that match
}

// indented is the content with the indentation of another line.
func (p *linePlan) indented(like string) string {
	if !p.indent {
		return *p.content
	}
	n := len(like) - len(strings.TrimLeft(like, "\t "))
	return like[:n] + strings.TrimLeft(*p.content, pySpace)
}

const pySpace = " \t\n\r\v\f\x1c\x1d\x1e\x1f\u0085\u00a0\u2028\u2029"

// once checks that an anchor is there exactly one time.
func once(found []string, what string) error {
	switch {
	case len(found) > 1:
		return salt.CommandError(`Found more than expected occurrences in "%s" expression`, what)
	case len(found) < 1:
		return salt.CommandError(`Found less than expected occurrences in "%s" expression`, what)
	}
	return nil
}

func (p *linePlan) at(i int, line string) { p.lines = slices.Insert(slices.Clone(p.lines), i, line) }

func (p *linePlan) index(line string) int { return slices.Index(p.lines, line) }

func sameLine(a, b string) bool { return strings.TrimRight(a, "\r\n") == strings.TrimRight(b, "\r\n") }

// lineEnd is the end of line that a line has.
func lineEnd(line string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	case strings.HasSuffix(line, "\r"):
		return "\r"
	}
	return ""
}

func withEnd(like, line string) string {
	end := lineEnd(like)
	if end == "" {
		end = "\n"
	}
	return strings.TrimRight(line, pySpace) + end
}

func (p *linePlan) insert() error {
	e := p.lineEdit
	if p.before == nil && p.after == nil && e.location == "" { // nil in an empty file, too
		return salt.CommandError(`On insert either "location" or "before/after" conditions are required.`)
	}
	switch {
	case e.location == "end":
		if n := len(p.lines); n > 0 {
			p.at(n, p.indented(p.lines[n-1]))
		} else {
			p.lines = []string{*p.content}
		}
	case e.location == "start":
		if len(p.lines) > 0 {
			p.at(0, withEnd(p.lines[0], *p.content))
		} else {
			p.lines = []string{*p.content + "\n"}
		}
	case e.location != "":
	case e.before != nil && e.after != nil && len(p.before) > 0 && len(p.after) > 0:
		if err := once(p.before, "before"); err != nil {
			return err
		}
		if err := once(p.after, "after"); err != nil {
			return err
		}
		i := p.index(p.before[0])
		p.at(i, p.indented(p.lines[i]))
	case len(p.after) > 0:
		if err := once(p.after, "after"); err != nil {
			return err
		}
		i := p.index(p.after[0])
		if i+1 >= len(p.lines) || !sameLine(p.lines[i+1], *p.content) {
			p.at(i+1, p.indented(p.lines[i]))
		}
	case len(p.before) > 0:
		if err := once(p.before, "before"); err != nil {
			return err
		}
		i := p.index(p.before[0])
		// Before the first line Python's index -1 is the last one.
		if prev := p.lines[(i-1+len(p.lines))%len(p.lines)]; !sameLine(prev, *p.content) {
			p.at(i, p.indented(p.lines[i]))
		}
	default:
		return salt.CommandError("Neither before or after was found in file")
	}
	return nil
}

func (p *linePlan) ensure() error {
	switch {
	case len(p.before) > 0 && len(p.after) > 0:
		return p.ensureBetween()
	case len(p.before) > 0:
		if err := once(p.before, "before"); err != nil {
			return err
		}
		i := p.index(p.before[0])
		if i == 0 || !sameLine(p.lines[i-1], *p.content) {
			p.at(i, p.indented(p.lines[(i-1+len(p.lines))%len(p.lines)]))
		}
	case len(p.after) > 0:
		if err := once(p.after, "after"); err != nil {
			return err
		}
		i := p.index(p.after[0])
		if i+1 >= len(p.lines) || !sameLine(p.lines[i+1], *p.content) {
			p.at(i+1, p.indented(p.lines[i]))
		}
	default:
		return salt.CommandError("Wrong conditions? Unable to ensure line without knowing where to put it before and/or after.")
	}
	return nil
}

func (p *linePlan) ensureBetween() error {
	if err := once(p.after, "after"); err != nil {
		return err
	}
	if err := once(p.before, "before"); err != nil {
		return err
	}
	a, b := p.index(p.after[0]), p.index(p.before[0])
	if slices.ContainsFunc(p.lines, func(l string) bool { return strings.TrimLeft(l, pySpace) == *p.content }) {
		return nil
	}
	switch b {
	case a + 1:
		p.at(a+1, p.indented(p.lines[a]))
	case a + 2:
		p.lines = slices.Clone(p.lines)
		p.lines[a+1] = p.indented(p.lines[a])
	default:
		return salt.CommandError(`Found more than one line between boundaries "before" and "after".`)
	}
	return nil
}

// planLines is planLine on a whole text: it gives every line but the last an end.
func planLines(text string, e *lineEdit) (old, new []string, err error) {
	old = splitBytes(text)
	body := slices.Clone(old)
	if n := len(body); n > 0 && lineEnd(body[n-1]) != "" {
		body = append(body, "")
	}
	if body, err = planLine(body, e); err != nil {
		return nil, nil, err
	}
	for i, l := range body {
		if lineEnd(l) == "" && i+1 < len(body) {
			prev := 1
			if i > 1 {
				prev = i - 1
			}
			body[i] = withEnd(body[prev], l)
		}
	}
	if n := len(body); n > 0 && body[n-1] == "" {
		body = body[:n-1]
	}
	return old, body, nil
}

type lineExecArgs struct {
	Path     string  `py:"path"`              // the file
	Content  any     `py:"content=None"`      // the line
	Match    any     `py:"match=None"`        // finds the line to replace or delete: a text or a regular expression; by default content
	Mode     *string `py:"mode=None"`         // insert, ensure, replace or delete
	Location string  `py:"location=None"`     // start or end, for insert
	Before   any     `py:"before=None"`       // finds the line that the new one goes before
	After    any     `py:"after=None"`        // finds the line that the new one goes after
	Show     bool    `py:"show_changes=True"` // returns the diff; False whether there was a change
	Backup   bool    `py:"backup=False"`      // copies the old file to its name with the time behind it
	Quiet    bool    `py:"quiet=False"`       // a file that is not there is no error
	Indent   bool    `py:"indent=True"`       // gives the line the indentation of its neighbour
}

// lineExec inserts, ensures, replaces or deletes a line and returns the diff.
func lineExec(c *salt.Ctx, a lineExecArgs) (any, error) {
	path := realPath(c.Sys, expandUser(c, a.Path))
	if !sys.IsFile(c.Sys, path) {
		if !a.Quiet {
			return nil, salt.CommandError(`File "%s" does not exists or is not a file.`, path)
		}
		return false, nil
	}
	e, err := a.edit()
	if err != nil {
		return nil, err
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, osError(err)
	}
	old, body, err := planLines(string(b), e)
	if err != nil {
		return nil, err
	}
	text := strings.Join(body, "")
	if text == string(b) {
		return false, nil
	}
	if !c.Test {
		if a.Backup {
			i, err := c.Sys.Stat(path)
			if err == nil {
				err = copyAs(c, path, path+"."+c.Sys.Now().Format("2006-01-02-15-04-05"), standingOf(i))
			}
			if err != nil {
				return nil, salt.CommandError("Unable to create the backup file of %s. Exception: %s", path, osText(err))
			}
		}
		if err := writeFile(c, path, text); err != nil {
			return nil, err
		}
	}
	if a.Show {
		return lineDiff(old, body), nil
	}
	return true, nil
}

// edit is what the arguments ask for.
func (a lineExecArgs) edit() (*lineEdit, error) {
	e := &lineEdit{content: textArg(a.Content), match: argText(a.Match), location: a.Location, before: textArg(a.Before), after: textArg(a.After), indent: a.Indent}
	switch {
	case a.Mode == nil:
		return nil, salt.CommandError("Mode was not defined. How to process the file?")
	case !slices.Contains([]string{"insert", "ensure", "delete", "replace"}, strings.ToLower(*a.Mode)):
		return nil, salt.CommandError(`Unknown mode: "%s"`, strings.ToLower(*a.Mode))
	}
	if e.mode = strings.ToLower(*a.Mode); e.mode != "delete" && e.content == nil {
		return nil, salt.CommandError(`Content can only be empty if mode is "delete"`)
	}
	return e, nil
}

// ofEmpty is what lineExec would answer for an empty file.
func (a lineExecArgs) ofEmpty() (any, error) {
	e, err := a.edit()
	if err != nil {
		return nil, err
	}
	old, body, err := planLines("", e)
	switch {
	case err != nil:
		return nil, err
	case strings.Join(body, "") == "":
		return false, nil
	case a.Show:
		return lineDiff(old, body), nil
	}
	return true, nil
}

// textArg is an argument that may be None, else a text.
func textArg(v any) *string {
	if v == nil {
		return nil
	}
	s := value.Str(v)
	return &s
}

type lineArgs struct {
	Name     string  `py:"name"`              // the file
	Content  any     `py:"content=None"`      // the line
	Match    any     `py:"match=None"`        // finds the line to replace or delete: a text or a regular expression; by default content
	Mode     *string `py:"mode=None"`         // insert, ensure, replace or delete
	Location string  `py:"location=None"`     // start or end, for insert
	Before   any     `py:"before=None"`       // finds the line that the new one goes before
	After    any     `py:"after=None"`        // finds the line that the new one goes after
	Show     bool    `py:"show_changes=True"` // False keeps the diff out of the result
	Backup   bool    `py:"backup=False"`      // copies the old file to its name with the time behind it
	Quiet    bool    `py:"quiet=False"`       // of no effect here
	Indent   bool    `py:"indent=True"`       // gives the line the indentation of its neighbour
	Create   bool    `py:"create=False"`      // makes an empty file first
	User     any     `py:"user=None"`         // the owner of the file
	Group    any     `py:"group=None"`        // its group
	FileMode any     `py:"file_mode=None"`    // its mode
}

// line inserts, ensures, replaces or deletes one line of a file.
//
//	/etc/hosts:
//	  file.line:
//	    - content: 10.0.0.5 db
//	    - mode: ensure
//	    - after: ^127\.0\.0\.1
func line(c *salt.Ctx, a lineArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, lineState(c, name, a))
}

func lineState(c *salt.Ctx, name string, a lineArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.line")
	}
	m := newManagedArgs()
	m.Name, m.Create, m.User, m.Group, m.Mode, m.Replace = name, a.Create, a.User, a.Group, a.FileMode, false
	made := (&managedState{managedArgs: &m, m: managing{name: name}}).run(c)
	msg := fileProblem(c, name)
	planned := msg != "" && c.Test && a.Create && (made.Result == nil || *made.Result) // it would be there, and empty
	if msg != "" && !planned {
		return salt.Failed("%s", msg)
	}
	if a.Mode == nil {
		return salt.Failed("Mode was not defined. How to process the file?")
	}
	if strings.ToLower(*a.Mode) != "delete" && a.Content == nil {
		return salt.Failed("Content can only be empty if mode is ['delete']")
	}
	how := lineExecArgs{name, a.Content, a.Match, a.Mode, a.Location, a.Before, a.After, a.Show, a.Backup, a.Quiet, a.Indent}
	if planned {
		v, err := how.ofEmpty()
		return editResult(c, v, err, "Changes would be made")
	}
	v, err := lineExec(c, how)
	return editResult(c, v, err, "Changes would be made")
}
