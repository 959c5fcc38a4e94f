package output

import (
	"fmt"
	"testing"

	"pinch/value"
)

// states is the return of n states, one in ten with changes.
func states(n int) *value.Map {
	m := value.NewMap(n)
	for i := range n {
		changes := new(value.Map)
		if i%10 == 0 {
			changes = value.M("diff", "--- \n+++ \n@@ -1 +1 @@\n-a\n+b\n", "mode", "0644")
		}
		name := fmt.Sprintf("/etc/app/conf.d/%05d.conf", i)
		m.Set("file_|-conf_"+name+"_|-"+name+"_|-managed", value.M("name", name, "changes", changes, "result", true,
			"comment", "File "+name+" is in the correct state", "__sls__", "app.config", "__run_num__", int64(i),
			"start_time", "10:00:00.123456", "duration", 1.234, "__id__", "conf_"+name))
	}
	return value.M("local", m)
}

func bench(b *testing.B, out, mode string) {
	data := states(5000)
	opts := minion()
	opts.Set("state_output", mode)
	o := From(opts, false)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(Format(data, out, o))))
	}
}

func BenchmarkJSON(b *testing.B)      { bench(b, "json", "full") }
func BenchmarkHighstate(b *testing.B) { bench(b, "highstate", "full") }
func BenchmarkTerse(b *testing.B)     { bench(b, "highstate", "terse") }
func BenchmarkNested(b *testing.B)    { bench(b, "nested", "full") }
func BenchmarkYAML(b *testing.B)      { bench(b, "yaml", "full") }
func BenchmarkPprint(b *testing.B)    { bench(b, "pprint", "full") }
