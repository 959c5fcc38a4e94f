package value

import (
	"math/big"
	"strconv"
	"sync"
	"testing"
)

func TestRepr(t *testing.T) {
	big1, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	loop := L(int64(1))
	loop.Append(loop)
	for _, tt := range []struct {
		v    any
		want string
	}{
		{nil, "None"}, {true, "True"}, {int64(-3), "-3"}, {big1, "123456789012345678901234567890"},
		{1.0, "1.0"}, {0.1, "0.1"}, {1e16, "1e+16"}, {1e-5, "1e-05"}, {1e22, "1e+22"}, {123456789.125, "123456789.125"},
		{"it's", `"it's"`}, {`a"b'c`, `'a"b\'c'`}, {"é\n\x00\u200b", `'é\n\x00\u200b'`}, {"\u00a0", `'\xa0'`},
		{[]byte("a\xff'"), `b"a\xff'"`},
		{L("a", int64(1)), "['a', 1]"}, {Tuple{"a"}, "('a',)"}, {M("a", M(), int64(1), nil), "{'a': {}, 1: None}"},
		{loop, "[1, [...]]"},
	} {
		if got := Repr(tt.v); got != tt.want {
			t.Errorf("Repr = %s, want %s", got, tt.want)
		}
	}
}

func TestKeysAreEqualAsInPython(t *testing.T) {
	m := M(int64(1), "int", "1", "str")
	m.SetKey(true, "bool")
	m.SetKey(1.0, "float")
	if got := Repr(m); got != "{1: 'float', '1': 'str'}" {
		t.Error(got)
	}
	if err := m.SetKey(L(), 1); err == nil || err.Error() != "unhashable type: 'list'" {
		t.Error(err)
	}
	m.SetKey(Tuple{"a", int64(2)}, "t")
	if v, _ := m.GetKey(Tuple{"a", 2.0}); v != "t" {
		t.Error(v)
	}
}

func TestMapGrowsAndShrinks(t *testing.T) {
	m := new(Map)
	for i := range int64(100) {
		m.SetKey(i, i)
		m.Set(Str(i), i)
	}
	for i := int64(0); i < 100; i += 3 {
		m.PopKey(i)
		m.Pop(Str(99 - i))
	}
	for i := range int64(100) {
		if _, ok := m.GetKey(i); ok != (i%3 != 0) {
			t.Errorf("key %d: %v", i, ok)
		}
	}
	if m.Len() != 200-68 {
		t.Error(m.Len())
	}
}

func TestLazy(t *testing.T) {
	n := 0
	m := M("a", "x")
	m.SetLazy("b", func() (any, bool) { n++; return "y", true })
	m.SetLazy("c", func() (any, bool) { return nil, false })
	if m.At("a"); n != 0 {
		t.Error("read too early")
	}
	for range 2 {
		if m.At("b") != "y" || n != 1 {
			t.Error("b", n)
		}
	}
	if m.Has("c") || Repr(m) != "{'a': 'x', 'b': 'y'}" {
		t.Error(Repr(m))
	}
}

func TestJSON(t *testing.T) {
	v, err := ParseJSON(`{"b": [1, 2.5, -1e3, null, true, NaN], "a": "\u00e9\ud83d\ude00\n", "n": 123456789012345678901, "e": {}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		o    JSONOptions
		want string
	}{
		{JSONOptions{}, `{"b": [1, 2.5, -1000.0, null, true, NaN], "a": "é😀\n", "n": 123456789012345678901, "e": {}}`},
		{JSONOptions{ASCII: true, SortKeys: true, Compact: true}, `{"a":"\u00e9\ud83d\ude00\n","b":[1,2.5,-1000.0,null,true,NaN],"e":{},"n":123456789012345678901}`},
	} {
		if got, _ := JSON(v, tt.o); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	if got, _ := JSON(M("a", L(int64(1)), "b", M()), JSONOptions{Indent: 4}); got != "{\n    \"a\": [\n        1\n    ],\n    \"b\": {}\n}" {
		t.Error(got)
	}
	for s, want := range map[string]string{
		"":            "Expecting value: line 1 column 1 (char 0)",
		"{\"a\":\n x": "Expecting value: line 2 column 2 (char 7)",
		"[1 2]":       "Expecting ',' delimiter: line 1 column 4 (char 3)",
		"{a: 1}":      "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
		"1 2":         "Extra data: line 1 column 3 (char 2)",
		`"abc`:        "Unterminated string starting at: line 1 column 1 (char 0)",
	} {
		if _, err := ParseJSON(s); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	if !Equal(true, int64(1)) || !Equal(1.0, int64(1)) || Equal("1", int64(1)) || !Equal(L(int64(1)), L(1.0)) {
		t.Error("equality")
	}
	if _, err := Less("a", int64(1)); err == nil || err.Error() != "'<' not supported between instances of 'str' and 'int'" {
		t.Error(err)
	}
	if less, _ := Less(Tuple{int64(1), "a"}, Tuple{int64(1), "b"}); !less {
		t.Error("tuple order")
	}
}

func FuzzParseJSON(f *testing.F) {
	f.Add(`{"a": [1, 2.5e3, "\u00e9"]}`)
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseJSON(s)
		if err != nil {
			return
		}
		out, err := JSON(v, JSONOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseJSON(out); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
	})
}

// Whoever reads a map may do so beside others, also when values are yet to be
// made and some come to nothing (the race detector looks at this).
func TestLazyTogether(t *testing.T) {
	m := LazyMap(func() *Map {
		m := new(Map).Order()
		for i := range 40 {
			m.SetLazy(strconv.Itoa(i), func() (any, bool) { return int64(i), i%3 != 0 })
		}
		return m
	})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if i%2 == 0 {
				if n := m.Shallow().Len(); n != 26 || m.Len() != 26 || !m.Ordered() {
					t.Error(n, m.Len(), m.Ordered())
				}
			}
			for k := range 40 {
				if v, ok := m.Get(strconv.Itoa(k)); ok != (k%3 != 0) || ok && v != int64(k) {
					t.Error(k, v, ok)
				}
			}
		})
	}
	wg.Wait()
}

func TestLazyMap(t *testing.T) {
	n := 0
	m := LazyMap(func() *Map { n++; return M("a", int64(1), int64(2), "b") })
	if n != 0 {
		t.Error("made too early")
	}
	m.Set("c", true)
	if v, _ := m.GetKey(int64(2)); v != "b" || m.At("a") != int64(1) || m.Len() != 3 || n != 1 {
		t.Error(Repr(m), n)
	}
}
