package file

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// block is a managed part of a file between two markers.
type block struct {
	start, end    string
	content       string
	appendMissing bool // put it at the end where the markers are missing
	prependIf     bool // put it at the start
	newline       bool // end the content with a newline, so that the end marker has a line of its own
	beforeMatch   string
	afterMatch    string
}

func errNoMarkers() error {
	return salt.CommandError("Cannot edit marked block. Markers were not found in file.")
}

// planBlock replaces what is between the markers. old and new are lines with
// their ends.
func planBlock(text string, b *block) (old, new []string, err error) {
	old = splitBytes(text)
	sep := "\n"
	if len(old) > 0 && strings.HasSuffix(old[0], "\r\n") {
		sep = "\r\n"
	}
	inside, found := false, false
	for _, line := range old {
		switch {
		case strings.Contains(line, b.start):
			inside = true
			new = append(new, line)
		case !inside:
			new = append(new, line)
		default:
			if i := strings.Index(line, b.end); i >= 0 {
				inside, found = false, true
				new = b.lines(new, sep, line[i:])
			}
		}
	}
	if inside {
		return nil, nil, salt.CommandError("Unterminated marked block. End of file reached before marker_end.")
	}
	if found {
		return old, new, nil
	}
	new, err = b.add(old, new, sep)
	return old, new, err
}

// lines adds the content and the end marker.
func (b *block) lines(out []string, sep, end string) []string {
	end = strings.TrimRight(end, "\r\n") + sep
	parts := strings.Split(strings.ReplaceAll(b.content, "\r\n", "\n"), "\n")
	for i, p := range parts {
		switch {
		case i < len(parts)-1:
			out = append(out, p+sep)
		case b.newline:
			out = append(out, p+sep, end)
		default:
			out = append(out, p+end)
		}
	}
	return out
}

// add puts a whole new block into lines.
func (b *block) add(old, new []string, sep string) ([]string, error) {
	whole := b.lines([]string{b.start + sep}, sep, b.end)
	switch {
	case b.prependIf:
		return append(whole, new...), nil
	case b.appendMissing:
		if n := len(new); n > 0 && !strings.HasSuffix(new[n-1], sep) {
			new = slices.Clone(new)
			new[n-1] += sep
		}
		return append(new, whole...), nil
	case b.beforeMatch != "" || b.afterMatch != "":
		re, err := compile(orText(b.beforeMatch, b.afterMatch), 0)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(old, func(l string) bool { return re.Search(l) != nil })
		if i < 0 {
			return nil, errNoMarkers()
		}
		if b.beforeMatch == "" {
			if !strings.HasSuffix(new[i], "\n") {
				new = slices.Clone(new)
				new[i] += sep
			}
			i++
		}
		return slices.Insert(slices.Clone(new), i, whole...), nil
	}
	return nil, errNoMarkers()
}

type blockExecArgs struct {
	Path    string `py:"path"`                                     // the file
	Start   string `py:"marker_start='#-- start managed zone --'"` // in the line that the block begins with
	End     string `py:"marker_end='#-- end managed zone --'"`     // in the line that the block ends with
	Content string `py:"content=''"`                               // what is between
	Append  bool   `py:"append_if_not_found=False"`                // puts the block at the end when the markers are missing
	Prepend bool   `py:"prepend_if_not_found=False"`               // puts the block at the start when the markers are missing
	Backup  any    `py:"backup='.bak'"`                            // what is put behind the name of the copy of the old file; False makes none
	DryRun  bool   `py:"dry_run=False"`                            // changes nothing
	Show    bool   `py:"show_changes=True"`                        // returns the diff; False whether there was a change
	Newline any    `py:"append_newline=False"`                     // ends the content with a newline; None: unless it has one
	Before  any    `py:"insert_before_match=None"`                 // puts a missing block before the first line that matches
	After   any    `py:"insert_after_match=None"`                  // puts a missing block after the first line that matches
}

// blockreplaceExec replaces the part of a file between two markers and returns the diff.
func blockreplaceExec(c *salt.Ctx, a blockExecArgs) (any, error) {
	n := 0
	for _, v := range []bool{a.Append, a.Prepend, value.Truth(a.Before), value.Truth(a.After)} {
		if v {
			n++
		}
	}
	if n > 1 {
		return nil, salt.InvocationError("Only one of append_if_not_found, prepend_if_not_found, insert_before_match, and insert_after_match is permitted")
	}
	path := expandUser(c, a.Path)
	if !sys.Exists(c.Sys, path) {
		return nil, salt.InvocationError("File not found: %s", path)
	}
	data, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.CommandError("Failed to read from %s: %s", path, osText(err))
	}
	encoding, known := fileEncoding(data)
	if isBinary(data[:min(len(data), 2048)]) && !known {
		return nil, salt.InvocationError("Cannot perform string replacements on a binary file: %s", path)
	}
	for _, m := range []struct {
		v    any
		name string
	}{{a.Before, "insert_before_match"}, {a.After, "insert_after_match"}} {
		if _, ok := m.v.(string); value.Truth(m.v) && !ok {
			return nil, salt.CommandError("RegEx expected in %s parameter.", m.name)
		}
	}
	b := &block{a.Start, a.End, a.Content, a.Append, a.Prepend, value.Truth(a.Newline), argText(a.Before), argText(a.After)}
	if a.Newline == nil {
		b.newline = !strings.HasSuffix(a.Content, "\n")
	}
	text := string(data)
	if encoding != "" {
		if text, err = decodeAs(data, encoding); err != nil {
			return nil, err
		}
	}
	old, body, err := planBlock(text, b)
	if err != nil {
		return nil, err
	}
	diff := lineDiff(old, body)
	if diff != "" && !a.DryRun {
		if err := writeBlock(c, path, strings.Join(body, ""), encoding, a.Backup); err != nil {
			return nil, err
		}
	}
	if a.Show {
		return diff, nil
	}
	return diff != "", nil
}

func writeBlock(c *salt.Ctx, path, text, encoding string, backup any) error {
	if backup != false && backup != nil {
		i, err := c.Sys.Stat(path)
		if err == nil {
			err = copyAs(c, path, path+value.Str(backup), standingOf(i))
		}
		if err != nil {
			return osError(err)
		}
	}
	if encoding != "" {
		b, err := encode(text, encoding, "strict")
		if err != nil {
			return err
		}
		text = string(b)
	}
	return writeFile(c, path, text)
}

// fileEncoding guesses the encoding of a file by its byte order mark; "" is
// text as it stands. known is false for bytes of no known encoding.
func fileEncoding(data []byte) (name string, known bool) {
	for _, b := range []struct{ mark, name string }{
		{"\x00\x00\xfe\xff", "utf-32-be"}, {"\xff\xfe\x00\x00", "utf-32-le"}, {"\xfe\xff", "utf-16-be"}, {"\xff\xfe", "utf-16-le"},
	} {
		if strings.HasPrefix(string(data), b.mark) {
			return b.name, true
		}
	}
	head := data[:min(len(data), 2048)]
	return "", !isBinary(head) || validText(head)
}

type blockreplaceArgs struct {
	Name     string `py:"name"`                                     // the file
	Start    string `py:"marker_start='#-- start managed zone --'"` // in the line that the block begins with
	End      string `py:"marker_end='#-- end managed zone --'"`     // in the line that the block ends with
	Source   any    `py:"source=None"`                              // a template whose text is added to the content
	Hash     any    `py:"source_hash=None"`                         // the digest of source
	Template string `py:"template='jinja'"`                         // the language of the sources
	Sources  any    `py:"sources=None"`                             // several templates
	Hashes   any    `py:"source_hashes=None"`                       // their digests
	Defaults any    `py:"defaults=None"`                            // what the templates see where context has nothing
	Context  any    `py:"context=None"`                             // what the templates see
	Content  string `py:"content=''"`                               // what is between the markers; file.accumulated adds to it
	Append   bool   `py:"append_if_not_found=False"`                // puts the block at the end when the markers are missing
	Prepend  bool   `py:"prepend_if_not_found=False"`               // puts the block at the start when the markers are missing
	Backup   any    `py:"backup='.bak'"`                            // what is put behind the name of the copy of the old file; False makes none
	Show     bool   `py:"show_changes=True"`                        // False keeps the diff out of the result
	Newline  any    `py:"append_newline=None"`                      // ends the content with a newline; None: unless it has one
	Before   any    `py:"insert_before_match=None"`                 // puts a missing block before the first line that matches
	After    any    `py:"insert_after_match=None"`                  // puts a missing block after the first line that matches
}

// blockreplace manages the part of a file between two markers.
//
//	/etc/hosts:
//	  file.blockreplace:
//	    - marker_start: '# BEGIN salt'
//	    - marker_end: '# END salt'
//	    - content: |
//	        10.0.0.5 db
//	    - append_if_not_found: True
func blockreplace(c *salt.Ctx, a blockreplaceArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, blockState(c, name, a))
}

func blockState(c *salt.Ctx, name string, a blockreplaceArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.blockreplace")
	}
	sources, msg := pairSources(a.Source, a.Hash, a.Sources, a.Hashes)
	if msg != "" {
		return salt.Failed("%s", msg)
	}
	if msg := fileProblem(c, name); msg != "" {
		return salt.Failed("%s", msg)
	}
	content := a.Content
	for _, t := range accumulators(c).forState(name, c.Low.Str("__id__")) {
		if content == "" {
			content = t
		} else {
			content += "\n" + t
		}
	}
	texts, bad := templateTexts(c, sources, a.Template, a.Defaults, a.Context)
	if bad != nil {
		return *bad
	}
	content += strings.Join(texts, "")
	v, err := blockreplaceExec(c, blockExecArgs{name, a.Start, a.End, content, a.Append, a.Prepend, a.Backup, c.Test, a.Show, a.Newline, a.Before, a.After})
	if err != nil {
		return salt.Failed("Encountered error managing block: %s. See the log for details.", text(err))
	}
	return editResult(c, v, nil, "Changes would be made")
}
