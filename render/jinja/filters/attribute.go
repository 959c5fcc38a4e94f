package filters

import (
	"strconv"
	"strings"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// A path is the attribute argument of filters: "a.b.0" as its parts; numbers
// are list places.
type path []any

func newPath(attr any) path {
	s, ok := py.Text(attr)
	switch {
	case attr == nil:
		return nil
	case !ok:
		return path{attr}
	}
	var p path
	for _, part := range strings.Split(s, ".") {
		if n, err := strconv.ParseInt(part, 10, 64); err == nil && part[0] != '-' && part[0] != '+' {
			p = append(p, n)
		} else {
			p = append(p, part)
		}
	}
	return p
}

// get walks down from v; an undefined step becomes dflt unless that is nil.
func (p path) get(st *jinja.State, v, dflt any) (any, error) {
	var err error
	for _, part := range p {
		if v, err = st.GetItem(v, part); err != nil {
			return nil, err
		}
		if _, undefined := v.(*jinja.Undefined); undefined && dflt != nil {
			v = dflt
		}
	}
	return v, nil
}

// keyFunc reads an attribute path for sorting, without case unless sensitive.
func keyFunc(st *jinja.State, attr, dflt any, sensitive bool) func(any) (any, error) {
	p := newPath(attr)
	return func(v any) (any, error) {
		v, err := p.get(st, v, dflt)
		if err != nil || sensitive {
			return v, err
		}
		return ignoreCase(v), nil
	}
}

// keysFunc is keyFunc for several paths, "a.b,c".
func keysFunc(st *jinja.State, attr any, sensitive bool) func(any) (any, error) {
	s, ok := py.Text(attr)
	if !ok || !strings.Contains(s, ",") {
		key := keyFunc(st, attr, nil, sensitive)
		return func(v any) (any, error) {
			k, err := key(v)
			switch k.(type) {
			case string, int64:
				return k, err
			}
			return value.Tuple{k}, err // equal keys need no order then
		}
	}
	var keys []func(any) (any, error)
	for _, one := range strings.Split(s, ",") {
		keys = append(keys, keyFunc(st, one, nil, sensitive))
	}
	return func(v any) (any, error) {
		l := new(value.List)
		for _, key := range keys {
			k, err := key(v)
			if err != nil {
				return nil, err
			}
			l.Append(k)
		}
		return l, nil
	}
}

func ignoreCase(v any) any {
	if s, ok := py.Text(v); ok {
		return py.Lower(s)
	}
	return v
}
