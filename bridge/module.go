package bridge

import (
	"errors"

	"pinch/salt"
	"pinch/value"
)

// described is what the worker says of a module.
type described struct {
	usable  bool
	name    string
	reason  string
	refused bool // usable is false
	aliases []string
	funcs   *value.Map
	out     *value.Map
	special *value.Map
	doc     any
	err     error
	passing bool // it is being loaded, and looks for itself meanwhile
}

// describe loads a module and asks what it has.
func (b *Bridge) describe(c *salt.Ctx, kind, name string) *described {
	key := moduleKey{kind, name}
	b.mu.Lock()
	d := b.info[key]
	if d == nil {
		b.info[key] = &described{name: name, refused: true, reason: "it is being loaded", passing: true}
	}
	b.mu.Unlock()
	if d != nil {
		return d
	}
	path := b.path(kind, name)
	d = b.load(c, kind, name, path)
	b.mu.Lock()
	b.info[key] = d
	b.mu.Unlock()
	return d
}

func (b *Bridge) load(c *salt.Ctx, kind, name, path string) *described {
	if native(path) {
		return b.loadNative(c, kind, name, path)
	}
	var ans value.Tuple
	err := b.talk(c, func(w *worker) (err error) {
		ans, err = w.request(c, value.Tuple{"load", kind, name, path})
		return err
	})
	if err != nil {
		if errors.Is(err, errNoPython) {
			err = &value.Exception{Class: "CommandExecutionError", Msg: path + ": " + err.Error()}
		}
		return &described{name: name, refused: true, reason: err.Error(), err: err}
	}
	t, ok := ans[1].(value.Tuple)
	if !ok || len(t) != 8 {
		return &described{name: name, refused: true, reason: errMarshal.Error()}
	}
	d := &described{usable: t[0] == true, refused: t[0] != true, doc: t[7]}
	d.name, _ = t[1].(string)
	d.reason, _ = t[2].(string)
	d.aliases = texts(t[3])
	d.funcs, _ = t[4].(*value.Map)
	d.out, _ = t[5].(*value.Map)
	d.special, _ = t[6].(*value.Map)
	return d
}

// module makes a module of a file, under its own name.
func (b *Bridge) module(c *salt.Ctx, kind, name string) *salt.Module {
	key := moduleKey{kind, name}
	b.mu.Lock()
	m := b.modules[key]
	b.mu.Unlock()
	if m != nil {
		return m
	}
	d := b.describe(c, kind, name)
	m = &salt.Module{Name: d.name}
	funcs := salt.Funcs{}
	declared := func() salt.Funcs { return funcs }
	for fun, v := range d.funcs.Items() {
		funcs[fun] = b.function(kind, name, fun, v)
	}
	if kind == "states" {
		m.States = declared
		m.Watch = funcs["mod_watch"]
		b.special(m, kind, name, d)
	} else {
		m.Exec = declared
	}
	for fun, v := range d.out.Items() {
		if m.Outputter == nil {
			m.Outputter = map[string]string{}
		}
		m.Outputter[fun] = value.Str(v)
	}
	if d.refused {
		reason := d.reason
		m.Virtual = func(*salt.Ctx, string) error { return errors.New(reason) }
	}
	if !d.passing {
		b.mu.Lock()
		b.modules[key] = m
		b.mu.Unlock()
	}
	return m
}

// special are mod_aggregate and mod_init of a state module.
func (b *Bridge) special(m *salt.Module, kind, name string, d *described) {
	if d.special.Truth("mod_aggregate") {
		m.Aggregate = func(c *salt.Ctx, low *value.Map, chunks []*value.Map, running *value.Map) *value.Map {
			l := new(value.List)
			for _, ch := range chunks {
				l.Append(ch)
			}
			v, err := b.Call(c, kind, name, "mod_aggregate", []any{low, l, running}, nil)
			if err != nil {
				c.Log.Error("Failed to execute aggregate for state " + name + ": " + err.Error())
				return low
			}
			if out, ok := v.(*value.Map); ok {
				return out
			}
			return low
		}
	}
	if d.special.Truth("mod_init") {
		m.Init = func(c *salt.Ctx, low *value.Map) bool {
			v, err := b.Call(c, kind, name, "mod_init", []any{low}, nil)
			if err != nil {
				c.Log.Error(name + ".mod_init: " + err.Error())
			}
			return err == nil && value.Truth(v)
		}
	}
}

// function makes a function of what the worker says of its signature.
func (b *Bridge) function(kind, module, fun string, v any) *salt.Func {
	var sig salt.Signature
	t, _ := v.(value.Tuple)
	var doc any
	if len(t) == 4 {
		sig = signature(t)
		doc = t[3]
	}
	f := salt.Dynamic(sig, func(c *salt.Ctx, args []any, kw *value.Map) (any, error) {
		return b.Call(c, kind, module, fun, args, kw)
	})
	f.Doc = doc
	if path := b.path(kind, module); !native(path) {
		f.Origin = value.Tuple{kind, module, path, fun}
	}
	return f
}

// signature reads (params, varargs, kwargs, doc).
func signature(t value.Tuple) salt.Signature {
	var sig salt.Signature
	sig.VarArgs, _ = t[1].(string)
	sig.Kwargs, _ = t[2].(string)
	params, _ := t[0].(*value.List)
	if params == nil {
		return sig
	}
	for _, it := range params.Items {
		p, ok := it.(value.Tuple)
		if !ok || len(p) != 4 {
			continue
		}
		var one salt.Param
		one.Name, _ = p[0].(string)
		one.Required, _ = p[1].(bool)
		one.Default, _ = p[2].(string)
		one.KeywordOnly, _ = p[3].(bool)
		sig.Params = append(sig.Params, one)
	}
	return sig
}

// File is the module in the file of that name.
func (b *Bridge) File(c *salt.Ctx, kind, name string) *salt.Module {
	if !b.Has(c, kind, name) {
		return nil
	}
	return b.module(c, kind, name)
}

// Named are the modules of other files that take a name, and of extensions.
func (b *Bridge) Named(c *salt.Ctx, kind, name string) []*salt.Module {
	var out []*salt.Module
	for _, file := range b.everything(kind) {
		path, own := b.list(kind)[file]
		if file == name && own { // was asked before
			continue
		}
		if !own {
			path = b.extensions(kind)[file]
		}
		if file != name && !mayRename(path) {
			continue
		}
		m := b.module(c, kind, file)
		if m.Name == name {
			out = append(out, m)
			continue
		}
		for _, alias := range b.describe(c, kind, file).aliases {
			if alias == name {
				out = append(out, m)
			}
		}
	}
	return out
}

// All are all modules of a kind.
func (b *Bridge) All(c *salt.Ctx, kind string) []*salt.Module {
	var out []*salt.Module
	for _, name := range b.everything(kind) {
		out = append(out, b.module(c, kind, name))
	}
	return out
}

// FileOf is the file of the module that takes a name.
func (b *Bridge) FileOf(c *salt.Ctx, kind, name string) string {
	for _, file := range b.everything(kind) {
		if (mayRename(b.path(kind, file)) || file == name) && b.module(c, kind, file).Name == name && !b.describe(c, kind, file).refused {
			return file
		}
	}
	return ""
}
