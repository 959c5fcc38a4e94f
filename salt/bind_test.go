package salt

import (
	"testing"

	"pinch/value"
)

type blankArgs struct {
	Text string     `py:"text='x'"`
	Any  any        `py:"any=True"`
	List any        `py:"list=[]"`
	Ptr  *string    `py:"ptr='p'"`
	N    int        `py:"n=3"`
	Kw   *value.Map `py:"**kw"`
}

// What one call got must not be seen by the next, and None is no default.
func TestCallsShareNothing(t *testing.T) {
	fn := Exec(func(_ *Ctx, a blankArgs) (any, error) { return nil, nil })
	first, err := bind[blankArgs](fn, nil, value.M("any", nil, "text", nil, "n", int64(7), "more", int64(1)))
	if err != nil {
		t.Fatal(err)
	}
	if first.Text != "" || first.Any != nil || first.N != 7 || *first.Ptr != "p" || first.Kw.Len() != 1 {
		t.Errorf("given: %+v", first)
	}
	first.List.(*value.List).Append("seen")
	*first.Ptr = "q"
	second, err := bind[blankArgs](fn, nil, new(value.Map))
	if err != nil {
		t.Fatal(err)
	}
	if second.Text != "x" || second.Any != true || second.N != 3 || *second.Ptr != "p" || second.Kw.Len() != 0 || second.List.(*value.List).Len() != 0 {
		t.Errorf("defaults: %+v", second)
	}
}

type containerArgs struct {
	Context *value.Map  `py:"context=None"`
	Names   *value.List `py:"names=None"`
}

// Python's functions ask "if context:", so that what is false says nothing.
func TestFalseContainers(t *testing.T) {
	fn := Exec(func(_ *Ctx, a containerArgs) (any, error) { return a.Context == nil && a.Names == nil, nil })
	for _, v := range []any{"", false, int64(0), nil} {
		if got, err := fn.Call(&Ctx{}, nil, value.M("context", v, "names", v)); err != nil || got != true {
			t.Errorf("%v: %v, %v", v, got, err)
		}
	}
	if _, err := fn.Call(&Ctx{}, []any{"x"}, nil); err == nil {
		t.Error("a text was taken for a mapping")
	}
}
