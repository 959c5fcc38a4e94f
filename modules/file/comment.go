package file

import (
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

// planComment comments or uncomments the lines that a pattern matches. Lines
// have their ends; old and new are only those that match.
func planComment(text, regex, char string, comment bool) (result string, old, new []string, err error) {
	body := strings.TrimRight(strings.TrimLeft(regex, "^"), "$")
	end := ""
	if strings.HasSuffix(regex, "$") {
		end = "$"
	}
	pattern := "^" + char + `\s*(` + body + ")" + end
	if comment {
		pattern = "(" + body + ")" + end
		if strings.HasPrefix(regex, "^") {
			pattern = "^" + pattern
		}
	}
	re, err := compile(pattern, 0)
	if err != nil {
		return text, nil, nil, err
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if re.Match(line) == nil {
			b.WriteString(line)
			continue
		}
		changed := char + line
		if !comment {
			changed = strings.TrimLeft(line, char)
		}
		old, new = append(old, line), append(new, changed)
		b.WriteString(changed)
	}
	return b.String(), old, new, nil
}

type commentLineArgs struct {
	Path   string `py:"path"`          // the file
	Regex  string `py:"regex"`         // matches the lines from their start
	Char   string `py:"char='#'"`      // what a comment begins with
	Cmnt   bool   `py:"cmnt=True"`     // False uncomments
	Backup any    `py:"backup='.bak'"` // what is put behind the name of the copy of the old file; False makes none
}

// commentLine comments or uncomments lines and returns the diff of those.
func commentLine(c *salt.Ctx, a commentLineArgs) (any, error) {
	path := realPath(c.Sys, expandUser(c, a.Path))
	if !sys.IsFile(c.Sys, path) {
		return nil, salt.InvocationError("File not found: %s", path)
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.CommandError("Unable to open file '%s'. Exception: %s", path, osText(err))
	}
	if !isText(b) {
		return nil, salt.InvocationError("Cannot perform string replacements on a binary file: %s", path)
	}
	result, old, new, err := planComment(string(b), a.Regex, a.Char, a.Cmnt)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return false, nil
	}
	if err := saveBackup(c, path, path, a.Backup); err != nil {
		return nil, err
	}
	if err := writeFile(c, path, result); err != nil {
		return nil, err
	}
	return lineDiff(old, new), nil
}

type commentExecArgs struct {
	Path   string `py:"path"`          // the file
	Regex  string `py:"regex"`         // matches the lines from their start
	Char   string `py:"char='#'"`      // what a comment begins with
	Backup any    `py:"backup='.bak'"` // what is put behind the name of the copy of the old file; False makes none
}

// commentExec comments lines and returns the diff of those.
func commentExec(c *salt.Ctx, a commentExecArgs) (any, error) {
	return commentLine(c, commentLineArgs{a.Path, a.Regex, a.Char, true, a.Backup})
}

// uncommentExec uncomments lines and returns the diff of those.
func uncommentExec(c *salt.Ctx, a commentExecArgs) (any, error) {
	return commentLine(c, commentLineArgs{a.Path, a.Regex, a.Char, false, a.Backup})
}

type commentArgs struct {
	Name    string `py:"name"`                 // the file
	Regex   string `py:"regex"`                // matches the lines; ^ and $ at its ends are taken care of
	Char    string `py:"char='#'"`             // what a comment begins with
	Backup  any    `py:"backup='.bak'"`        // what is put behind the name of the copy of the old file; False makes none
	Missing bool   `py:"ignore_missing=False"` // no such line is no error
}

var unanchored = sync.OnceValue(func() *pyre.Regexp { return pyre.MustCompile(`^(\(\?[iLmsux]\))?\^?(.*?)\$?$`, 0) })

// comment comments out the lines that a regular expression matches.
//
//	/etc/fstab:
//	  file.comment:
//	    - regex: ^//fileserver
func comment(c *salt.Ctx, a commentArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, commentState(c, name, a))
}

func commentState(c *salt.Ctx, name string, a commentArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.comment")
	}
	if msg := fileProblem(c, name); msg != "" {
		return salt.Failed("%s", msg)
	}
	bare, _, _ := unanchored().Sub(`\2`, a.Regex, 0)
	commented := a.Char + bare
	s := &commentStep{c: c, name: name}
	open := s.find(`^(?!\s*` + a.Char + `)\s*` + bare)
	if s.err == nil && !open {
		switch {
		case s.find(commented):
			return salt.Correct("Pattern already commented")
		case s.err != nil:
		case a.Missing:
			return salt.Correct("Pattern not found and ignore_missing set to True")
		default:
			return salt.Failed("%s: Pattern not found", bare)
		}
	}
	return s.change(commentLineArgs{name, a.Regex, a.Char, true, a.Backup}, commented, "Commented lines successfully", "Expected commented lines not found")
}

type uncommentArgs struct {
	Name   string `py:"name"`          // the file
	Regex  string `py:"regex"`         // matches the lines without their comment character; ^ at its start is taken care of
	Char   string `py:"char='#'"`      // what a comment begins with
	Backup any    `py:"backup='.bak'"` // what is put behind the name of the copy of the old file; False makes none
}

// uncomment takes the comment character off the lines that a regular expression matches.
//
//	/etc/adduser.conf:
//	  file.uncomment:
//	    - regex: EXTRA_GROUPS
func uncomment(c *salt.Ctx, a uncommentArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, uncommentState(c, name, a))
}

func uncommentState(c *salt.Ctx, name string, a uncommentArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.uncomment")
	}
	if msg := fileProblem(c, name); msg != "" {
		return salt.Failed("%s", msg)
	}
	body := strings.TrimLeft(a.Regex, "^")
	open := "^[ \t]*" + body
	s := &commentStep{c: c, name: name}
	if !s.find(a.Char+"[ \t]*"+body) && s.err == nil {
		switch {
		case s.find(open):
			return salt.Correct("Pattern already uncommented")
		case s.err == nil:
			return salt.Failed("%s: Pattern not found", a.Regex)
		}
	}
	return s.change(commentLineArgs{name, a.Regex, a.Char, false, a.Backup}, open, "Uncommented lines successfully", "Expected uncommented lines not found")
}

// commentStep is the part that comment and uncomment have in common.
type commentStep struct {
	c    *salt.Ctx
	name string
	err  error
}

// find searches the file line by line anchors; the first error stays.
func (s *commentStep) find(pattern string) bool {
	if s.err != nil {
		return false
	}
	v, err := search(s.c, searchArgs{Path: s.name, Pattern: pattern, Flags: int64(pyre.Multiline)})
	s.err = err
	return err == nil && value.Truth(v)
}

func (s *commentStep) change(a commentLineArgs, expect, good, bad string) salt.Result {
	if s.err != nil {
		return salt.Failed("%s", text(s.err))
	}
	if s.c.Test {
		return salt.Would(value.M(s.name, "updated"), "File %s is set to be updated", s.name)
	}
	old, err := s.c.Sys.ReadFile(s.name)
	if err == nil {
		_, err = commentLine(s.c, a)
	}
	if err != nil {
		return salt.Failed("%s", text(err))
	}
	now, err := s.c.Sys.ReadFile(s.name)
	if err != nil {
		return salt.Failed("%s", osText(err))
	}
	r := salt.Failed("%s", bad)
	if s.find(expect) {
		r = salt.Correct("%s", good)
	}
	if string(old) != string(now) {
		r.Changes.Set("diff", lineDiff(splitText(string(old)), splitText(string(now))))
	}
	return r
}
