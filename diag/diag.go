// Package diag is how pinch tells a user about a mistake: where it is, what is
// wrong, the line itself, and what to do about it.
//
//	error: Rendering SLS 'base:web' failed: Undefined jinja variable  [jinja]
//	  /srv/salt/web/init.sls:3:14
//	   3 | port: {{ prot }}
//	     |          ^
//	  hint: did you mean "port"?
package diag

import (
	"fmt"
	"strings"
)

// A Pos is a place in a file that the user wrote. Line and Col count from 1;
// 0 means not known.
type Pos struct {
	File string
	Line int
	Col  int
}

// String is file:line:col, without the parts that are not known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity is how bad it is.
type Severity int

const (
	Error Severity = iota
	Warning
)

func (s Severity) String() string { return [...]string{"error", "warning"}[s] }

// A Note is a further place that matters: where the include stands, where the
// other ID is.
type Note struct {
	Pos  Pos
	Text string
}

// A Diagnostic is one mistake.
type Diagnostic struct {
	Severity Severity
	ID       string // the kind: yaml, jinja, requisite, argument, config, include …
	Pos      Pos
	Summary  string // one line; Salt's own text where Salt has one
	Detail   string // more lines, optional
	Source   string // the text of the file of Pos, for the snippet; optional
	Hint     string // what to do, optional
	Notes    []Note

	// Return is the text that Salt puts into its return data for this
	// mistake (clients match on it); empty: Summary.
	Return string
	// Err is the cause, optional.
	Err error
}

// Hinting sets what to do about the mistake, and gives it back.
func (d *Diagnostic) Hinting(hint string) *Diagnostic { d.Hint = hint; return d }

// Error is the summary with its place.
func (d *Diagnostic) Error() string {
	if d.Pos.File == "" {
		return d.Summary
	}
	return d.Pos.String() + ": " + d.Summary
}

// Unwrap gives the cause.
func (d *Diagnostic) Unwrap() error { return d.Err }

// Text is what stands in the return data.
func (d *Diagnostic) Text() string {
	if d.Return != "" {
		return d.Return
	}
	return d.Summary
}

// A List is several mistakes in the order they were found.
type List []*Diagnostic

// Error joins the summaries.
func (l List) Error() string {
	s := make([]string, len(l))
	for i, d := range l {
		s[i] = d.Error()
	}
	return strings.Join(s, "\n")
}

// Err is nil for an empty list.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Texts are the return texts of all.
func (l List) Texts() []string {
	s := make([]string, len(l))
	for i, d := range l {
		s[i] = d.Text()
	}
	return s
}

// Line is the text of the line of Pos, "" when it is not known.
func (d *Diagnostic) Line() string {
	lines := strings.Split(d.Source, "\n")
	if d.Pos.Line < 1 || d.Pos.Line > len(lines) {
		return ""
	}
	return lines[d.Pos.Line-1]
}
