package saltfilters

import (
	"sync"
	"sync/atomic"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

func regexFilters(re *regexCache) []filters.Entry {
	return []filters.Entry{
		entry("regex_escape", sig("regex_escape", "value"), regexEscape),
		entry("regex_search", sig("regex_search", "txt rgx", "ignorecase", false, "multiline", false), func(_ *jinja.Call, a []any) (any, error) {
			return re.find(a, (*pyre.Regexp).Search)
		}),
		entry("regex_match", sig("regex_match", "txt rgx", "ignorecase", false, "multiline", false), func(_ *jinja.Call, a []any) (any, error) {
			return re.find(a, (*pyre.Regexp).Match)
		}),
		entry("regex_replace", sig("regex_replace", "txt rgx val", "ignorecase", false, "multiline", false), re.replace),
	}
}

// regexCache keeps compiled expressions: templates use few, in loops.
type regexCache struct {
	m sync.Map // regexKey -> *pyre.Regexp
	n atomic.Int32
}

type regexKey struct {
	pattern string
	flags   pyre.Flags
}

const maxCached = 256

func subject(v any) (string, error) {
	s, ok := py.Text(v)
	if !ok {
		return "", typeError("expected string or bytes-like object, got '%s'", py.TypeName(v))
	}
	return s, nil
}

func (rc *regexCache) compile(rgx, ignorecase, multiline any) (*pyre.Regexp, error) {
	s, ok := py.Text(rgx)
	if !ok {
		if !hashable(rgx) {
			return nil, typeError("unhashable type: '%s'", py.TypeName(rgx))
		}
		return nil, typeError("first argument must be string or compiled pattern")
	}
	var f pyre.Flags
	if value.Truth(ignorecase) {
		f |= pyre.IgnoreCase
	}
	if value.Truth(multiline) {
		f |= pyre.Multiline
	}
	key := regexKey{s, f}
	if re, ok := rc.m.Load(key); ok {
		return re.(*pyre.Regexp), nil
	}
	re, err := pyre.Compile(s, f)
	if err == nil && rc.n.Add(1) <= maxCached {
		rc.m.Store(key, re)
	}
	return re, regexError(err)
}

func regexEscape(_ *jinja.Call, a []any) (any, error) {
	s, ok := py.Text(a[0])
	if !ok {
		return nil, typeError("decoding to str: need a bytes-like object, %s found", py.TypeName(a[0]))
	}
	return pyre.Escape(s), nil
}

func (rc *regexCache) test(_ *jinja.Call, a []any) (any, error) {
	re, err := rc.compile(a[1], a[2], a[3])
	if err != nil {
		return nil, err
	}
	s, err := subject(a[0])
	if err != nil {
		return nil, err
	}
	return re.Match(s) != nil, nil
}

func (rc *regexCache) find(a []any, find func(*pyre.Regexp, string) *pyre.Match) (any, error) {
	re, err := rc.compile(a[1], a[2], a[3])
	if err != nil {
		return nil, err
	}
	s, err := subject(a[0])
	if err != nil {
		return nil, err
	}
	m := find(re, s)
	if m == nil {
		return nil, nil
	}
	if re.Groups() == 0 {
		return value.Tuple{m.Text()}, nil
	}
	out := make(value.Tuple, re.Groups())
	for i := range out {
		if g, ok := m.Group(i + 1); ok {
			out[i] = g
		}
	}
	return out, nil
}

func (rc *regexCache) replace(c *jinja.Call, a []any) (any, error) {
	re, err := rc.compile(a[1], a[3], a[4])
	if err != nil {
		return nil, err
	}
	s, err := subject(a[0])
	if err != nil {
		return nil, err
	}
	with, ok := py.Text(a[2])
	if ok {
		out, _, err := re.Sub(with, s, 0)
		return out, regexError(err)
	}
	if !jinja.IsCallable(a[2]) {
		return nil, typeError("decoding to str: need a bytes-like object, %s found", py.TypeName(a[2]))
	}
	var failed error
	out, _ := re.SubFunc(s, 0, func(m *pyre.Match) string {
		v, err := c.State.Call(a[2], &jinja.Call{State: c.State, Context: c.Context, Args: []any{m.Text()}})
		if err != nil && failed == nil {
			failed = err
		}
		return value.Str(v)
	})
	return out, failed
}
