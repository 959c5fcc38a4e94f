package jinja

import (
	"pinch/value"
	"pinch/value/py"
)

// A blockDef is a compiled block of a template.
type blockDef struct {
	fn                  *function
	name                string
	enter               []enterOp
	body                []stmt
	off                 int32
	selfSlot, superSlot int // -1 when not used
}

// render runs the block of one template into out. stack holds the versions of
// the block from the child to its parents, depth is which one this is.
func (b *blockDef) render(cx *Context, out *writer) error {
	if err := cx.st.enter(); err != nil {
		return err
	}
	defer cx.st.leave()
	f := newFrame(b.fn, nil, cx, out)
	if b.selfSlot >= 0 {
		f.slots[b.selfSlot] = selfRef{cx}
	}
	if b.superSlot >= 0 {
		f.slots[b.superSlot] = cx.super(b)
	}
	f.enter(b.enter)
	return f.run(b.body)
}

func (cx *Context) super(b *blockDef) any {
	stack := cx.blocks[b.name]
	for i, x := range stack {
		if x == b && i+1 < len(stack) {
			return &blockRef{b.name, cx, stack, i + 1}
		}
	}
	return cx.noParent(b.name)
}

func (cx *Context) noParent(name string) any {
	return cx.st.Env.UndefHint("there is no parent block called "+value.Quote(name)+".", "super")
}

// A blockRef is a block that can be called: super() or self.name().
type blockRef struct {
	name  string
	cx    *Context
	stack []*blockDef
	depth int
}

// Call gives the text of the block.
func (r *blockRef) Call(c *Call) (any, error) {
	w := newWriter(r.cx.st, false)
	if err := r.stream(w, c.Args, c.Kwargs); err != nil {
		return nil, err
	}
	if r.cx.autoescape {
		return py.Markup(w.b.String()), nil
	}
	return w.b.String(), nil
}

func (r *blockRef) stream(out *writer, args []any, kw *value.Map) error {
	if len(args) > 0 || kw.Len() > 0 {
		return Errorf("TypeError", "BlockReference.__call__() takes 1 positional argument but %d were given", len(args)+1)
	}
	return r.stack[r.depth].render(r.cx, out)
}

// GetAttr gives the super block of a super block.
func (r *blockRef) GetAttr(_ *State, name string) (any, bool, error) {
	switch name {
	case "name":
		return r.name, true, nil
	case "super":
		if r.depth+1 >= len(r.stack) {
			return r.cx.noParent(r.name), true, nil
		}
		return &blockRef{r.name, r.cx, r.stack, r.depth + 1}, true, nil
	}
	return nil, false, nil
}

// TypeName is the Python class.
func (r *blockRef) TypeName() string { return "jinja2.runtime.BlockReference" }

// A selfRef is the variable self: the blocks of the template.
type selfRef struct{ cx *Context }

// GetItem gives a block.
func (r selfRef) GetItem(_ *State, key any) (any, bool, error) {
	if name, ok := key.(string); ok {
		if stack := r.cx.blocks[name]; len(stack) > 0 {
			return &blockRef{name, r.cx, stack, 0}, true, nil
		}
	}
	return nil, false, nil
}

// TypeName is the Python class.
func (r selfRef) TypeName() string { return "jinja2.runtime.TemplateReference" }

// Repr is how it is printed.
func (r selfRef) Repr() string {
	if r.cx.t.src.Name == "" {
		return "<TemplateReference None>"
	}
	return "<TemplateReference " + value.Quote(r.cx.t.src.Name) + ">"
}
