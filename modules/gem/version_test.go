package gem

import "testing"

// The values are those of rubygems' own documentation and guides
// (guides.rubygems.org/patterns, Gem::Version, Gem::Requirement).
func TestMeets(t *testing.T) {
	for _, tt := range []struct {
		version, requirement string
		want                 bool
	}{
		{"2.2.3", "~> 2.2", true}, {"3.0", "~> 2.2", false}, {"2.2", "~> 2.2", true}, {"2.1", "~> 2.2", false},
		{"2.2.9", "~> 2.2.0", true}, {"2.3.0", "~> 2.2.0", false}, {"9.9", "~> 9", true}, {"10", "~> 9", false},
		{"3.0.a", "~> 2.2", false}, {"9.10", "~> 9.9", true}, {"10.0", "~> 9.99.1", false},
		{"1.0.0", "= 1", true}, {"1.0", "1.0.0", true}, {"1.0.rc1", "1.0", false}, {"1.0.rc1", "< 1.0", true},
		{"1.0.rc2", "> 1.0.rc1", true}, {"1.0.a10", "> 1.0.a9", true}, {"1.10", "> 1.9", true},
		{"1.2.3", ">= 1.0, < 2", true}, {"2.0", ">= 1.0, < 2", false}, {"1.2", "!= 1.2", false}, {"1.3", ">1, !=1.2", true},
		{"3.0.8", "<= 3.0.8", true}, {"3.0.9", "<= 3.0.8", false}, {"1", "what", false}, {"1", "=> 1", false}, {"0.9", "", false},
	} {
		if got := meets(tt.version, tt.requirement); got != tt.want {
			t.Errorf("%s %s: %v", tt.version, tt.requirement, got)
		}
	}
}
