package value_test

import (
	"testing"

	"pinch/value"
)

func TestFnmatch(t *testing.T) {
	for _, c := range []struct {
		name, pattern string
		want          bool
	}{
		{"web1", "web1", true}, {"web1", "WEB1", false}, {"web1", "w*1", true}, {"web1", "w*2", false},
		{"a\nb", "a?b", true}, {"b", "[a-c]", true}, {"b", "[!a-c]", false}, {"]", "[]]", true},
		{"-", "[a-]", true}, {"b", "[c-a]", false}, {"b", "[!c-a]", true}, {"[", "[", true}, {"[a", "[a", true},
		{"-", "[a-c-e]", true}, {"d", "[a-c-e]", false}, {"^", "[^a]", true}, {"ü", "?", true}, {"", "*", true},
		{"aXbXc", "a*b*c", true}, {"abab", "*ab", true}, {"x", "", false}, {`\`, `[\]`, true},
	} {
		if got := value.Fnmatch(c.name, c.pattern); got != c.want {
			t.Errorf("Fnmatch(%q, %q) = %v", c.name, c.pattern, got)
		}
	}
}

func TestTraverse(t *testing.T) {
	data := value.M("a", value.M("b", value.L("x", value.M("k", "v", int64(1), "one"))),
		int64(80), "port", "none", nil, true, "yes")
	for _, c := range []struct {
		path any
		want any
	}{
		{"a:b:0", "x"}, {"a:b:k", "v"}, {"a:b:1", "one"}, {"a:b:-2", "x"}, {"a:b:9", "absent"}, {"80", "port"},
		{"none", nil}, {"none:x", "absent"}, {"on", "yes"}, {"a:c", "absent"}, {value.L("a", "b", int64(0)), "x"},
		{int64(80), "port"}, {"a:b:k:z", "absent"},
	} {
		if got := value.TraverseOr(data, c.path, "absent", ":"); !value.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.path, got, c.want)
		}
	}
	if _, ok := value.TraverseDict(data, "a:b:0", ":"); ok {
		t.Error("TraverseDict must not enter a list")
	}
}

func TestScalarArg(t *testing.T) {
	for _, c := range []struct {
		in   string
		want any
	}{
		{"1", int64(1)}, {"0644", int64(644)}, {"-0644", int64(-420)}, {"08", "08"}, {"1:30", int64(90)}, {"08:30", "08:30"},
		{"0x10", int64(16)}, {"1.5", 1.5}, {"1e3", "1e3"}, {"1.0e+3", 1000.0}, {"yes", true}, {"None", nil}, {"~", nil},
		{"'1'", "1"}, {"1_000", "1_000"}, {"", ""}, {" a b ", "a b"}, {"_.1", "_.1"}, {"1.2.3", "1.2.3"}, {"-", "-"}, {"2024-01-01", "2024-01-01"},
	} {
		if got := value.ScalarArg(c.in); !value.Equal(got, c.want) || value.TypeName(got) != value.TypeName(c.want) {
			t.Errorf("%q: got %#v, want %#v", c.in, got, c.want)
		}
	}
}

func FuzzFnmatch(f *testing.F) {
	f.Add("web1", "w[a-z]*?")
	f.Add("x", "[!")
	f.Fuzz(func(t *testing.T, name, pattern string) {
		value.Fnmatch(name, pattern)
		if !value.IsGlob(name) && !value.Fnmatch(name, name) {
			t.Errorf("%q does not match itself", name)
		}
	})
}
