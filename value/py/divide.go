package py

import (
	"math"
	"math/big"

	"pinch/value"
)

// Div is a / b, always a float.
func Div(a, b any) (any, error) {
	if r, ok, err := divTime(a, b); ok {
		return r, err
	}
	x, ok := toNum(a)
	y, ok2 := toNum(b)
	if !ok || !ok2 {
		return nil, unsupported("/", a, b)
	}
	if y.zero() {
		if x.float || y.float {
			return nil, zeroDivision("float division by zero")
		}
		return nil, zeroDivision("division by zero")
	}
	if !x.float && !y.float && (x.b != nil || y.b != nil || x.i > 1<<53 || x.i < -1<<53 || y.i > 1<<53 || y.i < -1<<53) {
		f, _ := new(big.Rat).SetFrac(x.big(), y.big()).Float64()
		if math.IsInf(f, 0) {
			return nil, value.Errorf("OverflowError", "integer division result too large for a float")
		}
		return f, nil
	}
	f, err := x.asFloat()
	if err != nil {
		return nil, err
	}
	g, err := y.asFloat()
	if err != nil {
		return nil, err
	}
	return f / g, nil
}

// FloorDiv is a // b, rounded down.
func FloorDiv(a, b any) (any, error) {
	if r, ok, err := floorDivTime(a, b); ok {
		return r, err
	}
	x, ok := toNum(a)
	y, ok2 := toNum(b)
	switch {
	case !ok || !ok2:
		return nil, unsupported("//", a, b)
	case y.zero() && (x.float || y.float):
		return nil, zeroDivision("float floor division by zero")
	case y.zero():
		return nil, zeroDivision("integer division or modulo by zero")
	}
	return arith("//", a, b, func(x, y float64) (float64, error) { q, _ := floatDivMod(x, y); return q, nil },
		func(z, x, y *big.Int) *big.Int { q, _ := intDivMod(x, y); return z.Set(q) })
}

// Mod is a % b: formatting when a is text, else the remainder with b's sign.
func Mod(a, b any) (any, error) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok && y != 0 && y != -1 {
			r := x % y
			if r != 0 && (r < 0) != (y < 0) {
				r += y
			}
			return r, nil
		}
	}
	switch f := a.(type) {
	case string:
		return Percent(f, b)
	case Markup:
		return percentMarkup(f, b)
	}
	x, ok := toNum(a)
	y, ok2 := toNum(b)
	switch {
	case !ok || !ok2:
		return nil, unsupported("%", a, b)
	case y.zero() && (x.float || y.float):
		return nil, zeroDivision("float modulo")
	case y.zero():
		return nil, zeroDivision("integer modulo by zero")
	}
	return arith("%", a, b, func(x, y float64) (float64, error) { _, r := floatDivMod(x, y); return r, nil },
		func(z, x, y *big.Int) *big.Int { _, r := intDivMod(x, y); return z.Set(r) })
}

// DivMod is divmod(a, b).
func DivMod(a, b any) (any, error) {
	x, ok := toNum(a)
	y, ok2 := toNum(b)
	switch {
	case !ok || !ok2:
		return nil, unsupported("divmod()", a, b)
	case y.zero() && (x.float || y.float):
		return nil, zeroDivision("float divmod()")
	}
	q, err := FloorDiv(a, b)
	if err != nil {
		return nil, err
	}
	r, err := Mod(a, b)
	return value.Tuple{q, r}, err
}

func intDivMod(x, y *big.Int) (q, r *big.Int) {
	q, r = new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && (r.Sign() < 0) != (y.Sign() < 0) {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	return q, r
}

func floatDivMod(x, y float64) (q, r float64) {
	r = math.Mod(x, y)
	div := (x - r) / y
	if r != 0 {
		if (y < 0) != (r < 0) {
			r += y
			div--
		}
	} else {
		r = math.Copysign(0, y)
	}
	if div == 0 {
		return math.Copysign(0, x/y), r
	}
	q = math.Floor(div)
	if div-q > 0.5 {
		q++
	}
	return q, r
}

// Pow is a ** b.
func Pow(a, b any) (any, error) {
	x, ok := toNum(a)
	y, ok2 := toNum(b)
	if !ok || !ok2 {
		return nil, unsupported("** or pow()", a, b)
	}
	if !x.float && !y.float && y.big().Sign() >= 0 {
		base, exp := x.big(), y.big()
		if n := base.BitLen(); n > 1 && (!exp.IsInt64() || exp.Int64() > MaxBytes/16/int64(n)) {
			return nil, tooBig()
		}
		if base.BitLen() <= 1 && !exp.IsInt64() { // 0, 1 and -1 to any power
			exp = new(big.Int).And(exp, big.NewInt(1))
			exp.Add(exp, big.NewInt(2))
		}
		return value.Int(new(big.Int).Exp(base, exp, nil)), nil
	}
	f, err := x.asFloat()
	if err != nil {
		return nil, err
	}
	g, err := y.asFloat()
	if err != nil {
		return nil, err
	}
	if f == 0 && g < 0 {
		return nil, zeroDivision("0.0 cannot be raised to a negative power")
	}
	if f < 0 && g != math.Trunc(g) && !math.IsInf(g, 0) && !math.IsInf(f, 0) {
		return nil, valueError("negative number cannot be raised to a fractional power")
	}
	r := math.Pow(f, g)
	if math.IsInf(r, 0) && !math.IsInf(f, 0) && !math.IsInf(g, 0) {
		return nil, value.Errorf("OverflowError", "(34, 'Numerical result out of range')")
	}
	return r, nil
}
