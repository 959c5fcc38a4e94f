package deb

import "testing"

// The results are those of dpkg --compare-versions (1.21.22).
func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"1.0", "1.0", 0}, {"1.0-1", "1.0", 1}, {"1.0", "1.0-0", 0}, {"1.0~rc1", "1.0", -1}, {"1:0.5", "1.0-1", 1},
		{"1.10", "1.9", 1}, {"1.0a", "1.0", 1}, {"1.0a", "1.0+", -1}, {"1.0.", "1.0", 1}, {"1.0~~", "1.0~", -1},
		{"0:1", "1", 0}, {"00001", "1", 0}, {"1.0-1~bpo1", "1.0-1", -1}, {"2.10-3", "2.10-3+b1", -1},
		{"1-1-1", "1-1", 1}, {"", "1", -1}, {"", "", 0}, {"a", "1", 1}, {"1.2.3-4ubuntu5", "1.2.3-4ubuntu5.1", -1},
		{"9.9.9", "10", -1}, {"1.0-1", "1.0-1.1", -1}, {"1.0+dfsg", "1.0-1", 1}, {"2:1", "1:9", 1}, {"1_0", "1.0", 1},
	} {
		got, err := Compare(tt.a, tt.b)
		if err != nil || got != tt.want {
			t.Errorf("%q %q: %d %v, want %d", tt.a, tt.b, got, err, tt.want)
		}
		if back, _ := Compare(tt.b, tt.a); back != -tt.want {
			t.Errorf("%q %q: %d, want %d", tt.b, tt.a, back, -tt.want)
		}
	}
	for _, bad := range []string{"x:1", "-1:1", "1:", "1-", "1 2", ":1"} {
		if _, err := Compare(bad, "1"); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("1:1.0-1", "1.0~rc1")
	f.Fuzz(func(t *testing.T, a, b string) {
		n, err := Compare(a, b)
		if m, errB := Compare(b, a); err == nil && (errB != nil || m != -n) {
			t.Errorf("%q %q: %d, then %d %v", a, b, n, m, errB)
		}
	})
}
