package saltfilters_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/render/saltfilters"
	"pinch/sys"
	"pinch/value"
)

// known are templates whose result differs, and why.
var known = map[string]string{}

func newEnv(h saltfilters.Host) *jinja.Env {
	fs, tests := filters.Builtin()
	saltfilters.Add(fs, tests, func(*jinja.State) saltfilters.Host { return h })
	return &jinja.Env{Undefined: jinja.Strict, Filters: fs, Tests: tests}
}

func cases(t *testing.T) *value.Map {
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return v.(*value.Map)
}

// TestAgainstSalt renders the templates of testdata/cases.json, whose results
// Salt 3008 gave (testdata/ask.py).
func TestAgainstSalt(t *testing.T) {
	local := time.Local
	time.Local = time.FixedZone("UTC", 0)
	defer func() { time.Local = local }()
	root := cases(t)
	env := newEnv(saltfilters.Host{})
	for _, x := range root.List("cases").Items {
		c := x.(*value.Map)
		text := c.Str("template")
		if known[text] != "" {
			continue
		}
		got, err := render(env, text, value.Copy(root.Map("vars")).(*value.Map))
		if err != nil {
			if err.Error() != c.Str("error") {
				t.Errorf("%s\n got %v\nwant %s%s", text, err, c.Str("error"), c.Str("want"))
			}
			continue
		}
		if got != c.At("want") {
			t.Errorf("%s\n got %s\nwant %s%s", text, got, c.Str("error"), c.Str("want"))
		}
	}
	t.Logf("%d known differences", len(known))
}

// TestNames checks that Salt has no filter or test that is not here, and the
// other way round.
func TestNames(t *testing.T) {
	root := cases(t)
	env := newEnv(saltfilters.Host{})
	for kind, m := range map[string]map[string]jinja.Func{"filters": env.Filters, "tests": env.Tests} {
		got := slices.Sorted(maps.Keys(m))
		for _, x := range root.List(kind).Items {
			if !slices.Contains(got, x.(string)) {
				t.Errorf("%s: %s is missing", kind, x)
			}
		}
		for _, name := range got {
			if !slices.Contains(root.List(kind).Items, any(name)) {
				t.Errorf("%s: Salt has no %s", kind, name)
			}
		}
	}
}

func TestHost(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("text", "abc\n")
	write("empty", "")
	write("bin", "a\x00b")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("sub/x", "x")
	env := newEnv(saltfilters.Host{
		Sys: sys.Real{},
		Query: func(_ context.Context, args []any, kw *value.Map) (any, error) {
			return value.M("url", args[0], "kw", kw), nil
		},
		Resolve: func(_ context.Context, name string, port int64, ipv6 *bool) ([]string, error) {
			if name == "six" && (ipv6 == nil || *ipv6) {
				return []string{"::1"}, nil
			}
			if name == "four" && (ipv6 == nil || !*ipv6) {
				return []string{"10.0.0.1"}, nil
			}
			return nil, errors.New("no such host")
		},
	})
	for _, tt := range []struct{ template, want string }{
		{"{{ (d ~ '/text')|file_hashsum }}", "edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb"},
		{"{{ (d ~ '/text')|file_hashsum('md5') }}", "0bee89b07a248e27c83fc3d5951213c1"},
		{"{{ (d ~ '/text')|file_hashsum('nope') }}", "ValueError: Invalid hash type: nope"},
		{"{{ (d ~ '/none')|file_hashsum }}", "FileNotFoundError: [Errno 2] No such file or directory: 'DIR/none'"},
		{"{{ (d ~ '/empty')|is_empty }} {{ (d ~ '/text')|is_empty }} {{ (d ~ '/none')|is_empty }}", "True False False"},
		{"{{ (d ~ '/text')|is_text_file }} {{ (d ~ '/bin')|is_text_file }} {{ (d ~ '/none')|is_text_file }}", "True False False"},
		{"{{ (d ~ '/text')|is_bin_file }} {{ (d ~ '/bin')|is_bin_file }} {{ d|is_bin_file }}", "False True False"},
		{"{{ d|list_files|join(' ')|replace(d, '') }}", " /bin /empty /sub /text /sub/x"},
		{"{{ 'sh'|which is match('.*/sh') }} {{ 'no-such-command'|which }}", "True None"},
		{"{{ 'root'|get_uid }} {{ 'no-such-user'|get_uid }}", "0 None"},
		{"{{ 'http://x'|http_query(method='POST') }}", "{'url': 'http://x', 'kw': {'method': 'POST'}}"},
		{"{{ 'six'|dns_check(port=80) }} {{ 'four'|dns_check(80, ipv6=true) }}", "[::1] 10.0.0.1"},
		{"{{ 'none'|dns_check(80) }}", "SaltSystemExit: DNS lookup or connection check of 'none' failed."},
		{"{{ 'none'|dns_check(80, safe=true) }}", "SaltClientError: "},
	} {
		got, err := render(env, tt.template, value.M("d", dir))
		if err != nil {
			got = err.Error()
		}
		if got = strings.ReplaceAll(got, dir, "DIR"); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.template, got, tt.want)
		}
	}
	if _, err := render(newEnv(saltfilters.Host{}), "{{ 'x'|which }}", nil); err == nil {
		t.Error("which worked without a host")
	}
}

// render gives errors as "Class: text".
func render(env *jinja.Env, text string, vars *value.Map) (string, error) {
	t, err := env.Template(jinja.Source{Name: text, Text: text})
	if err == nil {
		var out *jinja.Output
		if out, err = t.Render(context.Background(), jinja.Input{Vars: vars}); err == nil {
			return out.Text, nil
		}
	}
	var e *jinja.Error
	if errors.As(err, &e) {
		return "", errors.New(e.Class + ": " + e.Message)
	}
	return "", err
}
