package py

import "pinch/value"

// Attr is obj.name for what the built-in types have: methods and the fields
// of dates. It fails with an AttributeError.
func Attr(obj any, name string) (any, error) {
	if err := undefined(obj); err != nil {
		return nil, err
	}
	if v, ok := timeAttr(obj, name); ok {
		return v, nil
	}
	if f, ok := Method(obj, name); ok {
		return f, nil
	}
	if n, ok := toNum(obj); ok {
		switch name {
		case "real":
			return Pos(obj)
		case "imag":
			if n.float {
				return 0.0, nil
			}
			return int64(0), nil
		case "numerator":
			if !n.float {
				return Pos(obj)
			}
		case "denominator":
			if !n.float {
				return int64(1), nil
			}
		}
	}
	return nil, value.Errorf("AttributeError", "'%s' object has no attribute '%s'", TypeName(obj), name)
}
