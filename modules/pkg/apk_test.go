package pkg

import "testing"

// The pairs are of apk's own tests and of Alpine's rules for versions.
func TestApkVersions(t *testing.T) {
	for _, tt := range []struct {
		a    string
		want int
		b    string
	}{
		{"1.3-r0", -1, "1.3.1-r0"},
		{"1.3_pre1-r1", -1, "1.3.2"},
		{"1.0_p10-r0", 1, "1.0_p9-r0"},
		{"0.1.0_alpha_pre2", -1, "0.1.0_alpha"},
		{"1.0.0_pre20191002222144-r0", -1, "1.0.0_pre20210530193627-r0"},
		{"1.2.3_rc1-r0", -1, "1.2.3-r0"},
		{"1.2.3_git20240101-r0", 1, "1.2.3-r0"},
		{"0.1.0_alpha2", 1, "0.1.0_alpha"},
		{"1.1", 1, "1.1_alpha1"},
		{"1.00_beta2", 1, "0.9.2"},
		{"1.39", 1, "1.00_beta2"},
		{"2.3.0b-r1", -1, "2.3.0b-r2"},
		{"0.9.8c-r1", -1, "0.9.8d"},
		{"1.7", -1, "1.7b"},
		{"1.7b", -1, "1.8.4-r3"},
		{"1.06-r6", -1, "006"},
		{"021109-r3", -1, "20060512"},
		{"1.2.07.8", -1, "1.2.12.04"},
		{"1.07-r1", -1, "1.07.5"},
		{"1.05", -1, "1.1"},
		{"2.02.06", -1, "2.02.10"},
		{"4.3_p2-r1", -1, "4.3_p2-r5"},
		{"4.5_p1", -1, "4.5_p1-r1"},
		{"0.2.0-r1", 0, "0.2.0-r1"},
		{"1.23", -1, "1.23-r0"},
		{"1.2.3-r9", -1, "1.2.3-r10"},
		{"20220830-r1", -1, "20230506-r0"},
	} {
		for _, x := range []struct {
			a, b string
			want int
		}{{tt.a, tt.b, tt.want}, {tt.b, tt.a, -tt.want}} {
			if n, ok := (apk{}).compare(x.a, x.b, false); n != x.want || !ok {
				t.Errorf("%s %s: %d, not %d", x.a, x.b, n, x.want)
			}
		}
	}
	for _, bad := range []string{"", "1.0bc", "23_foo", "1..2", "latest", "1.2-3"} {
		if _, ok := (apk{}).compare(bad, "1.0", false); ok {
			t.Errorf("%q is a version", bad)
		}
	}
}
