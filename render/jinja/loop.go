package jinja

import (
	"fmt"

	"pinch/value"
	"pinch/value/py"
)

// A forDef is a compiled loop.
type forDef struct {
	fn        *function // of a recursive loop; nil: the one around it
	iter      eval
	target    assign
	once      []enterOp // set before the first turn
	enter     []enterOp // set at each turn
	loopSlot  int       // of the loop variable, -1 when it is not used
	body      []stmt
	els       []stmt
	elseEnter []enterOp
	off       int32

	test       eval // may be nil
	testTarget assign
	testEnter  []enterOp
	testOff    int32
}

// run runs a loop that is not recursive.
func (d *forDef) run(f *frame) error {
	v, err := d.iter(f)
	if err != nil {
		return err
	}
	return d.over(f, v, nil, 0)
}

// runRecursive runs a recursive loop at its outermost level.
func (d *forDef) runRecursive(f *frame) error {
	v, err := d.iter(f)
	if err != nil {
		return err
	}
	return d.recurse(f, f.out, v, 0)
}

func (d *forDef) recurse(up *frame, out *writer, v any, depth int) error {
	if err := up.st.enter(); err != nil {
		return err
	}
	defer up.st.leave()
	f := newFrame(d.fn, up, up.cx, out)
	if err := d.over(f, v, up, depth); err != nil {
		return f.reported(err, d.off)
	}
	return nil
}

func (d *forDef) over(f *frame, v any, up *frame, depth int) error {
	src, err := f.st.source(v)
	if err != nil {
		return err
	}
	if d.test != nil {
		src = &testSource{src, f, d.testEnter, d.testTarget, d.test, d.testOff}
	}
	var loop *loopContext
	if d.loopSlot >= 0 {
		loop = &loopContext{st: f.st, def: d, up: up, src: src, index0: -1, depth0: depth}
		f.slots[d.loopSlot] = loop
	}
	f.enter(d.once)
	// As in Jinja a turn that ended early does not count for else.
	for ran := false; ; {
		var ok bool
		if loop != nil {
			v, ok, err = loop.advance()
		} else {
			v, ok, err = src.next()
		}
		if err != nil {
			return err
		}
		if !ok {
			return d.orElse(f, ran)
		}
		if err := f.st.Step(); err != nil {
			return err
		}
		if err := d.target(f, v); err != nil {
			return err
		}
		f.enter(d.enter)
		switch err := f.run(d.body); err {
		case nil:
			ran = true
		case errContinue:
		case errBreak:
			return d.orElse(f, ran)
		default:
			return err
		}
	}
}

func (d *forDef) orElse(f *frame, ran bool) error {
	if ran || len(d.els) == 0 {
		return nil
	}
	f.enter(d.elseEnter)
	return f.run(d.els)
}

// A loopContext is the variable loop.
type loopContext struct {
	st     *State
	def    *forDef
	up     *frame // around a recursive loop, else nil
	src    source
	index0 int
	depth0 int
	length int // 0: not known yet

	ended           bool
	peeked          bool
	after           any
	current, before any
	changedLast     value.Tuple
	changedCalled   bool
}

func (l *loopContext) advance() (any, bool, error) {
	v, ok, err := l.peek()
	if err != nil || !ok {
		return nil, false, err
	}
	l.peeked, l.after = false, nil
	l.index0++
	l.before, l.current = l.current, v
	return v, true, nil
}

// peek reads the next item without going there.
func (l *loopContext) peek() (any, bool, error) {
	if l.peeked {
		return l.after, true, nil
	}
	if l.ended {
		return nil, false, nil
	}
	v, ok, err := l.src.next()
	if err != nil {
		return nil, false, err
	}
	if !ok {
		l.ended = true
		return nil, false, nil
	}
	l.peeked, l.after = true, v
	return v, true, nil
}

func (l *loopContext) len() (int, error) {
	if l.length > 0 {
		return l.length, nil
	}
	if n, ok := l.src.size(); ok {
		l.length = n
		return n, nil
	}
	var rest []any
	for {
		v, ok, err := l.src.next()
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		rest = append(rest, v)
	}
	l.src = &sliceSource{items: rest}
	l.length = len(rest) + l.index0 + 1
	if l.peeked {
		l.length++
	}
	return l.length, nil
}

// GetAttr gives the attributes of loop.
func (l *loopContext) GetAttr(st *State, name string) (any, bool, error) {
	switch name {
	case "index":
		return int64(l.index0 + 1), true, nil
	case "index0":
		return int64(l.index0), true, nil
	case "first":
		return l.index0 == 0, true, nil
	case "last":
		_, more, err := l.peek()
		return !more, true, err
	case "length", "revindex", "revindex0":
		n, err := l.len()
		switch name {
		case "revindex":
			n -= l.index0
		case "revindex0":
			n -= l.index0 + 1
		}
		return int64(n), true, err
	case "depth":
		return int64(l.depth0 + 1), true, nil
	case "depth0":
		return int64(l.depth0), true, nil
	case "previtem":
		if l.index0 == 0 {
			return st.Env.UndefHint("there is no previous item", ""), true, nil
		}
		return l.before, true, nil
	case "nextitem":
		v, more, err := l.peek()
		if err == nil && !more {
			v = st.Env.UndefHint("there is no next item", "")
		}
		return v, true, err
	case "cycle":
		return &Function{"cycle", l.cycle}, true, nil
	case "changed":
		return &Function{"changed", l.changed}, true, nil
	}
	return nil, false, nil
}

func (l *loopContext) cycle(c *Call) (any, error) {
	if len(c.Args) == 0 {
		return nil, Errorf("TypeError", "no items for cycling given")
	}
	return c.Args[l.index0%len(c.Args)], nil
}

func (l *loopContext) changed(c *Call) (any, error) {
	now := value.Tuple(c.Args)
	if l.changedCalled {
		same := len(now) == len(l.changedLast)
		for i := 0; same && i < len(now); i++ {
			var err error
			if same, err = l.st.Equal(now[i], l.changedLast[i]); err != nil {
				return nil, err
			}
		}
		if same {
			return false, nil
		}
	}
	l.changedLast, l.changedCalled = now, true
	return true, nil
}

// Call runs a recursive loop again, over other items.
func (l *loopContext) Call(c *Call) (any, error) {
	w := newWriter(l.st, false)
	if err := l.stream(w, c.Args, c.Kwargs); err != nil {
		return nil, err
	}
	if c.Context != nil && c.Context.autoescape {
		return py.Markup(w.b.String()), nil
	}
	return w.b.String(), nil
}

func (l *loopContext) stream(out *writer, args []any, kw *value.Map) error {
	if len(args) != 1 || kw.Len() > 0 {
		if v, ok := kw.Get("iterable"); ok && len(args) == 0 && kw.Len() == 1 {
			args = []any{v}
		} else {
			return Errorf("TypeError", "LoopContext.__call__() takes 2 positional arguments but %d were given", len(args)+1)
		}
	}
	if l.up == nil {
		return Errorf("TypeError", "The loop must have the 'recursive' marker to be called recursively.")
	}
	return l.def.recurse(l.up, out, args[0], l.depth0+1)
}

// TypeName is the Python class.
func (l *loopContext) TypeName() string { return "jinja2.runtime.LoopContext" }

// Len is the number of items.
func (l *loopContext) Len() int { n, _ := l.len(); return n }

// Repr is how it is printed.
func (l *loopContext) Repr() string {
	n, _ := l.len()
	return fmt.Sprintf("<LoopContext %d/%d>", l.index0+1, n)
}
