package salt

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"pinch/value"
)

// NotSet is the default of a parameter that Python declares with an object
// without a literal, such as <Constant.NOT_SET>: the caller gave nothing.
var NotSet any = notSet{}

type notSet struct{}

// Literal reads the Python literals that signatures use as defaults: None,
// True, False, numbers, strings, and (), [], {} of those.
func Literal(s string) (any, error) {
	r := &literal{s: strings.TrimSpace(s)}
	v, err := r.value()
	if err == nil && r.s != "" {
		err = fmt.Errorf("unexpected %q after a literal", r.s)
	}
	return v, err
}

type literal struct{ s string }

func (r *literal) space() { r.s = strings.TrimLeft(r.s, " ") }

func (r *literal) value() (any, error) {
	r.space()
	if r.s == "" {
		return nil, fmt.Errorf("a literal is missing")
	}
	if r.s[0] == '<' && strings.HasSuffix(r.s, ">") {
		r.s = ""
		return NotSet, nil
	}
	switch r.s[0] {
	case '\'', '"':
		return r.text()
	case '[', '(':
		items, err := r.items()
		return items, err
	case '{':
		return r.dict()
	}
	n := strings.IndexAny(r.s, ",]}): ")
	if n < 0 {
		n = len(r.s)
	}
	word := r.s[:n]
	r.s = r.s[n:]
	switch word {
	case "None":
		return nil, nil
	case "True":
		return true, nil
	case "False":
		return false, nil
	}
	if i, ok := new(big.Int).SetString(word, 0); ok {
		return value.Int(i), nil
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f, nil
	}
	return nil, fmt.Errorf("%q is no literal", word)
}

func (r *literal) text() (any, error) {
	q := r.s[0]
	var b strings.Builder
	for i := 1; i < len(r.s); i++ {
		switch c := r.s[i]; {
		case c == q:
			r.s = r.s[i+1:]
			return b.String(), nil
		case c == '\\' && i+1 < len(r.s):
			i++
			if k := strings.IndexByte("nrt0", r.s[i]); k >= 0 {
				b.WriteByte("\n\r\t\x00"[k])
			} else {
				b.WriteByte(r.s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return nil, fmt.Errorf("a closing quote is missing in %s", r.s)
}

func (r *literal) items() (any, error) {
	list := r.s[0] == '['
	end := byte(')')
	if list {
		end = ']'
	}
	r.s = r.s[1:]
	var items []any
	for {
		r.space()
		if r.s != "" && r.s[0] == end {
			r.s = r.s[1:]
			if list {
				return value.L(items...), nil
			}
			return value.Tuple(items), nil
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
		r.space()
		r.s = strings.TrimPrefix(r.s, ",")
	}
}

func (r *literal) dict() (any, error) {
	r.s = r.s[1:]
	m := new(value.Map)
	for {
		r.space()
		if strings.HasPrefix(r.s, "}") {
			r.s = r.s[1:]
			return m, nil
		}
		k, err := r.value()
		if err != nil {
			return nil, err
		}
		r.space()
		if !strings.HasPrefix(r.s, ":") {
			return nil, fmt.Errorf("a colon is missing at %q", r.s)
		}
		r.s = r.s[1:]
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if err := m.SetKey(k, v); err != nil {
			return nil, err
		}
		r.space()
		r.s = strings.TrimPrefix(r.s, ",")
	}
}
