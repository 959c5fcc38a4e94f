package value

import "fmt"

// An Exception is an error that Salt reports as a Python exception: its class
// name (TypeError, KeyError, CommandExecutionError …) and its text.
type Exception struct{ Class, Msg string }

func (e *Exception) Error() string { return e.Msg }

// Errorf makes an Exception of the given class.
func Errorf(class, format string, a ...any) *Exception {
	return &Exception{class, fmt.Sprintf(format, a...)}
}

func typeError(format string, a ...any) error { return Errorf("TypeError", format, a...) }
