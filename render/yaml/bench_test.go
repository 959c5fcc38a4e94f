package yaml

import (
	"fmt"
	"strings"
	"testing"
)

// states is an SLS of n states, about 300 bytes each.
func states(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `/etc/app/conf.d/%05d.conf:
  file.managed:
    - source: salt://app/files/%05d.conf.jinja
    - template: jinja
    - user: root
    - group: root
    - mode: '0644'
    - makedirs: True
    - context:
        port: %d
        name: "app %d"
        ratio: 1.5
    - require:
      - pkg: app-%d
    - watch_in:
      - service: app
`, i, i, 8000+i, i, i%50)
	}
	return b.String()
}

func BenchmarkLoad(b *testing.B) {
	text := states(5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load("", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadUnicode(b *testing.B) {
	text := "# é\n" + states(5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load("", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadDoc(b *testing.B) {
	text := states(5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := LoadDoc("", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDump(b *testing.B) {
	v, err := Load("", states(5000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s, err := Dump(v, DumpOptions{Flow: Block})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(s)))
	}
}
