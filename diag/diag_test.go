package diag

import (
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	d := &Diagnostic{
		ID: "jinja", Pos: Pos{"/srv/salt/web.sls", 2, 10}, Summary: "'prot' is undefined",
		Source: "a:\n  port: {{ prot }}\nb: 1\n", Hint: DidYouMean("prot", []string{"host", "port"}),
		Notes: []Note{{Pos{"/srv/salt/top.sls", 3, 0}, "web is used here"}},
	}
	var b strings.Builder
	Print(&b, d, false)
	want := `error: 'prot' is undefined  [jinja]
  /srv/salt/web.sls:2:10
  1 | a:
  2 |   port: {{ prot }}
    |          ^
  3 | b: 1
  note: /srv/salt/top.sls:3: web is used here
  hint: did you mean "port"?
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"managed", "directory", "absent", "source_hash"}
	for in, want := range map[string]string{"manged": "managed", "maanged": "managed", "sourcehash": "source_hash", "zzz": "", "absnet": "absent"} {
		if got := Nearest(in, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}
