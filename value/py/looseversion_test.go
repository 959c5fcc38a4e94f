package py

import "testing"

// The order is that of distutils' LooseVersion, where Python compares at all.
func TestLooseCompare(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"1.5.1", "1.5.2b2", -1}, {"161", "3.10a", 1}, {"8.02", "8.02", 0}, {"3.4j", "1996.07.12", -1}, {"3.2.pl0", "3.1.1.6", 1},
		{"2g6", "11g", -1}, {"0.960923", "2.2beta29", -1}, {"1.13++", "5.5.kw", -1}, {"6.1.0-13", "6.1.0-9", 1}, {"1.0", "1.0.1", -1}, {"1.0a", "1.0", 1},
	} {
		if got := LooseCompare(tt.a, tt.b); got < 0 != (tt.want < 0) || got > 0 != (tt.want > 0) {
			t.Errorf("%s %s: %d, not %d", tt.a, tt.b, got, tt.want)
		}
	}
}
