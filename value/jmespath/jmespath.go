// Package jmespath queries data with JMESPath (jmespath.org), with the order
// of dicts, the numbers and the error texts of Python's implementation. The
// main function is Search; Compile keeps an expression for many searches.
//
//	v, err := jmespath.Search("users[?age > `30`].name | sort(@)", data)
package jmespath

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// An Expr is a compiled expression.
type Expr struct{ run node }

// Compile parses an expression. The error is a *value.Exception with the class
// ParseError, LexerError, IncompleteExpressionError or EmptyExpressionError.
func Compile(expr string) (*Expr, error) {
	tokens, err := lex(expr)
	if err != nil {
		return nil, err
	}
	p := &parser{expr: expr, tokens: tokens}
	run, err := p.parse()
	if err != nil {
		return nil, err
	}
	return &Expr{run}, nil
}

// Search runs the expression on data: nil where the path leads nowhere.
func (e *Expr) Search(data any) (any, error) { return e.run(data) }

// Search compiles and runs an expression.
func Search(expr string, data any) (any, error) {
	e, err := Compile(expr)
	if err != nil {
		return nil, err
	}
	return e.Search(data)
}

// A node works out one part of an expression for a value.
type node func(v any) (any, error)

// isFalse is JMESPath's idea of false: empty text, list or dict, null, false.
func isFalse(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case *value.List:
		return v.Len() == 0
	case *value.Map:
		return v.Len() == 0
	}
	return false
}

func lexError(expr string, at int, format string, a ...any) error {
	return value.Errorf("LexerError", "Bad jmespath expression: %s:\n%s\n%s^", fmt.Sprintf(format, a...), expr, strings.Repeat(" ", at))
}

func parseError(expr string, t token, format string, a ...any) error {
	return value.Errorf("ParseError", "%s: Parse error at column %d, token \"%s\" (%s), for expression:\n\"%s\"\n%s^",
		fmt.Sprintf(format, a...), t.start, value.Str(t.val), strings.ToUpper(t.kind), expr, strings.Repeat(" ", t.start+1))
}

func incomplete(expr string) error {
	return value.Errorf("IncompleteExpressionError", "Invalid jmespath expression: Incomplete expression:\n\"%s\"\n%s^",
		expr, strings.Repeat(" ", utf8.RuneCountInString(expr)+1))
}
