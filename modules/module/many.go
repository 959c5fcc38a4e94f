package module

import (
	"errors"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// runAll is the newer form: functions as keys, lists of arguments as values.
func runAll(c *salt.Ctx, kw *value.Map) salt.Result {
	var funs []string
	names := value.L()
	for k := range kw.Items() {
		if k == "name" {
			continue
		}
		names.Append(k)
		if strings.Contains(k, ".") {
			funs = append(funs, k)
		}
	}
	r := many(c, kw, funs)
	if r.Err() == nil {
		r.Extra = value.M("name", names)
	}
	return r
}

func many(c *salt.Ctx, kw *value.Map, funs []string) salt.Result {
	if len(funs) == 0 {
		return salt.Failed("No function provided.")
	}
	var missing, tests []string
	for _, fun := range funs {
		name, _, _ := strings.Cut(fun, ":")
		if _, err := c.Registry().Offered(c, name); err != nil {
			missing = append(missing, name)
		} else if c.Test {
			tests = append(tests, name)
		}
	}
	if len(missing)+len(tests) > 0 {
		r := salt.Would(nil, "%s", preview(missing, tests))
		if len(missing) > 0 {
			r.Result = salt.False()
		}
		return r
	}
	changes := new(value.Map)
	var failures, success []string
	for _, fun := range funs {
		name, _, _ := strings.Cut(fun, ":")
		ret, err := callMany(c, name, kw.At(fun))
		if err != nil {
			if !argumentError(err) {
				return salt.Raised(err)
			}
			failures = append(failures, "'"+fun+"' failed: "+err.Error())
			continue
		}
		handOver(c, kw.At("returner"), name, ret)
		m, isMap := ret.(*value.Map)
		switch {
		case !succeeded(ret) && isMap:
			failures = append(failures, "'"+fun+"' failed: "+commentOf(m, "(error message N/A)"))
		case !succeeded(ret):
			failures = append(failures, "'"+fun+"': "+value.Str(ret))
		case isMap:
			success = append(success, fun+": "+commentOf(m, "Success"))
			changes.Set(fun, ret)
		default:
			success = append(success, fun+": "+value.Str(ret))
			changes.Set(fun, ret)
		}
	}
	r := salt.Changed(changes, "%s", strings.Join(append(failures, success...), ", "))
	if len(failures) > 0 {
		r.Result = salt.False()
	}
	return r
}

// preview is what test=True says. The word True for a plural is Salt's.
func preview(missing, tests []string) string {
	plural := func(names []string) string {
		if len(names) > 1 {
			return "True"
		}
		return ""
	}
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "Unavailable function"+plural(missing)+": "+strings.Join(missing, ", ")+".")
	}
	if len(tests) > 0 {
		parts = append(parts, "Function"+plural(tests)+" "+strings.Join(tests, ", ")+" to be executed.")
	}
	return strings.Join(parts, " ")
}

func commentOf(m *value.Map, usual string) string {
	if v, ok := m.Get("comment"); ok {
		return value.Str(v)
	}
	return usual
}

func argumentError(err error) bool {
	var e *value.Exception
	return errors.As(err, &e) && (e.Class == "SaltInvocationError" || e.Class == "TypeError")
}

// callMany calls a function with a list of arguments, in which mappings are
// keyword arguments. A required argument that is given by name takes the place
// after the positional ones, as in Salt.
func callMany(c *salt.Ctx, name string, given any) (any, error) {
	f, err := c.Registry().Offered(c, name)
	if err != nil {
		return nil, salt.InvocationError("Module function %s is not available (not on ``whitelist_modules``)", name)
	}
	var required []string
	for _, p := range f.Signature().Params {
		if p.Required && !p.KeywordOnly {
			required = append(required, p.Name)
		}
	}
	var args []any
	named, kw := new(value.Map), new(value.Map)
	for _, it := range slices.Backward(items(given)) {
		m, ok := it.(*value.Map)
		if !ok {
			args = append(args, it)
			continue
		}
		for k, v := range m.Items() {
			if slices.Contains(required, k) {
				named.Set(k, v)
			} else {
				kw.Update(m)
			}
		}
	}
	slices.Reverse(args)
	for _, p := range required {
		if v, ok := named.Get(p); ok {
			args = append(args, v)
		}
	}
	if err := enough(f.Signature(), len(required), len(args), kw); err != nil {
		return nil, err
	}
	return c.CallFunc(c, name, args, kw)
}

func enough(s *salt.Signature, required, passed int, kw *value.Map) error {
	if required <= passed {
		return nil
	}
	var missing []string
	now := passed
	for i, p := range s.Params {
		switch {
		case p.KeywordOnly || i < passed:
		case kw.Has(p.Name) || !p.Required:
			now++
		default:
			missing = append(missing, p.Name)
		}
	}
	if len(missing) > 0 {
		return salt.InvocationError("Missing arguments: %s", strings.Join(missing, ", "))
	}
	if required > now {
		return salt.InvocationError("Function expects %d positional parameters, got only %d", required, now)
	}
	return nil
}

func items(v any) []any {
	switch v := v.(type) {
	case *value.List:
		return v.Items
	case value.Tuple:
		return v
	case *value.Map:
		return v.Keys()
	case string:
		var out []any
		for _, r := range v {
			out = append(out, string(r))
		}
		return out
	}
	return nil
}
