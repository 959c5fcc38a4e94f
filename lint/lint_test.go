package lint

import "testing"

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
