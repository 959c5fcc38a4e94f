package py

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"pinch/value"
)

// intMethod finds the methods of int (and bool).
func intMethod(name string) (m method[*big.Int], ok bool) {
	switch name {
	case "bit_length":
		return none(func(n *big.Int) (any, error) { return int64(n.BitLen()), nil }), true
	case "bit_count":
		return none(func(n *big.Int) (any, error) {
			ones := 0
			for _, w := range n.Bits() {
				ones += bits.OnesCount(uint(w))
			}
			return int64(ones), nil
		}), true
	case "to_bytes":
		return named(intToBytes, "length", "byteorder", "signed"), true
	case "from_bytes":
		return named(func(_ *big.Int, a args) (any, error) { return intFromBytes(a) }, "bytes", "byteorder", "signed"), true
	case "conjugate":
		return none(func(n *big.Int) (any, error) { return value.Int(n), nil }), true
	case "as_integer_ratio":
		return none(func(n *big.Int) (any, error) { return value.Tuple{value.Int(n), int64(1)}, nil }), true
	}
	return m, false
}

func byteOrder(a args, i int) (little bool, err error) {
	s, ok := Text(a.or(i, "big"))
	switch {
	case !ok:
		return false, typeError("argument 'byteorder' must be str, not %s", TypeName(a[i]))
	case s != "big" && s != "little":
		return false, valueError("byteorder must be either 'little' or 'big'")
	}
	return s == "little", nil
}

func intToBytes(n *big.Int, a args) (any, error) {
	length, err := a.int(0, 1)
	if err != nil {
		return nil, err
	}
	little, err := byteOrder(a, 1)
	if err != nil {
		return nil, err
	}
	signed := value.Truth(a.or(2, false))
	switch {
	case length < 0:
		return nil, valueError("length argument must be non-negative")
	case length > MaxBytes:
		return nil, tooBig()
	case n.Sign() < 0 && !signed:
		return nil, value.Errorf("OverflowError", "can't convert negative int to unsigned")
	}
	room := int(length) * 8
	if signed && room > 0 {
		room--
	}
	need := n
	if n.Sign() < 0 {
		need = new(big.Int).Not(n)
	}
	if need.BitLen() > room {
		return nil, value.Errorf("OverflowError", "int too big to convert")
	}
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(length*8)))
	}
	out := n.FillBytes(make([]byte, length))
	if little {
		reverseBytes(out)
	}
	return out, nil
}

func reverseBytes(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

func intFromBytes(a args) (any, error) {
	items, err := Items(a.or(0, nil))
	if err != nil {
		return nil, err
	}
	little, err := byteOrder(a, 1)
	if err != nil {
		return nil, err
	}
	b := make([]byte, len(items))
	for i, v := range items {
		n, err := AsIndex(v)
		if err != nil {
			return nil, err
		}
		if n < 0 || n > 255 {
			return nil, valueError("bytes must be in range(0, 256)")
		}
		b[i] = byte(n)
	}
	if little {
		reverseBytes(b)
	}
	n := new(big.Int).SetBytes(b)
	if value.Truth(a.or(2, false)) && len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return value.Int(n), nil
}

// floatMethod finds the methods of float.
func floatMethod(name string) (m method[float64], ok bool) {
	switch name {
	case "is_integer":
		return none(func(f float64) (any, error) { return f == math.Trunc(f) && !math.IsInf(f, 0), nil }), true
	case "hex":
		return none(func(f float64) (any, error) { return floatHex(f), nil }), true
	case "fromhex":
		return one(func(_ float64, v any) (any, error) {
			s, ok := Text(v)
			if !ok {
				return nil, typeError("bad argument type for built-in operation")
			}
			return floatFromHex(s)
		}), true
	case "conjugate":
		return none(func(f float64) (any, error) { return f, nil }), true
	case "as_integer_ratio":
		return none(func(f float64) (any, error) {
			switch {
			case math.IsNaN(f):
				return nil, valueError("cannot convert NaN to integer ratio")
			case math.IsInf(f, 0):
				return nil, value.Errorf("OverflowError", "cannot convert Infinity to integer ratio")
			}
			r := new(big.Rat)
			r.SetFloat64(f)
			return value.Tuple{value.Int(r.Num()), value.Int(r.Denom())}, nil
		}), true
	}
	return m, false
}

func floatHex(f float64) string {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return value.FormatFloat(f)
	case f == 0:
		return map[bool]string{false: "0x0.0p+0", true: "-0x0.0p+0"}[math.Signbit(f)]
	}
	s := strconv.FormatFloat(f, 'x', 13, 64)
	mantissa, exp, _ := strings.Cut(s, "p")
	x, _ := strconv.Atoi(exp)
	if math.Abs(f) < 0x1p-1022 { // subnormal: Python keeps the exponent and a leading 0
		bits := math.Float64bits(math.Abs(f))
		mantissa = "0x0." + leftPad(strconv.FormatUint(bits, 16), 13)
		if f < 0 {
			mantissa = "-" + mantissa
		}
		x = -1022
	}
	if x < 0 {
		return mantissa + "p" + strconv.Itoa(x)
	}
	return mantissa + "p+" + strconv.Itoa(x)
}

func leftPad(s string, n int) string { return strings.Repeat("0", max(n-len(s), 0)) + s }

func floatFromHex(s string) (any, error) {
	t := strings.ToLower(strings.TrimFunc(s, isSpace))
	switch strings.TrimLeft(t, "+-") {
	case "inf", "infinity", "nan":
		f, err := strconv.ParseFloat(t, 64)
		return f, err
	}
	sign := ""
	if t != "" && (t[0] == '-' || t[0] == '+') {
		sign, t = t[:1], t[1:]
	}
	t = strings.TrimPrefix(t, "0x")
	if !strings.Contains(t, "p") {
		t += "p0"
	}
	f, err := strconv.ParseFloat(sign+"0x"+t, 64)
	if err != nil {
		if math.IsInf(f, 0) {
			return nil, value.Errorf("OverflowError", "hexadecimal value too large to represent as a float")
		}
		return nil, valueError("invalid hexadecimal floating-point string")
	}
	return f, nil
}
