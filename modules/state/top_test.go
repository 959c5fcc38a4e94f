package state_test

import (
	"strings"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// topDiffers are the cases in which we do not as Salt does, and why.
var topDiffers = map[string]string{
	"envs_undefined": "for an environment that is not there Salt goes on with the SLS of the one before",
}

// TestTop compares state.show_top and the low state of top files with Salt's.
func TestTop(t *testing.T) {
	file := golden.Value(t, "top/cases.json").(*value.Map)
	grains := file.Map("grains")
	for _, it := range file.List("cases").Items {
		c := it.(*value.Map)
		t.Run(c.Str("name"), func(t *testing.T) {
			if why := topDiffers[c.Str("name")]; why != "" {
				t.Log("differs: " + why)
				return
			}
			tryTop(t, c, grains)
		})
	}
}

func tryTop(t *testing.T, c, grains *value.Map) {
	h := newHost(t, nil, nil)
	for path, text := range c.Map("files").Items() {
		h.write(path, value.Str(text))
	}
	h.opts.Update(rooted(c.At("opts"), h.dir).(*value.Map))
	h.opts.Set("id", "web1")
	h.opts.Pop("pillar") // the files have it
	h.grains = grains
	var kw []string
	for k, v := range c.Map("kwargs").Items() {
		kw = append(kw, k+"="+value.Str(v))
	}
	want := c.Map("expected")
	if w, ok := want.Get("show_top"); ok {
		got, err := h.call("state.show_top", kw...)
		sameAs(t, "show_top", got, err, w, h.dir)
	}
	if w, ok := want.Get("lowstate"); ok {
		got, err := h.call("state.show_lowstate")
		sameAs(t, "lowstate", shortLow(got), err, w, h.dir)
	}
}

// rooted replaces <ROOT> in all texts.
func rooted(v any, dir string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "<ROOT>", dir)
	case *value.List:
		l := new(value.List)
		for _, x := range v.Items {
			l.Append(rooted(x, dir))
		}
		return l
	case *value.Map:
		m := new(value.Map)
		for k, x := range v.All() {
			_ = m.SetKey(k, rooted(x, dir))
		}
		return m
	}
	return v
}

// shortLow makes [environment, sls, id, order] of each chunk.
func shortLow(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := new(value.List)
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !ok {
			return v
		}
		out.Append(value.L(m.At("__env__"), m.At("__sls__"), m.At("__id__"), m.At("order")))
	}
	return out
}

func sameAs(t *testing.T, what string, got any, err error, want any, dir string) {
	t.Helper()
	if m, ok := want.(*value.Map); ok && m.Has("error") {
		e := m.Map("error")
		ex, ok := err.(*value.Exception)
		if !ok || ex.Class != e.Str("class") || ex.Msg != e.Str("message") {
			t.Errorf("%s: got %s, error %v; want %s %s", what, value.Repr(got), err, e.Str("class"), e.Str("message"))
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	w := rooted(golden.Typed(want), dir)
	if value.Repr(got) != value.Repr(w) {
		t.Errorf("%s:\ngot  %s\nwant %s", what, value.Repr(got), value.Repr(w))
	}
}
