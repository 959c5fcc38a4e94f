// Package saltfilters holds the filters and tests that Salt adds to Jinja:
// those of salt.utils (regex_replace, to_bool, ipaddr …) and those of its
// serializer extension (yaml, json, load_yaml, zip …).
//
//	fs, tests := filters.Builtin()
//	saltfilters.Add(fs, tests, func(*jinja.State) saltfilters.Host { return host })
//	env := &jinja.Env{Filters: fs, Tests: tests}
package saltfilters

import (
	"context"
	"errors"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

// A Host is what filters need of the machine. A filter whose part is not there
// fails when it is used. Add takes a function that finds the host of a render
// (from State.Data, say), so that one table of filters serves all renders.
type Host struct {
	// Sys is for file_hashsum, is_empty, is_text_file, is_bin_file, list_files,
	// which and get_uid.
	Sys sys.Sys
	// Query is http.query for http_query: the URL is the first argument.
	Query func(ctx context.Context, args []any, kw *value.Map) (any, error)
	// Resolve gives the addresses of a name that answer on a port, in the order
	// to be tried: ipv6 is nil for both families. It is for dns_check.
	Resolve func(ctx context.Context, name string, port int64, ipv6 *bool) ([]string, error)
}

// Add puts Salt's filters and tests over those that are there.
func Add(fs, tests map[string]jinja.Func, host func(*jinja.State) Host) {
	re := new(regexCache)
	for _, t := range [][]filters.Entry{
		basicFilters(), listFilters(), dataFilters(), dictFilters(), textFilters(), regexFilters(re), hashFilters(),
		networkFilters(), encodeFilters(), serialFilters(), randomFilters(), timeFilters(host), fileFilters(host), hostFilters(host),
	} {
		filters.Add(fs, t)
	}
	addItertools(fs)
	filters.Add(tests, saltTests(re))
}

func saltTests(re *regexCache) []filters.Entry {
	return []filters.Entry{
		{Names: []string{"match"}, Sig: sig("test_match", "txt rgx", "ignorecase", false, "multiline", false), Do: re.test},
		{Names: []string{"equalto"}, Sig: sig("test_equalto", "value other"), Do: func(c *jinja.Call, a []any) (any, error) { return c.State.Compare("==", a[0], a[1]) }},
		{Names: []string{"list"}, Sig: sig("is_list", "value"), Do: isList},
	}
}

// entry declares a filter of one name; sig, its Python signature: required
// names with blanks between, then optional names and defaults.
func entry(name string, s py.Signature, do func(*jinja.Call, []any) (any, error)) filters.Entry {
	return filters.Entry{Names: []string{name}, Sig: s, Do: do}
}

func typeError(format string, a ...any) error { return value.Errorf("TypeError", format, a...) }

// isA reports whether err is one of Python's exceptions of the given classes.
func isA(err error, classes ...string) bool {
	var e *value.Exception
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range classes {
		if e.Class == c {
			return true
		}
	}
	return false
}

// classOf is Python's str(type(v)).
func classOf(v any) string {
	switch v := v.(type) {
	case *jinja.Undefined:
		return "<class 'jinja2.runtime." + v.TypeName() + "'>"
	case py.Markup:
		return "<class 'markupsafe.Markup'>"
	}
	return "<class '" + py.TypeName(v) + "'>"
}

// hashable is isinstance(v, Hashable).
func hashable(v any) bool {
	switch v.(type) {
	case *value.List, *value.Map, *value.Set:
		return false
	}
	return true
}

// strictIn collects the strict undefined values inside of v.
func strictIn(v any, seen map[any]bool, out []*jinja.Undefined) []*jinja.Undefined {
	switch v := v.(type) {
	case *jinja.Undefined:
		if v.StrictErr() != nil {
			out = append(out, v)
		}
	case *value.Map:
		if !seen[v] {
			seen[v] = true
			for k, it := range v.All() {
				out = strictIn(it, seen, strictIn(k, seen, out))
			}
		}
	case *value.List:
		if !seen[v] {
			seen[v] = true
			for _, it := range v.Items {
				out = strictIn(it, seen, out)
			}
		}
	case value.Tuple:
		for _, it := range v {
			out = strictIn(it, seen, out)
		}
	}
	return out
}

// strict makes a filter give an undefined value when its input holds one,
// instead of an error: "default" may follow.
func strict(do func(*jinja.Call, []any) (any, error)) func(*jinja.Call, []any) (any, error) {
	return func(c *jinja.Call, a []any) (any, error) {
		if u := undefinedOf(c, a[0]); u != nil {
			return u, nil
		}
		return do(c, a)
	}
}

// defined makes a filter refuse an input that is an undefined value.
func defined(do func(*jinja.Call, []any) (any, error)) func(*jinja.Call, []any) (any, error) {
	return func(c *jinja.Call, a []any) (any, error) {
		if u, ok := a[0].(*jinja.Undefined); ok {
			if err := u.StrictErr(); err != nil {
				return nil, err
			}
		}
		return do(c, a)
	}
}

func undefinedOf(c *jinja.Call, v any) any {
	switch v.(type) {
	case *jinja.Undefined, *value.Map, *value.List, value.Tuple:
	default:
		return nil
	}
	found := strictIn(v, map[any]bool{}, nil)
	if len(found) == 0 {
		return nil
	}
	msg := ""
	for i, u := range found {
		if i > 0 {
			msg += "\n"
		}
		msg += u.Message()
	}
	return c.State.Env.UndefHint(msg, "")
}

// regexError makes Python's re.error of an error of package pyre.
func regexError(err error) error {
	var e *pyre.Error
	if errors.As(err, &e) {
		return &value.Exception{Class: "error", Msg: e.Error()}
	}
	return err
}
