package jinja

import (
	"errors"
	"fmt"

	"pinch/diag"
	"pinch/value"
)

// An Error is a mistake in a template, or an exception that stopped it.
type Error struct {
	// Class is Python's exception class: TemplateSyntaxError,
	// TemplateAssertionError, TemplateRuntimeError, UndefinedError,
	// TemplateNotFound, TemplatesNotFound, SecurityError, FilterArgumentError
	// of Jinja; TypeError, KeyError, ValueError, ZeroDivisionError,
	// RecursionError … of Python; or what a called function raised.
	Class   string
	Message string
	// Pos is the expression or tag itself.
	Pos diag.Pos
	// Reported is the place that Jinja's traceback names, without a column:
	// the statement or print that was running, in the innermost template
	// function that is not a block.
	Reported diag.Pos
	// Source is the text of Pos.File.
	Source string
	// Stack is where the code at Pos was called, imported or included from,
	// innermost first.
	Stack []diag.Pos
	// Opened is where the block begins that lacks its end, if one does.
	Opened diag.Pos
	opened int32 // the same as an offset, and one
	// Err is the cause, when a function or loader failed.
	Err error
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an error of the given Python class for functions to return;
// the engine adds the place.
func Errorf(class, format string, a ...any) error { return value.Errorf(class, format, a...) }

// asError makes an *Error of any error, keeping class and text.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var x *value.Exception
	if errors.As(err, &x) {
		return &Error{Class: x.Class, Message: err.Error(), Err: err}
	}
	return &Error{Class: fmt.Sprintf("%T", err), Message: err.Error(), Err: err}
}

// at gives err its place unless it has one already.
func (t *Template) at(err error, off int32) error {
	e := asError(err)
	if e.Pos.Line == 0 {
		e.Pos = t.pos(off)
		e.Source = t.src.Text
	}
	return e
}
