package output

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pinch/golden"
	"pinch/value"
)

// minion are the options that a minion has without configuration.
func minion() *value.Map {
	return value.M("state_output", "full", "state_verbose", true, "state_output_profile", true, "strip_colors", true, "color", false)
}

// TestGolden prints each of the recorded values and compares with Salt's text.
func TestGolden(t *testing.T) {
	for _, it := range golden.Value(t, "output/cases.json").(*value.Map).List("cases").Items {
		compare(t, it.(*value.Map))
	}
}

// TestMore does the same with values made at random.
func TestMore(t *testing.T) {
	text, err := os.ReadFile("testdata/random.json")
	if err != nil {
		t.Fatal(err)
	}
	all, err := value.ParseJSON(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range all.(*value.List).Items {
		compare(t, it.(*value.Map))
	}
}

func compare(t *testing.T, c *value.Map) {
	t.Run(c.Str("name"), func(t *testing.T) {
		opts := minion()
		for k, v := range c.Map("opts").Items() {
			opts.Set(k, v)
		}
		opts.Set("color", c.Truth("color"))
		o := From(opts, false)
		if n, ok := c.At("retcode").(int64); ok {
			o.Retcode = int(n)
		}
		got := Format(golden.Typed(c.At("data")), c.Str("outputter"), o)
		if want := c.Map("expected").Str("text"); got != want {
			t.Errorf("%s", cmp.Diff(want, got))
		}
	})
}

func TestPrint(t *testing.T) {
	var b bytes.Buffer
	o := From(minion(), false)
	if err := Print(&b, value.M("local", true), "nested", o); err != nil || b.String() != "local:\n    True\n" {
		t.Errorf("got %q, %v", b.String(), err)
	}
	b.Reset()
	if err := Print(&b, "", "nested", o); err != nil || b.Len() != 0 {
		t.Errorf("an empty text printed %q, %v", b.String(), err)
	}
}
