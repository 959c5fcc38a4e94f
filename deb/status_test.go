package deb

import (
	"strings"
	"testing"
)

func TestParseStatus(t *testing.T) {
	main := `Package: zlib1g
Status: install ok installed
Architecture: amd64
Multi-Arch: same
Version: 1:1.2.13
Description: one
 two

Package: gone
Status: purge ok not-installed

Package: conf
Status: deinstall ok config-files
Architecture: all
Version: 1
`
	s := ParseStatus([]byte(main), []byte("Package: conf\nStatus: install ok installed\nArchitecture: all\nVersion: 2\n"))
	if len(s.Packages) != 2 || s.Packages[0].Name != "conf" || s.Packages[0].Version != "2" || s.Packages[0].State != "installed" {
		t.Fatalf("%+v", s.Packages)
	}
	z := s.Named("zlib1g")[0]
	if z.Shown("amd64") != "zlib1g:amd64" || z.Want != "install" || z.Stanza.Field("description") != "one\n two" {
		t.Errorf("%+v %q", z, z.Stanza.Field("description"))
	}
	if got := s.Packages[0].Shown("amd64"); got != "conf" {
		t.Error(got)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("Package: a\nStatus: install ok installed\n\n x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range ParseStatus([]byte(text)).Packages {
			_ = p.Stanza.Fields()
		}
	})
}

func BenchmarkParseStatus(b *testing.B) {
	text := []byte(strings.Repeat("Package: zlib1g\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1\nDescription: x\n y\n\n", 2000))
	for b.Loop() {
		ParseStatus(text)
	}
}
