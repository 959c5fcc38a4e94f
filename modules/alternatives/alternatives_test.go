package alternatives

import "testing"

// The output is that of update-alternatives 1.21.
func TestShow(t *testing.T) {
	g, err := parse("manual\n/usr/bin/tool\ntool.1.gz\n/usr/share/man/man1/tool.1.gz\n\n/opt/a/tool1\n10\n\n/opt/a/tool2\n20\n/opt/a/tool2.1.gz\n\n")
	if err != nil {
		t.Fatal(err)
	}
	want := `tool - manual mode
  link best version is /opt/a/tool2
  link currently points to /opt/a/tool1
  link tool is /usr/bin/tool
  slave tool.1.gz is /usr/share/man/man1/tool.1.gz
/opt/a/tool1 - priority 10
/opt/a/tool2 - priority 20
  slave tool.1.gz: /opt/a/tool2.1.gz`
	if got := g.show("tool", "/opt/a/tool1"); got != want {
		t.Errorf("got %s", got)
	}
	if _, err := parse("auto\n/l\n\n/p\nhigh\n"); err == nil {
		t.Error("no error for a priority that is no number")
	}
}
