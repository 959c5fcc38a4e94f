package test

import (
	"math/rand/v2"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type configurableTestStateArgs struct {
	Name                 string `py:"name"`                          // the name of the state, free to choose
	Changes              any    `py:"changes=True"`                  // True, False or Random: whether to claim changes
	Result               any    `py:"result=True"`                   // True, False or Random: what to answer
	Comment              any    `py:"comment=''"`                    // the comment to answer with
	Warnings             any    `py:"warnings=None"`                 // a warning, or a list of them
	AllowTestModeFailure bool   `py:"allow_test_mode_failure=False"` // with test=True answer False when result is False
}

// configurableTestState answers what it is told: a result, changes, a comment
// and warnings, each fixed or by chance.
//
//	flaky:
//	  test.configurable_test_state:
//	    - result: Random
//	    - changes: False
func configurableTestState(c *salt.Ctx, a configurableTestStateArgs) salt.Result {
	changes, ok := choose(a.Changes)
	if !ok {
		return salt.Raised(salt.InvocationError("You have specified the state option 'changes' with invalid arguments. It must be either True, False, or 'Random'"))
	}
	result, ok := choose(a.Result)
	if !ok {
		return salt.Raised(salt.InvocationError("You have specified the state option 'result' with invalid arguments. It must be either True, False, or 'Random'"))
	}
	r := salt.Result{Result: truth(result), Changes: new(value.Map), Comment: value.Str(a.Comment)}
	if changes {
		r.Changes = pretended()
	}
	switch w := a.Warnings.(type) {
	case nil:
	case string:
		r.Warnings = []string{w}
	case *value.List:
		r.Warnings = []string{}
		for _, it := range w.Items {
			r.Warnings = append(r.Warnings, value.Str(it))
		}
	default:
		return salt.Raised(salt.InvocationError("You have specified the state option 'warnings' with invalid arguments. It must be a string or a list of strings"))
	}
	if !c.Test {
		return r
	}
	r.Result = nil
	switch {
	case a.AllowTestModeFailure && a.Result == false:
		r.Result = salt.False()
	case a.Changes == false:
		r.Result = salt.True()
	}
	if !value.Truth(a.Comment) {
		r.Comment = "This is a test"
	}
	return r
}

// choose reads True, False or Random.
func choose(v any) (chosen, ok bool) {
	if b, ok := v.(bool); ok {
		return b, true
	}
	return rand.IntN(2) == 1, strings.ToLower(value.Str(v)) == "random"
}

func truth(b bool) *bool {
	if b {
		return salt.True()
	}
	return salt.False()
}
