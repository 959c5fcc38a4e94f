package output

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pinch/value"
)

// sample is a run with a state of every outcome.
func sample() *value.Map {
	m := new(value.Map)
	add := func(fun, id, name string, result any, comment string, more ...any) {
		mod, f, _ := strings.Cut(fun, ".")
		r := value.M("result", result, "comment", comment, "changes", new(value.Map), "__run_num__", int64(m.Len()), "__sls__", "web", "duration", 1.5)
		r.Update(value.M(more...))
		m.Set(mod+"_|-"+id+"_|-"+name+"_|-"+f, r)
	}
	add("test.nop", "a", "a", true, "Success!")
	add("file.managed", "motd", "/etc/motd", true, "File /etc/motd updated", "changes", value.M("diff", "--- \n+++ \n@@ -1 +1 @@\n-old\n+new\n", "mode", "0644"))
	add("cmd.run", "c", "false", false, "Command \"false\" run\nsecond <line>", "changes", value.M("retcode", int64(1)))
	add("pkg.installed", "p", "p", nil, "would be installed")
	add("cmd.run", "s", "s", true, "onlyif condition is false", "skip_watch", true)
	add("service.running", "u", "u", false, "One or more requisite failed: web.c", "__state_ran__", false)
	return value.M("local", m)
}

func TestSummary(t *testing.T) {
	want := `local: 6 states, 1 ok, 1 changed, 1 would change, 1 skipped, 1 unmet, 1 failed, 9.0 ms
  changed      file.managed motd (/etc/motd)
  failed       cmd.run c (false): Command "false" run
  would change pkg.installed p: would be installed
  unmet        service.running u: One or more requisite failed: web.c`
	if got := Format(sample(), "summary", From(minion(), false)); got != want {
		t.Error(cmp.Diff(want, got))
	}
	got := Format(value.M("local", value.L("No matching sls found for 'x' in env 'base'")), "summary", From(minion(), false))
	if want := "local: failed to compile\n  No matching sls found for 'x' in env 'base'"; got != want {
		t.Error(cmp.Diff(want, got))
	}
	if got := Format(value.M("local", true), "summary", From(minion(), false)); got != "local:\n    True" {
		t.Errorf("other data: %q", got)
	}
}

func TestDiff(t *testing.T) {
	want := `# file.managed motd (/etc/motd)
--- 
+++ 
@@ -1 +1 @@
-old
+new
mode:
    0644
# cmd.run c (false)
retcode:
    1
# pkg.installed p: would be installed`
	if got := Format(sample(), "diff", From(minion(), false)); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestJUnit(t *testing.T) {
	var all junitSuites
	text := Format(sample(), "junit", From(minion(), false))
	if err := xml.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	s := all.Suites[0]
	if s.Name != "local" || s.Tests != 6 || s.Failures != 2 || s.Skipped != 1 || s.Time != "0.009000" {
		t.Errorf("got %+v", s)
	}
	c := s.Cases[2]
	if c.Class != "web" || c.Name != "cmd.run c (false)" || c.Failure.Message != `Command "false" run` || !strings.HasSuffix(c.Failure.Text, "second <line>") || !strings.Contains(c.Out, `"retcode": 1`) {
		t.Errorf("got %+v", c)
	}
}
