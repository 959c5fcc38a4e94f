package bridge

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// native reports whether a module is not Python: a Starlark file, or an
// executable without a suffix.
func native(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".star" || ext == "" && !strings.HasSuffix(path, "/") && !isDir(path)
}

func isDir(path string) bool { return sys.IsDir(sys.Real{}, path) }

// loadNative describes such a module.
func (b *Bridge) loadNative(c *salt.Ctx, kind, name, path string) *described {
	if filepath.Ext(path) == ".star" {
		return b.loadStar(c, kind, name, path)
	}
	v, err := b.program(c, path, value.M("op", "describe", "kind", kind))
	if err != nil {
		return &described{name: name, refused: true, reason: err.Error(), err: err}
	}
	m, ok := v.(*value.Map)
	if !ok {
		return &described{name: name, refused: true, reason: path + ": the answer to describe is no mapping: " + value.Repr(v)}
	}
	d := &described{usable: true, name: name, funcs: new(value.Map), doc: m.At("doc")}
	d.out, _ = m.At("outputter").(*value.Map)
	switch v := m.At("virtual").(type) {
	case bool:
		d.usable, d.refused = v, !v
		d.reason = m.Str("reason")
	case string:
		d.name = v
	}
	funcs, _ := m.At("functions").(*value.Map)
	for fun, spec := range funcs.Items() {
		s, _ := spec.(*value.Map)
		d.funcs.Set(fun, declared(texts(s.At("params")), s.At("doc")))
	}
	return d
}

// declared reads parameters in Python's spelling: "name", "count=3", "*args",
// "**kwargs".
func declared(params []string, doc any) value.Tuple {
	var list value.List
	varargs, kwargs := "", ""
	only := false
	for _, p := range params {
		switch {
		case strings.HasPrefix(p, "**"):
			kwargs = p[2:]
		case p == "*":
			only = true
		case strings.HasPrefix(p, "*"):
			varargs, only = p[1:], true
		default:
			name, def, has := strings.Cut(p, "=")
			list.Append(value.Tuple{name, !has, def, only})
		}
	}
	return value.Tuple{&list, varargs, kwargs, doc}
}

func (b *Bridge) callNative(c *salt.Ctx, kind, name, path, fun string, args []any, kw *value.Map) (any, error) {
	if filepath.Ext(path) == ".star" {
		return b.callStar(c, kind, name, path, fun, args, kw)
	}
	if kw == nil {
		kw = new(value.Map)
	}
	req := value.M("op", "call", "kind", kind, "function", fun, "args", value.L(args...), "kwargs", kw,
		"test", c.Test || c.Opts.At("test") == true, "saltenv", c.Env, "id", c.Opts.Str("id"))
	if kind != "grains" {
		req.Set("grains", grainsFor(c))
	}
	return b.program(c, path, req)
}

// grainsFor are the grains that an executable gets without asking: those that
// cost nothing to gather.
func grainsFor(c *salt.Ctx) *value.Map {
	out := new(value.Map)
	for _, k := range []string{"id", "os", "os_family", "osrelease", "osfinger", "kernel", "cpuarch", "host"} {
		if v, ok := c.Grains.Get(k); ok {
			out.Set(k, v)
		}
	}
	return out
}

// program asks an executable one thing: a JSON object on its stdin, one on its
// stdout, {"return": …} or {"error": text, "class": name}.
func (b *Bridge) program(c *salt.Ctx, path string, req *value.Map) (any, error) {
	text, err := value.JSON(req, value.JSONOptions{Default: func(v any) (any, error) { return value.Str(v), nil }})
	if err != nil {
		return nil, err
	}
	res, err := sys.Real{}.Run(c.Context, sys.Cmd{Argv: []string{path}, Stdin: strings.NewReader(text + "\n"), Query: true, Timeout: b.timeout()})
	if err != nil {
		return nil, salt.CommandError("%s: %s", path, err)
	}
	fail := func(what string) error {
		if msg := strings.TrimSpace(string(res.Stderr)); msg != "" {
			what += ": " + msg
		}
		return salt.CommandError("%s: %s", path, what)
	}
	switch {
	case res.TimedOut:
		return nil, fail("no answer within " + b.timeout().String())
	case res.Code != 0:
		return nil, fail("exit code " + json.Number(value.Str(int64(res.Code))).String())
	}
	v, err := value.ParseJSON(string(bytes.TrimSpace(res.Stdout)))
	if err != nil {
		return nil, fail("the answer is not JSON: " + err.Error())
	}
	m, ok := v.(*value.Map)
	switch {
	case !ok:
		return nil, fail("the answer is no mapping with return or error")
	case m.Has("error"):
		class := m.Str("class")
		if class == "" {
			class = "CommandExecutionError"
		}
		return nil, &value.Exception{Class: class, Msg: m.Str("error")}
	case !m.Has("return"):
		return nil, fail("the answer has neither return nor error")
	}
	return m.At("return"), nil
}

// nativeGrains calls all functions of a grain module.
func (b *Bridge) nativeGrains(c *salt.Ctx, name, path string, out *value.Map) {
	d := b.describe(c, "grains", name)
	if d.refused {
		if d.reason != "" {
			b.o.Log.Error("Failed to load grains of " + path + ": " + d.reason)
		}
		return
	}
	for fun := range d.funcs.Items() {
		v, err := b.callNative(c, "grains", name, path, fun, nil, nil)
		if err != nil {
			b.o.Log.Error("Failed to load grains of " + path + ": " + fun + ": " + err.Error())
			continue
		}
		if m, ok := v.(*value.Map); ok {
			out.Update(m)
		}
	}
}
