package yaml

import (
	"encoding/base64"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"pinch/value"
)

// A FlowStyle is Python's default_flow_style.
type FlowStyle uint8

const (
	Auto  FlowStyle = iota // None: flow for collections of plain scalars only
	Block                  // False
	Flow                   // True
)

// StyleOf is the style that a Python value of default_flow_style stands for.
func StyleOf(v any) FlowStyle {
	switch {
	case v == nil:
		return Auto
	case value.Truth(v):
		return Flow
	}
	return Block
}

// DumpOptions are the arguments of yaml.dump. The zero value is what
// salt.utils.yaml.safe_dump does.
type DumpOptions struct {
	Flow          FlowStyle
	Indent        int    // 2 to 9, else 2
	Width         int    // 80 when 0 or too small; negative: no folding
	ASCII         bool   // allow_unicode=False
	KeepOrder     bool   // sort_keys=False
	SortOrdered   bool   // OrderedDicts are sorted, too, as by Salt's serializer; else they keep their order
	ExplicitStart bool   // "---"
	ExplicitEnd   bool   // "..."
	Canonical     bool   // all tags, all quoted
	Version       string // of a %YAML directive: "1.1"
	LineBreak     string // "\n" when empty, "\r" or "\r\n"
	Style         byte   // default_style: one of ' " | > or 0
}

// Dump writes v as one document, as salt.utils.yaml.safe_dump does. Containers
// that are met twice get an anchor and aliases; what YAML has no form for is
// NULL. (Salt's IndentedSafeOrderedDumper writes the same text, as its
// indentation has no effect on libyaml.) It fails for a directive's version
// that is no 1.1 or 1.2.
func Dump(v any, o DumpOptions) (string, error) {
	e := &emitter{o: o, indent: -1, lineBreak: "\n"}
	if o.Version != "" && o.Version != "1.1" && o.Version != "1.2" {
		return "", value.Errorf("EmitterError", "incompatible %%YAML directive")
	}
	e.step, e.width = o.Indent, o.Width
	if e.step < 2 || e.step > 9 {
		e.step = 2
	}
	if e.width >= 0 && e.width <= e.step*2 {
		e.width = 80
	}
	if e.width < 0 {
		e.width = 1<<31 - 1
	}
	if o.LineBreak == "\r" || o.LineBreak == "\r\n" {
		e.lineBreak = o.LineBreak
	}
	e.findShared(v)
	e.document(v)
	return string(e.b), nil
}

// identity is what makes two containers the same object; nil for values that
// never share.
func identity(v any) any {
	switch v := v.(type) {
	case *value.List, *value.Map, *value.Set:
		return v
	case value.Tuple:
		if len(v) > 0 {
			return &v[0]
		}
	}
	return nil
}

// findShared numbers the containers that are met more than once, in the order
// of their second meeting.
func (e *emitter) findShared(v any) {
	seen := sightings{}
	if !seen.again(v) {
		return
	}
	e.anchors = map[any]int{}
	e.number(v, map[any]bool{})
}

// sightings remembers the containers that were met.
type sightings struct {
	maps   map[*value.Map]struct{}
	lists  map[*value.List]struct{}
	others map[any]struct{}
}

func sighted[K comparable](m *map[K]struct{}, k K) bool {
	if *m == nil {
		*m = make(map[K]struct{}, 64)
	}
	n := len(*m)
	(*m)[k] = struct{}{}
	return len(*m) == n
}

// again walks through v and reports that it met a container twice.
func (s *sightings) again(v any) bool {
	switch v := v.(type) {
	case *value.Map:
		if sighted(&s.maps, v) {
			return true
		}
		for k, it := range v.All() {
			if s.again(k) || s.again(it) {
				return true
			}
		}
	case *value.List:
		return sighted(&s.lists, v) || s.againIn(v.Items)
	case value.Tuple:
		return len(v) > 0 && (sighted(&s.others, any(&v[0])) || s.againIn(v))
	case *value.Set:
		return sighted(&s.others, any(v)) || s.againIn(v.Items())
	}
	return false
}

func (s *sightings) againIn(items []any) bool {
	for _, it := range items {
		if s.again(it) {
			return true
		}
	}
	return false
}

func (e *emitter) number(v any, seen map[any]bool) {
	id := identity(v)
	if id == nil {
		return
	}
	if seen[id] {
		if e.anchors[id] == 0 {
			e.anchors[id] = len(e.anchors) + 1
		}
		return
	}
	seen[id] = true
	switch v := v.(type) {
	case *value.List:
		for _, it := range v.Items {
			e.number(it, seen)
		}
	case value.Tuple:
		for _, it := range v {
			e.number(it, seen)
		}
	case *value.Map, *value.Set:
		base := len(e.stack)
		for _, p := range e.pairs(v) {
			e.number(p.key, seen)
			e.number(p.val, seen)
		}
		e.stack = e.stack[:base]
	}
}

type pair struct{ key, val any }

// pairs are the pairs of a map or set in the order in which they are written.
// They lie on the emitter's stack: the caller sets it back to its length.
func (e *emitter) pairs(v any) []pair {
	base, keep := len(e.stack), e.o.KeepOrder
	switch v := v.(type) {
	case *value.Map:
		keep = keep || !e.o.SortOrdered && v.Ordered()
		for k, it := range v.All() {
			e.stack = append(e.stack, pair{k, it})
		}
	case *value.Set:
		for _, k := range v.Items() {
			e.stack = append(e.stack, pair{k, nil})
		}
	}
	pairs := e.stack[base:]
	if keep || len(pairs) < 2 {
		return pairs
	}
	return sortPairs(pairs)
}

// sortPairs sorts by key; keys that Python cannot compare stay as they are.
func sortPairs(pairs []pair) []pair {
	strs := true
	for _, p := range pairs {
		if _, ok := p.key.(string); !ok {
			strs = false
		}
	}
	if strs {
		slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.key.(string), b.key.(string)) })
		return pairs
	}
	sorted := slices.Clone(pairs)
	var bad error
	slices.SortStableFunc(sorted, func(a, b pair) int {
		c, err := value.Compare(a.key, b.key, "<")
		if err != nil {
			bad = err
		}
		return c
	})
	if bad != nil {
		return pairs
	}
	return sorted
}

// A text is a scalar as PyYAML represents it.
type text struct {
	tag   tag
	s     string
	style byte
}

// represent gives the text of a scalar; ok is false for containers.
func (e *emitter) represent(v any) (t text, ok bool) {
	t.style = e.o.Style
	switch v := v.(type) {
	case string:
		t.s = v
	case nil:
		t.tag, t.s = tagNull, "null"
	case bool:
		t.tag, t.s = tagBool, strconv.FormatBool(v)
	case int64:
		t.tag, t.s = tagInt, strconv.FormatInt(v, 10)
	case *big.Int:
		t.tag, t.s = tagInt, v.String()
	case float64:
		t.tag, t.s = tagFloat, floatText(v)
	case []byte:
		t.tag, t.s, t.style = tagBinary, encodeBase64(v), '|'
	case value.Date:
		t.tag, t.s = tagTimestamp, v.Format(time.DateOnly)
	case time.Time:
		t.tag, t.s = tagTimestamp, value.Str(v)
	case *value.List, *value.Map, *value.Set, value.Tuple:
		return t, false
	default:
		t.tag, t.s = tagNull, "NULL"
	}
	return t, true
}

func floatText(f float64) string {
	switch s := strings.ToLower(value.FormatFloat(f)); s {
	case "nan":
		return ".nan"
	case "inf":
		return ".inf"
	case "-inf":
		return "-.inf"
	default:
		if !strings.Contains(s, ".") {
			s = strings.Replace(s, "e", ".0e", 1)
		}
		return s
	}
}

// encodeBase64 is Python's base64.encodebytes: lines of 76 characters.
func encodeBase64(b []byte) string {
	s := base64.StdEncoding.EncodeToString(b)
	var out strings.Builder
	for len(s) > 0 {
		n := min(76, len(s))
		out.WriteString(s[:n])
		out.WriteByte('\n')
		s = s[n:]
	}
	return out.String()
}
