package file

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

// edit is what a search and replace shall do.
type edit struct {
	pattern, repl string
	count         int
	flags         pyre.Flags
	appendMissing bool
	prependIf     bool
	notFound      *string // what is added; nil: repl
	literal       bool    // no backslash in repl is special
	chars         bool    // the text was decoded: the pattern is of characters, not of bytes
}

// edited is what came out.
type edited struct {
	old, new []string // lines with their ends
	changed  bool
}

// regexFor compiles a pattern for bytes, or for decoded text.
func (e *edit) regex(pattern string) (*pyre.Regexp, error) {
	if e.chars {
		return compile(pattern, e.flags)
	}
	return compileBytes(pattern, e.flags)
}

// planReplace replaces in text, and adds a line when nothing was found.
func planReplace(text string, e *edit) (edited, error) {
	re, err := e.regex(e.pattern)
	if err != nil {
		return edited{}, err
	}
	template := e.repl
	if e.literal {
		template = strings.ReplaceAll(template, `\`, `\\`)
	}
	result, n, err := re.Sub(template, text, e.count)
	if err != nil {
		return edited{}, value.Errorf("error", "%s", err)
	}
	split := splitBytes
	if e.chars {
		split = splitText
	}
	out := edited{old: split(text), new: split(result)}
	out.changed = !slices.Equal(out.old, out.new)
	if n > 0 || !e.appendMissing && !e.prependIf {
		return out, nil
	}
	added := e.repl
	if e.notFound != nil {
		added = *e.notFound
	}
	line := added
	if e.notFound != nil && *e.notFound == "" {
		line = e.repl
	}
	there, err := e.regex("^" + pyre.Escape(line) + "($|(?=\r\n))")
	if err != nil {
		return edited{}, err
	}
	if there.Search(text) != nil {
		return out, nil
	}
	out.changed = true
	if e.prependIf {
		out.new = append([]string{added + "\n"}, out.new...)
		return out, nil
	}
	if last := len(out.new) - 1; last >= 0 && !strings.HasSuffix(out.new[last], "\n") {
		out.new[last] += "\n"
	}
	out.new = append(out.new, added+"\n")
	return out, nil
}

// reFlags reads flags of regular expressions: a number, a name or a list of names.
func reFlags(v any) (pyre.Flags, error) {
	if n, ok := v.(int64); ok {
		return pyre.Flags(n), nil
	}
	var f pyre.Flags
	switch v.(type) {
	case string, *value.List, value.Tuple, *value.Set:
	default:
		return 0, salt.CommandError(`Invalid re flags: "%s", must be given either as a single flag string, a list of strings, as an integer, or as an re flag`, value.Str(v))
	}
	for _, s := range stringList(v) {
		one, ok := pyre.Flag(strings.ToUpper(s))
		if !ok {
			return 0, salt.CommandError("Invalid re flag given: %s", s)
		}
		f |= one
	}
	return f, nil
}

type replaceExecArgs struct {
	Path      string  `py:"path"`                       // the file
	Pattern   string  `py:"pattern"`                    // a regular expression
	Repl      any     `py:"repl"`                       // what it is replaced by; \1 and \g<name> are its groups
	Count     any     `py:"count=0"`                    // how many at most; 0: all
	Flags     any     `py:"flags=8"`                    // of the expression: a number, a name, or a list of names such as [IGNORECASE, MULTILINE]
	Bufsize   any     `py:"bufsize=1"`                  // of no effect: the whole file is searched
	Append    bool    `py:"append_if_not_found=False"`  // adds a line at the end when the pattern is not found
	Prepend   bool    `py:"prepend_if_not_found=False"` // adds a line at the start when the pattern is not found
	NotFound  any     `py:"not_found_content=None"`     // that line; by default repl
	Backup    any     `py:"backup='.bak'"`              // what is put behind the name of the copy of the old file; False makes none
	DryRun    bool    `py:"dry_run=False"`              // changes nothing
	Search    bool    `py:"search_only=False"`          // only reports whether the pattern is found
	Show      bool    `py:"show_changes=True"`          // returns the diff; False whether there was a change
	IgnoreMis bool    `py:"ignore_if_missing=False"`    // a file that is not there is no error
	Inode     bool    `py:"preserve_inode=True"`        // other names (hard links) of the file keep its content
	Literal   bool    `py:"backslash_literal=False"`    // no backslash in repl is special
	Encoding  *string `py:"encoding=None"`              // of the file; then the expression is one of characters
}

// replaceExec replaces what a regular expression matches and returns the diff.
func replaceExec(c *salt.Ctx, a replaceExecArgs) (any, error) {
	flags, err := reFlags(a.Flags)
	if err != nil {
		return nil, err
	}
	count, err := intArg(a.Count)
	if err != nil {
		return nil, err
	}
	e := edit{pattern: a.Pattern, repl: value.Str(a.Repl), count: int(count), flags: flags, appendMissing: a.Append, prependIf: a.Prepend, literal: a.Literal}
	if a.NotFound != nil {
		s := value.Str(a.NotFound)
		e.notFound = &s
	}
	r := &replacing{e, a.Path, a.Backup, a.DryRun, a.Search, a.Show, a.IgnoreMis, a.Encoding}
	return r.run(c)
}

// replacing is one search and replace in a file.
type replacing struct {
	edit
	path     string
	backup   any
	dry      bool
	search   bool
	show     bool
	missing  bool // ignore_if_missing
	encoding *string
}

// run gives the diff, or whether something changed or was found.
func (r *replacing) run(c *salt.Ctx) (any, error) {
	given := expandUser(c, r.path)
	path := realPath(c.Sys, given)
	if !sys.Exists(c.Sys, path) {
		if r.missing {
			return false, nil
		}
		return nil, salt.InvocationError("File not found: %s", path)
	}
	if r.search && (r.appendMissing || r.prependIf) {
		return nil, salt.InvocationError("search_only cannot be used with append/prepend_if_not_found")
	}
	if r.appendMissing && r.prependIf {
		return nil, salt.InvocationError("Only one of append and prepend_if_not_found is permitted")
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil && r.encoding != nil {
		return nil, salt.CommandError("Unable to open file '%s'. Exception: %s", path, osText(err))
	}
	text := string(b)
	if r.encoding == nil && (err != nil || !isText(b)) {
		return nil, salt.InvocationError("Cannot perform string replacements on a binary file: %s", path)
	}
	if r.encoding != nil {
		r.chars = true
		if text, err = decodeAs(b, *r.encoding); err != nil {
			return nil, err
		}
	}
	if r.search {
		re, err := r.regex(r.pattern)
		if err != nil {
			return nil, err
		}
		return re.Search(text) != nil, nil
	}
	plan, err := planReplace(text, &r.edit)
	if err != nil {
		return nil, err
	}
	if plan.changed && !r.dry {
		if err := r.write(c, given, path, strings.Join(plan.new, "")); err != nil {
			return nil, err
		}
	}
	diff := lineDiff(plan.old, plan.new)
	if r.show {
		return diff, nil
	}
	return plan.changed && diff != "", nil
}

func (r *replacing) write(c *salt.Ctx, given, path, text string) error {
	if err := saveBackup(c, given, path, r.backup); err != nil {
		return err
	}
	if r.encoding != nil {
		b, err := encode(text, *r.encoding, "strict")
		if err != nil {
			return err
		}
		text = string(b)
	}
	return writeFile(c, path, text)
}

// saveBackup copies a file to its name with the suffix behind it. When the
// file was named by a link, the copy gets such a link too.
func saveBackup(c *salt.Ctx, given, path string, suffix any) error {
	if !value.Truth(suffix) {
		return nil
	}
	s := value.Str(suffix)
	i, err := c.Sys.Stat(path)
	if err == nil {
		err = copyAs(c, path, path+s, standingOf(i))
	}
	if err != nil {
		return salt.CommandError("Unable to make the backup file '%s': %s", path+s, osText(err))
	}
	if !isLink(c.Sys, given) {
		return nil
	}
	target, err := c.Sys.Readlink(given)
	if err != nil {
		return osError(err)
	}
	if sys.LExists(c.Sys, given+s) {
		if err := c.Sys.Remove(given + s); err != nil {
			return osError(err)
		}
	}
	return osError(c.Sys.Symlink(target+s, given+s))
}

type searchArgs struct {
	Path      string `py:"path"`                    // the file
	Pattern   string `py:"pattern"`                 // a regular expression
	Flags     any    `py:"flags=8"`                 // of the expression: a number, a name, or a list of names
	Bufsize   any    `py:"bufsize=1"`               // of no effect: the whole file is searched
	IgnoreMis bool   `py:"ignore_if_missing=False"` // a file that is not there is no error
	Multiline bool   `py:"multiline=False"`         // adds MULTILINE to the flags
}

// search reports whether a regular expression matches in a file.
func search(c *salt.Ctx, a searchArgs) (any, error) {
	flags, err := reFlags(a.Flags)
	if err != nil {
		return nil, err
	}
	if a.Multiline {
		flags |= pyre.Multiline
	}
	r := &replacing{edit: edit{pattern: a.Pattern, flags: flags}, path: a.Path, dry: true, search: true, missing: a.IgnoreMis}
	return r.run(c)
}

type replaceArgs struct {
	Name      string  `py:"name"`                       // the file
	Pattern   string  `py:"pattern"`                    // a regular expression
	Repl      any     `py:"repl"`                       // what it is replaced by; \1 and \g<name> are its groups
	Count     any     `py:"count=0"`                    // how many at most; 0: all
	Flags     any     `py:"flags=8"`                    // of the expression: a number, a name, or a list of names such as [IGNORECASE, MULTILINE]
	Bufsize   any     `py:"bufsize=1"`                  // of no effect: the whole file is searched
	Append    bool    `py:"append_if_not_found=False"`  // adds a line at the end when the pattern is not found
	Prepend   bool    `py:"prepend_if_not_found=False"` // adds a line at the start when the pattern is not found
	NotFound  any     `py:"not_found_content=None"`     // that line; by default repl
	Backup    any     `py:"backup='.bak'"`              // what is put behind the name of the copy of the old file; False makes none
	Show      bool    `py:"show_changes=True"`          // False keeps the diff out of the result
	IgnoreMis bool    `py:"ignore_if_missing=False"`    // a file that is not there is no error
	Literal   bool    `py:"backslash_literal=False"`    // no backslash in repl is special
	Encoding  *string `py:"encoding=None"`              // of the file; then the expression is one of characters
}

// replace replaces what a regular expression matches in a file.
//
//	/etc/ssh/sshd_config:
//	  file.replace:
//	    - pattern: ^#?PermitRootLogin .*
//	    - repl: PermitRootLogin no
//	    - append_if_not_found: True
func replace(c *salt.Ctx, a replaceArgs) salt.Result {
	name := expandUser(c, a.Name)
	if name == "" {
		return salt.Failed("Must provide name to file.replace")
	}
	if msg := fileProblem(c, name); msg != "" {
		if a.IgnoreMis && strings.Contains(msg, "file not found") {
			return renamed(a.Name, name, salt.Correct("No changes needed to be made"))
		}
		return renamed(a.Name, name, salt.Failed("%s", msg))
	}
	v, err := replaceExec(c, replaceExecArgs{name, a.Pattern, a.Repl, a.Count, a.Flags, a.Bufsize, a.Append, a.Prepend, a.NotFound, a.Backup,
		c.Test, false, a.Show, a.IgnoreMis, true, a.Literal, a.Encoding})
	return renamed(a.Name, name, editResult(c, v, err, "Changes would have been made"))
}

// editResult is the result of a state that edits a file: v is the diff, or
// whether there is one.
func editResult(c *salt.Ctx, v any, err error, would string) salt.Result {
	switch {
	case err != nil:
		return salt.Failed("%s", text(err))
	case !value.Truth(v):
		return salt.Correct("No changes needed to be made")
	case c.Test:
		return salt.Would(value.M("diff", v), "%s", would)
	}
	return salt.Changed(value.M("diff", v), "Changes were made")
}

// fileProblem says why a path is no file to edit: Salt's _check_file.
func fileProblem(c *salt.Ctx, name string) string {
	if !isAbs(name) {
		return "Specified file " + name + " is not an absolute path"
	}
	if !sys.Exists(c.Sys, name) {
		return name + ": file not found"
	}
	return ""
}
