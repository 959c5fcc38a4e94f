package file

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

type containsArgs struct {
	Path string `py:"path"` // the file
	Text any    `py:"text"` // the text; white space around it does not count
}

// contains reports whether a file has a text in it.
func contains_(c *salt.Ctx, a containsArgs) (bool, error) {
	b, err := c.Sys.ReadFile(expandUser(c, a.Path))
	return err == nil && strings.Contains(string(b), strings.TrimSpace(value.Str(a.Text))), nil
}

type containsRegexArgs struct {
	Path  string `py:"path"`     // the file
	Regex string `py:"regex"`    // the regular expression, for one line
	LChar string `py:"lchar=''"` // characters that are taken off the start of each line first
}

// containsRegex reports whether a line of a file matches.
func containsRegex(c *salt.Ctx, a containsRegexArgs) (bool, error) {
	b, err := c.Sys.ReadFile(expandUser(c, a.Path))
	if err != nil {
		return false, nil
	}
	re, err := compile(a.Regex, 0)
	if err != nil {
		return false, err
	}
	for _, l := range splitBytes(string(b)) {
		if a.LChar != "" {
			l = strings.TrimLeft(l, a.LChar)
		}
		if re.Search(l) != nil {
			return true, nil
		}
	}
	return false, nil
}

type containsGlobArgs struct {
	Path string `py:"path"`      // the file
	Glob string `py:"glob_expr"` // the glob
}

// containsGlob reports whether the whole content of a file matches a glob.
func containsGlob(c *salt.Ctx, a containsGlobArgs) (bool, error) {
	b, err := c.Sys.ReadFile(expandUser(c, a.Path))
	return err == nil && value.Fnmatch(string(b), a.Glob), nil
}

type grepArgs struct {
	Path    string `py:"path"`    // the file, or a glob
	Pattern string `py:"pattern"` // for grep(1)
	Opts    []any  `py:"*opts"`   // options of grep(1), each alone
}

// grep runs grep(1) and returns what it said.
func grep(c *salt.Ctx, a grepArgs) (any, error) {
	p := expandUser(c, a.Path)
	paths := glob(c.Sys, p)
	if len(paths) == 0 {
		paths = []string{p}
	}
	cmd := value.L("grep")
	for _, o := range a.Opts {
		words, err := py.ShellSplit(value.Str(o))
		if err != nil {
			return nil, err
		}
		if len(words) > 1 {
			return nil, salt.InvocationError("Passing multiple command line arguments in a single string is not supported, please pass the following arguments separately: %s", value.Str(o))
		}
		for _, w := range words {
			cmd.Append(w)
		}
	}
	cmd.Append(a.Pattern)
	for _, q := range paths {
		cmd.Append(q)
	}
	return c.CallKw("cmd.run_all", value.M("python_shell", false), cmd)
}

// sedEscape prepares a text for sed(1).
func sedEscape(s string, all bool) string {
	s = strings.NewReplacer("'", `'"'"'`, "/", `\/`).Replace(s)
	if all {
		for _, ch := range "^.[$()|*+?{" {
			s = strings.ReplaceAll(s, string(ch), `\`+string(ch))
		}
	}
	return s
}

type sedArgs struct {
	Path    string `py:"path"`               // the file
	Before  any    `py:"before"`             // the regular expression
	After   any    `py:"after"`              // what it is replaced by
	Limit   any    `py:"limit=''"`           // only lines that match this
	Backup  any    `py:"backup='.bak'"`      // what is put behind the name of the copy of the old file
	Options string `py:"options='-r -e'"`    // options of sed(1)
	Flags   string `py:"flags='g'"`          // of the command s of sed
	Escape  bool   `py:"escape_all=False"`   // nothing in the expressions is special
	Negate  bool   `py:"negate_match=False"` // only lines that do not match limit
}

// sed runs sed(1) on a file in place.
func sed(c *salt.Ctx, a sedArgs) (any, error) {
	p := expandUser(c, a.Path)
	if !sys.Exists(c.Sys, p) {
		return false, nil
	}
	inPlace := "-i"
	if value.Truth(a.Backup) {
		inPlace += value.Str(a.Backup)
	}
	cmd := value.L("sed", inPlace)
	words, err := py.ShellSplit(a.Options)
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		cmd.Append(w)
	}
	script := "s/" + sedEscape(value.Str(a.Before), a.Escape) + "/" + sedEscape(value.Str(a.After), a.Escape) + "/" + a.Flags
	if a.Negate {
		script = "!" + script
	}
	if limit := sedEscape(value.Str(a.Limit), a.Escape); limit != "" {
		script = "/" + limit + "/ " + script
	}
	cmd.Append(script, p)
	return c.CallKw("cmd.run_all", value.M("python_shell", false), cmd)
}

type sedContainsArgs struct {
	Path  string `py:"path"`      // the file
	Text  any    `py:"text"`      // the regular expression
	Limit any    `py:"limit=''"`  // only lines that match this
	Flags string `py:"flags='g'"` // of the command s of sed
}

// sedContains reports whether sed(1) finds a regular expression in a file.
func sedContains(c *salt.Ctx, a sedContainsArgs) (bool, error) {
	p := expandUser(c, a.Path)
	if !sys.Exists(c.Sys, p) {
		return false, nil
	}
	script := "s/" + sedEscape(value.Str(a.Text), false) + "/$/p" + a.Flags
	if limit := sedEscape(value.Str(a.Limit), false); limit != "" {
		script = "/" + limit + "/ " + script
	}
	out, err := c.CallKw("cmd.run", value.M("python_shell", false), value.L("sed", "-n", "-r", "-e", script, p))
	return value.Truth(out), err
}

type psedArgs struct {
	Path   string `py:"path"`             // the file
	Before any    `py:"before"`           // the regular expression
	After  any    `py:"after"`            // what it is replaced by
	Limit  any    `py:"limit=''"`         // only what follows the first match of this
	Backup any    `py:"backup='.bak'"`    // what is put behind the name of the copy of the old file
	Flags  string `py:"flags='gMS'"`      // g: all matches; I, L, M, S, U, X: of the expression
	Escape bool   `py:"escape_all=False"` // nothing in the expressions is special
	Multi  any    `py:"multi=False"`      // of no effect: the whole file is one text
}

// psed replaces in a file by Python's regular expressions.
func psed(c *salt.Ctx, a psedArgs) (any, error) {
	p := expandUser(c, a.Path)
	b, err := c.Sys.ReadFile(p)
	if err != nil {
		return nil, osError(err)
	}
	count := 1
	var flags pyre.Flags
	for _, f := range a.Flags {
		if f == 'g' {
			count = 0
			continue
		}
		one, ok := pyre.Flag(string(f))
		if !ok {
			return nil, value.Errorf("KeyError", "'%c'", f)
		}
		flags |= one
	}
	head, tail := "", string(b)
	if limit := sedEscape(value.Str(a.Limit), a.Escape); limit != "" {
		re, err := compile(limit, 0)
		if err != nil {
			return nil, err
		}
		if m := re.Search(tail); m != nil {
			_, end := m.Span(0)
			head, tail = tail[:end], tail[end:]
		} else {
			head, tail = tail, ""
		}
	}
	re, err := compile(sedEscape(value.Str(a.Before), a.Escape), flags)
	if err != nil {
		return nil, err
	}
	out, _, err := re.Sub(value.Str(a.After), tail, count)
	if err != nil {
		return nil, value.Errorf("error", "%s", err)
	}
	i, err := c.Sys.Stat(p)
	if err == nil {
		err = copyAs(c, p, p+value.Str(a.Backup), standingOf(i))
	}
	if err != nil {
		return nil, osError(err)
	}
	return nil, writeFile(c, p, head+out)
}
