package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// ScalarArg reads one word as Salt's yamlify_arg reads a key in a path: a
// number, a boolean or a null of YAML 1.1 becomes that value, a quoted word
// loses its quotes, anything else is the string without the spaces around it.
func ScalarArg(s string) any {
	if s == "None" {
		return nil
	}
	if s == "" || strings.ContainsAny(s, "\t\r\n#") {
		return s
	}
	if strings.Contains(s, "_") && strings.Trim(s, "0123456789_ ") == "" {
		return s
	}
	word := strings.Trim(s, " ")
	if n := len(word); n >= 2 {
		if q := word[0]; q == word[n-1] && (q == '\'' && !strings.Contains(word[1:n-1], "'") ||
			q == '"' && !strings.ContainsAny(word[1:n-1], `"\`)) {
			return word[1 : n-1]
		}
	}
	switch word {
	case "":
		return s
	case "~", "null", "Null", "NULL":
		return nil
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false
	}
	if i, ok := yamlInt(word); ok {
		return i
	}
	if f, ok := yamlFloat(word); ok {
		return f
	}
	return word
}

func yamlInt(s string) (any, bool) {
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 || body == "" || body[0] < '0' || body[0] > '9' {
		return nil, false
	}
	signed := len(body) < len(s)
	digits, base := strings.ReplaceAll(body, "_", ""), 10
	switch {
	case strings.Contains(body, ":"):
		return sexagesimal(digits, s[0] == '-')
	case strings.HasPrefix(digits, "0x"):
		digits, base = digits[2:], 16
	case strings.HasPrefix(digits, "0b"):
		digits, base = digits[2:], 2
	case digits != "0" && digits[0] == '0':
		if strings.Trim(digits, "01234567") != "" {
			return nil, false
		}
		// Salt takes the zeros off before PyYAML sees them, but only
		// where they come first.
		if signed {
			base = 8
		}
	}
	i, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return nil, false
	}
	if s[0] == '-' {
		i.Neg(i)
	}
	return Int(i), true
}

func sexagesimal(digits string, negative bool) (any, bool) {
	parts := strings.Split(digits, ":")
	if parts[0] == "" || parts[0][0] == '0' {
		return nil, false
	}
	var n int64
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 32)
		if err != nil || i > 0 && (v > 59 || len(p) > 2) {
			return nil, false
		}
		n = n*60 + int64(v)
	}
	if negative {
		n = -n
	}
	return n, true
}

func yamlFloat(s string) (float64, bool) {
	switch strings.ToLower(strings.TrimPrefix(s, "+")) {
	case ".inf":
		return math.Inf(1), true
	case "-.inf":
		return math.Inf(-1), true
	case ".nan":
		return math.NaN(), true
	}
	body := strings.TrimLeft(s, "+-")
	if !strings.Contains(body, ".") || strings.Trim(body, "0123456789_.eE+-") != "" || body == "." || body[0] == '_' {
		return 0, false
	}
	if mantissa, exp, ok := cutExp(body); ok {
		// YAML 1.1 wants the sign in the exponent.
		if exp == "" || exp[0] != '+' && exp[0] != '-' || strings.ContainsAny(mantissa, "+-") {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, err == nil
}

func cutExp(s string) (mantissa, exp string, ok bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
