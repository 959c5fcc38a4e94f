package saltfilters_test

import (
	"slices"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/render/saltfilters"
	"pinch/value"
)

// TestGolden renders the template cases about filters and tests; the others
// need all of Salt's renderer.
func TestGolden(t *testing.T) {
	root := golden.Value(t, "jinja/cases.json").(*value.Map)
	categories := []any{"filters", "salt_filters", "tests", "strings", "arith", "containers"}
	extra := []string{"undef_json", "repr_set_from_unique", "err_sort_mixed"}
	ran := 0
	for _, x := range root.List("cases").Items {
		c := x.(*value.Map)
		if !slices.Contains(categories, c.At("category")) && !slices.Contains(extra, c.Str("name")) {
			continue
		}
		ran++
		t.Run(c.Str("name"), func(t *testing.T) {
			vars := value.M("grains", value.Copy(root.Map("grains")), "pillar", value.M())
			vars.Update(value.Copy(c.At("context")).(*value.Map))
			env := newEnv(saltfilters.Host{})
			got, err := render(env, c.Str("template"), vars)
			want := c.Map("expected")
			if err == nil {
				if got != strings.TrimSuffix(want.Str("output"), "\n") || want.Has("error") {
					t.Errorf("%s\n got %q\nwant %q%s", c.Str("template"), got, want.Str("output"), want.Str("message"))
				}
				return
			}
			var text string
			if _, text, _ = strings.Cut(err.Error(), ": "); !strings.HasSuffix(want.Str("message"), text) || text == "" {
				t.Errorf("%s\n got %v\nwant %s%s", c.Str("template"), err, want.Str("message"), want.Str("output"))
			}
		})
	}
	t.Logf("%d cases", ran)
}
