package nftables

import "testing"

// What nft 1.0.6 shows of rules as they are given to it.
func TestNormal(t *testing.T) {
	for _, tt := range []struct{ given, shown string }{
		{"tcp dport { 22 } accept", "tcp dport 22 accept"},
		{"tcp dport { 443, 80 } accept", "\t\ttcp dport { 80, 443 } accept"},
		{"ct state { established,related } accept", "ct state { established, related } accept"},
		{"ct state {related} accept", "ct state related accept"},
		{"counter udp dport { 53 } accept", "counter packets 10 bytes 840 udp dport 53 accept"},
		{"tcp dport { 22 } counter", "tcp dport 22 counter packets 0 bytes 0"},
		{`tcp dport 1 comment "b, a"`, `tcp dport 1 comment "b, a"`},
	} {
		if a, b := normal(tt.given), normal(tt.shown); a != b {
			t.Errorf("%q is %q, shown it is %q", tt.given, a, b)
		}
	}
	for _, tt := range [][2]string{{"tcp dport { 22, 23 } accept", "tcp dport { 22 } accept"}, {"tcp dport 22 accept", "udp dport 22 accept"}, {"tcp dport 22 accept", "ip saddr 10.0.0.1 tcp dport 22 accept"}} {
		if normal(tt[0]) == normal(tt[1]) {
			t.Errorf("%q and %q are taken for the same", tt[0], tt[1])
		}
	}
}
