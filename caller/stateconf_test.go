package caller_test

import (
	"context"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/salt"
	"pinch/value"
)

// The steps of a case are SLS that one run renders one after the other.
func TestStateconf(t *testing.T) {
	data := golden.Value(t, "stateconf/cases.json").(*value.Map)
	for _, it := range data.List("cases").Items {
		c := it.(*value.Map)
		t.Run(c.Str("name"), func(t *testing.T) {
			root := t.TempDir()
			r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
			ctx := r.Ctx(context.Background())
			for _, it := range c.List("steps").Items {
				step := it.(*value.Map)
				got, err := r.RenderData(ctx, salt.Template{
					Text: step.Str("text"), Name: strings.ReplaceAll(step.Str("sls"), ".", "/") + ".sls", SLS: step.Str("sls"), Env: "base", SLSFile: true,
					Engine: strings.TrimSpace("stateconf " + step.Str("args")),
				})
				if want := step.Str("message"); want != "" {
					if err == nil || !strings.HasPrefix(err.Error(), want) {
						t.Errorf("got %v, want the error %s", err, want)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if g, w := value.Repr(value.Plain(got.Value)), value.Repr(step.At("output")); g != w {
					t.Errorf("got  %s\nwant %s", g, w)
				}
			}
		})
	}
}

// A state that stateconf gave another name still shows where it stands.
func TestStateconfPositions(t *testing.T) {
	root := t.TempDir()
	r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
	text := "#!stateconf yaml . jinja\n.p:\n  stateconf.set:\n    - x: 1\n# --- end of state config ---\n{% if true %}\n.{{ 'web' }}:\n  test.nop: []\n{% endif %}\n"
	got, err := r.RenderData(r.Ctx(context.Background()), salt.Template{Text: text, Name: "a.sls", SLS: "a", Env: "base", SLSFile: true})
	if err != nil {
		t.Fatal(err)
	}
	if p := got.Pos(got.Value, "a::web"); p.Line != 7 {
		t.Errorf("a::web is said to stand at %s", p)
	}
}
