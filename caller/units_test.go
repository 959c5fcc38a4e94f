package caller_test

import (
	"context"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/salt"
	"pinch/value"
)

// The templates of Salt's own unit tests of Jinja, with what Salt makes of them.
func TestJinjaUnits(t *testing.T) {
	for _, name := range []string{"jinja/units.json", "jinja/units-loader.json", "jinja/units-filters.json"} {
		t.Run(name, func(t *testing.T) { jinjaUnits(t, golden.Value(t, name).(*value.Map)) })
	}
}

func jinjaUnits(t *testing.T, data *value.Map) {
	for _, it := range data.List("cases").Items {
		c := it.(*value.Map)
		files := c.Map("files").Shallow()
		root := tree(t, files, "srv/salt")
		r := newRun(t, root, options(root, c.Map("options")), value.M("os", "Debian"))
		ctx := r.Ctx(context.Background())
		ctx.Pillar = new(value.Map)
		vars := c.Map("context").Shallow()
		tmpl := salt.Template{Text: strings.ReplaceAll(c.Str("template"), "<ROOT>", root), Name: "salt://case/init.sls", Engine: "jinja", Env: "base", SLS: "case", SLSFile: true, Vars: vars}
		if c.Has("file") { // the template of a managed file
			tmpl.SLS, tmpl.SLSFile = "", false
		}
		out, err := r.Render(ctx, tmpl)
		if want, ok := c.Get("output"); ok {
			want = rooted(want, root)
			if err != nil || out != want {
				t.Errorf("%s\n%s\ngot  %q %v\nwant %q", c.Str("template"), value.Repr(vars), out, err, want)
			}
			continue
		}
		got := "no error: " + out
		if err != nil {
			got, _, _ = strings.Cut(err.Error(), "\n")
			got, _, _ = strings.Cut(got, "; line ")
		}
		if got != c.Str("error") {
			t.Errorf("%s\n%s\ngot  %s\nwant %s", c.Str("template"), value.Repr(vars), got, c.Str("error"))
		}
	}
}
