package py

import (
	"math"
	"strconv"
	"strings"
)

// floatText is C's printf of f with conversion e, E, f, F, g or G; alt keeps
// the point and g's trailing zeros.
func floatText(f float64, conv byte, prec int, alt bool) string {
	s := ""
	lower := conv | 0x20
	switch {
	case math.IsNaN(f):
		s = "nan"
	case math.IsInf(f, 1):
		s = "inf"
	case math.IsInf(f, -1):
		s = "-inf"
	case lower == 'g':
		s = generalText(f, prec, alt)
	default:
		s = strconv.FormatFloat(f, lower, prec, 64)
		if alt && prec == 0 {
			mantissa, exp, _ := strings.Cut(s, "e")
			s = mantissa + "."
			if exp != "" {
				s += "e" + exp
			}
		}
	}
	if lower != conv {
		s = strings.ToUpper(s)
	}
	return s
}

// generalText is %g: prec significant digits, an exponent when it is below -4
// or at least prec.
func generalText(f float64, prec int, alt bool) string {
	prec = max(prec, 1)
	e := strconv.FormatFloat(f, 'e', prec-1, 64)
	mantissa, exp, _ := strings.Cut(e, "e")
	x, _ := strconv.Atoi(exp)
	if x < -4 || x >= prec {
		return trimZeros(mantissa, alt) + "e" + exp
	}
	return trimZeros(strconv.FormatFloat(f, 'f', prec-1-x, 64), alt)
}

func trimZeros(s string, keep bool) string {
	point := strings.Contains(s, ".")
	switch {
	case keep && !point:
		return s + "."
	case keep || !point:
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
