package module

import (
	"context"
	"log/slog"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type host struct {
	salt.Host
	reg *salt.Registry
}

func (h host) Registry() *salt.Registry { return h.reg }
func (h host) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	f, err := h.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

type writeArgs struct {
	Path   string     `py:"path"`
	Args   []any      `py:"*args"`
	Kwargs *value.Map `py:"**kwargs"`
}

type touchArgs struct {
	Name  string `py:"name"`
	Atime any    `py:"atime=None"`
}

type answerArgs struct {
	V any `py:"v"`
}

var demo = salt.Module{Name: "demo", Exec: func() salt.Funcs {
	return salt.Funcs{
		"write":  salt.Exec(func(c *salt.Ctx, a writeArgs) (any, error) { return a.Path + value.Repr(value.Tuple(a.Args)), nil }),
		"touch":  salt.Exec(func(c *salt.Ctx, a touchArgs) (any, error) { return a.Name + value.Repr(a.Atime), nil }),
		"answer": salt.Exec(func(c *salt.Ctx, a answerArgs) (any, error) { return a.V, nil }),
		"fail":   salt.Exec(func(c *salt.Ctx, a salt.NoArgs) (any, error) { return nil, salt.InvocationError("no way") }),
	}
}}

// The texts are Salt's own.
func TestRun(t *testing.T) {
	M, L := value.M, value.L
	for _, tt := range []struct {
		desc string
		kw   *value.Map
		test bool
		want string
	}{
		{"newer form", M("name", "id", "demo.touch", L(M("name", "/t")), "demo.write", L("/w", M("args", "x"))), false,
			"True {'demo.touch': '/tNone', 'demo.write': '/w()'} demo.touch: /tNone, demo.write: /w() ['demo.touch', 'demo.write']"},
		{"positional and named", M("demo.touch", L(M("atime", int64(1)), "/t")), false, "True {'demo.touch': '/t1'} demo.touch: /t1 ['demo.touch']"},
		{"twice the same", M("demo.answer:1", L(int64(1)), "demo.answer:2", L(int64(2))), false,
			"True {'demo.answer:1': 1, 'demo.answer:2': 2} demo.answer:1: 1, demo.answer:2: 2 ['demo.answer:1', 'demo.answer:2']"},
		{"False fails", M("demo.answer", L(false)), false, "False {} 'demo.answer': False ['demo.answer']"},
		{"a failed map", M("demo.answer", L(M("v", M("retcode", int64(2), "comment", "bad")))), false, "False {} 'demo.answer' failed: bad ['demo.answer']"},
		{"an exception", M("demo.fail", nil), false, "False {} 'demo.fail' failed: no way ['demo.fail']"},
		{"missing argument", M("demo.touch", L()), false, "False {} 'demo.touch' failed: Missing arguments: name ['demo.touch']"},
		{"unknown", M("nosuch.f", L()), false, "False {} Unavailable function: nosuch.f. ['nosuch.f']"},
		{"tested", M("demo.touch", L(), "demo.fail", L()), true, "None {} FunctionTrue demo.touch, demo.fail to be executed. ['demo.touch', 'demo.fail']"},
		{"older form", M("name", "demo.write", "path", "/a", "args", L("text")), false, "True {'ret': \"/a('text',)\"} Module function demo.write executed"},
		{"m_name", M("name", "demo.touch", "m_name", "/a", "atime", int64(5)), false, "True {'ret': '/a5'} Module function demo.touch executed"},
		{"older, missing", M("name", "demo.write"), false, "False {} The following arguments are missing: path"},
		{"older, no list", M("name", "demo.write", "path", "/a", "args", "x"), false, "False {} 'args' must be a list."},
		{"older, unknown", M("name", "nosuch.f"), false, "False {} Module function nosuch.f is not available"},
		{"older, exception", M("name", "demo.fail"), false, "False {} Module function demo.fail threw an exception. Exception: no way"},
		{"older, tested", M("name", "demo.fail"), true, "None {} Module function demo.fail is set to execute"},
	} {
		reg := salt.NewRegistry(&demo)
		c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: new(value.Map), Test: tt.test, Host: host{reg: reg}}
		v, err := Module.States()["run"].Call(c, nil, tt.kw)
		if err != nil {
			t.Errorf("%s: %v", tt.desc, err)
			continue
		}
		m := v.(salt.Result).Map("")
		got := value.Repr(m.At("result")) + " " + value.Repr(m.At("changes")) + " " + m.Str("comment")
		if n, ok := m.At("name").(*value.List); ok {
			got += " " + value.Repr(n)
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.desc, got, tt.want)
		}
	}
}
