package apply

import (
	"testing"

	"pinch/value"
)

// The answers are those of salt.utils.args.parse_function.
func TestParseCall(t *testing.T) {
	for in, want := range map[string]string{
		"test.echo(a)":               "test.echo ['a'] {}",
		"test.arg(1, k=v)":           "test.arg ['1'] {'k': 'v'}",
		`test.arg('a b', k="x, y")`:  "test.arg ['a b'] {'k': 'x, y'}",
		"test.arg([1, 2], k={a: 1})": "test.arg ['[1,2]'] {'k': '{a:1}'}",
		"test.arg(a b)":              "test.arg ['ab'] {}",
		"test.arg()":                 "test.arg [] {}",
		"test.arg(a":                 "",
		"test.arg(a]) ":              "",
		`cmd.run('echo "x"')`:        `cmd.run ['echo "x"'] {}`,
		"m.f(k='a=b')":               "m.f [] {'k': 'a=b'}",
		`m.f(a='x\'y')`:              `m.f [] {'a': "x'y"}`,
		"m.f(/etc/passwd, x.y)":      "m.f ['/etc/passwd', 'x.y'] {}",
		"noparen":                    "",
	} {
		fun, args, kw, ok := parseCall(in)
		got := ""
		if ok {
			got = fun + " " + value.Repr(value.L(args...)) + " " + value.Repr(kw)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func FuzzParseCall(f *testing.F) {
	f.Add("test.arg([1, 'a b'], k={a: 1}).x ~ y")
	f.Add(`m.f("\\", '`)
	f.Fuzz(func(t *testing.T, s string) { parseCall(s) })
}

func TestOneOff(t *testing.T) {
	for in, want := range map[[2]string]bool{{"makdirs", "makedirs"}: true, {"dirmode", "dir_mode"}: true, {"source", "source_hash"}: false, {"user", "user"}: true, {"group", "grpup"}: true, {"abcdef", "abcfed"}: false, {"contnets", "contents"}: true} {
		if got := oneOff(in[0], in[1]); got != want {
			t.Errorf("oneOff(%v) = %v", in, got)
		}
	}
}
