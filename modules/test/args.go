package test

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type echoArgs struct {
	Text any `py:"text"` // what to return
}

// echo returns its argument as it is.
func echo(c *salt.Ctx, a echoArgs) (any, error) { return a.Text, nil }

type outputterArgs struct {
	Data any `py:"data"` // what to return
}

// outputter returns its argument, to try an outputter on.
func outputter(c *salt.Ctx, a outputterArgs) (any, error) { return a.Data, nil }

type kwargArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // anything
}

// kwarg returns its keyword arguments.
func kwarg(c *salt.Ctx, a kwargArgs) (*value.Map, error) { return a.Kwargs, nil }

type argArgs struct {
	Args   []any      `py:"*args"`    // anything
	Kwargs *value.Map `py:"**kwargs"` // anything
}

// arg returns its positional and keyword arguments.
func arg(c *salt.Ctx, a argArgs) (*value.Map, error) {
	return value.M("args", value.Tuple(a.Args), "kwargs", a.Kwargs), nil
}

type argReprArgs struct {
	Args   []any      `py:"*args"`    // anything
	Kwargs *value.Map `py:"**kwargs"` // anything
}

// argRepr returns Python's repr of its arguments.
func argRepr(c *salt.Ctx, a argReprArgs) (*value.Map, error) {
	return value.M("args", value.Repr(value.Tuple(a.Args)), "kwargs", value.Repr(a.Kwargs)), nil
}

type argTypeArgs struct {
	Args   []any      `py:"*args"`    // anything
	Kwargs *value.Map `py:"**kwargs"` // anything
}

// argType returns the Python types of its arguments.
func argType(c *salt.Ctx, a argTypeArgs) (*value.Map, error) {
	args, kwargs := value.L(), new(value.Map)
	for _, v := range a.Args {
		args.Append(class(v))
	}
	for k, v := range a.Kwargs.Items() {
		kwargs.Set(k, class(v))
	}
	return value.M("args", args, "kwargs", kwargs), nil
}

// class is Python's str(type(v)).
func class(v any) string {
	name := value.TypeName(v)
	switch name {
	case "datetime", "date":
		name = "datetime." + name
	}
	return "<class '" + name + "'>"
}

type argCleanArgs struct {
	Args   []any      `py:"*args"`    // anything
	Kwargs *value.Map `py:"**kwargs"` // anything; names that begin with two underscores are dropped
}

// argClean is test.arg without the arguments that the engine adds.
func argClean(c *salt.Ctx, a argCleanArgs) (*value.Map, error) {
	return value.M("args", value.Tuple(a.Args), "kwargs", clean(a.Kwargs)), nil
}

// clean drops the names that begin with two underscores.
func clean(kw *value.Map) *value.Map {
	out := value.NewMap(kw.Len())
	for k, v := range kw.Items() {
		if !strings.HasPrefix(k, "__") {
			out.Set(k, v)
		}
	}
	return out
}
