package py

import (
	"errors"
	"os"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// known are cases whose answer differs on purpose.
var known = map[string]string{
	"(-8)**0.5": "there are no complex numbers among the values: ValueError",
}

// TestAgainstPython runs the expressions of testdata/cases.json, whose answers
// Python 3.11 gave (testdata/ask.py).
func TestAgainstPython(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := value.ParseJSON(string(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range cases.(*value.List).Items {
		c := x.(*value.Map)
		expr := c.Str("expr")
		if known[expr] != "" {
			continue
		}
		args := golden.Typed(c.At("args")).(*value.List).Items
		kw := new(value.Map)
		for k, v := range c.Map("kw").Items() {
			kw.Set(k, golden.Typed(v))
		}
		got, err := operate(c.Str("op"), args, kw)
		if err != nil {
			var e *value.Exception
			if !errors.As(err, &e) {
				t.Errorf("%s: error of type %T: %v", expr, err, err)
				continue
			}
			if msg := e.Class + ": " + e.Msg; msg != c.Str("error") {
				t.Errorf("%s\n got %s\nwant %s%s", expr, msg, c.Str("error"), c.Str("want"))
			}
			continue
		}
		if r := value.Repr(got); r != c.Str("want") {
			t.Errorf("%s\n got %s\nwant %s%s", expr, r, c.Str("want"), c.Str("error"))
		}
		if c.Has("recv") && value.Repr(args[0]) != c.Str("recv") {
			t.Errorf("%s left %s, want %s", expr, value.Repr(args[0]), c.Str("recv"))
		}
	}
}

func operate(op string, a []any, kw *value.Map) (any, error) {
	if name, ok := strings.CutPrefix(op, "."); ok {
		f, ok := Method(a[0], name)
		if !ok {
			return Attr(a[0], name)
		}
		return f(a[1:], kw)
	}
	switch op {
	case "+":
		return Add(a[0], a[1])
	case "-":
		return Sub(a[0], a[1])
	case "*":
		return Mul(a[0], a[1])
	case "/":
		return Div(a[0], a[1])
	case "//":
		return FloorDiv(a[0], a[1])
	case "%":
		return Mod(a[0], a[1])
	case "**":
		return Pow(a[0], a[1])
	case "neg":
		return Neg(a[0])
	case "pos":
		return Pos(a[0])
	case "in":
		return Contains(a[1], a[0])
	case "<":
		return value.Less(a[0], a[1])
	case "index":
		return Index(a[0], a[1])
	case "slice":
		return Slice(a[0], a[1], a[2], a[3])
	case "attr":
		return Attr(a[0], a[1].(string))
	}
	return builtin(op, a, kw)
}

func builtin(op string, a []any, kw *value.Map) (any, error) {
	second := func() any {
		if len(a) > 1 {
			return a[1]
		}
		return nil
	}
	switch op {
	case "format":
		s, err := Format(a[0], second().(string))
		return s, err
	case "int":
		if second() != nil {
			base, err := AsIndex(a[1])
			if err != nil {
				return nil, err
			}
			return IntBase(a[0], int(base))
		}
		return Int(a[0])
	case "float":
		f, err := Float(a[0])
		return f, err
	case "round":
		if second() != nil {
			n, err := AsIndex(a[1])
			if err != nil {
				return nil, err
			}
			return RoundTo(a[0], int(n))
		}
		return Round(a[0])
	case "abs":
		return Abs(a[0])
	case "divmod":
		return DivMod(a[0], a[1])
	case "len":
		n, err := Len(a[0])
		return int64(n), err
	}
	items, err := Items(a[0])
	if err != nil {
		return nil, err
	}
	switch op {
	case "sum":
		start := second()
		if start == nil {
			start = int64(0)
		}
		return Sum(items, start)
	case "min":
		return Min(items, nil)
	case "max":
		return Max(items, nil)
	case "sorted":
		out, err := Sorted(items, nil, kw.Truth("reverse"))
		return &value.List{Items: out}, err
	case "list":
		return &value.List{Items: items}, nil
	}
	return nil, errors.New("unknown operation " + op)
}

func TestLimits(t *testing.T) {
	for name, f := range map[string]func() (any, error){
		"repeat text": func() (any, error) { return Mul("abc", int64(1)<<40) },
		"repeat list": func() (any, error) { return Mul(value.L(nil), int64(1)<<40) },
		"power":       func() (any, error) { return Pow(int64(10), int64(1)<<40) },
		"width":       func() (any, error) { return Percent("%999999999d", int64(1)) },
		"spec":        func() (any, error) { return Format("a", "999999999") },
	} {
		_, err := f()
		var e *value.Exception
		if !errors.As(err, &e) || e.Class != "MemoryError" {
			t.Errorf("%s: %v, want a MemoryError", name, err)
		}
	}
}

func TestMarkup(t *testing.T) {
	got, err := Add(Markup("<b>"), "<i>")
	if err != nil || got != Markup("<b>&lt;i&gt;") {
		t.Error(got, err)
	}
	got, err = Mod(Markup("<b>%s</b>"), "<i>")
	if err != nil || got != Markup("<b>&lt;i&gt;</b>") {
		t.Error(got, err)
	}
	m := value.M("a", int64(1))
	if err := m.SetKey(Markup("a"), Markup("b")); err != nil || value.Repr(m) != "{'a': Markup('b')}" || value.Repr(Plain(m)) != "{'a': 'b'}" {
		t.Error(value.Repr(m), err)
	}
	if !value.Equal("a", Markup("a")) || !value.Equal(Markup("a"), "a") {
		t.Error("marked-up text is not equal to itself")
	}
	if s := StripTags("<p>x &amp;  <!-- c > --> y</p>"); s != "x & y" {
		t.Error(s)
	}
}

func FuzzPercent(f *testing.F) {
	for _, s := range []string{"%s", "%-5.2f|", "%(a)s", "%*d", "%#x %%", "%é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, arg := range []any{"x", value.Tuple{int64(5), 2.5}, value.M("a", "b")} {
			if len(s) < 100 && !strings.ContainsAny(s, "6789") {
				_, _ = Percent(s, arg)
			}
		}
	})
}

func FuzzStrFormat(f *testing.F) {
	for _, s := range []string{"{}", "{0:>5}", "{a[b]!r:{0}}", "{{}}", "{:,.2f}", "{0.real}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 100 && !strings.ContainsAny(s, "6789") {
			_, _ = StrFormat(s, []any{int64(5), "x", 2.5}, value.M("a", value.M("b", "c")), nil)
		}
	})
}
