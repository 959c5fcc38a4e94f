package value

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"
	"unicode/utf8"
)

var errShort = errors.New("msgpack: unexpected end")

// ParseMsgpack reads one value; what follows it is an error.
func ParseMsgpack(b []byte) (any, error) { return parseMsgpack(&unpacker{b: b}) }

// ParseMsgpackRaw reads a value as MsgpackRaw writes it: what is UTF-8 is text,
// all else bytes.
func ParseMsgpackRaw(b []byte) (any, error) { return parseMsgpack(&unpacker{b: b, raw: true}) }

func parseMsgpack(r *unpacker) (any, error) {
	v, err := r.value(0)
	if err == nil && len(r.b) > 0 {
		return nil, fmt.Errorf("msgpack: %d bytes too many", len(r.b))
	}
	return v, err
}

// MsgpackPrefix reads the first value of a stream and the number of bytes it
// takes, 0 when more bytes are needed.
func MsgpackPrefix(b []byte) (v any, n int, err error) {
	r := &unpacker{b: b}
	v, err = r.value(0)
	if errors.Is(err, errShort) {
		return nil, 0, nil
	}
	return v, len(b) - len(r.b), err
}

type unpacker struct {
	b   []byte
	raw bool // the older dialect: see ParseMsgpackRaw
}

const maxDepth = 512

// room is how many items are made room for at the word of a header alone:
// nested headers must not make the reader take more memory than was sent.
const room = 1024

func (r *unpacker) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.b) {
		return nil, errShort
	}
	p := r.b[:n]
	r.b = r.b[n:]
	return p, nil
}

// number reads an unsigned number of n bytes.
func (r *unpacker) number(n int) (uint64, error) {
	p, err := r.take(n)
	if err != nil {
		return 0, err
	}
	switch n {
	case 1:
		return uint64(p[0]), nil
	case 2:
		return uint64(binary.BigEndian.Uint16(p)), nil
	case 4:
		return uint64(binary.BigEndian.Uint32(p)), nil
	}
	return binary.BigEndian.Uint64(p), nil
}

func (r *unpacker) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("msgpack: nested too deep")
	}
	p, err := r.take(1)
	if err != nil {
		return nil, err
	}
	t := p[0]
	switch {
	case t < 0x80:
		return int64(t), nil
	case t >= 0xe0:
		return int64(int8(t)), nil
	case t < 0x90:
		return r.pairs(uint64(t&15), depth)
	case t < 0xa0:
		return r.items(uint64(t&15), depth)
	case t < 0xc0:
		return r.text(uint64(t & 31))
	}
	switch t {
	case 0xc0:
		return nil, nil
	case 0xc2, 0xc3:
		return t == 0xc3, nil
	case 0xca:
		n, err := r.number(4)
		return float64(math.Float32frombits(uint32(n))), err
	case 0xcb:
		n, err := r.number(8)
		return math.Float64frombits(n), err
	case 0xcc, 0xcd, 0xce, 0xcf:
		n, err := r.number(1 << (t - 0xcc))
		return Int(new(big.Int).SetUint64(n)), err
	case 0xd0, 0xd1, 0xd2, 0xd3:
		size := 1 << (t - 0xd0)
		n, err := r.number(size)
		shift := 64 - 8*size
		return int64(n<<shift) >> shift, err
	case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8:
		return r.ext(1 << (t - 0xd4))
	}
	return r.sized(t, depth)
}

// sized reads what has its length in 8, 16 or 32 bits.
func (r *unpacker) sized(t byte, depth int) (any, error) {
	kinds := [...]struct {
		t     byte
		bytes int
		read  func(uint64) (any, error)
	}{
		{0xc4, 1, r.bin}, {0xc5, 2, r.bin}, {0xc6, 4, r.bin},
		{0xc7, 1, r.ext}, {0xc8, 2, r.ext}, {0xc9, 4, r.ext},
		{0xd9, 1, r.text}, {0xda, 2, r.text}, {0xdb, 4, r.text},
		{0xdc, 2, func(n uint64) (any, error) { return r.items(n, depth) }},
		{0xdd, 4, func(n uint64) (any, error) { return r.items(n, depth) }},
		{0xde, 2, func(n uint64) (any, error) { return r.pairs(n, depth) }},
		{0xdf, 4, func(n uint64) (any, error) { return r.pairs(n, depth) }},
	}
	for _, k := range kinds {
		if k.t == t {
			n, err := r.number(k.bytes)
			if err != nil {
				return nil, err
			}
			return k.read(n)
		}
	}
	return nil, fmt.Errorf("msgpack: unknown type 0x%02x", t)
}

func (r *unpacker) text(n uint64) (any, error) {
	p, err := r.take(int(n))
	if r.raw && !utf8.Valid(p) {
		return append([]byte{}, p...), err
	}
	return string(p), err
}

func (r *unpacker) bin(n uint64) (any, error) {
	p, err := r.take(int(n))
	if r.raw && utf8.Valid(p) {
		return string(p), err
	}
	return append([]byte{}, p...), err
}

func (r *unpacker) ext(n uint64) (any, error) {
	p, err := r.take(int(n) + 1)
	if err != nil {
		return nil, err
	}
	if p[0] == extTime {
		return time.ParseInLocation("20060102T15:04:05.999999", string(p[1:]), time.Local)
	}
	return append([]byte{}, p[1:]...), nil
}

func (r *unpacker) items(n uint64, depth int) (any, error) {
	if n > uint64(len(r.b)) {
		return nil, errShort
	}
	l := &List{Items: make([]any, 0, min(n, room))}
	for range n {
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		l.Items = append(l.Items, v)
	}
	return l, nil
}

func (r *unpacker) pairs(n uint64, depth int) (any, error) {
	if 2*n > uint64(len(r.b)) {
		return nil, errShort
	}
	m := NewMap(int(min(n, room)))
	for range n {
		k, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if l, ok := k.(*List); ok {
			k = Tuple(l.Items)
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if err := m.SetKey(k, v); err != nil {
			return nil, err
		}
	}
	return m, nil
}
