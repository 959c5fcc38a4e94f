// Package value is the data model that YAML, Jinja, JSON, msgpack, grains and
// pillar share: Python's, because Salt's trees are written for it.
//
// A value is one of these Go types and nothing else:
//
//	nil  bool  int64  *big.Int  float64  string  []byte
//	*List  Tuple  *Set  *Map  time.Time (a datetime)  Date
//
// They behave as in Python: maps and lists are references and keep their
// order, True == 1 == 1.0 (also as keys), and an empty container is false.
//
//	m := value.M("name", "nginx", "ports", value.L(int64(80), int64(443)))
//	value.Repr(m) // {'name': 'nginx', 'ports': [80, 443]}
package value

import (
	"fmt"
	"math/big"
	"strings"
	"time"
)

// A List is a Python list: every holder of the pointer sees an append.
type List struct{ Items []any }

// L builds a list of the given values.
func L(items ...any) *List { return &List{Items: items} }

// Strings builds a list of strings.
func Strings(items []string) *List {
	l := &List{Items: make([]any, len(items))}
	for i, s := range items {
		l.Items[i] = s
	}
	return l
}

// Len is the number of items; a nil list has none.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.Items)
}

// Append adds values at the end.
func (l *List) Append(v ...any) { l.Items = append(l.Items, v...) }

// A Tuple is a Python tuple: it never changes, and can be a key.
type Tuple []any

// A Set is a Python set that remembers the order of insertion.
type Set struct{ m Map }

// NewSet builds a set; it fails when a value cannot be hashed.
func NewSet(items ...any) (*Set, error) {
	s := new(Set)
	for _, it := range items {
		if err := s.Add(it); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Add puts v into the set; it fails when v cannot be hashed.
func (s *Set) Add(v any) error {
	if s.m.HasKey(v) {
		return nil
	}
	return s.m.SetKey(v, nil)
}

// Has reports whether v is a member.
func (s *Set) Has(v any) bool { return s.m.HasKey(v) }

// Remove takes v out and reports whether it was there.
func (s *Set) Remove(v any) bool { _, ok := s.m.PopKey(v); return ok }

// Len is the number of members.
func (s *Set) Len() int { return s.m.Len() }

// Items returns the members in order of insertion.
func (s *Set) Items() []any { return s.m.Keys() }

// A Date is a Python datetime.date: only year, month and day count.
type Date struct{ time.Time }

// ClassName is Python's type(v).__name__.
func ClassName(v any) string {
	name := TypeName(v)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// TypeName is the name of v's type in Python's error texts: ClassName, of an
// OrderedDict with its module.
func TypeName(v any) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case []byte:
		return "bytes"
	case *List:
		return "list"
	case Tuple:
		return "tuple"
	case *Set:
		return "set"
	case *Map:
		if v.Ordered() {
			return "collections.OrderedDict"
		}
		return "dict"
	case time.Time:
		return "datetime"
	case Date:
		return "date"
	case interface{ TypeName() string }:
		name := v.TypeName()
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return fmt.Sprintf("%T", v)
}

// Truth reports whether Python takes v for true.
func Truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []byte:
		return len(v) > 0
	case *List:
		return v.Len() > 0
	case Tuple:
		return len(v) > 0
	case *Set:
		return v != nil && v.Len() > 0
	case *Map:
		return v.Len() > 0
	case interface{ Truth() bool }:
		return v.Truth()
	}
	return true
}

// Len is Python's len(v): bytes, code points, items or keys.
// ok is false when v has no length.
func Len(v any) (n int, ok bool) {
	switch v := v.(type) {
	case string:
		for range v {
			n++
		}
		return n, true
	case []byte:
		return len(v), true
	case *List:
		return v.Len(), true
	case Tuple:
		return len(v), true
	case *Set:
		return v.Len(), true
	case *Map:
		return v.Len(), true
	case interface{ Len() int }:
		return v.Len(), true
	}
	return 0, false
}

// Of turns ordinary Go values (ints, string slices, maps with string keys,
// sorted by key) into values of the closed set.
func Of(x any) any {
	switch x := x.(type) {
	case int:
		return int64(x)
	case int32:
		return int64(x)
	case uint32:
		return int64(x)
	case uint64:
		return Int(new(big.Int).SetUint64(x))
	case *big.Int:
		return Int(x)
	case []string:
		return Strings(x)
	case []any:
		l := &List{Items: make([]any, len(x))}
		for i, v := range x {
			l.Items[i] = Of(v)
		}
		return l
	case map[string]any:
		m := new(Map)
		for _, k := range sortedKeys(x) {
			m.Set(k, Of(x[k]))
		}
		return m
	case map[string]string:
		m := new(Map)
		for _, k := range sortedKeys(x) {
			m.Set(k, x[k])
		}
		return m
	}
	return x
}

// Int gives i as int64 where it fits, else i itself.
func Int(i *big.Int) any {
	if i.IsInt64() {
		return i.Int64()
	}
	return i
}

// Copy is Python's copy.deepcopy for plain data: containers are copied, with
// what they share kept shared, everything else is the same.
func Copy(v any) any { return copier{}.copy(v) }

type copier map[any]any

func (c copier) copy(v any) any {
	switch v := v.(type) {
	case *List:
		if seen, ok := c[v]; ok {
			return seen
		}
		n := &List{Items: make([]any, v.Len())}
		c[v] = n
		for i, it := range v.Items {
			n.Items[i] = c.copy(it)
		}
		return n
	case Tuple:
		n := make(Tuple, len(v))
		for i, it := range v {
			n[i] = c.copy(it)
		}
		return n
	case *Map:
		if v == nil {
			return v
		}
		if seen, ok := c[v]; ok {
			return seen
		}
		n := NewMap(v.Len())
		n.ordered = v.ordered
		c[v] = n
		for k, it := range v.All() {
			n.put(k, c.copy(it))
		}
		return n
	case *Set:
		n := new(Set)
		for _, it := range v.Items() {
			n.m.put(it, nil)
		}
		return n
	}
	return v
}
