package bridge

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"pinch/salt"
	"pinch/value"
)

// Starlark modules: the functions of the file are the module's. They see
// salt("fun", …), grains(key), pillar(key), opts(key), fail(text) and test(),
// and nothing of the machine but through these.

// maxSteps ends a Starlark function that does not end by itself.
const maxSteps = 500_000_000

// loadStar runs the file of a module.
func (b *Bridge) loadStar(c *salt.Ctx, kind, name, path string) *described {
	globals, err := b.star(c, path)
	if err != nil {
		return &described{name: name, refused: true, reason: err.Error(), err: err}
	}
	d := &described{usable: true, name: name, funcs: new(value.Map)}
	if v, ok := globals["virtualname"].(starlark.String); ok {
		d.name = string(v)
	}
	for fun, v := range globals {
		f, ok := v.(*starlark.Function)
		if !ok || strings.HasPrefix(fun, "_") {
			continue
		}
		if fun == "virtual" {
			got, err := starlark.Call(b.thread(c, name), f, nil, nil)
			if err != nil {
				return &described{name: name, refused: true, reason: err.Error()}
			}
			if t, ok := got.(starlark.Tuple); ok && len(t) == 2 {
				if s, ok := starlark.AsString(t[1]); ok {
					d.reason = s
				}
				got = t[0]
			}
			d.usable = bool(got.Truth())
			d.refused = !d.usable
			continue
		}
		fun = strings.TrimSuffix(fun, "_")
		d.funcs.Set(fun, starSignature(f))
	}
	return d
}

// star executes a file and gives what it defines.
func (b *Bridge) star(c *salt.Ctx, path string) (starlark.StringDict, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	o := &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
	globals, err := starlark.ExecFileOptions(o, b.thread(c, path), path, text, predeclared)
	if err != nil {
		return nil, starError(err)
	}
	return globals, nil
}

func (b *Bridge) thread(c *salt.Ctx, name string) *starlark.Thread {
	t := &starlark.Thread{Name: name, Print: func(_ *starlark.Thread, msg string) { b.o.Log.Info(msg) }}
	t.SetMaxExecutionSteps(maxSteps)
	t.SetLocal("ctx", c)
	return t
}

func starSignature(f *starlark.Function) value.Tuple {
	var params []string
	plain := f.NumParams()
	kwargs := ""
	if f.HasKwargs() {
		plain--
		n, _ := f.Param(plain)
		kwargs = "**" + n
	}
	varargs := ""
	if f.HasVarargs() {
		plain--
		n, _ := f.Param(plain)
		varargs = "*" + n
	}
	only := plain - f.NumKwonlyParams()
	for i := range plain {
		if i == only {
			if varargs != "" {
				params = append(params, varargs)
				varargs = ""
			} else {
				params = append(params, "*")
			}
		}
		n, _ := f.Param(i)
		if def := f.ParamDefault(i); def != nil {
			v, _ := fromStar(def)
			n += "=" + value.Repr(v)
		}
		params = append(params, n)
	}
	for _, p := range []string{varargs, kwargs} {
		if p != "" {
			params = append(params, p)
		}
	}
	var doc any
	if f.Doc() != "" {
		doc = f.Doc()
	}
	return declared(params, doc)
}

// callStar calls a function. The file is run anew for each call: nothing of
// one call is seen by the next.
func (b *Bridge) callStar(c *salt.Ctx, kind, name, path, fun string, args []any, kw *value.Map) (any, error) {
	globals, err := b.star(c, path)
	if err != nil {
		return nil, err
	}
	f, ok := globals[fun].(*starlark.Function)
	if !ok {
		if f, ok = globals[fun+"_"].(*starlark.Function); !ok {
			return nil, &salt.LookupError{Name: name + "." + fun}
		}
	}
	pos := make(starlark.Tuple, len(args))
	for i, a := range args {
		pos[i] = toStar(a)
	}
	var named []starlark.Tuple
	for k, v := range kw.Items() {
		named = append(named, starlark.Tuple{starlark.String(k), toStar(v)})
	}
	t := b.thread(c, name)
	stop := onDone(c, func() { t.Cancel("the run was stopped") })
	defer stop()
	v, err := starlark.Call(t, f, pos, named)
	if err != nil {
		return nil, starError(err)
	}
	return fromStar(v)
}

// starError gives an error with the place in the file; what a Salt function
// raised keeps its class.
func starError(err error) error {
	var ev *starlark.EvalError
	if !errors.As(err, &ev) {
		return &value.Exception{Class: "CommandExecutionError", Msg: err.Error()}
	}
	e := &Error{Exception: &value.Exception{Class: "CommandExecutionError", Msg: ev.Msg}, Trace: ev.Backtrace()}
	var x *value.Exception
	if errors.As(ev.Unwrap(), &x) {
		e.Exception = x
	}
	for i := len(ev.CallStack) - 1; i >= 0; i-- {
		if p := ev.CallStack[i].Pos; p.Line > 0 {
			e.File, e.Line = p.Filename(), int(p.Line)
			break
		}
	}
	if e.Line > 0 {
		e.Exception = &value.Exception{Class: e.Class, Msg: fmt.Sprintf("%s (%s:%d)", e.Msg, e.File, e.Line)}
	}
	return e
}

var predeclared = starlark.StringDict{
	"salt":   starlark.NewBuiltin("salt", starSalt),
	"grains": starlark.NewBuiltin("grains", starLook),
	"pillar": starlark.NewBuiltin("pillar", starLook),
	"opts":   starlark.NewBuiltin("opts", starLook),
	"test":   starlark.NewBuiltin("test", starTest),
	"struct": starlark.NewBuiltin("struct", starlarkstruct.Make),
}

func ctxOf(t *starlark.Thread) *salt.Ctx { c, _ := t.Local("ctx").(*salt.Ctx); return c }

// starSalt is salt("cmd.run", "uptime", python_shell=True).
func starSalt(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	fun, ok := "", false
	if len(args) > 0 {
		fun, ok = starlark.AsString(args[0])
	}
	if !ok {
		return nil, errors.New("salt: the first argument is the name of a function")
	}
	var pos []any
	for _, a := range args[1:] {
		v, err := fromStar(a)
		if err != nil {
			return nil, err
		}
		pos = append(pos, v)
	}
	kw := new(value.Map)
	for _, p := range kwargs {
		k, _ := starlark.AsString(p[0])
		v, err := fromStar(p[1])
		if err != nil {
			return nil, err
		}
		kw.Set(k, v)
	}
	c := ctxOf(t)
	v, err := c.CallFunc(c, fun, pos, kw)
	if err != nil {
		return nil, err
	}
	return toStar(v), nil
}

// starLook is grains("os"), pillar("web:port", default), opts("id").
func starLook(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var key string
	var def starlark.Value = starlark.None
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "key", &key, "default?", &def); err != nil {
		return nil, err
	}
	c := ctxOf(t)
	var at any = map[string]*value.Map{"grains": c.Grains, "pillar": c.Pillar, "opts": c.Opts}[b.Name()]
	for part := range strings.SplitSeq(key, ":") {
		m, ok := at.(*value.Map)
		if !ok {
			return def, nil
		}
		if at, ok = m.Get(part); !ok {
			return def, nil
		}
	}
	return toStar(at), nil
}

func starTest(t *starlark.Thread, _ *starlark.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return starlark.Bool(ctxOf(t).Test), nil
}

func toStar(v any) starlark.Value {
	switch v := v.(type) {
	case nil:
		return starlark.None
	case bool:
		return starlark.Bool(v)
	case int64:
		return starlark.MakeInt64(v)
	case *big.Int:
		return starlark.MakeBigInt(v)
	case float64:
		return starlark.Float(v)
	case string:
		return starlark.String(v)
	case []byte:
		return starlark.Bytes(v)
	case *value.List:
		l := make([]starlark.Value, len(v.Items))
		for i, it := range v.Items {
			l[i] = toStar(it)
		}
		return starlark.NewList(l)
	case value.Tuple:
		t := make(starlark.Tuple, len(v))
		for i, it := range v {
			t[i] = toStar(it)
		}
		return t
	case *value.Map:
		d := starlark.NewDict(v.Len())
		for k, it := range v.All() {
			_ = d.SetKey(toStar(k), toStar(it))
		}
		return d
	}
	return starlark.String(value.Str(v))
}

func fromStar(v starlark.Value) (any, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		return value.Int(v.BigInt()), nil
	case starlark.Float:
		return float64(v), nil
	case starlark.String:
		return string(v), nil
	case starlark.Bytes:
		return []byte(v), nil
	case starlark.Tuple:
		t := make(value.Tuple, len(v))
		for i, it := range v {
			x, err := fromStar(it)
			if err != nil {
				return nil, err
			}
			t[i] = x
		}
		return t, nil
	case *starlark.Dict:
		m := new(value.Map)
		for _, it := range v.Items() {
			k, err := fromStar(it[0])
			if err != nil {
				return nil, err
			}
			x, err := fromStar(it[1])
			if err != nil {
				return nil, err
			}
			if err := m.SetKey(k, x); err != nil {
				return nil, err
			}
		}
		return m, nil
	case starlark.Iterable:
		l := new(value.List)
		it := v.Iterate()
		defer it.Done()
		var x starlark.Value
		for it.Next(&x) {
			y, err := fromStar(x)
			if err != nil {
				return nil, err
			}
			l.Append(y)
		}
		return l, nil
	}
	return nil, fmt.Errorf("a %s cannot be returned", v.Type())
}
