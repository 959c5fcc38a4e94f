package yaml

import (
	"errors"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// same compares type by type, as a YAML reader must: 1 is not 1.0 or true.
func same(a, b any) bool {
	if value.TypeName(a) != value.TypeName(b) {
		return false
	}
	switch x := a.(type) {
	case *value.List:
		return sameItems(x.Items, b.(*value.List).Items)
	case value.Tuple:
		return sameItems(x, b.(value.Tuple))
	case *value.Map:
		y := b.(*value.Map)
		if x.Len() != y.Len() {
			return false
		}
		keys := y.Keys()
		i := 0
		for k, v := range x.All() {
			if w, _ := y.GetKey(keys[i]); !same(k, keys[i]) || !same(v, w) {
				return false
			}
			i++
		}
		return true
	case float64:
		y := b.(float64)
		return x == y || x != x && y != y
	}
	return value.Equal(a, b)
}

func sameItems(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// differences are goldens that cannot be matched, with the reason.
var differences = map[string]string{}

func TestGolden(t *testing.T) {
	known := 0
	for _, c := range golden.Value(t, "yaml/cases.json").(*value.Map).List("cases").Items {
		c := c.(*value.Map)
		if differences[c.Str("name")] != "" {
			known++
			continue
		}
		t.Run(c.Str("name"), func(t *testing.T) { checkGolden(t, c) })
	}
	if known > 0 {
		t.Logf("%d known differences", known)
	}
}

func checkGolden(t *testing.T, c *value.Map) {
	doc, want := c.Str("doc"), c.Map("expected")
	got, err := Load("", doc)
	w := want.Map("error")
	if w == nil {
		if err != nil {
			t.Fatalf("%q: %v", doc, err)
		}
		if x := golden.Typed(want.At("value")); !same(got, x) {
			t.Fatalf("%q:\n got %s\nwant %s", doc, value.Repr(got), value.Repr(x))
		}
		if r := c.Map("rendered"); r != nil && !same(Rendered(got), golden.Typed(r.At("value"))) {
			t.Errorf("%q: rendered %s, want %s", doc, value.Repr(Rendered(got)), value.Repr(r))
		}
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%q: no error, but %s; want %s", doc, value.Repr(got), w.Str("message"))
	}
	line, _ := w.At("line").(int64)
	col, _ := w.At("column").(int64)
	if e.Class != w.Str("class") || e.Message != w.Str("message") {
		t.Errorf("%q:\n got %s: %s\nwant %s: %s", doc, e.Class, e.Message, w.Str("class"), w.Str("message"))
	}
	if w.Has("problem") && (e.Problem != w.Str("problem") || e.Context != w.Str("context")) {
		t.Errorf("%q: problem %q in %q", doc, e.Problem, e.Context)
	}
	if w.Has("line") && (int64(e.Line) != line || int64(e.Col) != col) {
		t.Errorf("%q: %d:%d, want %d:%d", doc, e.Line, e.Col, line, col)
	}
	if r := c.Map("rendered").Map("error"); r != nil && RenderError(e, doc) != r.Str("message") {
		t.Errorf("%q: rendered %q, want %q", doc, RenderError(e, doc), r.Str("message"))
	}
}
