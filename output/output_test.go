package output

import (
	"bytes"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// minion are the options that a minion has without configuration.
func minion() *value.Map {
	return value.M("state_output", "full", "state_verbose", true, "state_output_profile", true, "strip_colors", true, "color", false)
}

// TestGolden prints each of the recorded values and compares with Salt's text.
func TestGolden(t *testing.T) {
	cases := golden.Value(t, "output/cases.json").(*value.Map).List("cases")
	for _, it := range cases.Items {
		c := it.(*value.Map)
		t.Run(c.Str("name"), func(t *testing.T) {
			opts := minion()
			if given := c.Map("opts"); given != nil {
				for k, v := range given.Items() {
					opts.Set(k, v)
				}
			}
			opts.Set("color", c.Truth("color"))
			o := From(opts, false)
			if n, ok := c.At("retcode").(int64); ok {
				o.Retcode = int(n)
			}
			got := Format(golden.Typed(c.At("data")), c.Str("outputter"), o)
			want := c.Map("expected").Str("text")
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
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
