package filters_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
)

// known are templates whose result differs, and why.
var known = map[string]string{
	"{{ 1e999|int }}": "Jinja's own compiler turns the literal into a name: NameError; here it is the infinity it reads as",
}

// TestAgainstJinja renders the templates of testdata/cases.json, whose results
// Jinja 3.1 gave (testdata/ask.py).
func TestAgainstJinja(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(data))
	if err != nil {
		t.Fatal(err)
	}
	root := v.(*value.Map)
	fs, tests := filters.Builtin()
	env := &jinja.Env{Undefined: jinja.Strict, Filters: fs, Tests: tests}
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
