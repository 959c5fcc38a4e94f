package jinja

import (
	"pinch/value"
	"pinch/value/py"
)

// A macroDef is a compiled macro, or the body of a call block.
type macroDef struct {
	fn       *function
	name     string // "" for a call block
	params   []string
	slots    []int  // of params
	defaults []eval // of the last params
	off      int32
	enter    []enterOp
	body     []stmt

	caller, kwargs, varargs int  // slots, or -1
	explicitCaller          bool // caller is one of params
}

// A Macro is a macro as a value.
type Macro struct {
	def *macroDef
	up  *frame
	cx  *Context
}

// Name is the macro's name, "" for the body of a call block.
func (m *Macro) Name() string { return m.def.name }

// Template is the name of the template that it stands in.
func (m *Macro) Template() string { return m.def.fn.t.src.Name }

// TypeName is the Python class.
func (m *Macro) TypeName() string { return "jinja2.runtime.Macro" }

// Repr is how it is printed.
func (m *Macro) Repr() string {
	if m.def.name == "" {
		return "<Macro anonymous>"
	}
	return "<Macro " + value.Quote(m.def.name) + ">"
}

// GetAttr gives name, arguments, catch_kwargs, catch_varargs and caller.
func (m *Macro) GetAttr(_ *State, name string) (any, bool, error) {
	switch name {
	case "name":
		if m.def.name == "" {
			return nil, true, nil
		}
		return m.def.name, true, nil
	case "arguments":
		t := make(value.Tuple, len(m.def.params))
		for i, p := range m.def.params {
			t[i] = p
		}
		return t, true, nil
	case "catch_kwargs":
		return m.def.kwargs >= 0, true, nil
	case "catch_varargs":
		return m.def.varargs >= 0, true, nil
	case "caller":
		return m.def.caller >= 0, true, nil
	case "explicit_caller":
		return m.def.explicitCaller, true, nil
	}
	return nil, false, nil
}

// Call runs the macro and gives its text.
func (m *Macro) Call(c *Call) (any, error) {
	w := newWriter(m.cx.st, false)
	if err := m.stream(w, c.Args, c.Kwargs); err != nil {
		return nil, err
	}
	if c.Context != nil && c.Context.autoescape {
		return py.Markup(w.b.String()), nil
	}
	return w.b.String(), nil
}

// stream runs the macro into out.
func (m *Macro) stream(out *writer, args []any, kw *value.Map) error {
	st := m.cx.st
	if err := st.enter(); err != nil {
		return err
	}
	defer st.leave()
	f := newFrame(m.def.fn, m.up, m.cx, out)
	if err := m.bind(f, args, kw); err != nil {
		return err
	}
	f.enter(m.def.enter)
	d := m.def
	for i, slot := range d.slots {
		if f.slots[slot] != missing {
			continue
		}
		if k := i - len(d.slots) + len(d.defaults); k >= 0 {
			v, err := d.defaults[k](f)
			if err != nil {
				return f.reported(err, d.off)
			}
			f.slots[slot] = v
			continue
		}
		f.slots[slot] = st.Env.UndefHint("parameter "+value.Quote(d.params[i])+" was not provided", d.params[i])
	}
	return f.run(d.body)
}

// bind puts the arguments of a call into their slots.
func (m *Macro) bind(f *frame, args []any, kw *value.Map) error {
	d := m.def
	n := min(len(args), len(d.params))
	for i := range n {
		f.slots[d.slots[i]] = args[i]
	}
	foundCaller := d.explicitCaller && n == len(d.params)
	for i := n; i < len(d.params); i++ {
		v, ok := kw.Get(d.params[i])
		if ok {
			kw.Pop(d.params[i])
		} else {
			v = missing
		}
		foundCaller = foundCaller || d.params[i] == "caller"
		f.slots[d.slots[i]] = v
	}
	if d.caller >= 0 && !foundCaller {
		v, ok := kw.Get("caller")
		if ok {
			kw.Pop("caller")
		}
		if v == nil {
			v = f.st.Env.UndefHint("No caller defined", "caller")
		}
		f.slots[d.caller] = v
	}
	switch {
	case d.kwargs >= 0:
		if kw == nil {
			kw = new(value.Map)
		}
		f.slots[d.kwargs] = kw
	case kw.Len() > 0:
		if kw.Has("caller") {
			return value.Errorf("TypeError", "macro %s was invoked with two values for the special caller argument. This is most likely a bug.", m.nameRepr())
		}
		return value.Errorf("TypeError", "macro %s takes no keyword argument %s", m.nameRepr(), value.Repr(kw.Keys()[0]))
	}
	if d.varargs >= 0 {
		f.slots[d.varargs] = value.Tuple(args[n:])
	} else if len(args) > len(d.params) {
		return value.Errorf("TypeError", "macro %s takes not more than %d argument(s)", m.nameRepr(), len(d.params))
	}
	return nil
}

func (m *Macro) nameRepr() string {
	if m.def.name == "" {
		return "None"
	}
	return value.Quote(m.def.name)
}
