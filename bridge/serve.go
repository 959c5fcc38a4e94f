package bridge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"pinch/diag"
	"pinch/matcher"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// serve answers what Python asks during a call. It gives the frame to send.
func (b *Bridge) serve(c *salt.Ctx, kind string, args value.Tuple) (answer value.Tuple) {
	defer func() {
		if p := recover(); p != nil {
			answer = value.Tuple{"error", "RuntimeError", fmt.Sprintf("pinch: %v; please report", p)}
		}
	}()
	v, err := b.answer(c, kind, args)
	if err != nil {
		class, text := "CommandExecutionError", err.Error()
		var x *value.Exception
		var missing *salt.LookupError
		switch {
		case errors.As(err, &x):
			class, text = x.Class, x.Msg
		case errors.As(err, &missing):
			class, text = "KeyError", missing.Name
		}
		return value.Tuple{"error", class, text}
	}
	return value.Tuple{"answer", v}
}

// at is the i-th argument as a string.
func at(args value.Tuple, i int) string {
	if i >= len(args) {
		return ""
	}
	s, _ := args[i].(string)
	return s
}

func (b *Bridge) answer(c *salt.Ctx, kind string, args value.Tuple) (any, error) {
	switch kind {
	case "find":
		return b.find(c, at(args, 0), at(args, 1)), nil
	case "run":
		return b.run(c, args)
	case "names":
		return value.Strings(c.Registry().Names(c, registryKind(at(args, 0)))), nil
	case "files":
		l := new(value.List)
		for _, name := range b.everything(at(args, 0)) {
			l.Append(value.Tuple{name, b.path(at(args, 0), name)})
		}
		return l, nil
	case "get":
		if len(args) < 2 {
			return nil, errMarshal
		}
		v, ok := b.mapping(c, at(args, 0)).GetKey(args[1])
		return value.Tuple{ok, v}, nil
	case "all":
		return b.whole(c, at(args, 0)), nil
	case "yaml_load":
		return loadYAML(at(args, 0))
	case "yaml_dump":
		return b.yamlDump(args)
	case "msgpack_dump":
		return value.Msgpack(first(args))
	case "msgpack_load":
		data, _ := first(args).([]byte)
		return value.ParseMsgpack(data)
	case "subdict":
		return subdict(args), nil
	case "render":
		vars, _ := args[3].(*value.Map)
		return c.Render(c, salt.Template{Engine: at(args, 0), Text: at(args, 1), File: at(args, 2), Vars: vars, Env: c.Env})
	case "render_data":
		vars, _ := args[3].(*value.Map)
		d, err := c.RenderData(c, salt.Template{Engine: at(args, 0), Text: at(args, 1), File: at(args, 2), Vars: vars, Env: c.Env})
		if err != nil {
			return nil, err
		}
		return d.Value, nil
	}
	return nil, fmt.Errorf("%w (request %q)", errMarshal, kind)
}

// subdict answers salt.utils.data.subdict_match: data, expression, delimiter, kind of comparison.
func subdict(args value.Tuple) bool {
	match := map[string]func(any, string, string) bool{"regexp": matcher.SubdictMatchRegexp, "exact": matcher.SubdictMatchExact}[at(args, 3)]
	if match == nil {
		match = matcher.SubdictMatch
	}
	return match(first(args), at(args, 1), at(args, 2))
}

func first(args value.Tuple) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func registryKind(kind string) string {
	if kind == "modules" || kind == "offered" {
		return "exec"
	}
	return kind
}

// find says where a function is: None for nowhere, () for pinch itself, else
// the custom module that Python has already, or can load.
func (b *Bridge) find(c *salt.Ctx, kind, name string) any {
	var f *salt.Func
	var err error
	switch kind {
	case "states":
		f, _, err = c.Registry().State(c, name)
	case "offered":
		f, err = c.Registry().Offered(c, name)
	case "builtin":
		if c.Registry().BuiltIn(c, name, "exec") == nil {
			return nil
		}
		return value.Tuple{}
	default:
		f, err = c.Registry().Exec(c, name)
	}
	if err != nil {
		return nil
	}
	if o, ok := f.Origin.(value.Tuple); ok {
		return o
	}
	return value.Tuple{}
}

// run calls a function of pinch for Python.
func (b *Bridge) run(c *salt.Ctx, args value.Tuple) (any, error) {
	if len(args) != 4 {
		return nil, errMarshal
	}
	kind, name := at(args, 0), at(args, 1)
	pos, _ := args[2].(value.Tuple)
	kw, _ := args[3].(*value.Map)
	n := c
	if ro, ok := c.Sys.(sys.ReadOnly); ok && kind != "states" {
		// A custom state looks around with __salt__ in its test mode.
		open := *c
		open.Sys = ro.Sys
		n = &open
	}
	switch kind {
	case "states":
	case "builtin":
		f := n.Registry().BuiltIn(n, name, "exec")
		if f == nil {
			return nil, &salt.LookupError{Name: name}
		}
		return f.Call(n, pos, kw)
	default:
		return n.CallFunc(n, name, pos, kw)
	}
	f, _, err := n.Registry().State(n, name)
	if err != nil {
		return nil, err
	}
	v, err := f.Call(n, pos, kw)
	if r, ok := v.(salt.Result); ok && err == nil {
		id := kw.Str("name")
		if id == "" && len(pos) > 0 {
			id = value.Str(pos[0])
		}
		return r.Map(id), nil
	}
	return v, err
}

// mapping is a dunder by name.
func (b *Bridge) mapping(c *salt.Ctx, name string) *value.Map {
	switch name {
	case "grains":
		return c.Grains
	case "pillar":
		return c.Pillar
	case "opts":
		return c.Opts
	case "grains_core":
		if b.o.Grains != nil {
			return b.o.Grains()
		}
	}
	return nil
}

func (b *Bridge) whole(c *salt.Ctx, name string) any {
	switch name {
	case "running":
		if m := c.Results(); m != nil {
			return m
		}
		return new(value.Map)
	case "lowstate":
		l := new(value.List)
		for _, ch := range c.Run.Chunks {
			l.Append(ch)
		}
		return l
	}
	m := b.mapping(c, name)
	if name == "opts" {
		m = m.Shallow()
		m.Pop("grains")
		m.Pop("pillar")
	}
	return m
}

// loadYAML gives (value,), or (nil, class, text) of the error.
func loadYAML(text string) (any, error) {
	v, err := yaml.Load("", text)
	var e *yaml.Error
	if errors.As(err, &e) {
		return value.Tuple{nil, e.Class, e.Error()}, nil
	}
	return value.Tuple{v}, err
}

func (b *Bridge) yamlDump(args value.Tuple) (any, error) {
	var o yaml.DumpOptions
	if len(args) > 3 {
		o.Flow, o.ExplicitStart = yaml.StyleOf(args[1]), value.Truth(args[3])
		if n, ok := args[2].(int64); ok {
			o.Indent = int(n)
		}
	}
	return yaml.Dump(first(args), o)
}

// log writes what a module logged.
func (b *Bridge) log(t value.Tuple) {
	if len(t) < 4 {
		return
	}
	n, _ := t[1].(int64)
	level := slogLevel(int(n))
	if n >= 50 {
		level = slog.LevelError + 4
	}
	b.o.Log.Log(context.Background(), level, at(t, 2))
}

// An Error is an exception of a custom module.
type Error struct {
	*value.Exception
	Trace string // Python's own traceback, without the frames that are ours
	File  string
	Line  int
	Code  any // of sys.exit
}

// Unwrap gives the exception.
func (e *Error) Unwrap() error { return e.Exception }

// Traceback is Python's.
func (e *Error) Traceback() string { return e.Trace }

// Place is the line of the module that raised it.
func (e *Error) Place() diag.Pos { return diag.Pos{File: e.File, Line: e.Line} }

// Exit is the code that sys.exit was called with, and whether it was.
func (e *Error) Exit() (code any, ok bool) { return e.Code, e.Class == "SystemExit" }

// failure reads ("error", class, text, traceback, file, line, code).
func (b *Bridge) failure(t value.Tuple) error {
	e := &Error{Exception: &value.Exception{Class: at(t, 1), Msg: at(t, 2)}, Trace: at(t, 3), File: at(t, 4)}
	if len(t) > 6 {
		n, _ := t[5].(int64)
		e.Line, e.Code = int(n), t[6]
	}
	return e
}
