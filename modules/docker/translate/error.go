package translate

import (
	"fmt"
	"strings"

	"pinch/value"
)

// An Error is Salt's CommandExecutionError with information on what is wrong:
// "invalid" maps an argument to a text, "collisions" is a list of texts,
// "error_message" one text.
type Error struct {
	Msg  string
	Info *value.Map
}

// Error is the text with the information, shown as the nested outputter does.
func (e *Error) Error() string {
	lines := []string{e.Msg + ". Additional info follows:", ""}
	for _, name := range sortedNames(e.Info) {
		lines = append(lines, name+":")
		switch v := e.Info.At(name).(type) {
		case *value.Map:
			lines = append(lines, "    ----------")
			for _, k := range sortedNames(v) {
				lines = append(lines, "    "+k+":")
				lines = append(lines, indented("        ", v.Str(k))...)
			}
		case *value.List:
			for _, it := range v.Items {
				lines = append(lines, "    - "+value.Str(it))
			}
		default:
			lines = append(lines, indented("    ", value.Str(v))...)
		}
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n")
}

// Unwrap is the exception that Salt raises.
func (e *Error) Unwrap() error {
	return &value.Exception{Class: "CommandExecutionError", Msg: e.Error()}
}

func indented(indent, text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, indent+strings.TrimSuffix(line, "\n"))
	}
	return out
}

// An invalid argument; the others are read all the same.
type invalid struct{ text string }

func (e *invalid) Error() string { return e.text }

func invalidf(format string, a ...any) error { return &invalid{fmt.Sprintf(format, a...)} }

func typeError(format string, a ...any) error  { return value.Errorf("TypeError", format, a...) }
func valueError(format string, a ...any) error { return value.Errorf("ValueError", format, a...) }

// clientError is one of docker-py's own errors, whose text Salt gives as it is.
type clientError struct{ text string }

func (e *clientError) Error() string { return e.text }

func clientErrorf(format string, a ...any) error { return &clientError{fmt.Sprintf(format, a...)} }

// asSalt is what Salt makes of an error of a function of docker-py.
func asSalt(function string, err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if _, ok := err.(*clientError); !ok {
		text = strings.TrimSuffix("Unable to perform "+function+": "+text, ": ")
	}
	return &value.Exception{Class: "CommandExecutionError", Msg: text}
}
