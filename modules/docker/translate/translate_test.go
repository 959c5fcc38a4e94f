package translate

import (
	"errors"
	"os"
	"testing"

	"pinch/value"
)

// python reads what the recorder wrote: tuples are {"__tuple__": […]}, maps
// with other keys than strings {"__map__": [[key, value], …]}.
func python(v any) any {
	switch v := v.(type) {
	case *value.List:
		out := value.L()
		for _, it := range v.Items {
			out.Append(python(it))
		}
		return out
	case *value.Map:
		if l := v.List("__tuple__"); l != nil {
			return value.Tuple(python(l).(*value.List).Items)
		}
		out := new(value.Map)
		if l := v.List("__map__"); l != nil {
			for _, it := range l.Items {
				kv := it.(*value.List).Items
				_ = out.SetKey(python(kv[0]), python(kv[1]))
			}
			return out
		}
		for k, it := range v.Items() {
			out.Set(k, python(it))
		}
		return out
	}
	return v
}

func cases(t *testing.T, file string) []*value.Map {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	var out []*value.Map
	for _, it := range v.(*value.List).Items {
		out = append(out, python(it).(*value.Map))
	}
	return out
}

// optionsOf takes the options out of the arguments.
func optionsOf(kw *value.Map) Options {
	o := Options{ValidateIP: true}
	if v, ok := kw.Pop("skip_translate"); ok {
		o.Skip = v
	}
	if v, ok := kw.Pop("ignore_collisions"); ok {
		o.IgnoreCollisions = value.Truth(v)
	}
	if v, ok := kw.Pop("validate_ip_addrs"); ok {
		o.ValidateIP = value.Truth(v)
	}
	return o
}

// sameData compares as Python does, but for the order of ports, which are
// Python sets.
func sameData(a, b any) bool {
	x, xok := a.(*value.Map)
	y, yok := b.(*value.Map)
	if !xok || !yok || x.List("ports") == nil || y.List("ports") == nil {
		return value.Equal(a, b)
	}
	x, y = x.Shallow(), y.Shallow()
	xs, _ := value.NewSet(x.List("ports").Items...)
	ys, _ := value.NewSet(y.List("ports").Items...)
	x.Pop("ports")
	y.Pop("ports")
	return value.Equal(x, y) && value.Equal(xs, ys)
}

// TestSalt compares with what Salt 3007.17 made of the same arguments: those
// of its own unit tests (unit.json) and further ones (more.json).
func TestSalt(t *testing.T) {
	for _, file := range []string{"unit.json", "more.json"} {
		all := cases(t, file)
		for _, c := range all {
			kw := c.Map("in")
			shown := value.Repr(kw)
			translate := Container
			if c.Str("kind") == "network" {
				translate = Network
			}
			before := value.Copy(kw)
			o := optionsOf(kw)
			args := value.Copy(kw)
			got, err := translate(kw, o)
			if !value.Equal(args, kw) {
				t.Errorf("%s %s: the arguments were changed", c.Str("kind"), value.Repr(before))
			}
			want, text := c.At("out"), c.Str("error")
			switch {
			case text != "" && (err == nil || err.Error() != text):
				t.Errorf("%s %s\n got %s %v\nwant error %s", c.Str("kind"), shown, value.Repr(got), err, text)
			case text == "" && err != nil:
				t.Errorf("%s %s\n got error %v\nwant %s", c.Str("kind"), shown, err, value.Repr(want))
			case text == "" && !sameData(got, want):
				t.Errorf("%s %s\n got %s\nwant %s", c.Str("kind"), shown, value.Repr(got), value.Repr(want))
			}
			var x *value.Exception
			if text != "" && (!errors.As(err, &x) || x.Class != c.Str("class")) {
				t.Errorf("%s: class of %v", shown, err)
			}
		}
		t.Logf("%s: %d cases", file, len(all))
	}
}
