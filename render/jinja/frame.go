package jinja

import (
	"errors"

	"pinch/value"
)

// missingType is the type of a slot that holds nothing.
type missingType struct{ _ byte }

var missing any = &missingType{}

// A function is compiled code with its own slots: a template's top level, a
// block, a macro, a call's body or a recursive loop.
type function struct {
	t     *Template
	up    *function // the one around it, whose variables it sees
	slots int
	block bool // Jinja's tracebacks leave it out
}

func (fn *function) newSlot() int { fn.slots++; return fn.slots - 1 }

// hops counts how many functions out from fn the function g is.
func (fn *function) hops(g *function) int {
	n := 0
	for ; fn != g; fn = fn.up {
		n++
	}
	return n
}

// A frame is one run of a function.
type frame struct {
	fn     *function
	up     *frame
	st     *State
	cx     *Context
	out    *writer
	parent *Template // of the top level: what it extends
	slots  []any
}

func newFrame(fn *function, up *frame, cx *Context, out *writer) *frame {
	return &frame{fn: fn, up: up, st: cx.st, cx: cx, out: out, slots: make([]any, fn.slots)}
}

// at reads a variable of this frame's function or one around it.
func (f *frame) at(r ref) any {
	for f.fn != r.fn {
		f = f.up
	}
	return f.slots[r.slot]
}

func (f *frame) resolve(name string) any {
	if v, ok := f.cx.Lookup(name); ok {
		return v
	}
	return missing
}

// child reports whether the template extends another one, so that its top
// level writes nothing.
func (f *frame) child() bool {
	for f.up != nil {
		f = f.up
	}
	return f.parent != nil
}

type (
	// An eval is a compiled expression, an exec a compiled statement.
	eval func(f *frame) (any, error)
	exec func(f *frame) error
	// An assign stores into a compiled target.
	assign func(f *frame, v any) error
)

// A stmt is a statement with the place that tracebacks name for it.
type stmt struct {
	run exec
	off int32
}

var (
	errBreak    = errors.New("break")
	errContinue = errors.New("continue")
)

// run runs statements in order.
func (f *frame) run(body []stmt) error {
	for i := range body {
		if err := body[i].run(f); err != nil {
			if err == errBreak || err == errContinue {
				return err
			}
			return f.reported(err, body[i].off)
		}
	}
	return nil
}

// reported notes the statement that was running, unless a more inner one is noted.
func (f *frame) reported(err error, off int32) error {
	e := f.fn.t.at(err, off).(*Error)
	if e.Reported.Line == 0 && !f.fn.block {
		e.Reported = f.fn.t.pos(off)
		e.Reported.Col = 0
	}
	return e
}

// called notes that what failed was called from off.
func (f *frame) called(err error, off int32) error {
	e := asError(err)
	if e.Pos.Line == 0 {
		return f.fn.t.at(e, off)
	}
	if len(e.Stack) < 64 {
		e.Stack = append(e.Stack, f.fn.t.pos(off))
	}
	return e
}

// captured runs body into its own text.
func (f *frame) captured(body []stmt) (string, error) {
	out := f.out
	f.out = newWriter(f.st, false)
	err := f.run(body)
	text := f.out.b.String()
	f.out = out
	return text, err
}

// enterOps set the slots of a scope when it begins.
type enterOp struct {
	load
	slot int
}

func (f *frame) enter(ops []enterOp) {
	for i := range ops {
		switch op := &ops[i]; op.kind {
		case loadResolve:
			f.slots[op.slot] = f.resolve(op.name)
		case loadAlias:
			f.slots[op.slot] = f.at(op.from)
		case loadMissing:
			f.slots[op.slot] = missing
		}
	}
}

// text is the text of a printed value: Finalize, then str() or HTML escaping.
func (f *frame) text(v any) (string, error) {
	if fin := f.st.Env.Finalize; fin != nil {
		var err error
		if v, err = fin(f.st, v); err != nil {
			return "", err
		}
	}
	if f.cx.autoescape {
		return f.st.escape(v)
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	return f.st.Str(v)
}

// Str is Python's str(v); under Strict an undefined value fails.
func (s *State) Str(v any) (string, error) {
	if u, ok := v.(*Undefined); ok {
		return u.Text(), u.StrictErr()
	}
	return value.Str(v), nil
}
