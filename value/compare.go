package value

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
)

type (
	nilKey   struct{}
	bigKey   string
	bytesKey string
	tupleKey string
	dateKey  string
)

// HashKey gives a comparable Go value that is equal for values that Python
// takes for the same key (1, 1.0 and True are one key). It fails with a
// TypeError for lists, sets and maps.
func HashKey(v any) (any, error) {
	switch v := v.(type) {
	case string, int64:
		return v, nil
	case nil:
		return nilKey{}, nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v), nil
		}
		return v, nil
	case *big.Int:
		if v.IsInt64() {
			return v.Int64(), nil
		}
		return bigKey(v.String()), nil
	case []byte:
		return bytesKey(v), nil
	case Tuple:
		var b strings.Builder
		for _, it := range v {
			h, err := HashKey(it)
			if err != nil {
				return nil, err
			}
			s := fmt.Sprintf("%T %v", h, h)
			fmt.Fprintf(&b, "%d:%s", len(s), s)
		}
		return tupleKey(b.String()), nil
	case time.Time:
		return dateKey(v.Format(time.RFC3339Nano)), nil
	case Date:
		return dateKey(v.Format(time.DateOnly)), nil
	case *List, *Set, *Map:
		return nil, typeError("unhashable type: '%s'", TypeName(v))
	case interface{ PlainString() string }:
		return v.PlainString(), nil
	}
	return v, nil // an object: its identity
}

// sameKeys reports whether two maps of one length have the same keys in the
// same order, as OrderedDicts that are equal do.
func sameKeys(a, b *Map) bool {
	keys := b.Keys()
	i := 0
	for k := range a.All() {
		if !Equal(k, keys[i]) {
			return false
		}
		i++
	}
	return true
}

// Equal is Python's a == b.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return x == y
		}
		y, ok := b.(interface{ PlainString() string })
		return ok && x == y.PlainString()
	case nil:
		return b == nil
	case *List:
		y, ok := b.(*List)
		return ok && (x == y || equalItems(x.Items, y.Items))
	case Tuple:
		y, ok := b.(Tuple)
		return ok && equalItems(x, y)
	case []byte:
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	case *Map:
		y, ok := b.(*Map)
		if !ok || x.Len() != y.Len() {
			return false
		}
		if x == y {
			return true
		}
		if x.Ordered() && y.Ordered() && !sameKeys(x, y) {
			return false
		}
		for k, v := range x.All() {
			if w, ok := y.GetKey(k); !ok || !Equal(v, w) {
				return false
			}
		}
		return true
	case *Set:
		y, ok := b.(*Set)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for _, it := range x.Items() {
			if !y.Has(it) {
				return false
			}
		}
		return true
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Equal(y)
	case Date:
		y, ok := b.(Date)
		return ok && x.Format(time.DateOnly) == y.Format(time.DateOnly)
	}
	if c, ok := compareNumbers(a, b); ok {
		return c == 0
	}
	if x, ok := a.(interface{ Equal(any) bool }); ok {
		return x.Equal(b)
	}
	return isComparable(a) && isComparable(b) && a == b
}

func isComparable(v any) bool {
	switch v.(type) {
	case bool, int64, float64, *big.Int, string, nil, *List, *Map, *Set:
		return true
	case Tuple, []byte:
		return false
	}
	return comparableType(v)
}

func equalItems(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// Compare orders two values as Python's < does: negative, zero or positive.
// It fails with a TypeError where Python has no order; the text names the
// operator op ("<", ">=" …).
func Compare(a, b any, op string) (int, error) {
	if c, ok := compareNumbers(a, b); ok {
		return c, nil
	}
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y), nil
		}
	case []byte:
		if y, ok := b.([]byte); ok {
			return bytes.Compare(x, y), nil
		}
	case *List:
		if y, ok := b.(*List); ok {
			return compareItems(x.Items, y.Items, op)
		}
	case Tuple:
		if y, ok := b.(Tuple); ok {
			return compareItems(x, y, op)
		}
	case time.Time:
		if y, ok := b.(time.Time); ok {
			return x.Compare(y), nil
		}
	case Date:
		if y, ok := b.(Date); ok {
			return strings.Compare(x.Format(time.DateOnly), y.Format(time.DateOnly)), nil
		}
	}
	return 0, typeError("'%s' not supported between instances of '%s' and '%s'", op, TypeName(a), TypeName(b))
}

// Less is Python's a < b.
func Less(a, b any) (bool, error) {
	c, err := Compare(a, b, "<")
	return c < 0, err
}

func compareItems(a, b []any, op string) (int, error) {
	for i := 0; i < len(a) && i < len(b); i++ {
		if Equal(a[i], b[i]) {
			continue
		}
		return Compare(a[i], b[i], op)
	}
	return len(a) - len(b), nil
}

// compareNumbers compares bools, ints and floats by value; ok is false when
// one of them is no number. NaN is unequal to everything.
func compareNumbers(a, b any) (c int, ok bool) {
	x, xi, xok := number(a)
	y, yi, yok := number(b)
	if !xok || !yok {
		return 0, false
	}
	if xi != nil && yi != nil {
		return xi.Cmp(yi), true
	}
	if i, ok := a.(int64); ok {
		if j, ok := b.(int64); ok {
			return cmpInt(i, j), true
		}
	}
	switch {
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	case x == y:
		return 0, true
	}
	return 2, true
}

func cmpInt(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func number(v any) (float64, *big.Int, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, big.NewInt(1), true
		}
		return 0, new(big.Int), true
	case int64:
		if v > 1<<53 || v < -1<<53 {
			return float64(v), big.NewInt(v), true
		}
		return float64(v), nil, true
	case float64:
		return v, nil, true
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, v, true
	}
	return 0, nil, false
}
