// Package loop holds Salt's loop states: an execution function is called again
// and again until its answer is as wanted. Its main variable is Module.
//
//	wait-for-port:
//	  loop.until_no_eval:
//	    - name: network.connect
//	    - expected: {result: True, comment: Successfully connected to localhost (127.0.0.1) on tcp port 80}
//	    - args: [localhost, 80]
//	    - timeout: 30
package loop

import (
	"errors"
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's loop module.
var Module = salt.Module{
	Name: "loop",
	States: func() salt.Funcs {
		return salt.Funcs{
			"until":         salt.State(until),
			"until_no_eval": salt.State(untilNoEval),
		}
	},
}

func known(c *salt.Ctx, fun string) bool {
	_, err := c.Registry().Exec(c, fun)
	return err == nil
}

// seconds reads a number of seconds; ok is false for anything else.
func seconds(v any) (d time.Duration, ok bool) {
	switch n := v.(type) {
	case int64:
		return time.Duration(n) * time.Second, true
	case float64:
		return time.Duration(n * float64(time.Second)), true
	case bool:
		if n {
			return time.Second, true
		}
		return 0, true
	}
	return 0, false
}

func list(v any) []any {
	switch v := v.(type) {
	case *value.List:
		return v.Items
	case value.Tuple:
		return v
	}
	return nil
}

func keywords(v any) *value.Map {
	m, _ := v.(*value.Map)
	return m
}

type untilArgs struct {
	Name      string `py:"name"`           // an execution function
	MArgs     any    `py:"m_args=None"`    // its positional arguments
	MKwargs   any    `py:"m_kwargs=None"`  // its keyword arguments
	Condition any    `py:"condition=None"` // an expression about the answer, m_ret: m_ret['state'] == 'up'
	Period    any    `py:"period=1"`       // seconds between two calls
	Timeout   any    `py:"timeout=60"`     // seconds after which to give up
}

// until calls an execution function until a condition holds. The condition is
// written as in a template, which covers the usual Python: m_ret, its items and
// methods, comparisons, and, or, not, in, is, len().
//
//	wait:
//	  loop.until:
//	    - name: service.status
//	    - m_args: [nginx]
//	    - condition: m_ret is True
func until(c *salt.Ctx, a untilArgs) salt.Result {
	period, okPeriod := seconds(a.Period)
	timeout, okTimeout := seconds(a.Timeout)
	switch {
	case !known(c, a.Name):
		return salt.Failed("Cannot find module %s", a.Name)
	case a.Condition == nil:
		return salt.Failed("An exit condition must be specified")
	case !okPeriod:
		return salt.Failed("Period must be specified as a float in seconds")
	case !okTimeout:
		return salt.Failed("Timeout must be specified as a float in seconds")
	case c.Test:
		return salt.Would(nil, "The execution module %s will be run", a.Name)
	}
	condition := value.Str(a.Condition)
	for end := c.Sys.Now().Add(timeout); c.Sys.Now().Before(end); {
		answer, err := c.CallKw(a.Name, keywords(a.MKwargs), list(a.MArgs)...)
		if err != nil {
			return salt.Raised(err)
		}
		met, err := holds(c, condition, answer)
		if err != nil {
			return salt.Failed("the condition %q cannot be evaluated: %s", condition, err)
		}
		if met {
			return salt.Correct("Condition %s was met", condition)
		}
		if err := c.Sys.Sleep(c, period); err != nil {
			return salt.Raised(err)
		}
	}
	return salt.Failed("Timed out while waiting for condition %s", condition)
}

// pythonic are words of Python and what templates call them.
var pythonic = strings.NewReplacer("is None", "is none", "is not None", "is not none", "is True", "is true", "is not True", "is not true", "is False", "is false", "is not False", "is not false")

// holds evaluates an expression about m_ret.
func holds(c *salt.Ctx, condition string, answer any) (bool, error) {
	text := "{% if " + lengths(pythonic.Replace(condition)) + " %}yes{% endif %}"
	out, err := c.Render(c, salt.Template{Text: text, Name: "condition", Engine: "jinja", Vars: value.M("m_ret", answer)})
	return strings.Contains(out, "yes"), err
}

// lengths writes len(x) as (x)|length.
func lengths(s string) string {
	at := strings.Index(s, "len(")
	if at < 0 {
		return s
	}
	depth := 0
	for i := at + 3; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:at] + "((" + lengths(s[at+4:i]) + ")|length)" + lengths(s[i+1:])
			}
		}
	}
	return s
}

type untilNoEvalArgs struct {
	Name            string `py:"name"`                  // an execution function
	Expected        any    `py:"expected"`              // what its answer is compared with
	CompareOperator string `py:"compare_operator='eq'"` // eq, ne, lt, le, gt, ge, contains, is_, is_not …, or an execution function of two arguments
	Timeout         any    `py:"timeout=60"`            // seconds after which to give up
	Period          any    `py:"period=1"`              // seconds between two calls
	InitWait        any    `py:"init_wait=0"`           // seconds before the first call
	Args            any    `py:"args=None"`             // positional arguments
	Kwargs          any    `py:"kwargs=None"`           // keyword arguments
}

// untilNoEval calls an execution function until its answer compares well with
// what is expected.
func untilNoEval(c *salt.Ctx, a untilNoEvalArgs) salt.Result {
	period, okPeriod := seconds(a.Period)
	timeout, okTimeout := seconds(a.Timeout)
	compare := comparator(c, a.CompareOperator)
	switch {
	case !known(c, a.Name):
		return salt.Failed("Module.function \"%s\" is unavailable.", a.Name)
	case !okPeriod:
		return salt.Failed("Period must be specified as a float in seconds")
	case !okTimeout:
		return salt.Failed("Timeout must be specified as a float in seconds")
	case compare == nil:
		return salt.Failed("Invalid operator \"%s\" supplied.", a.CompareOperator)
	case c.Test:
		return salt.Would(nil, "Would have waited for \"%s\" to produce \"%s\".", a.Name, value.Str(a.Expected))
	}
	if wait, ok := seconds(a.InitWait); ok && wait > 0 {
		if err := c.Sys.Sleep(c, wait); err != nil {
			return salt.Raised(err)
		}
	}
	attempts := 0
	for end := c.Sys.Now().Add(timeout); c.Sys.Now().Before(end); {
		attempts++
		answer, err := c.CallKw(a.Name, keywords(a.Kwargs), list(a.Args)...)
		if err != nil {
			return salt.Failed("Exception occurred while executing %s: <class '%s'>:%s", a.Name, class(err), err)
		}
		good, err := compare(answer, a.Expected)
		switch {
		case err != nil:
			return salt.Raised(err)
		case good:
			return salt.Correct("Call provided the expected results in %d attempts", attempts)
		}
		if err := c.Sys.Sleep(c, period); err != nil {
			return salt.Raised(err)
		}
	}
	return salt.Failed("Call did not produce the expected result after %d attempts", attempts)
}

// class is the Python class of an error, with the module of Salt's own.
func class(err error) string {
	var e *value.Exception
	if !errors.As(err, &e) {
		return "Exception"
	}
	switch e.Class {
	case "CommandExecutionError", "SaltInvocationError", "CommandNotFoundError":
		return "salt.exceptions." + e.Class
	}
	return e.Class
}

// comparator is one of Python's module operator, or an execution function;
// nil when there is none of that name.
func comparator(c *salt.Ctx, name string) func(a, b any) (bool, error) {
	ordered := func(op string, good func(int) bool) func(a, b any) (bool, error) {
		return func(a, b any) (bool, error) {
			n, err := value.Compare(a, b, op)
			return err == nil && good(n), err
		}
	}
	switch name {
	case "eq", "is_":
		return func(a, b any) (bool, error) { return value.Equal(a, b), nil }
	case "ne", "is_not":
		return func(a, b any) (bool, error) { return !value.Equal(a, b), nil }
	case "lt":
		return ordered("<", func(n int) bool { return n < 0 })
	case "le":
		return ordered("<=", func(n int) bool { return n <= 0 })
	case "gt":
		return ordered(">", func(n int) bool { return n > 0 })
	case "ge":
		return ordered(">=", func(n int) bool { return n >= 0 })
	case "contains":
		return func(a, b any) (bool, error) { return contains(a, b) }
	case "and_":
		return func(a, b any) (bool, error) { return value.Truth(a) && value.Truth(b), nil }
	case "or_":
		return func(a, b any) (bool, error) { return value.Truth(a) || value.Truth(b), nil }
	}
	if !strings.Contains(name, ".") || !known(c, name) {
		return nil
	}
	return func(a, b any) (bool, error) {
		v, err := c.Call(name, a, b)
		return value.Truth(v), err
	}
}

// contains is Python's "b in a".
func contains(a, b any) (bool, error) {
	switch a := a.(type) {
	case string:
		s, ok := b.(string)
		if !ok {
			return false, value.Errorf("TypeError", "'in <string>' requires string as left operand, not %s", value.TypeName(b))
		}
		return strings.Contains(a, s), nil
	case *value.Map:
		return a.HasKey(b), nil
	case *value.Set:
		return a.Has(b), nil
	case *value.List, value.Tuple:
		for _, it := range list(a) {
			if value.Equal(it, b) {
				return true, nil
			}
		}
		return false, nil
	}
	return false, value.Errorf("TypeError", "argument of type '%s' is not iterable", value.TypeName(a))
}
