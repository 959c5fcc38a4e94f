package apply

import (
	"strings"
	"testing"

	"pinch/value"
)

// highOf makes high data of IDs and bodies, all of the SLS a.
func highOf(kv ...any) *High {
	p := &Compiler{}
	h := p.empty()
	for i := 0; i+1 < len(kv); i += 2 {
		body := kv[i+1].(*value.Map)
		if !body.Has("__sls__") {
			body.Set("__sls__", "a")
			body.Set("__env__", "base")
		}
		h.IDs.Set(kv[i].(string), body)
	}
	return h
}

func args(items ...any) *value.List { return value.L(items...) }

func TestDeclare(t *testing.T) {
	for in, want := range map[string][2]string{
		"short":     {"{'x': {'__sls__': 'a', '__env__': 'base', 'pkg': ['installed']}}", ""},
		"long":      {"{'x': {'pkg': [{'name': 'v'}, 'installed'], '__sls__': 'a', '__env__': 'base'}}", ""},
		"twice":     {"", "ID 'x' in SLS 'a' contains multiple state declarations of the same type"},
		"no dict":   {"", "ID x in SLS a is not a dictionary"},
		"two parts": {"{'x': {'__sls__': 'a', '__env__': 'base', 'a': ['b']}}", ""},
	} {
		h := (&Compiler{}).empty()
		switch in {
		case "short":
			h.IDs.Set("x", "pkg.installed")
		case "two parts":
			h.IDs.Set("x", "a.b.c")
		case "long":
			h.IDs.Set("x", value.M("pkg.installed", args(value.M("name", "v"))))
		case "twice":
			h.IDs.Set("x", value.M("pkg.installed", args(), "pkg.removed", args()))
		case "no dict":
			h.IDs.Set("x", int64(1))
		}
		errs := declare(h, "a", "base", &source{})
		if want[1] != "" {
			if len(errs) != 1 || errs[0].Text() != want[1] {
				t.Errorf("%s: %v", in, errs.Texts())
			}
		} else if got := value.Repr(value.Plain(h.IDs)); got != want[0] {
			t.Errorf("%s: %s", in, got)
		}
	}
}

func TestExtend(t *testing.T) {
	h := highOf("x", value.M("pkg", args("installed", value.M("require", args(value.M("pkg", "y"))), value.M("version", "1"), value.M("names", args("a", "b")))))
	h.addExtend(value.M("x", value.M("pkg", args("latest", value.M("require", args(value.M("pkg", "z"))), value.M("version", "2"), value.M("name", "c"), value.M("new", true)))))
	if errs := extend(false)(h); len(errs) > 0 {
		t.Fatal(errs.Texts())
	}
	want := "['latest', {'require': [{'pkg': 'y'}, {'pkg': 'z'}]}, {'version': '2'}, {'name': 'c'}, {'name': 'c'}, {'new': True}]"
	if got := value.Repr(h.body("x").At("pkg")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	h.addExtend(value.M("xx", value.M("__sls__", "b", "pkg", args("latest"))))
	errs := extend(false)(h)
	if len(errs) != 1 || !strings.HasPrefix(errs[0].Text(), "Cannot extend ID 'xx' in 'base:b'. It is not part of the high state.\n") || errs[0].Hint != `did you mean "x"?` {
		t.Errorf("%v %v", errs.Texts(), errs)
	}
}

func TestExclude(t *testing.T) {
	for _, tt := range []struct {
		what any
		want string
	}{{"a", "q"}, {"d*", "xyq"}, {value.M("id", "x"), "yq"}, {value.M("sls", "db.*"), "xy"}, {value.M("id", "x", "sls", "a"), "xyq"}} {
		h := highOf("x", value.M("pkg", args("installed")), "y", value.M("pkg", args("installed")), "q", value.M("__sls__", "db.q", "__env__", "base", "pkg", args("installed")))
		if tt.what == "d*" {
			tt.want = "xy"
		}
		h.AddExclude(tt.what)
		exclude(h)
		got := ""
		for _, k := range h.IDs.Keys() {
			got += k.(string)
		}
		if got != tt.want {
			t.Errorf("exclude %s: left %s, want %s", value.Repr(tt.what), got, tt.want)
		}
	}
}

func TestVerify(t *testing.T) {
	for _, tt := range []struct {
		arg  any
		want string
	}{
		{nil, "ID 'x' in SLS 'a' contains a short declaration (pkg) with a trailing colon. When not passing any arguments to a state, the colon must be omitted."},
		{"installed", "State 'x' in SLS 'a' is not formed as a list"},
		{args(), "No function declared in state 'x' in SLS 'a'"},
		{args("a", "b"), "Too many functions declared in state 'x' in SLS 'a'. Please choose one of the following: a, b"},
		{args("name foo"), `The function "name foo" in state "x" in SLS "a" has whitespace, a function with whitespace is not supported, perhaps this is an argument that is missing a ":"`},
		{args("f", value.M("names", "n")), "The 'names' argument in state 'x' in SLS 'a' needs to be formed as a list"},
		{args("f", value.M("require", "n")), "The require statement in state 'x' in SLS 'a' needs to be formed as a list"},
		{args("f", value.M("require", args(value.M("test.nop", "a", "x", "y").Order()))), "Requisite declaration OrderedDict([('test.nop', 'a'), ('x', 'y')]) in state x in SLS a is not formed as a single key dictionary"},
		{args("f", value.M("watch", args(value.M("pkg.installed", "a")))), "Invalid requisite type 'pkg.installed' in state 'x', in SLS 'a'. Requisite types must not contain dots, did you mean 'pkg'?"},
		{args("f", value.M("watch", args(value.M("pkg", args("a"))))), "Illegal requisite \"['a']\" in SLS \"a\", please check your syntax.\n"},
		{args("f", value.M("watch", args(value.M("pkg", "a"), "b"))), ""},
	} {
		errs := verify(highOf("x", value.M("pkg", tt.arg)))
		if got := strings.Join(errs.Texts(), "|"); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestRequisiteIn(t *testing.T) {
	for _, tt := range []struct {
		in   any
		want string // of y
	}{
		{args(value.M("pkg", "y")), "['installed', {'require': [{'pkg': 'x'}]}]"},
		{args("y"), "['installed', {'require': [{'pkg': 'x'}]}]"},
		{args("named"), "['installed', {'require': [{'pkg': 'x'}]}]"},
		{value.M("pkg", "y"), "['installed', {'require': [{'pkg': 'x'}]}]"},
		{"y", "['installed']"},
		{args("nothing"), "['installed']"},
		{args("y", value.M("pkg", "y")), "['installed', {'require': [{'pkg': 'x'}, {'pkg': 'x'}, {'pkg': 'x'}]}]"},
		{args(value.M("sls", "b")), "['installed', {'require': [{'pkg': 'x'}]}]"},
	} {
		y := value.M("__sls__", "b", "__env__", "base", "pkg", args("installed"))
		if l, ok := tt.in.(*value.List); ok && l.Items[0] == "named" {
			y.List("pkg").Append(value.M("name", "named"))
			tt.want = "['installed', {'name': 'named'}, {'require': [{'pkg': 'x'}]}]"
		}
		h := highOf("x", value.M("pkg", args("installed", value.M("require_in", tt.in))), "y", y)
		if errs := requisiteIn(h); len(errs) > 0 {
			t.Errorf("%s: %v", value.Repr(tt.in), errs.Texts())
		}
		if got := value.Repr(h.body("y").At("pkg")); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", value.Repr(tt.in), got, tt.want)
		}
	}
}

func TestUse(t *testing.T) {
	h := highOf("x", value.M("pkg", args("installed", value.M("use", args(value.M("pkg", "y"))), value.M("version", "1"))),
		"y", value.M("pkg", args("installed", value.M("version", "2"), value.M("name", "n"), value.M("require", args()), value.M("require_any", args()), value.M("fromrepo", "r"))))
	requisiteIn(h)
	want := "['installed', {'use': [{'pkg': 'y'}]}, {'version': '1'}, {'require_any': []}, {'fromrepo': 'r'}]"
	if got := value.Repr(h.body("x").At("pkg")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNames(t *testing.T) {
	run := args("installed", value.M("names", args("a", value.M("b", args(value.M("version", "2"))), "a")), value.M("version", "1"), value.M("order", int64(5)))
	var got []string
	for _, ch := range cut("x", value.M("__sls__", "s"), "pkg", run) {
		got = append(got, ch.Tag+" "+ch.Low.Str("version"))
	}
	if want := "pkg_|-x_|-a_|-installed 1; pkg_|-x_|-b_|-installed 2"; strings.Join(got, "; ") != want {
		t.Errorf("got %s", strings.Join(got, "; "))
	}
}

func TestOrder(t *testing.T) {
	for _, tt := range []struct{ orders, want string }{
		{"10000 10001 10002", "0 1 2"}, {"last 10000 first", "2 1 0"}, {"-1 10000 -2", "1 2 0"}, {"10000 1 last", "1 0 2"}, {"x 5 4", "2 1 0"},
	} {
		g := newGraph(3)
		limit := 1.0
		for i, w := range strings.Fields(tt.orders) {
			ch := newChunk(value.M("state", "t", "fun", "f", "__id__", string(rune('0'+i)), "name", string(rune('0'+i)), "order", value.ScalarArg(w)))
			g.add(ch)
			if ch.order.ok && ch.order.v > limit-1 && ch.order.v > 0 {
				limit = ch.order.v + 100
			}
		}
		chunks, ok := g.sort(limit)
		var got []string
		for _, ch := range chunks {
			got = append(got, ch.ID)
		}
		if !ok || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v", tt.orders, got)
		}
	}
}
