package salt

import (
	"fmt"

	"pinch/diag"
	"pinch/value"
)

// A Result is the answer of a state.
type Result struct {
	Result   *bool // nil: would change (test=True)
	Comment  string
	Changes  *value.Map
	Warnings []string
	// Extra are further keys of the return, such as skip_watch.
	Extra *value.Map

	err error // see Raised
}

// Raised says that the state raised an exception instead of answering: the
// call gives the error, and no result.
func Raised(err error) Result { return Result{err: err} }

// ResultOf reads the return of a custom state.
func ResultOf(m *value.Map) Result {
	r := Result{Comment: m.Str("comment"), Changes: m.Map("changes"), Extra: new(value.Map)}
	if v := m.At("result"); v != nil {
		ok := value.Truth(v)
		r.Result = &ok
	}
	if l := m.List("warnings"); l != nil {
		for _, w := range l.Items {
			r.Warnings = append(r.Warnings, value.Str(w))
		}
	}
	for k, v := range m.Items() {
		switch k {
		case "name", "comment", "changes", "result", "warnings":
		default:
			r.Extra.Set(k, v)
		}
	}
	return r
}

// Traced is an error of a custom module: it knows where it arose.
type Traced interface {
	error
	Traceback() string // in the words of the module's language
	Place() diag.Pos
}

// Err is what the state raised, nil if it answered.
func (r Result) Err() error { return r.err }

var yes, no = true, false

// True and False are for Result.Result; nil is Salt's None.
func True() *bool  { return &yes }
func False() *bool { return &no }

// Correct says that nothing needed doing.
func Correct(format string, a ...any) Result {
	return Result{Result: &yes, Comment: sprintf(format, a), Changes: new(value.Map)}
}

// Failed says that the state could not be reached.
func Failed(format string, a ...any) Result {
	return Result{Result: &no, Comment: sprintf(format, a), Changes: new(value.Map)}
}

// Changed says that the state was reached by changing something.
func Changed(changes *value.Map, format string, a ...any) Result {
	return Result{Result: &yes, Comment: sprintf(format, a), Changes: changes}
}

// Would says that something would change (test=True). Changes may be nil.
func Would(changes *value.Map, format string, a ...any) Result {
	if changes == nil {
		changes = new(value.Map)
	}
	return Result{Comment: sprintf(format, a), Changes: changes}
}

func sprintf(format string, a []any) string {
	if len(a) == 0 {
		return format
	}
	return fmt.Sprintf(format, a...)
}

// OK reports whether the result is True.
func (r Result) OK() bool { return r.Result != nil && *r.Result }

// Bad reports whether the result is False.
func (r Result) Bad() bool { return r.Result != nil && !*r.Result }

// A Change is a step that a state wants to take.
type Change struct {
	Changes *value.Map // what will differ
	Will    string     // the comment under test=True
	Did     string     // the comment once done
	Do      func() error
}

// Make takes the step, or only announces it under test=True. A failing step
// fails the state with the error's text and without changes.
func (c *Ctx) Make(ch Change) Result {
	if c.Test {
		return Would(ch.Changes, "%s", ch.Will)
	}
	if err := ch.Do(); err != nil {
		return Failed("%s", err)
	}
	return Changed(ch.Changes, "%s", ch.Did)
}

// CommandError is Salt's CommandExecutionError: the world said no.
func CommandError(format string, a ...any) error {
	return &value.Exception{Class: "CommandExecutionError", Msg: sprintf(format, a)}
}

// InvocationError is Salt's SaltInvocationError: the arguments make no sense.
func InvocationError(format string, a ...any) error {
	return &value.Exception{Class: "SaltInvocationError", Msg: sprintf(format, a)}
}
