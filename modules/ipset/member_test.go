package ipset

import (
	"slices"
	"testing"
)

// Members as ipset 7.17 lists them, and entries as states give them.
func TestContains(t *testing.T) {
	for _, tt := range []struct {
		setType, listed, given string
		want                   bool
	}{
		{"hash:ip", "10.0.0.1", "10.0.0.1", true},
		{"hash:ip", `10.0.0.1 comment "hello world"`, "10.0.0.1 comment hello world", true},
		{"hash:ip", "10.0.0.1 timeout 95", "10.0.0.1 timeout 100", false},
		{"hash:ip,port", "10.0.0.1,tcp:80", "10.0.0.1,80", true},
		{"hash:ip,port", "10.0.0.1,udp:80", "10.0.0.1,80", false},
		{"hash:net", "10.0.0.0/8", "10.2.3.4", true},
		{"hash:net", "10.0.0.0/8", "10.0.0.0/16", false},
		{"hash:net", "2001:db8::/32", "2001:db8::1", true},
		{"hash:net", "2001:db8::/32", "10.0.0.1", false},
		{"hash:net,iface", "10.0.0.0/8,eth0", "10.0.0.0/8,eth1", false},
		{"hash:mac", "00:11:22:33:44:55", "00:11:22:33:44:55", true},
	} {
		if got := parse(tt.setType, tt.listed).contains(parse(tt.setType, tt.given)); got != tt.want {
			t.Errorf("%s: %s stands for %s: %v", tt.setType, tt.listed, tt.given, got)
		}
	}
}

func TestEntryWords(t *testing.T) {
	if got := entryWords("10.0.0.1 timeout 100  comment hello world packets 3"); !slices.Equal(got, []string{"10.0.0.1", "timeout", "100", "comment", "hello world", "packets", "3"}) {
		t.Errorf("got %q", got)
	}
}
