package apply

import (
	"fmt"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// High is the high data: what all SLS files of a run say, merged.
type High struct {
	// IDs maps each ID to its body: state module → list of arguments, and
	// __sls__, __env__, __sls_included_from__.
	IDs *value.Map
	// Extend are the extend declarations, each a map of IDs to bodies.
	Extend []*value.Map
	// Exclude are the exclude declarations: SLS names, or maps with sls or id.
	Exclude []any

	hasExtend, hasExclude bool
	extendAt, excludeAt   int // how many IDs stood before the first one
	disabled              []string
	sources               map[string]*source
	hollow                map[string][]string // SLS without states → what it includes
	strict                bool                // see Strict
}

// Strict makes it a mistake, as it is Salt's, to require an SLS that leads to
// no state. A run takes it as fulfilled; what shows the compiled states answers
// as Salt does.
func (h *High) Strict() { h.strict = true }

// NewHigh makes high data of a map as state.high takes it and state.show_sls
// shows it, with __extend__ and __exclude__ inside.
func (p *Compiler) NewHigh(data *value.Map) *High {
	h := p.empty()
	for id, body := range data.All() {
		switch id {
		case "__extend__":
			h.addExtend(items(body)...)
		case "__exclude__":
			h.AddExclude(items(body)...)
		default:
			_ = h.IDs.SetKey(id, body)
		}
	}
	return h
}

func (p *Compiler) empty() *High {
	return &High{IDs: new(value.Map).Order(), disabled: p.disabled, sources: p.sources, hollow: p.hollow}
}

// AddExclude appends exclude declarations.
func (h *High) AddExclude(items ...any) {
	if !h.hasExclude {
		h.hasExclude, h.excludeAt = true, h.IDs.Len()
	}
	h.Exclude = append(h.Exclude, items...)
}

func (h *High) startExtend() {
	if !h.hasExtend {
		h.hasExtend, h.extendAt = true, h.IDs.Len()
	}
}

func (h *High) addExtend(exts ...any) {
	h.startExtend()
	for _, e := range exts {
		if m, ok := e.(*value.Map); ok {
			h.Extend = append(h.Extend, m)
		}
	}
}

// Map is the high data as Salt shows it: extend and exclude declarations stand
// where the first one was merged in.
func (h *High) Map() *value.Map {
	m := value.NewMap(h.Len())
	last := h.IDs.Len()
	special := func(n int) {
		if h.hasExtend && min(h.extendAt, last) == n {
			l := new(value.List)
			for _, e := range h.Extend {
				l.Append(e)
			}
			m.Set("__extend__", l)
		}
		if h.hasExclude && min(h.excludeAt, last) == n {
			m.Set("__exclude__", value.L(h.Exclude...))
		}
	}
	n := 0
	for id, body := range h.IDs.All() {
		special(n)
		_ = m.SetKey(id, body)
		n++
	}
	special(last)
	return m
}

// Len is the number of entries that Salt would count.
func (h *High) Len() int {
	n := h.IDs.Len()
	if h.hasExtend {
		n++
	}
	if h.hasExclude {
		n++
	}
	return n
}

// Nothing reports whether there is no state, and none was excluded.
func (h *High) Nothing() bool { return h.Len() == 0 }

// A source is one rendered SLS file.
type source struct {
	text string
	file string
	root *value.Map
	pos  func(container, key any) diag.Pos
}

func (s *source) at(container, key any) diag.Pos {
	if s == nil || s.pos == nil {
		return diag.Pos{}
	}
	return s.pos(container, key)
}

// state is where a state stands in the body of an ID. The rendered key may have
// been "pkg.installed" and is "pkg" now.
func (s *source) state(body *value.Map, state string) diag.Pos {
	if p := s.at(body, state); p.Line > 0 {
		return p
	}
	for _, a := range items(body.At(state)) {
		if f, ok := a.(string); ok {
			if p := s.at(body, state+"."+f); p.Line > 0 {
				return p
			}
		}
	}
	return diag.Pos{}
}

// place finds where the state of an ID, or the ID itself, stands.
func (h *High) place(id any, body *value.Map, state string) (diag.Pos, *source) {
	src := h.sources[body.Str("__env__")+":"+body.Str("__sls__")]
	if src == nil {
		return diag.Pos{}, nil
	}
	if state != "" {
		if p := src.state(body, state); p.Line > 0 {
			return p, src
		}
	}
	if p := src.at(src.root, id); p.Line > 0 {
		return p, src
	}
	return diag.Pos{File: src.file}, src
}

// argument finds where an argument of a state stands.
func (h *High) argument(id any, body *value.Map, state string, arg any, key string) (diag.Pos, *source) {
	p, src := h.place(id, body, state)
	if src != nil {
		if q := src.at(arg, key); q.Line > 0 {
			return q, src
		}
	}
	return p, src
}

// mistake makes the diagnostic of a mistake in the state of an ID.
func (h *High) mistake(kind string, id any, body *value.Map, state, format string, a ...any) *diag.Diagnostic {
	p, src := h.place(id, body, state)
	return src.mistake(kind, p, format, a...)
}

func (s *source) mistake(kind string, p diag.Pos, format string, a ...any) *diag.Diagnostic {
	text := fmt.Sprintf(format, a...)
	first, rest, _ := strings.Cut(strings.TrimRight(text, "\n"), "\n")
	d := &diag.Diagnostic{ID: kind, Pos: p, Summary: first, Detail: rest, Return: text}
	if s != nil {
		d.Source = s.text
		if d.Pos.File == "" {
			d.Pos.File = s.file
		}
	}
	return d
}

// items are the items of a list, nil for anything else.
func items(v any) []any {
	switch v := v.(type) {
	case *value.List:
		if v != nil {
			return v.Items
		}
	case value.Tuple:
		return v
	}
	return nil
}

// first is the first key of a map and its value.
func first(m *value.Map) (key, v any) {
	for k, v := range m.All() {
		return k, v
	}
	return nil, nil
}

// firstKey is the first key of a map when it is a string.
func firstKey(m *value.Map) string {
	k, _ := first(m)
	s, _ := k.(string)
	return s
}
