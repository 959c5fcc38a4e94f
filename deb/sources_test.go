package deb

import "testing"

// The texts are those that Salt's SourceEntry and Deb822SourceEntry give back.
func TestSources(t *testing.T) {
	for line, want := range map[string]string{
		"deb http://deb.debian.org/debian bookworm main contrib\n": "deb http://deb.debian.org/debian bookworm main contrib",
		"#deb http://x/ y main": "# deb http://x/ y main",
		"deb [ arch=amd64,i386 signed-by=/k.gpg ] http://x/ y main": "deb [arch=amd64,i386 signed-by=/k.gpg] http://x/ y main",
		"deb [trusted=no arch=amd64] http://x/ ./":                  "deb [arch=amd64] http://x/ ./",
		"deb [lang=de trusted=yes] http://x/ ./ # why":              "deb [lang=de trusted=yes] http://x/ ./  # why",
		"# a comment": "# a comment",
		"":            "",
	} {
		s, err := ParseLine(line, "/etc/apt/sources.list")
		if err != nil || s.String() != want {
			t.Errorf("%q: %q %v, want %q", line, s, err, want)
		}
	}
	if _, err := ParseLine("deb [arch=amd64] http://x/", ""); err == nil {
		t.Error("no error for a line without a release")
	}
	s := ParseStanza("# head\nTypes: deb deb-src\nURIs: http://x/\nsuites: a b\nComponents: main\nEnabled: no\n# foot\n", "/x.sources")
	if !s.Disabled || len(s.Types) != 2 || len(s.Suites) != 2 {
		t.Errorf("%+v", s)
	}
	s.SetDisabled(false)
	s.SetSuites([]string{"b"})
	if want := "# head\nTypes: deb deb-src\nURIs: http://x/\nsuites: b\nComponents: main\n# foot"; s.String() != want {
		t.Errorf("%q, want %q", s, want)
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add("deb [arch=amd64 signed-by=/k] http://x/ y main # z")
	f.Fuzz(func(t *testing.T, line string) {
		if s, err := ParseLine(line, ""); err == nil {
			_ = s.String()
		}
	})
}
