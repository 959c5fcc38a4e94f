package py

import (
	"slices"
	"strconv"
	"strings"

	"pinch/value"
)

// A Signature is the head of a Python function: def Name(Required, Optional=…,
// *args, **kw). Bind checks a call against it with Python's error texts.
type Signature struct {
	Name     string
	Hidden   int // leading arguments that the engine adds; they count in messages
	Required []string
	Optional []Default
	Args     bool // *args
	Kwargs   bool // **kw
}

// A Default is an argument that may be left out.
type Default struct {
	Name  string
	Value any
}

// Bind gives the arguments in the order of the declaration; then, when the
// function takes them, a value.Tuple of further ones and a *value.Map of
// further keywords.
func (s *Signature) Bind(args []any, kw *value.Map) ([]any, error) {
	n := len(s.Required) + len(s.Optional)
	if len(args) == n && kw.Len() == 0 && !s.Args && !s.Kwargs {
		return args, nil
	}
	out := make([]any, n, n+2)
	given := min(len(args), n)
	copy(out, args[:given])
	for i := given; i < n; i++ {
		out[i] = absent
	}
	var rest *value.Map
	if s.Kwargs {
		rest = new(value.Map)
	}
	for k, v := range kw.Items() {
		i := s.index(k)
		switch {
		case i >= 0 && i < given:
			return nil, typeError("%s() got multiple values for argument '%s'", s.Name, k)
		case i >= 0:
			out[i] = v
		case s.Kwargs:
			rest.Set(k, v)
		default:
			return nil, typeError("%s() got an unexpected keyword argument '%s'", s.Name, k)
		}
	}
	if len(args) > n && !s.Args {
		return nil, s.tooMany(len(args))
	}
	if err := s.fill(out); err != nil {
		return nil, err
	}
	if s.Args {
		out = append(out, value.Tuple(slices.Clone(args[given:])))
	}
	if s.Kwargs {
		out = append(out, rest)
	}
	return out, nil
}

func (s *Signature) index(name string) int {
	if i := slices.Index(s.Required, name); i >= 0 {
		return i
	}
	i := slices.IndexFunc(s.Optional, func(d Default) bool { return d.Name == name })
	if i >= 0 {
		i += len(s.Required)
	}
	return i
}

func (s *Signature) tooMany(given int) error {
	low, high := len(s.Required)+s.Hidden, len(s.Required)+len(s.Optional)+s.Hidden
	takes, arguments := strconv.Itoa(high), "argument"+plural(high)
	if low < high {
		takes, arguments = "from "+strconv.Itoa(low)+" to "+takes, "arguments"
	}
	were := "were"
	if given+s.Hidden == 1 {
		were = "was"
	}
	return typeError("%s() takes %s positional %s but %d %s given", s.Name, takes, arguments, given+s.Hidden, were)
}

// fill puts the defaults in, or names what is missing.
func (s *Signature) fill(out []any) error {
	var lack []string
	for i := range out {
		if _, open := out[i].(missing); !open {
			continue
		}
		if i < len(s.Required) {
			lack = append(lack, "'"+s.Required[i]+"'")
		} else {
			out[i] = s.Optional[i-len(s.Required)].Value
		}
	}
	n := len(lack)
	var names string
	switch n {
	case 0:
		return nil
	case 1, 2:
		names = strings.Join(lack, " and ")
	default:
		names = strings.Join(lack[:n-1], ", ") + ", and " + lack[n-1]
	}
	return typeError("%s() missing %d required positional argument%s: %s", s.Name, n, plural(n), names)
}
