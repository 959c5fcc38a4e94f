package value

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

func comparableType(v any) bool { return reflect.TypeOf(v).Comparable() }

// Str is Python's str(v).
func Str(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case time.Time:
		return strTime(v)
	case Date:
		return v.Format(time.DateOnly)
	case fmt.Stringer:
		if _, big := v.(*big.Int); !big {
			return v.String()
		}
	case error:
		return v.Error()
	}
	return Repr(v)
}

// Repr is Python's repr(v).
func Repr(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	}
	var b strings.Builder
	writeRepr(&b, v, nil)
	return b.String()
}

func writeRepr(b *strings.Builder, v any, open []any) {
	switch v.(type) {
	case *List, *Map:
		for _, o := range open {
			if o == v {
				b.WriteString(again(v))
				return
			}
		}
		open = append(open, v)
	}
	switch v := v.(type) {
	case string:
		QuoteTo(b, v)
	case []byte:
		reprBytes(b, v)
	case float64:
		b.WriteString(FormatFloat(v))
	case *big.Int:
		b.WriteString(v.String())
	case *List:
		b.WriteByte('[')
		writeItems(b, v.Items, open)
		b.WriteByte(']')
	case Tuple:
		b.WriteByte('(')
		writeItems(b, v, open)
		if len(v) == 1 {
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *Set:
		if v.Len() == 0 {
			b.WriteString("set()")
			return
		}
		b.WriteByte('{')
		writeItems(b, v.Items(), open)
		b.WriteByte('}')
	case *Map:
		writeMap(b, v, open)
	case time.Time:
		reprTime(b, v)
	case Date:
		fmt.Fprintf(b, "datetime.date(%d, %d, %d)", v.Year(), int(v.Month()), v.Day())
	case interface{ Repr() string }:
		b.WriteString(v.Repr())
	case nil, bool, int64:
		b.WriteString(Repr(v))
	default:
		fmt.Fprint(b, v)
	}
}

func writeItems(b *strings.Builder, items []any, open []any) {
	for i, it := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		writeRepr(b, it, open)
	}
}

// again stands for a container inside itself.
func again(v any) string {
	m, ok := v.(*Map)
	switch {
	case !ok:
		return "[...]"
	case m.Ordered():
		return "..."
	}
	return "{...}"
}

// writeMap writes a map, an OrderedDict as Python 3.11 does.
func writeMap(b *strings.Builder, m *Map, open []any) {
	begin, colon, next, end := "{", ": ", ", ", "}"
	if m.Ordered() {
		begin, colon, next, end = "OrderedDict([(", ", ", "), (", ")])"
		if m.Len() == 0 {
			b.WriteString("OrderedDict()")
			return
		}
	}
	b.WriteString(begin)
	first := true
	for k, it := range m.All() {
		if !first {
			b.WriteString(next)
		}
		first = false
		writeRepr(b, k, open)
		b.WriteString(colon)
		writeRepr(b, it, open)
	}
	b.WriteString(end)
}

// FormatFloat is Python's repr of a float: the shortest text that reads back.
func FormatFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Quote is Python's repr of a string.
func Quote(s string) string {
	var b strings.Builder
	QuoteTo(&b, s)
	return b.String()
}

// QuoteTo writes Python's repr of a string.
func QuoteTo(b *strings.Builder, s string) {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	b.WriteByte(q)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(b, `\udc%02x`, s[i]) // as os.fsdecode (surrogateescape)
		case r == rune(q) || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(b, `\x%02x`, r)
		case r < 0x7f:
			b.WriteByte(byte(r))
		case !printable(r):
			switch {
			case r <= 0xff:
				fmt.Fprintf(b, `\x%02x`, r)
			case r <= 0xffff:
				fmt.Fprintf(b, `\u%04x`, r)
			default:
				fmt.Fprintf(b, `\U%08x`, r)
			}
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	b.WriteByte(q)
}

// printable is Python's str.isprintable for one code point.
func printable(r rune) bool {
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp, unicode.Zs) && (unicode.IsGraphic(r))
}

func reprBytes(b *strings.Builder, v []byte) {
	q := byte('\'')
	if strings.Contains(string(v), "'") && !strings.Contains(string(v), `"`) {
		q = '"'
	}
	b.WriteByte('b')
	b.WriteByte(q)
	for _, c := range v {
		switch {
		case c == q || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte(q)
}

func strTime(t time.Time) string {
	s := t.Format("2006-01-02 15:04:05")
	if us := t.Nanosecond() / 1000; us != 0 {
		s += fmt.Sprintf(".%06d", us)
	}
	if t.Location() != time.Local {
		s += t.Format("-07:00")
	}
	return s
}

func reprTime(b *strings.Builder, t time.Time) {
	fmt.Fprintf(b, "datetime.datetime(%d, %d, %d, %d, %d", t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute())
	us := t.Nanosecond() / 1000
	if t.Second() != 0 || us != 0 {
		fmt.Fprintf(b, ", %d", t.Second())
	}
	if us != 0 {
		fmt.Fprintf(b, ", %d", us)
	}
	if t.Location() == time.UTC {
		b.WriteString(", tzinfo=datetime.timezone.utc")
	}
	b.WriteByte(')')
}
