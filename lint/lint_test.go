package lint

import (
	"strings"
	"testing"
)

func TestSlip(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"prot", "port", true}, {"pilar", "pillar", true}, {"grainz", "grains", true}, {"port", "ports", true},
		{"tool", "loop", false}, {"p", "d", false}, {"sls_archive_clean", "sls_script_clean", false}, {"port", "port", false}, {"port", "", false},
	} {
		if got := slip(tt.a, tt.b); got != tt.want {
			t.Errorf("slip(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}

// What salt-lint 0.9.2 finds in the same lines.
func TestStyle(t *testing.T) {
	for _, tt := range []struct {
		text, want string
	}{
		{"a: \n", "201"}, {"#  \n", ""}, {"a:\tb\n", "203"}, {"a: b # noqa: 201 \n", ""},
		{"{{x}}\n", "206"}, {"{{- x -}}\n", ""}, {"{{ {'a': 1} }}\n", ""}, {"{% raw %}{{x}}\n{% endraw %}\n", ""},
		{"{%if a %}\n", "202"}, {"{#a #}\n", "209"}, {"x:\n  file.managed:\n    - mode: 644\n", "208"}, {"    - mode: '0644'\n", ""},
		{"    - mode: 0644\n", "210"}, {"    - n: 012 # x\n", "210"}, {"  cmd.wait:\n", "213"}, {"  cmd.wait: []\n", ""},
		{"    - context:\n      a: b\n", "219"}, {"    - context:\n        a: b\n", ""}, {"    - defaults:\n       a: {{ b }}\n", "219"}, {"    - context: {a: b}\n      c: d\n", ""},
	} {
		l := &linter{seen: map[key]bool{}}
		l.style("x.sls", tt.text, true)
		var ids []string
		for _, d := range l.found {
			ids = append(ids, d.ID)
		}
		if got := strings.Join(ids, " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}
