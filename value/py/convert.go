package py

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"pinch/value"
)

func floatToInt(f float64) (*big.Int, error) {
	switch {
	case math.IsNaN(f):
		return nil, valueError("cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		return nil, value.Errorf("OverflowError", "cannot convert float infinity to integer")
	}
	i, _ := new(big.Float).SetFloat64(math.Trunc(f)).Int(nil)
	return i, nil
}

// Int is int(v) for a number or decimal text.
func Int(v any) (any, error) {
	if n, ok := toNum(v); ok {
		switch {
		case n.float:
			i, err := floatToInt(n.f)
			if err != nil {
				return nil, err
			}
			return value.Int(i), nil
		case n.b != nil:
			return n.b, nil
		}
		return n.i, nil
	}
	switch s := v.(type) {
	case string, Markup, []byte:
		return IntBase(s, 10)
	case Undefined:
		return nil, s.UndefinedError()
	}
	return nil, typeError("int() argument must be a string, a bytes-like object or a real number, not '%s'", TypeName(v))
}

// IntBase is int(v, base) of text; base 0 reads a prefix (0x, 0o, 0b).
func IntBase(v any, base int) (any, error) {
	s, ok := Text(v)
	if b, is := v.([]byte); is {
		s, ok = string(b), true
	}
	if !ok {
		if err := undefined(v); err != nil {
			return nil, err
		}
		return nil, typeError("int() can't convert non-string with explicit base")
	}
	if base != 0 && base < 2 || base > 36 {
		return nil, valueError("int() base must be >= 2 and <= 36, or 0")
	}
	i, ok := parseInt(s, base)
	if !ok {
		return nil, valueError("invalid literal for int() with base %d: %s", base, value.Repr(v))
	}
	return value.Int(i), nil
}

func parseInt(s string, base int) (*big.Int, bool) {
	s = digitsToASCII(strings.TrimFunc(s, isSpace))
	if i, err := strconv.ParseInt(s, 10, 64); err == nil && base == 10 {
		return big.NewInt(i), true
	}
	neg := strings.HasPrefix(s, "-")
	if neg || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	prefixed := false
	if len(s) > 2 && s[0] == '0' {
		b := map[byte]int{'x': 16, 'o': 8, 'b': 2}[s[1]|0x20]
		if b != 0 && (base == 0 || base == b) {
			base, s, prefixed = b, s[2:], true
		}
	}
	if base == 0 {
		if len(s) > 1 && s[0] == '0' && strings.Trim(s, "0_") != "" {
			return nil, false
		}
		base = 10
	}
	if prefixed {
		s = strings.TrimPrefix(s, "_")
	}
	if s == "" || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") || strings.ContainsAny(s, "+-") {
		return nil, false
	}
	i, ok := new(big.Int).SetString(strings.ReplaceAll(s, "_", ""), base)
	if ok && neg {
		i.Neg(i)
	}
	return i, ok
}

// digitsToASCII turns the decimal digits of other scripts into 0-9.
func digitsToASCII(s string) string {
	if ascii(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if d := digitValue(r); r > '9' && d >= 0 {
			return '0' + rune(d)
		}
		return r
	}, s)
}

// digitValue is the value of a decimal digit of any script, or -1: Unicode
// keeps each script's ten digits together, zero first.
func digitValue(r rune) int {
	if !unicode.Is(unicode.Nd, r) {
		return -1
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	return -1
}

// Float is float(v).
func Float(v any) (float64, error) {
	if n, ok := toNum(v); ok {
		return n.asFloat()
	}
	s, ok := Text(v)
	if b, is := v.([]byte); is {
		s, ok = string(b), true
	}
	if !ok {
		if err := undefined(v); err != nil {
			return 0, err
		}
		return 0, typeError("float() argument must be a string or a real number, not '%s'", TypeName(v))
	}
	f, ok := parseFloat(s)
	if !ok {
		return 0, valueError("could not convert string to float: %s", value.Repr(v))
	}
	return f, nil
}

func parseFloat(s string) (float64, bool) {
	s = strings.ToLower(digitsToASCII(strings.TrimFunc(s, isSpace)))
	switch strings.TrimLeft(s, "+-") {
	case "inf", "infinity", "nan":
		if len(s) > 1 && strings.ContainsAny(s[1:2], "+-") {
			return 0, false
		}
	default:
		if strings.ContainsAny(s, "xpbo") || strings.Contains(s, "inf") || strings.Contains(s, "nan") {
			return 0, false
		}
	}
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || i == len(s)-1 || !isDigit(s[i-1]) || !isDigit(s[i+1])) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrRange {
		return f, true
	}
	return f, err == nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isSpace is str.isspace for one code point.
func isSpace(r rune) bool {
	return r == ' ' || r >= 9 && r <= 13 || r >= 0x1c && r <= 0x1f || r == 0x85 || r == 0xa0 ||
		r > 0xff && (unicode.Is(unicode.Zs, r) || r == 0x2028 || r == 0x2029)
}

// Round is round(v): the nearest int, halves to even.
func Round(v any) (any, error) {
	n, ok := toNum(v)
	switch {
	case !ok:
		if err := undefined(v); err != nil {
			return nil, err
		}
		return nil, typeError("type %s doesn't define __round__ method", TypeName(v))
	case !n.float:
		return Pos(v)
	}
	i, err := floatToInt(math.RoundToEven(n.f))
	if err != nil {
		return nil, err
	}
	return value.Int(i), nil
}

// RoundTo is round(v, digits): exact decimal rounding, halves to even; an int
// stays an int.
func RoundTo(v any, digits int) (any, error) {
	n, ok := toNum(v)
	switch {
	case !ok:
		return Round(v)
	case n.float:
		return roundFloat(n.f, digits), nil
	case digits >= 0:
		return Pos(v)
	case digits < -1<<16:
		return int64(0), nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-digits)), nil)
	q, r := intDivMod(n.big(), unit)
	twice := new(big.Int).Lsh(r, 1)
	if c := twice.Cmp(unit); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return value.Int(q.Mul(q, unit)), nil
}

func roundFloat(f float64, digits int) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || digits > 323 {
		return f
	}
	if digits < -308 {
		return math.Copysign(0, f)
	}
	if digits >= 0 {
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
		return r
	}
	p := math.Pow(10, float64(-digits))
	return math.RoundToEven(f/p) * p
}

// Sum is sum(items, start).
func Sum(items []any, start any) (any, error) {
	switch start.(type) {
	case string:
		return nil, typeError("sum() can't sum strings [use ''.join(seq) instead]")
	case []byte:
		return nil, typeError("sum() can't sum bytes [use b''.join(seq) instead]")
	}
	var err error
	for _, v := range items {
		if start, err = Add(start, v); err != nil {
			return nil, err
		}
	}
	return start, nil
}

// Min is min(items); key may be nil.
func Min(items []any, key func(any) (any, error)) (any, error) {
	return extreme(items, key, "min", "<", -1)
}

// Max is max(items); key may be nil.
func Max(items []any, key func(any) (any, error)) (any, error) {
	return extreme(items, key, "max", ">", 1)
}

func extreme(items []any, key func(any) (any, error), name, op string, want int) (any, error) {
	if len(items) == 0 {
		return nil, valueError("%s() arg is an empty sequence", name)
	}
	var best, bestKey any
	for i, v := range items {
		k := v
		if key != nil {
			var err error
			if k, err = key(v); err != nil {
				return nil, err
			}
		}
		if i == 0 {
			best, bestKey = v, k
			continue
		}
		if err := undefined(k, bestKey); err != nil {
			return nil, err
		}
		c, err := value.Compare(k, bestKey, op)
		if err != nil {
			return nil, err
		}
		if c*want > 0 && !isNaN(k) && !isNaN(bestKey) {
			best, bestKey = v, k
		}
	}
	return best, nil
}

func isNaN(v any) bool { f, ok := v.(float64); return ok && math.IsNaN(f) }
