// Package matcher says whether a target expression means this minion: the
// targets of top files, match.* functions and node groups. The main type is
// Minion; grains are read only as far as an expression asks for them.
//
//	m := matcher.Minion{ID: "web1", Grains: grains}
//	ok, err := m.Match("compound", "web* and G@os:Debian", "")
package matcher

import (
	"pinch/value"
)

// A Minion is what targets are matched against. All maps may be nil.
type Minion struct {
	ID         string
	Grains     *value.Map
	Pillar     *value.Map
	Nodegroups *value.Map // name → expression, a string or a list of words
	Resources  *value.Map // resource type → list of ids
	Data       *value.Map // the minion's data store (data.getval); nil: there is none
	// Custom asks a custom matcher; found is false when there is none of that
	// kind. It may be nil.
	Custom func(kind string, expr any) (ok, found bool, err error)
}

// DefaultDelimiter stands between the parts of a path in grain and pillar
// targets.
const DefaultDelimiter = ":"

// Match reports whether expr, read by the matcher of the given kind (glob,
// compound, grain …), means this minion. An empty delimiter is the default
// one; only grain and pillar matchers use it. The errors are those that
// Salt's matchers raise as exceptions; an unknown kind is a KeyError.
func (m *Minion) Match(kind string, expr any, delimiter string) (bool, error) {
	if delimiter == "" {
		delimiter = DefaultDelimiter
	}
	if m.Custom != nil {
		if ok, found, err := m.Custom(kind, expr); found || err != nil {
			return ok, err
		}
	}
	switch kind {
	case "glob":
		return m.glob(expr), nil
	case "pcre":
		return m.pcre(expr)
	case "list":
		return m.list(expr), nil
	case "grain":
		return subdict(m.Grains, expr, delimiter, byGlob)
	case "grain_pcre":
		return subdict(m.Grains, expr, delimiter, byRegexp)
	case "pillar":
		return subdict(m.Pillar, expr, delimiter, byGlob)
	case "pillar_exact":
		return subdict(m.Pillar, expr, delimiter, exactly)
	case "pillar_pcre":
		return subdict(m.Pillar, expr, delimiter, byRegexp)
	case "ipcidr":
		return m.ipcidr(expr)
	case "compound":
		return m.compound(expr)
	case "nodegroup":
		return m.nodegroup(expr, m.Nodegroups)
	case "data":
		return m.data(expr)
	case "range":
		return false, nil // as Salt answers without its range library
	case "resource":
		return m.resource(expr)
	case "managing_minion":
		return value.Equal(m.ID, expr), nil
	}
	return false, value.Errorf("KeyError", "'%s_match.match'", kind)
}

// ConfirmTop reports whether a target of a top file means this minion. data is
// what stands under the target: the last "match:" item in it names the
// matcher, compound when there is none.
func (m *Minion) ConfirmTop(tgt, data any) (bool, error) {
	kind := any("compound")
	items, err := iterate(data)
	if err != nil {
		return false, err
	}
	for _, it := range items {
		if d, ok := it.(*value.Map); ok {
			if k, ok := d.Get("match"); ok {
				kind = k
			}
		}
	}
	name, ok := kind.(string)
	if !ok {
		return false, value.Errorf("TypeError", "unsupported operand type(s) for +: '%s' and 'str'", value.TypeName(kind))
	}
	return m.Match(name, tgt, "")
}

func iterate(v any) ([]any, error) {
	switch v := v.(type) {
	case *value.List:
		return v.Items, nil
	case value.Tuple:
		return v, nil
	case *value.Map, string:
		return nil, nil // keys and letters: no item can be a map
	}
	return nil, value.Errorf("TypeError", "'%s' object is not iterable", value.TypeName(v))
}

func notIterable(v any) error {
	return value.Errorf("TypeError", "argument of type '%s' is not iterable", value.TypeName(v))
}
