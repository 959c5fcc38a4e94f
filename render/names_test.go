package render

import (
	"strings"
	"testing"

	"pinch/value"
)

// The facts are those of Salt's unit tests of generate_sls_context.
func TestSLSNames(t *testing.T) {
	for _, tt := range []struct {
		file, sls string
		want      string // tplfile tpldir tpldot slspath slsdotpath slscolonpath sls_path
	}{
		{"/tmp/boo.sls", "boo", "boo.sls . - - - - -"},
		{"/tmp/foo/init.sls", "foo", "foo/init.sls foo foo foo foo foo foo"},
		{"/tmp/foo/init.sls", "foo.", "foo/init.sls foo foo foo foo foo foo"},
		{"/tmp/foo/init.sls", "foo.init", "foo/init.sls foo foo foo foo foo foo"},
		{"/tmp/foo/boo.sls", "foo.boo", "foo/boo.sls foo foo foo foo foo foo"},
		{"/tmp/foo/foo.sls", "foo.foo", "foo/foo.sls foo foo foo foo foo foo"},
		{"/tmp/foo/bar/init.sls", "foo.bar", "foo/bar/init.sls foo/bar foo.bar foo/bar foo.bar foo:bar foo_bar"},
		{"/tmp/foo/bar/init.sls", "foo.bar.init", "foo/bar/init.sls foo/bar foo.bar foo/bar foo.bar foo:bar foo_bar"},
		{"/tmp/foo/bar/boo.sls", "foo.bar.boo", "foo/bar/boo.sls foo/bar foo.bar foo/bar foo.bar foo:bar foo_bar"},
		{"/tmp/foo/foo/foo.sls", "foo.foo.foo", "foo/foo/foo.sls foo/foo foo.foo foo/foo foo.foo foo:foo foo_foo"},
		{`/tmp/foo/foo\foo.sls`, `foo.foo\foo`, `foo/foo\foo.sls foo foo foo foo foo foo`},
		{"/srv/salt/a/b/c.sls", "a.b.c", "a/b/c.sls a/b a.b a/b a.b a:b a_b"},
		{"/srv/salt/foo/bar.sls", "", "bar.sls . - - - - -"},
		{"jinja.yaml", "jinja.yaml", "jinja.yaml . none none none none none"},
		{"one/jinja.yaml", "one/jinja.yaml", "one/jinja.yaml one none none none none none"},
		{"one/two/jinja.yaml", "one/two/jinja.yaml", "one/two/jinja.yaml one/two none none none none none"},
		{"", "foo.bar", "none none none foo/bar foo.bar foo:bar foo_bar"},
	} {
		m := value.M("sls", tt.sls)
		slsNames(m, tt.file)
		var got []string
		for _, k := range []string{"tplfile", "tpldir", "tpldot", "slspath", "slsdotpath", "slscolonpath", "sls_path"} {
			s := m.Str(k)
			switch {
			case !m.Has(k):
				s = "none"
			case s == "":
				s = "-"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != tt.want || m.Str("tplpath") != tt.file {
			t.Errorf("%s as %s:\ngot  %s\nwant %s", tt.file, tt.sls, s, tt.want)
		}
	}
	// What the caller says counts.
	own := value.M("sls", "test.basic.output", "slspath", "own", "tpldir", "mine")
	slsNames(own, "/x/test/basic/output.sls")
	if own.Str("slspath") != "own" || own.Str("tpldir") != "mine" || own.Str("tplfile") != "test/basic/output.sls" {
		t.Error(value.Repr(own))
	}
}
