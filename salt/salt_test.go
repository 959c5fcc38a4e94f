package salt

import (
	"context"
	"errors"
	"testing"

	"pinch/sys"
	"pinch/value"
)

type greetArgs struct {
	Name   string   `py:"name"`
	Times  int64    `py:"times=1"`
	Opts   any      `py:"opts=None"`
	Only   struct{} `py:"*"`
	Loud   bool     `py:"loud=False"`
	Suffix *string  `py:"suffix=None"`
}

func greet(c *Ctx, a greetArgs) (string, error) {
	out := a.Name
	for range a.Times {
		out += "!"
	}
	if a.Suffix != nil {
		out += *a.Suffix
	}
	return out, nil
}

// The texts are Python 3.11's for def greet(name, times=1, opts=None, *, loud=False, suffix=None).
func TestCall(t *testing.T) {
	f := Exec(greet).Named("greet")
	for _, tt := range []struct {
		args []any
		kw   *value.Map
		want string
	}{
		{[]any{"a"}, nil, "a!"},
		{[]any{"a", "3"}, value.M("suffix", int64(7)), "a!!!7"},
		{nil, value.M("name", "b", "times", int64(0), "__pub_fun", "x"), "b"},
		{nil, nil, "greet() missing 1 required positional argument: 'name'"},
		{[]any{"a"}, value.M("bad", 1), "greet() got an unexpected keyword argument 'bad'"},
		{[]any{"a"}, value.M("name", 1), "greet() got multiple values for argument 'name'"},
		{[]any{"a", int64(1), nil, nil}, nil, "greet() takes from 1 to 3 positional arguments but 4 were given"},
		{[]any{"a", "x"}, nil, "times: invalid literal for int() with base 10: 'x'"},
	} {
		got, err := f.Call(&Ctx{}, tt.args, tt.kw)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got %v, want %s", got, tt.want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for in, want := range map[string]string{
		"None": "None", "'a\\'b'": `"a'b"`, "-1": "-1", "0o644": "420", "1.5": "1.5",
		"('a', 1)": "('a', 1)", "()": "()", "[]": "[]", "{'a': [1, True]}": "{'a': [1, True]}",
	} {
		v, err := Literal(in)
		if err != nil || value.Repr(v) != want {
			t.Errorf("%s: %s %v", in, value.Repr(v), err)
		}
	}
}

type touchArgs struct {
	Name string `py:"name"`
}

func TestStateIsReadOnlyUnderTest(t *testing.T) {
	touch := State(func(c *Ctx, a touchArgs) Result {
		return c.Make(Change{Changes: value.M("new", a.Name), Will: "will", Did: "did", Do: func() error { return c.Sys.Mkdir(a.Name, 0o700) }})
	})
	careless := State(func(c *Ctx, a touchArgs) Result {
		if err := c.Sys.Mkdir(a.Name, 0o700); err != nil {
			return Failed("%s", err)
		}
		return Correct("made")
	})
	c := &Ctx{Context: context.Background(), Sys: sys.Real{}, Test: true}
	dir := t.TempDir() + "/d"
	for f, want := range map[*Func]string{touch: "will", careless: sys.ErrReadOnly.Error()} {
		r, err := f.Call(c, nil, value.M("name", dir))
		if err != nil || r.(Result).Comment != want {
			t.Errorf("%v %v, want %s", r, err, want)
		}
	}
	if sys.LExists(sys.Real{}, dir) {
		t.Error("changed under test=True")
	}
}

func TestOnce(t *testing.T) {
	type key struct{}
	run, n := NewRun(), 0
	read := func() (int, error) { n++; return n, nil }
	Once(run, key{}, read)
	if v, _ := Once(run, key{}, read); v != 1 {
		t.Error(v)
	}
	run.Forget(key{})
	if v, _ := Once(run, key{}, read); v != 2 {
		t.Error(v)
	}
	ended := ""
	run.AtEnd(func() { ended += "first " })
	run.AtEnd(func() { ended += "last " })
	run.End()
	run.End()
	if v, _ := Once(run, key{}, read); v != 3 || ended != "last first " {
		t.Error(v, ended)
	}
}

// What watches a module that cannot be used here does not watch: it has no mod_watch.
func TestWatchOfUsableModules(t *testing.T) {
	watch := State(func(*Ctx, touchArgs) Result { return Correct("") })
	usable := &Module{Name: "m", Watch: watch}
	broken := &Module{Name: "m", Watch: watch, Virtual: func(*Ctx, string) error { return errors.New("no") }}
	for _, tt := range []struct {
		mods []*Module
		want bool
	}{{[]*Module{usable}, true}, {[]*Module{broken}, false}, {[]*Module{usable, broken}, true}, {nil, false}} {
		r := NewRegistry(tt.mods...)
		if got := r.Watch(&Ctx{}, "m") != nil; got != tt.want {
			t.Errorf("%d modules: %v", len(tt.mods), got)
		}
	}
}
