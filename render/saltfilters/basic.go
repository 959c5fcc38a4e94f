package saltfilters

import (
	"math/big"
	"strings"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func basicFilters() []filters.Entry {
	return []filters.Entry{
		entry("skip", sig("skip_filter", "data"), func(*jinja.Call, []any) (any, error) { return "", nil }),
		entry("sequence", sig("ensure_sequence_filter", "data"), sequence),
		entry("to_bool", sig("to_bool", "val"), toBool),
		entry("quote", sig("quote", "txt"), defined(quote)),
		entry("method_call", sig("method_call", "obj f_name", "*", "**"), methodCall),
		entry("is_list", sig("is_list", "value"), isList),
		entry("is_iter", sig("is_iter", "thing", "ignore", "str"), isIter),
		entry("to_num", sig("to_num", "text"), toNum),
		entry("str_to_num", sig("to_num", "text"), toNum),
		entry("is_hex", sig("is_hex", "value"), isHex),
	}
}

func sequence(_ *jinja.Call, a []any) (any, error) {
	switch a[0].(type) {
	case *value.List, value.Tuple, *value.Set, *value.Map:
		return a[0], nil
	}
	return value.L(a[0]), nil
}

// toBool takes yes, 1 and true for true whatever their case, positive ints,
// and whatever lists, dicts and sets that hold something.
func toBool(_ *jinja.Call, a []any) (any, error) {
	switch v := a[0].(type) {
	case bool:
		return v, nil
	case string, py.Markup:
		s, _ := py.Text(v)
		s = py.Lower(s)
		return s == "yes" || s == "1" || s == "true", nil
	case int64:
		return v > 0, nil
	case *big.Int:
		return v.Sign() > 0, nil
	}
	return !hashable(a[0]) && value.Truth(a[0]), nil
}

// quote is Python's shlex.quote.
func quote(_ *jinja.Call, a []any) (any, error) {
	s, ok := py.Text(a[0])
	switch {
	case !ok && !value.Truth(a[0]) && a[0] == nil:
		return "''", nil
	case !ok:
		return nil, typeError("expected string or bytes-like object, got '%s'", py.TypeName(a[0]))
	case s == "":
		return "''", nil
	}
	for _, r := range s {
		if r >= 0x80 || !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r)) {
			return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'", nil
		}
	}
	return s, nil
}

// methodCall calls a method by its name; without such a method it gives None.
func methodCall(c *jinja.Call, a []any) (any, error) {
	name, ok := py.Text(a[1])
	if !ok {
		return nil, typeError("attribute name must be string, not '%s'", py.TypeName(a[1]))
	}
	if u, ok := a[0].(*jinja.Undefined); ok {
		return nil, u.UndefinedError()
	}
	args, kw := a[2].(value.Tuple), a[3].(*value.Map)
	if f, ok := py.Method(a[0], name); ok {
		return f(args, kw)
	}
	if g, ok := a[0].(jinja.AttrGetter); ok {
		f, ok, err := g.GetAttr(c.State, name)
		if err != nil || !ok {
			return nil, err
		}
		return c.State.Call(f, &jinja.Call{State: c.State, Context: c.Context, Args: args, Kwargs: kw})
	}
	return nil, nil
}

func isList(_ *jinja.Call, a []any) (any, error) { _, ok := a[0].(*value.List); return ok, nil }

func isIter(_ *jinja.Call, a []any) (any, error) {
	if _, text := py.Text(a[0]); text && value.Truth(a[1]) {
		return false, nil
	}
	if u, ok := a[0].(*jinja.Undefined); ok {
		return true, u.StrictErr()
	}
	return py.CanIterate(a[0]), nil
}

func toNum(_ *jinja.Call, a []any) (any, error) {
	i, err := py.Int(a[0])
	if !isA(err, "ValueError") {
		return i, err
	}
	f, err := py.Float(a[0])
	if isA(err, "ValueError") {
		return a[0], nil
	}
	return f, err
}

func isHex(_ *jinja.Call, a []any) (any, error) {
	if _, undefined := a[0].(*jinja.Undefined); undefined {
		return false, nil
	}
	_, err := py.IntBase(a[0], 16)
	if isA(err, "TypeError", "ValueError") {
		return false, nil
	}
	return err == nil, err
}
