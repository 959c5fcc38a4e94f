package schedule

import (
	"testing"

	"pinch/render/yaml"
	"pinch/value"
)

// plain is the text of a _schedule.conf without what Salt's scheduler adds to
// jobs while it runs.
func plain(t *testing.T, text string) string {
	t.Helper()
	v, err := yaml.Load("_schedule.conf", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range v.(*value.Map).Map("schedule").Items() {
		if m, ok := raw.(*value.Map); ok {
			for _, k := range []string{"name", "jid_include", "maxrunning", "run"} {
				m.Pop(k)
			}
			if m.At("splay") == nil {
				m.Pop("splay")
			}
		}
	}
	out, err := Text(v.(*value.Map).Map("schedule"))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
