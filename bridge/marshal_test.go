package bridge

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"pinch/value"
)

func TestMarshal(t *testing.T) {
	set, _ := value.NewSet("a", int64(1))
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	for _, v := range []any{
		nil, true, false, int64(0), int64(-1), int64(1) << 31, -(int64(1) << 62), huge, 1.5, "", "ä€", []byte{0, 255},
		value.L(), value.L(int64(1), "x"), value.Tuple{}, value.Tuple{"a", nil}, set, value.M("a", value.M(int64(1), value.L())),
		time.Date(2020, 1, 2, 3, 4, 5, 6000, time.Local), value.Date{Time: time.Date(2020, 1, 2, 0, 0, 0, 0, time.Local)},
		&Object{"generator", "<generator>", "text"},
	} {
		b, err := appendMarshal(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unmarshal(b)
		if err != nil || value.Repr(got) != value.Repr(v) || value.TypeName(got) != value.TypeName(v) {
			t.Errorf("%s: %s, %v", value.Repr(v), value.Repr(got), err)
		}
	}
}

// What Python 3.11 writes: marshal.dumps(x, 2).
func TestMarshalPython(t *testing.T) {
	for in, want := range map[string]string{
		"{u\x01\x00\x00\x00a[\x02\x00\x00\x00i\x01\x00\x00\x00Tu\x01\x00\x00\x00b(\x01\x00\x00\x00N0": "{'a': [1, True], 'b': (None,)}",
		"l\x03\x00\x00\x00\x00\x00\x00\x00\x04\x00":                                                   "4294967296",
		"g\x00\x00\x00\x00\x00\x00\xf8?":                                                              "1.5",
		"s\x02\x00\x00\x00\x00\xff":                                                                   `b'\x00\xff'`,
	} {
		got, err := unmarshal([]byte(in))
		if err != nil || value.Repr(got) != want {
			t.Errorf("%q: %s, %v; want %s", in, value.Repr(got), err, want)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte("{u\x01\x00\x00\x00a[\x02\x00\x00\x00i\x01\x00\x00\x00T0"))
	f.Add([]byte(strings.Repeat("[\x01\x00\x00\x00", 5000)))
	f.Add([]byte("(\x03\x00\x00\x00.u\x08\x00\x00\x00datetimeN"))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := unmarshal(b)
		if err != nil {
			return
		}
		if _, err := appendMarshal(nil, v); err != nil {
			t.Errorf("%q: read, but cannot be written: %v", b, err)
		}
	})
}
