package yaml

import (
	"errors"
	"strings"
	"testing"

	"pinch/value"
)

func TestPositions(t *testing.T) {
	d, err := LoadDoc("", "# é\nbase: &b {x: 1}\nüser:\n  file.managed:\n    - name: /a\n    - \"mode\": 0644\n  <<: *b\n1: [a,\n  b]\n")
	if err != nil {
		t.Fatal(err)
	}
	root := d.Value.(*value.Map)
	user := root.Map("üser")
	list := user.List("file.managed")
	for _, tt := range []struct {
		c, key    any
		line, col int
	}{
		{root, "base", 2, 1},
		{root, "üser", 3, 1},
		{root, int64(1), 8, 1},
		{root, true, 8, 1}, // one key with 1, as in Python
		{root, "nope", 0, 0},
		{user, "file.managed", 4, 3},
		{user, "x", 2, 11}, // merged: where the user wrote it
		{list, 0, 5, 7},
		{list, int64(1), 6, 7},
		{list, 2, 0, 0},
		{list.Items[1], "mode", 6, 7},
		{root.At("base"), "x", 2, 11},
		{value.M("base", 1), "base", 0, 0},
	} {
		if line, col := d.Pos(tt.c, tt.key); line != tt.line || col != tt.col {
			t.Errorf("%v of %s: %d:%d, want %d:%d", tt.key, value.Repr(tt.c), line, col, tt.line, tt.col)
		}
	}
	if line, col := d.ValuePos(list.Items[1], "mode"); line != 6 || col != 15 {
		t.Errorf("value of mode: %d:%d", line, col)
	}
	if line, col := d.Start(list); line != 5 || col != 5 {
		t.Errorf("start of the list: %d:%d", line, col)
	}
}

func TestShared(t *testing.T) {
	v, err := Load("", "a: &l [1]\nb: *l\nc: &m {self: *m}\n")
	if err != nil {
		t.Fatal(err)
	}
	m := v.(*value.Map)
	m.List("a").Append(int64(2))
	if m.List("b").Len() != 2 {
		t.Error("an alias is no copy")
	}
	if c := m.Map("c"); c.Map("self") != c {
		t.Error("a mapping cannot hold itself")
	}
}

// TestLimits has the texts and places of libyaml 0.2.6, but for the bound on
// merged keys: there Salt runs out of memory.
func TestLimits(t *testing.T) {
	deep := "{k: v}"
	for i := range 40 {
		n := string(rune('a'+i%26)) + string(rune('a'+i/26))
		deep = "&" + n + " {<<: [" + deep + "]}"
		deep += ", *" + n
	}
	for _, tt := range []struct{ text, class, problem string }{
		{strings.Repeat("[", 5000), "ScannerError", "exceeded maximum nesting depth"},
		{strings.Repeat("- ", 5000) + "a", "ScannerError", "exceeded maximum nesting depth"},
		{strings.Repeat("{a: ", 100000), "ScannerError", "exceeded maximum nesting depth"},
		{"y: {<<: [" + deep + "]}", "ConstructorError", "found too many merged keys"},
	} {
		_, err := Load("", tt.text)
		var e *Error
		if !errors.As(err, &e) || e.Class != tt.class || e.Problem != tt.problem {
			t.Errorf("%.30q: %v", tt.text, err)
		}
	}
	v, err := Load("", strings.Repeat("[", 1000)+strings.Repeat("]", 1000))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Dump(v, DumpOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestAliasBombStaysSmall(t *testing.T) {
	text := "a0: &a0 [x]\n"
	for i := 1; i < 60; i++ {
		n, p := value.Str(int64(i)), value.Str(int64(i-1))
		text += "a" + n + ": &a" + n + " [*a" + p + ", *a" + p + "]\n"
	}
	v, err := Load("", text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Dump(v, DumpOptions{})
	if err != nil || len(s) > 4000 {
		t.Errorf("%d bytes, %v", len(s), err)
	}
}

// TestReaderErrors: libyaml checks 16 KiB at a time, so a forbidden character
// hides mistakes before it, but only in its own block.
func TestReaderErrors(t *testing.T) {
	fill := strings.Repeat("# comment\n", 2000)
	for _, tt := range []struct{ text, message string }{
		{"a: b: c\n\x00", "unacceptable character #x0000: control characters are not allowed\n  in \"<unicode string>\", position 8"},
		{"a: \x7f", "unacceptable character #x007f: control characters are not allowed\n  in \"<unicode string>\", position 3"},
		{"a: \uffff", "unacceptable character #xffff: control characters are not allowed\n  in \"<unicode string>\", position 3"},
		{"a: b: c\n" + fill + "\x01", "mapping values are not allowed in this context\n  in \"<unicode string>\", line 1, column 5"},
		{"a: \xff", "unacceptable character #x00ff: invalid leading UTF-8 octet\n  in \"<unicode string>\", position 3"},
	} {
		if _, err := Load("", tt.text); err == nil || err.Error() != tt.message {
			t.Errorf("%.20q: %v, want %s", tt.text, err, tt.message)
		}
	}
}

func TestLoadAll(t *testing.T) {
	docs, err := LoadAll("f.yml", "a: &x 1\n---\n- &x b\n- *x\n...\n---\n")
	if err != nil || value.Repr(value.L(docs...)) != "[{'a': 1}, ['b', 'b'], None]" {
		t.Error(docs, err)
	}
	_, err = LoadAll("f.yml", "a: 1\n---\nb: *x\n")
	if err == nil || err.Error() != "found undefined alias\n  in \"f.yml\", line 3, column 4" {
		t.Error(err)
	}
}

func TestHints(t *testing.T) {
	for text, want := range map[string]string{
		"a:\n\tb: c\n":  "tab",
		"a: {{ x }}\n":  "curly",
		"a: b: c\n":     "quoted",
		"a: 1\na: 2\n":  "twice",
		"- *.conf\n":    "* or &",
		"a: [1\nb: c\n": "not closed",
		"a: 'x\nb: c\n": "quote",
		"a: @x\n":       "must be quoted",
		"a: *x\n":       "must be quoted",
		"a: 1\n b\nc\n": "colon",
		" a: 1\nb: 2\n": "",
	} {
		_, err := Load("", text)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Hint(), want) || want == "" && e.Hint() != "" {
			t.Errorf("%q: %v: %q", text, err, e.Hint())
		}
	}
}

func TestDiagnostic(t *testing.T) {
	text := "a:\n  b: [1,\nc: d\n"
	_, err := Load("", text)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	d := e.Diagnostic("web.sls", text)
	if d.Error() != "web.sls:4:1: did not find expected ',' or ']'" {
		t.Error(d.Error())
	}
	if len(d.Notes) != 1 || d.Notes[0].Pos.String() != "web.sls:2:6" || d.Notes[0].Text != "while parsing a flow sequence" {
		t.Error(d.Notes)
	}
	if d.Return != e.Message {
		t.Error(d.Return)
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"a: [1, 2.5, yes, ~]\n", "- &a {b: *a}\n", "? |\n  x\n: >-\n  a\n\n  b\n", "%TAG ! x:\n--- !y 'a''b'\n",
		"<<: {a: 1}\nb: \"\\x41\\u2028\"\n", "0o7: 0644\n1:30: 2024-01-02\n", "!!binary aGk=: !!set {a}\n", states(2)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Load("", text)
		if err != nil {
			return
		}
		for _, o := range []DumpOptions{{}, {Flow: Block}, {Flow: Flow, Width: 20}, {ASCII: true, Flow: Block, Indent: 4}} {
			s, err := Dump(v, o)
			if err != nil {
				t.Fatal(err)
			}
			if cyclic(v, nil) {
				continue
			}
			w, err := Load("", s)
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			if !loose(v, w) {
				t.Fatalf("%q: %s became %s", s, value.Repr(v), value.Repr(w))
			}
		}
	})
}

// cyclic reports a container within itself.
func cyclic(v any, open []any) bool {
	for _, o := range open {
		if o == identity(v) {
			return true
		}
	}
	if identity(v) == nil {
		return false
	}
	open = append(open, identity(v))
	for _, it := range parts(v) {
		if cyclic(it, open) {
			return true
		}
	}
	return false
}

func parts(v any) []any {
	switch v := v.(type) {
	case *value.List:
		return v.Items
	case value.Tuple:
		return v
	case *value.Map:
		var all []any
		for _, it := range v.All() {
			all = append(all, it)
		}
		return all
	}
	return nil
}

// loose compares what was written with what was read: order is sorted, tuples
// become lists, NaN is itself.
func loose(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || x != x && y != y)
	case *value.List, value.Tuple:
		p, q := parts(a), parts(b)
		if len(p) != len(q) {
			return false
		}
		for i := range p {
			if !loose(p[i], q[i]) {
				return false
			}
		}
		return true
	case *value.Map:
		y, ok := b.(*value.Map)
		if !ok || x.Len() != y.Len() {
			return false
		}
		for k, v := range x.All() {
			if w, ok := y.GetKey(k); !ok && k == k || ok && !loose(v, w) {
				return false
			}
		}
		return true
	}
	return value.Equal(a, b)
}

// A document whose maps were changed before anybody asked still knows its places.
func TestPositionsOfChangedMaps(t *testing.T) {
	d, err := LoadDoc("", "a:\n  x.y: 1\n  0644: 2\nb: 3\n")
	if err != nil {
		t.Fatal(err)
	}
	root := d.Value.(*value.Map)
	m := root.Map("a")
	m.Pop("x.y")
	m.Set("new", 1)
	root.Pop("b")
	for _, tt := range []struct {
		c         *value.Map
		key       any
		line, col int
	}{{m, "x.y", 2, 3}, {m, int64(644), 3, 3}, {root, "b", 4, 1}, {m, "new", 0, 0}} {
		if line, col := d.Pos(tt.c, tt.key); line != tt.line || col != tt.col {
			t.Errorf("%v: %d:%d, want %d:%d", tt.key, line, col, tt.line, tt.col)
		}
	}
}
