package output

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// pformat is Python's pprint.pformat(v, indent=indent): 80 columns, sorted
// maps, long strings in pieces.
func pformat(v any, indent int) string {
	p := printer{step: indent}
	p.format(v, 0, 0, 0)
	return string(p.b)
}

const columns = 80

type printer struct {
	b    []byte
	step int // columns a level
}

// format writes v, whose first column is indent; allowance columns are needed
// behind it for the brackets that close there.
func (p *printer) format(v any, indent, allowance, level int) {
	rep := value.Repr(inOrder(v))
	if utf8.RuneCountInString(rep) <= columns-indent-allowance {
		p.b = append(p.b, rep...)
		return
	}
	switch v := v.(type) {
	case *value.Map:
		p.dict(v, indent, allowance, level+1)
	case *value.List:
		p.items("[", "]", v.Items, indent, allowance, level+1)
	case value.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		p.items("(", end, v, indent, allowance, level+1)
	case *value.Set:
		p.items("{", "}", sortedLoosely(v.Items()), indent, allowance, level+1)
	case string:
		p.text(v, rep, indent, allowance, level+1)
	case []byte:
		p.bytes(v, rep, indent, allowance, level+1)
	default:
		p.b = append(p.b, rep...)
	}
}

func (p *printer) open(bracket string, indent int) int {
	p.b = append(p.b, bracket...)
	if p.step > 1 {
		p.pad(p.step - 1)
	}
	return indent + p.step
}

func (p *printer) pad(n int) {
	for range n {
		p.b = append(p.b, ' ')
	}
}

func (p *printer) next(indent int, sep string) {
	p.b = append(p.b, sep...)
	p.b = append(p.b, '\n')
	p.pad(indent)
}

func (p *printer) dict(m *value.Map, indent, allowance, level int) {
	keys := sortedLoosely(m.Keys())
	indent = p.open("{", indent)
	for i, k := range keys {
		if i > 0 {
			p.next(indent, ",")
		}
		rep := value.Repr(inOrder(k))
		p.b = append(p.b, rep...)
		p.b = append(p.b, ": "...)
		after := 1
		if i == len(keys)-1 {
			after = allowance + 1
		}
		v, _ := m.GetKey(k)
		p.format(v, indent+utf8.RuneCountInString(rep)+2, after, level)
	}
	p.b = append(p.b, '}')
}

func (p *printer) items(start, end string, items []any, indent, allowance, level int) {
	indent = p.open(start, indent)
	for i, it := range items {
		if i > 0 {
			p.next(indent, ",")
		}
		after := 1
		if i == len(items)-1 {
			after = allowance + len(end)
		}
		p.format(it, indent, after, level)
	}
	p.b = append(p.b, end...)
}

// text writes a long string as pieces on lines of their own; the outermost
// value stands in parentheses.
func (p *printer) text(s, rep string, indent, allowance, level int) {
	if level == 1 {
		indent++
		allowance++
	}
	pieces := split(s, columns-indent, allowance)
	if len(pieces) <= 1 {
		p.b = append(p.b, rep...)
		return
	}
	p.pieces(pieces, indent, level)
}

func (p *printer) pieces(pieces []string, indent, level int) {
	if level == 1 {
		p.b = append(p.b, '(')
	}
	for i, piece := range pieces {
		if i > 0 {
			p.next(indent, "")
		}
		p.b = append(p.b, piece...)
	}
	if level == 1 {
		p.b = append(p.b, ')')
	}
}

// split breaks s at line ends, and lines that are too wide between words, and
// gives the pieces' reprs. The last one leaves allowance columns free.
func split(s string, width, allowance int) []string {
	var out []string
	all := lines(s, true)
	for i, line := range all {
		lastLine := i == len(all)-1
		room := width
		if lastLine {
			room -= allowance
		}
		if rep := value.Quote(line); utf8.RuneCountInString(rep) <= room {
			out = append(out, rep)
			continue
		}
		room = width
		current := ""
		words := wordsWithSpace(line)
		for j, w := range words {
			if lastLine && j == len(words)-1 {
				room -= allowance
			}
			if utf8.RuneCountInString(value.Quote(current+w)) <= room {
				current += w
				continue
			}
			if current != "" {
				out = append(out, value.Quote(current))
			}
			current = w
		}
		if current != "" {
			out = append(out, value.Quote(current))
		}
	}
	return out
}

// wordsWithSpace cuts behind each run of white space.
func wordsWithSpace(s string) []string {
	var out []string
	start, space := 0, false
	for i, r := range s {
		if isSpace(r) {
			space = true
		} else if space {
			out = append(out, s[start:i])
			start, space = i, false
		}
	}
	return append(out, s[start:])
}

// bytes writes long bytes in pieces of whole groups of four.
func (p *printer) bytes(v []byte, rep string, indent, allowance, level int) {
	if len(v) <= 4 {
		p.b = append(p.b, rep...)
		return
	}
	if level == 1 {
		indent++
		allowance++
	}
	width := columns - indent
	var out []string
	start, last := 0, len(v)/4*4
	for i := 0; i < len(v); i += 4 {
		end := min(i+4, len(v))
		if i == last {
			width -= allowance
		}
		if len(value.Repr(v[start:end])) > width && i > start {
			out = append(out, value.Repr(v[start:i]))
			start = i
		}
	}
	p.pieces(append(out, value.Repr(v[start:])), indent, level)
}

// inOrder gives v with the maps inside sorted, as pprint shows them.
func inOrder(v any) any {
	switch v := v.(type) {
	case *value.Map:
		m := value.NewMap(v.Len())
		for _, k := range sortedLoosely(v.Keys()) {
			it, _ := v.GetKey(k)
			m.SetKey(k, inOrder(it)) // k was a key already
		}
		return m
	case *value.List:
		l := &value.List{Items: make([]any, len(v.Items))}
		for i, it := range v.Items {
			l.Items[i] = inOrder(it)
		}
		return l
	case value.Tuple:
		t := make(value.Tuple, len(v))
		for i, it := range v {
			t[i] = inOrder(it)
		}
		return t
	}
	return v
}

// sortedLoosely sorts like pprint: values without an order by their type.
func sortedLoosely(keys []any) []any {
	slices.SortStableFunc(keys, func(a, b any) int {
		if x, ok := a.(string); ok {
			if y, ok := b.(string); ok {
				return strings.Compare(x, y)
			}
		}
		if c, err := value.Compare(a, b, "<"); err == nil {
			return c
		}
		return strings.Compare(value.TypeName(a), value.TypeName(b))
	})
	return keys
}
