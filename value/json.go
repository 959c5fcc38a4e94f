package value

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"
)

// JSONOptions are the arguments of Python's json.dumps that Salt uses.
type JSONOptions struct {
	Indent   int    // spaces a level; 0: one line, with ", " and ": " between
	Tab      string // what a level is indented with, in the place of spaces
	Lines    bool   // each item on a line of its own, even with Indent 0
	Compact  bool   // one line with "," and ":" between
	SortKeys bool
	ASCII    bool // everything beyond ASCII is escaped (ensure_ascii)
	// Default, when set, replaces a value that JSON has no form for.
	Default func(any) (any, error)
}

// JSON is Python's json.dumps of v. It fails with a TypeError for bytes, sets,
// dates, objects and for keys other than strings, numbers, True, False, None.
func JSON(v any, o JSONOptions) (string, error) {
	pieces, err := JSONPieces(v, o)
	return string(bytes.Join(pieces, nil)), err
}

// JSONPieces is JSON in pieces that belong one after the other: a long text
// that is to be written out need never lie in memory as a whole, nor be copied
// while it grows.
func JSONPieces(v any, o JSONOptions) ([][]byte, error) {
	w := jsonWriter{o: o}
	if err := w.write(v, 0); err != nil {
		return nil, err
	}
	return append(w.full, w.b), nil
}

// jsonPiece is when a piece counts as full.
const jsonPiece = 32 << 10

type jsonWriter struct {
	b    []byte
	full [][]byte // the pieces before b
	o    JSONOptions
}

// cut begins a new piece if this one is full.
func (w *jsonWriter) cut() {
	if len(w.b) >= jsonPiece {
		w.full = append(w.full, w.b)
		w.b = make([]byte, 0, jsonPiece+jsonPiece/8)
	}
}

func (w *jsonWriter) lines() bool { return w.o.Indent > 0 || w.o.Tab != "" || w.o.Lines }

const blanks = "                                                                "

func (w *jsonWriter) newline(depth int) {
	w.b = append(w.b, '\n')
	if w.o.Tab != "" {
		for range depth {
			w.b = append(w.b, w.o.Tab...)
		}
		return
	}
	n := depth * w.o.Indent
	for ; n > len(blanks); n -= len(blanks) {
		w.b = append(w.b, blanks...)
	}
	w.b = append(w.b, blanks[:n]...)
}

func (w *jsonWriter) comma(first bool, depth int) {
	w.cut()
	if !first {
		w.b = append(w.b, ',')
		if !w.lines() && !w.o.Compact {
			w.b = append(w.b, ' ')
		}
	}
	if w.lines() {
		w.newline(depth)
	}
}

func (w *jsonWriter) write(v any, depth int) error {
	if depth > 1000 {
		return Errorf("ValueError", "Circular reference detected")
	}
	switch v := v.(type) {
	case nil:
		w.b = append(w.b, "null"...)
	case bool:
		w.b = strconv.AppendBool(w.b, v)
	case int64:
		w.b = strconv.AppendInt(w.b, v, 10)
	case *big.Int:
		w.b = v.Append(w.b, 10)
	case float64:
		w.b = append(w.b, jsonFloat(v)...)
	case string:
		w.string(v)
	case *List:
		return w.items(v.Items, depth)
	case Tuple:
		return w.items(v, depth)
	case *Map:
		return w.object(v, depth)
	default:
		if w.o.Default != nil {
			x, err := w.o.Default(v)
			if err != nil {
				return err
			}
			return w.write(x, depth+1)
		}
		return typeError("Object of type %s is not JSON serializable", TypeName(v))
	}
	return nil
}

func jsonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return FormatFloat(f)
}

func (w *jsonWriter) items(items []any, depth int) error {
	if len(items) == 0 {
		w.b = append(w.b, "[]"...)
		return nil
	}
	w.b = append(w.b, '[')
	for i, it := range items {
		w.comma(i == 0, depth+1)
		if err := w.write(it, depth+1); err != nil {
			return err
		}
	}
	if w.lines() {
		w.newline(depth)
	}
	w.b = append(w.b, ']')
	return nil
}

func (w *jsonWriter) object(m *Map, depth int) error {
	if m.Len() == 0 {
		w.b = append(w.b, "{}"...)
		return nil
	}
	w.b = append(w.b, '{')
	first := true
	if !w.o.SortKeys {
		for k, v := range m.All() {
			if err := w.member(k, v, first, depth+1); err != nil {
				return err
			}
			first = false
		}
	} else {
		keys, err := jsonOrder(m)
		if err != nil {
			return err
		}
		for _, k := range keys {
			v, _ := m.GetKey(k)
			if err := w.member(k, v, first, depth+1); err != nil {
				return err
			}
			first = false
		}
	}
	if w.lines() {
		w.newline(depth)
	}
	w.b = append(w.b, '}')
	return nil
}

func (w *jsonWriter) member(k, v any, first bool, depth int) error {
	w.comma(first, depth)
	name, err := jsonKey(k)
	if err != nil {
		return err
	}
	w.string(name)
	w.b = append(w.b, ':')
	if !w.o.Compact {
		w.b = append(w.b, ' ')
	}
	return w.write(v, depth)
}

func jsonOrder(m *Map) ([]any, error) {
	keys := m.Keys()
	var bad error
	slices.SortStableFunc(keys, func(a, b any) int {
		c, err := Compare(a, b, "<")
		if err != nil && bad == nil {
			bad = err
		}
		return c
	})
	return keys, bad
}

func jsonKey(k any) (string, error) {
	switch k := k.(type) {
	case string:
		return k, nil
	case nil:
		return "null", nil
	case bool:
		return strconv.FormatBool(k), nil
	case int64, *big.Int:
		return Repr(k), nil
	case float64:
		return jsonFloat(k), nil
	}
	return "", typeError("keys must be str, int, float, bool or None, not %s", TypeName(k))
}

func (w *jsonWriter) string(s string) {
	const hex = "0123456789abcdef"
	w.b = append(w.b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		n := 1
		var esc []byte
		switch {
		case c == '"' || c == '\\':
			esc = []byte{'\\', c}
		case c == '\n':
			esc = []byte(`\n`)
		case c == '\r':
			esc = []byte(`\r`)
		case c == '\t':
			esc = []byte(`\t`)
		case c == '\b':
			esc = []byte(`\b`)
		case c == '\f':
			esc = []byte(`\f`)
		case c < ' ':
			esc = []byte{'\\', 'u', '0', '0', hex[c>>4], hex[c&15]}
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			n = size
			switch {
			case r == utf8.RuneError && size == 1:
				esc = fmt.Appendf(nil, `\udc%02x`, c)
			case !w.o.ASCII:
				i += n
				continue
			case r > 0xffff:
				r -= 0x10000
				esc = fmt.Appendf(nil, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
			default:
				esc = fmt.Appendf(nil, `\u%04x`, r)
			}
		}
		w.b = append(w.b, s[start:i]...)
		w.b = append(w.b, esc...)
		i += n
		start = i
	}
	w.b = append(w.b, s[start:]...)
	w.b = append(w.b, '"')
}

// MarshalJSON gives Python's one-line json.dumps, for encoding/json.
func (m *Map) MarshalJSON() ([]byte, error) {
	s, err := JSON(m, JSONOptions{})
	return []byte(s), err
}
