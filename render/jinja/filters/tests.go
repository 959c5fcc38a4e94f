package filters

import (
	"math/big"
	"reflect"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func is(name string, required ...string) py.Signature {
	return py.Signature{Name: "test_" + name, Required: append([]string{"value"}, required...)}
}

// yes makes a test of a question about one value.
func yes(ask func(v any) bool) func(*jinja.Call, []any) (any, error) {
	return func(_ *jinja.Call, a []any) (any, error) { return ask(a[0]), nil }
}

func isUndefined(v any) bool { _, ok := v.(*jinja.Undefined); return ok }

func tableOfTests() []Entry {
	return []Entry{
		{[]string{"defined"}, is("defined"), yes(func(v any) bool { return !isUndefined(v) })},
		{[]string{"undefined"}, is("undefined"), yes(isUndefined)},
		{[]string{"none"}, is("none"), yes(func(v any) bool { return v == nil })},
		{[]string{"boolean"}, is("boolean"), yes(func(v any) bool { _, ok := v.(bool); return ok })},
		{[]string{"true"}, is("true"), yes(func(v any) bool { b, ok := v.(bool); return ok && b })},
		{[]string{"false"}, is("false"), yes(func(v any) bool { b, ok := v.(bool); return ok && !b })},
		{[]string{"integer"}, is("integer"), yes(isInteger)},
		{[]string{"float"}, is("float"), yes(func(v any) bool { _, ok := v.(float64); return ok })},
		{[]string{"number"}, is("number"), yes(isNumber)},
		{[]string{"string"}, is("string"), yes(func(v any) bool { _, ok := py.Text(v); return ok })},
		{[]string{"mapping"}, is("mapping"), yes(isMapping)},
		{[]string{"sequence"}, is("sequence"), yes(isSequence)},
		{[]string{"callable"}, is("callable"), yes(jinja.IsCallable)},
		{[]string{"escaped"}, is("escaped"), yes(func(v any) bool { _, ok := v.(py.Markup); return ok })},
		{[]string{"iterable"}, is("iterable"), isIterable},
		{[]string{"odd"}, is("odd"), remainder(1)},
		{[]string{"even"}, is("even"), remainder(0)},
		{[]string{"divisibleby"}, is("divisibleby", "num"), divisible},
		{[]string{"lower"}, is("lower"), isCase(py.IsLower)},
		{[]string{"upper"}, is("upper"), isCase(py.IsUpper)},
		{[]string{"sameas"}, is("sameas", "other"), func(_ *jinja.Call, a []any) (any, error) { return same(a[0], a[1]), nil }},
		{[]string{"in"}, is("in", "seq"), func(c *jinja.Call, a []any) (any, error) { return c.State.Compare("in", a[0], a[1]) }},
		{[]string{"filter"}, py.Signature{Name: "test_filter", Hidden: 1, Required: []string{"value"}}, func(c *jinja.Call, a []any) (any, error) {
			return known(a[0], c.State.Env.Filters)
		}},
		{[]string{"test"}, py.Signature{Name: "test_test", Hidden: 1, Required: []string{"value"}}, func(c *jinja.Call, a []any) (any, error) {
			return known(a[0], c.State.Env.Tests)
		}},
	}
}

// addOperators adds the comparisons, which are C functions in Python.
func addOperators(tests map[string]jinja.Func) {
	for _, op := range []struct {
		fn, op string
		names  []string
	}{
		{"eq", "==", []string{"==", "eq", "equalto"}},
		{"ne", "!=", []string{"!=", "ne"}},
		{"gt", ">", []string{">", "gt", "greaterthan"}},
		{"ge", ">=", []string{">=", "ge"}},
		{"lt", "<", []string{"<", "lt", "lessthan"}},
		{"le", "<=", []string{"<=", "le"}},
	} {
		f := func(c *jinja.Call) (any, error) {
			if c.Kwargs.Len() > 0 {
				return nil, value.Errorf("TypeError", "%s() takes no keyword arguments", op.fn)
			}
			if len(c.Args) != 2 {
				return nil, value.Errorf("TypeError", "%s expected 2 arguments, got %d", op.fn, len(c.Args))
			}
			return c.State.Compare(op.op, c.Args[0], c.Args[1])
		}
		for _, name := range op.names {
			tests[name] = f
		}
	}
}

func isInteger(v any) bool {
	switch v.(type) {
	case int64, *big.Int:
		return true
	}
	return false
}

func isNumber(v any) bool {
	switch v.(type) {
	case bool, float64:
		return true
	}
	return isInteger(v)
}

// isMapping also takes objects that say they are mappings.
func isMapping(v any) bool {
	switch v := v.(type) {
	case *value.Map:
		return true
	case interface{ IsMapping() bool }:
		return v.IsMapping()
	}
	return false
}

func isSequence(v any) bool {
	switch v.(type) {
	case string, py.Markup, []byte, *value.List, value.Tuple, *value.Map, py.Range:
		return true
	case *value.Set, py.View, *jinja.Undefined, nil, bool, int64, float64:
		return false
	}
	_, sized := v.(interface{ Len() int })
	_, items := v.(jinja.ItemGetter)
	_, index := v.(py.Indexer)
	return sized && (items || index)
}

func isIterable(_ *jinja.Call, a []any) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		return true, u.StrictErr()
	}
	return py.CanIterate(a[0]), nil
}

func remainder(want int64) func(*jinja.Call, []any) (any, error) {
	return func(_ *jinja.Call, a []any) (any, error) {
		if n, ok := a[0].(int64); ok {
			return n&1 == want, nil
		}
		r, err := py.Mod(a[0], int64(2))
		return value.Equal(r, want), err
	}
}

func divisible(_ *jinja.Call, a []any) (any, error) {
	r, err := py.Mod(a[0], a[1])
	return err == nil && value.Equal(r, int64(0)), err
}

func isCase(ask func(string) bool) func(*jinja.Call, []any) (any, error) {
	return func(c *jinja.Call, a []any) (any, error) {
		s, err := c.State.Str(a[0])
		return ask(s), err
	}
}

// same is Python's "is": containers by identity, small values by type and value.
func same(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if a == nil || b == nil || x.Type() != y.Type() {
		return a == nil && b == nil
	}
	if x.Kind() == reflect.Slice {
		return x.Len() == y.Len() && (x.Len() == 0 || x.Pointer() == y.Pointer())
	}
	return x.Comparable() && y.Comparable() && a == b
}

func known(name any, in map[string]jinja.Func) (any, error) {
	if u, ok := name.(*jinja.Undefined); ok {
		return nil, u.UndefinedError()
	}
	s, ok := py.Text(name)
	if !ok {
		_, err := value.HashKey(name)
		return false, err
	}
	_, ok = in[s]
	return ok, nil
}
