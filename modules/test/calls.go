package test

import (
	"runtime/debug"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// ping says True: the minion answers.
func ping(c *salt.Ctx, a salt.NoArgs) (bool, error) { return true, nil }

// true_ returns True.
func true_(c *salt.Ctx, a salt.NoArgs) (bool, error) { return true, nil }

// false_ returns False.
func false_(c *salt.Ctx, a salt.NoArgs) (bool, error) { return false, nil }

// attrCall returns the grains, as grains.items does.
func attrCall(c *salt.Ctx, a salt.NoArgs) (any, error) { return c.Call("grains.items") }

// confTest returns the minion's option test.foo, to see what is configured.
func confTest(c *salt.Ctx, a salt.NoArgs) (any, error) { return c.Call("config.option", "test.foo") }

// getOpts returns the minion's options.
func getOpts(c *salt.Ctx, a salt.NoArgs) (*value.Map, error) { return c.Opts, nil }

// optsPkg returns the minion's options together with the grains.
func optsPkg(c *salt.Ctx, a salt.NoArgs) (*value.Map, error) {
	m := c.Opts.Shallow()
	m.Set("grains", c.Grains)
	return m, nil
}

type crossTestArgs struct {
	Func string `py:"func"`      // the function to call, such as test.ping
	Args any    `py:"args=None"` // a list of arguments for it
}

// crossTest calls another function by name.
//
//	salt-call test.cross_test file.basename '[/etc/hosts]'
func crossTest(c *salt.Ctx, a crossTestArgs) (any, error) {
	var args []any
	switch l := a.Args.(type) {
	case *value.List:
		args = l.Items
	case value.Tuple:
		args = l
	}
	return c.Call(a.Func, args...)
}

type tryArgs struct {
	Module             string     `py:"module"`                     // the function to call, such as test.exception
	ReturnTryException bool       `py:"return_try_exception=False"` // return the exception instead of None
	Kwargs             *value.Map `py:"**kwargs"`                   // arguments of that function
}

// try calls a function and returns None, or the exception, when it fails.
func try(c *salt.Ctx, a tryArgs) (any, error) {
	v, err := c.CallKw(a.Module, a.Kwargs)
	switch {
	case err == nil:
		return v, nil
	case a.ReturnTryException:
		return err.Error(), nil
	}
	return nil, nil
}

type exceptionArgs struct {
	Message any `py:"message='Test Exception'"` // the text of the exception
}

// exception raises an exception with the given text.
func exception(c *salt.Ctx, a exceptionArgs) (any, error) {
	return nil, &value.Exception{Class: "Exception", Msg: value.Str(a.Message)}
}

type assertionArgs struct {
	Assertion any `py:"assertion"` // what must be true
}

// assertion raises an AssertionError unless its argument is true.
func assertion(c *salt.Ctx, a assertionArgs) (any, error) {
	if !value.Truth(a.Assertion) {
		return nil, &value.Exception{Class: "AssertionError"}
	}
	return nil, nil
}

type retcodeArgs struct {
	Code any `py:"code=42"` // the exit code to ask for
}

// retcode asks for an exit code and returns True.
func retcode(c *salt.Ctx, a retcodeArgs) (bool, error) {
	if n, ok := a.Code.(int64); ok {
		c.Run.SetRetcode(int(n))
	} else if value.Truth(a.Code) {
		c.Run.SetRetcode(1)
	}
	return true, nil
}

type ttyArgs struct {
	Args   []any      `py:"*args"`    // anything
	Kwargs *value.Map `py:"**kwargs"` // more arguments, which are ignored
}

// tty was replaced by cmd.tty, and says so.
func tty(c *salt.Ctx, a ttyArgs) (string, error) {
	return "ERROR: This function has been moved to cmd.tty", nil
}

// stack returns the stack of calls that led here.
func stack(c *salt.Ctx, a salt.NoArgs) (string, error) {
	return strings.TrimRight(string(debug.Stack()), "\n") + "\n", nil
}

// deprecationWarning logs a warning of the kind that deprecated arguments give.
func deprecationWarning(c *salt.Ctx, a salt.NoArgs) (bool, error) {
	c.Log.Warn("This is a test deprecation warning by version.")
	c.Log.Warn("This is a test deprecation warning by date very far into the future (3000-01-01).")
	return true, nil
}
