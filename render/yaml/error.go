package yaml

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// An Error is why a text could not be loaded, with the words that Salt uses.
// Lines and columns count from 1; 0 means that there is no position.
type Error struct {
	Class       string // ScannerError, ParserError, ComposerError, ConstructorError, ReaderError; ValueError … of a bad tagged scalar
	Name        string // the stream's name as it stands in Message
	Context     string // "while parsing a block mapping", or empty
	ContextLine int
	ContextCol  int
	Problem     string // "did not find expected key"
	Line, Col   int
	Message     string // the whole text, as Python's str(exception)
	Tab         bool   // a tab stands where the error is
}

func (e *Error) Error() string { return e.Message }

// Hint says what to do about the error, or is empty.
func (e *Error) Hint() string {
	switch {
	case e.Tab:
		return "there is a tab character here: YAML is indented with spaces"
	case strings.HasPrefix(e.Problem, "found unacceptable key [(ScalarNode") || strings.HasPrefix(e.Problem, "found unacceptable key [(MappingNode"):
		return "curly braces are a mapping in YAML: quote the text if it should be a string"
	case e.Problem == "mapping values are not allowed in this context":
		return "a text with \": \" in it must be quoted, and keys of one mapping start in the same column"
	case strings.HasPrefix(e.Problem, "found conflicting ID"):
		return "the same key stands twice in this mapping"
	case e.Problem == "did not find expected alphabetic or numeric character":
		return "a text that starts with * or & must be quoted"
	case e.Problem == "found character that cannot start any token":
		return "a text that starts with %, @ or ` must be quoted"
	case e.Problem == "did not find expected key" || e.Problem == "did not find expected '-' indicator":
		return "its indentation fits none of the lines above, or something above is not closed"
	case e.Problem == "could not find expected ':'":
		return "a colon is missing after a key, or a quote above is not closed"
	case e.Problem == "found unexpected end of stream":
		return "a quote is not closed"
	case e.Problem == "did not find expected node content" && e.Context == "while parsing a flow node":
		return "a [ or { is not closed, or a value is missing in it"
	case strings.HasPrefix(e.Problem, "did not find expected ',' or"):
		return "a [ or { is not closed, or a comma is missing in it"
	case e.Problem == "found undefined alias":
		return "a text that starts with * must be quoted"
	}
	return ""
}

// Rendered is what Salt's yaml renderer makes of a loaded value: one that is
// false (no document, an empty list, 0) is an empty map.
func Rendered(v any) any {
	if value.Truth(v) {
		return v
	}
	return new(value.Map)
}

// RenderError is the text of the SaltRenderError that Salt's yaml renderer
// gives for err: the bare problem for a scanner's error, else the whole
// message. Salt shows no lines of the text, as its parser keeps none.
func RenderError(err *Error, _ string) string {
	if err.Class == "ScannerError" {
		return err.Problem
	}
	return err.Message
}

// A mark is a place in the text in bytes; line and column are worked out when
// they are asked for. One behind the end is the line after the last.
type mark int32

const noMark mark = -1

// place gives the line and column of a mark, from 1.
func (s *scanner) place(m mark) (line, col int) {
	if s.lines == nil {
		s.lines = lineStarts(s.text)
	}
	if int(m) > len(s.text) {
		return len(s.lines) + 1, 1
	}
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > int32(m) }) - 1
	from := s.lines[i]
	if i == 0 && strings.HasPrefix(s.text, bom) {
		from = min(int32(len(bom)), int32(m))
	}
	return i + 1, utf8.RuneCountInString(s.text[from:m]) + 1
}

// lineStarts gives the first byte of every line.
func lineStarts(text string) []int32 {
	starts := []int32{0}
	s := scanner{text: text}
	for s.pos < len(text) {
		s.skipComment()
		if n := s.brk(0); n > 0 {
			s.pos += n
			starts = append(starts, int32(s.pos))
		}
	}
	return starts
}

// fail makes the error that PyYAML raises; context may be empty and then has
// no mark. The places are given as Python would print them.
func (s *scanner) fail(class, context string, at mark, problem string, pm mark) *Error {
	e := &Error{Class: class, Name: s.streamName(), Context: context, Problem: problem}
	if context != "" && at != noMark {
		e.ContextLine, e.ContextCol = s.place(at)
	}
	if pm != noMark {
		e.Line, e.Col = s.place(pm)
	}
	var b strings.Builder
	if context != "" {
		b.WriteString(context + "\n")
		if at != noMark && at != pm {
			fmt.Fprintf(&b, "  in \"%s\", line %d, column %d\n", e.Name, e.ContextLine, e.ContextCol)
		}
	}
	b.WriteString(problem)
	if pm != noMark {
		fmt.Fprintf(&b, "\n  in \"%s\", line %d, column %d", e.Name, e.Line, e.Col)
	}
	e.Message = b.String()
	return e
}

func (s *scanner) streamName() string {
	if s.name == "" {
		return "<unicode string>"
	}
	return s.name
}

// scanError stops the scan at the current place.
func (s *scanner) scanError(context string, at mark, problem string) {
	e := s.fail("ScannerError", context, at, problem, s.mark())
	e.Tab = s.at(0) == '\t'
	panic(e)
}

// pyError is a Python exception without a place.
func pyError(class, format string, a ...any) *Error {
	msg := fmt.Sprintf(format, a...)
	return &Error{Class: class, Problem: msg, Message: msg}
}
