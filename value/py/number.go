package py

import (
	"math"
	"math/big"

	"pinch/value"
)

// num is a Python number: an int (i, or b when it does not fit) or a float.
type num struct {
	float bool
	i     int64
	b     *big.Int
	f     float64
}

func toNum(v any) (num, bool) {
	switch v := v.(type) {
	case int64:
		return num{i: v}, true
	case float64:
		return num{float: true, f: v}, true
	case bool:
		if v {
			return num{i: 1}, true
		}
		return num{}, true
	case *big.Int:
		return num{b: v}, true
	}
	return num{}, false
}

func (n num) big() *big.Int {
	if n.b != nil {
		return n.b
	}
	return big.NewInt(n.i)
}

func (n num) zero() bool {
	if n.float {
		return n.f == 0
	}
	return n.b == nil && n.i == 0 || n.b != nil && n.b.Sign() == 0
}

func (n num) asFloat() (float64, error) {
	switch {
	case n.float:
		return n.f, nil
	case n.b == nil:
		return float64(n.i), nil
	}
	f, _ := new(big.Float).SetInt(n.b).Float64()
	if math.IsInf(f, 0) {
		return 0, value.Errorf("OverflowError", "int too large to convert to float")
	}
	return f, nil
}

// AsIndex gives v as Python's __index__ does, for arguments that must be an int
// (bools too); an int beyond int64 is cut to its range.
func AsIndex(v any) (int64, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case *big.Int:
		if v.Sign() < 0 {
			return math.MinInt64, nil
		}
		return math.MaxInt64, nil
	case Undefined:
		return 0, v.UndefinedError()
	}
	return 0, typeError("'%s' object cannot be interpreted as an integer", TypeName(v))
}
