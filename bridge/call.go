package bridge

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"pinch/salt"
	"pinch/value"
)

// Call calls a function of the module in the file of that name.
func (b *Bridge) Call(c *salt.Ctx, kind, name, fun string, args []any, kw *value.Map) (any, error) {
	path := b.path(kind, name)
	if path == "" {
		return nil, &salt.LookupError{Name: name + "." + fun}
	}
	if native(path) {
		return b.callNative(c, kind, name, path, fun, args, kw)
	}
	if kw == nil {
		kw = new(value.Map)
	}
	return b.ask(c, path, value.Tuple{"call", kind, name, path, fun, value.Tuple(args), kw, b.context(c, kind)})
}

// ask makes a call to the worker and takes the exit code that it asks for.
func (b *Bridge) ask(c *salt.Ctx, path string, msg value.Tuple) (any, error) {
	var ans value.Tuple
	err := b.talk(c, func(w *worker) (err error) {
		ans, err = w.request(c, msg)
		return err
	})
	if errors.Is(err, errNoPython) {
		return nil, salt.CommandError("%s: %s", path, err)
	}
	if err != nil {
		return nil, err
	}
	if len(ans) < 2 {
		return nil, b.gone(errMarshal.Error())
	}
	if len(ans) > 2 {
		if code, ok := ans[2].(int64); ok && code != 0 {
			c.Run.SetRetcode(int(code))
		}
	}
	return ans[1], nil
}

// context is what differs from call to call.
func (b *Bridge) context(c *salt.Ctx, kind string) *value.Map {
	m := value.M("test", c.Test, "env", c.Env)
	if c.Opts.At("test") == true {
		m.Set("test", true)
	}
	b.mu.Lock()
	if b.seen != c.Pillar {
		b.seen = c.Pillar
		m.Set("pillar", true)
	}
	b.mu.Unlock()
	if kind == "states" && c.Low != nil {
		m.Set("low", c.Low)
	}
	return m
}

// Execute runs a function through a custom executor.
func (b *Bridge) Execute(c *salt.Ctx, name, fun string, data *value.Map, args []any, kw *value.Map) (any, error) {
	path := b.list("executors")[name]
	if kw == nil {
		kw = new(value.Map)
	}
	return b.ask(c, path, value.Tuple{"execute", "executors", name, path, fun, data, value.L(args...), kw, b.context(c, "executors")})
}

// Grains runs the custom grain modules. Their errors are logged; the grains
// of the others count.
func (b *Bridge) Grains(c *salt.Ctx) *value.Map {
	out := new(value.Map)
	files := new(value.List)
	for _, name := range b.names("grains") {
		path := b.list("grains")[name]
		if native(path) {
			b.nativeGrains(c, name, path, out)
			continue
		}
		files.Append(value.Tuple{name, path})
	}
	if files.Len() == 0 {
		return out
	}
	b.mu.Lock()
	part := b.now
	b.mu.Unlock()
	if part != nil { // a custom module reads a grain: nobody else may have before
		c = inner(c, part)
	}
	v, err := b.ask(c, filepath.Dir(value.Str(files.Items[0].(value.Tuple)[1])), value.Tuple{"grains", files, nil})
	if err != nil {
		b.o.Log.Error("custom grains: " + err.Error())
	}
	if m, ok := v.(*value.Map); ok {
		out.Update(m)
	}
	return out
}

// Render calls a custom renderer, or renders with py, mako or pyobjects.
func (b *Bridge) Render(c *salt.Ctx, engine string, t salt.Template, arg string) (any, error) {
	ctx := b.context(c, "renderers")
	ctx.Set("sls", t.SLS)
	kw := new(value.Map)
	kw.Update(t.Vars)
	env := t.Env
	if env == "" {
		env = c.Env
	}
	ctx.Set("env", env)
	ctx.Set("offered", t.SLSFile)
	switch engine {
	case "py", "mako", "pyobjects":
		op := engine
		if engine == "py" {
			op = "python"
		}
		for _, k := range []string{"salt", "grains", "pillar", "opts"} {
			kw.Pop(k)
		}
		if t.SLSFile {
			kw = new(value.Map)
		}
		return b.ask(c, t.Place(), value.Tuple{op, t.Place(), t.Text, kw, ctx})
	}
	for _, k := range []string{"salt", "grains", "pillar", "opts", "name"} {
		kw.Pop(k)
	}
	kw.Set("saltenv", env)
	kw.Set("sls", t.SLS)
	kw.Set("tmplpath", t.Place())
	if arg != "" {
		kw.Set("argline", arg)
	}
	path := b.list("renderers")[engine]
	return b.ask(c, path, value.Tuple{"render", "renderers", engine, path, t.Text, kw, ctx})
}

// inner is the context of what the worker asks for.
func inner(c *salt.Ctx, part *nested) *salt.Ctx {
	n := *c
	base := c.Context
	if base == nil {
		base = context.Background()
	}
	n.Context = context.WithValue(base, nestedKey{}, part)
	n.Mask = false
	return &n
}

// answering notes what is being answered, and gives what was before.
func (b *Bridge) answering(n *nested) (before *nested) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before, b.now = b.now, n
	return before
}

func onDone(c *salt.Ctx, f func()) func() bool { return context.AfterFunc(c.Context, f) }

// slogLevel is Python's log level as ours.
func slogLevel(n int) slog.Level {
	switch {
	case n < 20:
		return slog.LevelDebug
	case n < 30:
		return slog.LevelInfo
	case n < 40:
		return slog.LevelWarn
	}
	return slog.LevelError
}
