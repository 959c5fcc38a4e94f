package yaml

import (
	"testing"

	"pinch/golden"
	"pinch/value"
)

// share makes equal containers one object, as the goldens' mark "shared" says.
func share(v any, seen map[string]any) any {
	switch x := v.(type) {
	case *value.List:
		for i := range x.Items {
			x.Items[i] = share(x.Items[i], seen)
		}
	case value.Tuple:
		for i := range x {
			x[i] = share(x[i], seen)
		}
	case *value.Map:
		for k, it := range x.All() {
			x.SetKey(k, share(it, seen))
		}
	default:
		return v
	}
	k := value.TypeName(v) + value.Repr(v)
	if s, ok := seen[k]; ok {
		return s
	}
	seen[k] = v
	return v
}

func TestKeepOrder(t *testing.T) {
	got, _ := Dump(value.M("b", int64(1), "a", int64(2)), DumpOptions{KeepOrder: true})
	if got != "{b: 1, a: 2}\n" {
		t.Error(got)
	}
}

func TestDumpGolden(t *testing.T) {
	four, none := 4, -1
	forms := map[string]func(v any) (string, error){
		"block":            func(v any) (string, error) { return Dump(v, DumpOptions{Flow: Block}) },
		"flow":             func(v any) (string, error) { return Dump(v, DumpOptions{Flow: Flow}) },
		"auto":             func(v any) (string, error) { return Dump(v, DumpOptions{}) },
		"jinja_yaml":       func(v any) (string, error) { return Filter(v, Flow) },
		"jinja_yaml_block": func(v any) (string, error) { return Filter(v, Block) },
		"yaml_dquote":      func(v any) (string, error) { return Dquote(v), nil },
		"yaml_squote":      func(v any) (string, error) { return Squote(v), nil },
		"yaml_encode":      Encode,
		"out":              func(v any) (string, error) { return Output(v, nil) },
		"out_indent4":      func(v any) (string, error) { return Output(v, &four) },
		"out_noindent":     func(v any) (string, error) { return Output(v, &none) },
	}
	for _, c := range golden.Value(t, "yaml/dump.json").(*value.Map).List("cases").Items {
		c := c.(*value.Map)
		v := golden.Typed(c.At("value"))
		if c.Str("name") == "val_36" {
			v.(*value.Map).Order()
		}
		if c.Has("shared") {
			v = share(v, map[string]any{})
		}
		for form, want := range c.Map("expected").Items() {
			got, err := forms[form](v)
			if w, bad := want.(*value.Map); bad {
				if err == nil || err.Error() != w.Str("message") {
					t.Errorf("%s %s: %q %v, want %s", c.Str("name"), form, got, err, w.Str("message"))
				}
				continue
			}
			if err != nil || got != want {
				t.Errorf("%s %s: %s\n got %q\nwant %q (%v)", c.Str("name"), form, value.Repr(v), got, want, err)
			}
		}
	}
}
