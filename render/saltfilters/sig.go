package saltfilters

import (
	"strings"

	"pinch/value/py"
)

// sig writes a signature in one line: sig("f", "a b", "c", int64(1)) is
// def f(a, b, c=1). A last name of "*" or "**" takes the rest.
func sig(name, required string, optional ...any) py.Signature {
	s := py.Signature{Name: name, Required: strings.Fields(required)}
	for len(optional) > 0 {
		switch n := optional[0].(string); n {
		case "*":
			s.Args = true
			optional = optional[1:]
		case "**":
			s.Kwargs = true
			optional = optional[1:]
		default:
			s.Optional = append(s.Optional, py.Default{Name: n, Value: optional[1]})
			optional = optional[2:]
		}
	}
	return s
}
