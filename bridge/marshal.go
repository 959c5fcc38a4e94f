package bridge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"

	"pinch/value"
)

// Python's marshal, format 2: what Python's own marshal.dumps(x, 2) writes. A
// type byte, then lengths and numbers in little endian.

// ellipsis begins a tuple that stands for something marshal has no form for:
// (..., "datetime", text), (..., "date", text), (..., "object", class, repr, str).
type ellipsis struct{}

// An Object is a Python value that is none of ours: a generator, a class.
type Object struct{ Class, Text, String_ string }

// TypeName is its class.
func (o *Object) TypeName() string { return o.Class }

// Repr is Python's repr of it.
func (o *Object) Repr() string { return o.Text }

// String is Python's str of it.
func (o *Object) String() string { return o.String_ }

func appendMarshal(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, 'N'), nil
	case bool:
		if v {
			return append(b, 'T'), nil
		}
		return append(b, 'F'), nil
	case int64:
		if v >= math.MinInt32 && v <= math.MaxInt32 {
			return le(append(b, 'i'), int(v)), nil
		}
		return appendLong(b, big.NewInt(v)), nil
	case *big.Int:
		return appendLong(b, v), nil
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, 'g'), math.Float64bits(v)), nil
	case string:
		return append(le(append(b, 'u'), len(v)), v...), nil
	case []byte:
		return append(le(append(b, 's'), len(v)), v...), nil
	case *value.List:
		return appendItems(append(b, '['), v.Items)
	case value.Tuple:
		return appendItems(append(b, '('), v)
	case *value.Set:
		return appendItems(append(b, '<'), v.Items())
	case *value.Map:
		return appendMap(b, v)
	case ellipsis:
		return append(b, '.'), nil
	case time.Time:
		return appendItems(append(b, '('), []any{ellipsis{}, "datetime", isoTime(v)})
	case value.Date:
		return appendItems(append(b, '('), []any{ellipsis{}, "date", v.Format(time.DateOnly)})
	case *Object:
		return appendItems(append(b, '('), []any{ellipsis{}, "object", v.Class, v.Text, v.String_})
	}
	return appendMarshal(b, value.Str(v))
}

// isoTime is a datetime as Python's fromisoformat reads it.
func isoTime(t time.Time) string {
	layout := "2006-01-02T15:04:05.000000"
	if t.Location() != time.Local {
		layout += "-07:00"
	}
	return t.Format(layout)
}

func le(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }

func appendItems(b []byte, items []any) ([]byte, error) {
	b = le(b, len(items))
	var err error
	for _, it := range items {
		if b, err = appendMarshal(b, it); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func appendMap(b []byte, m *value.Map) ([]byte, error) {
	b = append(b, '{')
	var err error
	for k, v := range m.All() {
		if b, err = appendMarshal(b, k); err != nil {
			return nil, err
		}
		if b, err = appendMarshal(b, v); err != nil {
			return nil, err
		}
	}
	return append(b, '0'), nil
}

// appendLong writes an integer as digits of 15 bits, their number negative for
// a negative one.
func appendLong(b []byte, n *big.Int) []byte {
	var digits []uint16
	rest, mask := new(big.Int).Abs(n), big.NewInt(1<<15-1)
	for rest.Sign() > 0 {
		digits = append(digits, uint16(new(big.Int).And(rest, mask).Uint64()))
		rest.Rsh(rest, 15)
	}
	count := len(digits) * n.Sign()
	b = le(append(b, 'l'), count)
	for _, d := range digits {
		b = binary.LittleEndian.AppendUint16(b, d)
	}
	return b
}

var errMarshal = errors.New("what the Python process sent cannot be read")

// unmarshal reads one value; nothing may follow it.
func unmarshal(data []byte) (any, error) {
	r := &unmarshaller{data: data}
	v, err := r.value(0)
	if err == nil && len(r.data) > 0 {
		err = errMarshal
	}
	return v, err
}

type unmarshaller struct{ data []byte }

func (r *unmarshaller) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.data) {
		return nil, errMarshal
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b, nil
}

func (r *unmarshaller) number() (int, error) {
	b, err := r.take(4)
	if err != nil {
		return 0, err
	}
	return int(int32(binary.LittleEndian.Uint32(b))), nil
}

// maxDepth keeps a hostile text from using up the stack.
const maxDepth = 3000

func (r *unmarshaller) value(depth int) (any, error) {
	b, err := r.take(1)
	if err != nil || depth > maxDepth {
		return nil, errMarshal
	}
	switch b[0] {
	case 'N':
		return nil, nil
	case 'T':
		return true, nil
	case 'F':
		return false, nil
	case '.':
		return ellipsis{}, nil
	case 'i':
		n, err := r.number()
		return int64(n), err
	case 'l':
		return r.long()
	case 'g', 'y':
		return r.float(b[0] == 'y')
	case 's', 'u', 't':
		n, err := r.number()
		if err != nil {
			return nil, err
		}
		text, err := r.take(n)
		if err != nil {
			return nil, err
		}
		if b[0] == 's' {
			return append([]byte{}, text...), nil
		}
		return string(text), nil
	case '(', '[', '<', '>':
		return r.items(b[0], depth)
	case '{':
		return r.dict(depth)
	}
	return nil, fmt.Errorf("%w (type %q)", errMarshal, b[0])
}

func (r *unmarshaller) float(complex bool) (any, error) {
	b, err := r.take(8)
	if err != nil {
		return nil, err
	}
	f := math.Float64frombits(binary.LittleEndian.Uint64(b))
	if !complex {
		return f, nil
	}
	if b, err = r.take(8); err != nil {
		return nil, err
	}
	im := math.Float64frombits(binary.LittleEndian.Uint64(b))
	text := fmt.Sprintf("(%s+%sj)", value.FormatFloat(f), value.FormatFloat(im))
	return &Object{"complex", text, text}, nil
}

func (r *unmarshaller) long() (any, error) {
	n, err := r.number()
	if err != nil {
		return nil, err
	}
	count := max(n, -n)
	b, err := r.take(2 * count)
	if err != nil {
		return nil, err
	}
	out := new(big.Int)
	for i := count - 1; i >= 0; i-- {
		out.Lsh(out, 15)
		out.Or(out, big.NewInt(int64(binary.LittleEndian.Uint16(b[2*i:]))))
	}
	if n < 0 {
		out.Neg(out)
	}
	return value.Int(out), nil
}

func (r *unmarshaller) items(kind byte, depth int) (any, error) {
	n, err := r.number()
	if err != nil || n < 0 || n > len(r.data) {
		return nil, errMarshal
	}
	items := make([]any, n)
	for i := range items {
		if items[i], err = r.value(depth + 1); err != nil {
			return nil, err
		}
	}
	switch kind {
	case '(':
		return marked(items)
	case '[':
		return &value.List{Items: items}, nil
	}
	s, err := value.NewSet(items...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (r *unmarshaller) dict(depth int) (any, error) {
	m := new(value.Map)
	for {
		if len(r.data) == 0 {
			return nil, errMarshal
		}
		if r.data[0] == '0' {
			r.data = r.data[1:]
			return m, nil
		}
		k, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if err := m.SetKey(k, v); err != nil {
			_ = m.SetKey(value.Str(k), v)
		}
	}
}

// marked reads the tuples that begin with an ellipsis.
func marked(items []any) (any, error) {
	if len(items) < 3 {
		return value.Tuple(items), nil
	}
	if _, ok := items[0].(ellipsis); !ok {
		return value.Tuple(items), nil
	}
	kind, _ := items[1].(string)
	text, _ := items[2].(string)
	switch kind {
	case "datetime":
		for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999"} {
			if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
				return t, nil
			}
		}
	case "date":
		if t, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
			return value.Date{Time: t}, nil
		}
	case "object":
		if len(items) == 5 {
			repr, _ := items[3].(string)
			str, _ := items[4].(string)
			return &Object{text, repr, str}, nil
		}
	}
	return text, nil
}
