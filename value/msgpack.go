package value

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/big"
	"time"
)

// Msgpack writes v as Salt's payload does: UTF-8 strings, bytes as bin, maps
// with any key, datetimes as ext 78.
func Msgpack(v any) ([]byte, error) { return packer{}.append(nil, v) }

// MsgpackRaw writes v in the older dialect that masters and minions speak:
// text and bytes are of one kind and cannot be told apart.
func MsgpackRaw(v any) ([]byte, error) { return packer{raw: true}.append(nil, v) }

// A packer writes one of the two dialects.
type packer struct{ raw bool }

// WriteMsgpack writes what Msgpack gives; of a map one entry after the other,
// so that the whole need not lie in memory.
func WriteMsgpack(w io.Writer, v any) error {
	m, ok := v.(*Map)
	if !ok {
		b, err := Msgpack(v)
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	}
	b := packLen(nil, m.Len(), 0x80, 16, 0, 0xde, 0xdf)
	var p packer
	var err error
	for k, x := range m.All() {
		if b, err = p.append(b, k); err != nil {
			return err
		}
		if b, err = p.append(b, x); err != nil {
			return err
		}
		if len(b) >= 32<<10 {
			if _, err = w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err = w.Write(b)
	return err
}

const extTime = 78

func (p packer) append(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, 0xc0), nil
	case bool:
		if v {
			return append(b, 0xc3), nil
		}
		return append(b, 0xc2), nil
	case int64:
		return packInt(b, v), nil
	case *big.Int:
		if v.IsUint64() {
			return binary.BigEndian.AppendUint64(append(b, 0xcf), v.Uint64()), nil
		}
		return p.append(b, v.String())
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(v)), nil
	case string:
		if p.raw {
			return append(packRaw(b, len(v)), v...), nil
		}
		return append(packLen(b, len(v), 0xa0, 32, 0xd9, 0xda, 0xdb), v...), nil
	case []byte:
		if p.raw {
			return append(packRaw(b, len(v)), v...), nil
		}
		return append(packLen(b, len(v), 0, 0, 0xc4, 0xc5, 0xc6), v...), nil
	case *List:
		return p.items(b, v.Items)
	case Tuple:
		return p.items(b, v)
	case *Set:
		return p.items(b, v.Items())
	case *Map:
		b = packLen(b, v.Len(), 0x80, 16, 0, 0xde, 0xdf)
		var err error
		for k, x := range v.All() {
			if b, err = p.append(b, k); err != nil {
				return nil, err
			}
			if b, err = p.append(b, x); err != nil {
				return nil, err
			}
		}
		return b, nil
	case time.Time:
		s := v.Format("20060102T15:04:05.000000")
		return append(append(b, 0xc7, byte(len(s)), extTime), s...), nil
	case Date:
		return p.append(b, v.Time)
	}
	return nil, fmt.Errorf("msgpack: cannot serialize %s", TypeName(v))
}

func (p packer) items(b []byte, items []any) ([]byte, error) {
	b = packLen(b, len(items), 0x90, 16, 0, 0xdc, 0xdd)
	var err error
	for _, it := range items {
		if b, err = p.append(b, it); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func packRaw(b []byte, n int) []byte { return packLen(b, n, 0xa0, 32, 0, 0xda, 0xdb) }

func packInt(b []byte, i int64) []byte {
	switch {
	case i >= 0 && i < 128 || i < 0 && i >= -32:
		return append(b, byte(i))
	case i >= 0 && i <= math.MaxUint8:
		return append(b, 0xcc, byte(i))
	case i >= 0 && i <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, 0xcd), uint16(i))
	case i >= 0 && i <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, 0xce), uint32(i))
	case i >= 0:
		return binary.BigEndian.AppendUint64(append(b, 0xcf), uint64(i))
	case i >= math.MinInt8:
		return append(b, 0xd0, byte(i))
	case i >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(b, 0xd1), uint16(i))
	case i >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(b, 0xd2), uint32(i))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(i))
}

// packLen writes a length: short ones within the type byte, others behind the
// type byte for 8, 16 or 32 bits (0: there is none for 8).
func packLen(b []byte, n int, fix byte, short int, t8, t16, t32 byte) []byte {
	switch {
	case n < short:
		return append(b, fix|byte(n))
	case n <= math.MaxUint8 && t8 != 0:
		return append(b, t8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, t16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, t32), uint32(n))
}
