package netaddress

import (
	"testing"

	"pinch/value"
)

// Answers are those that the manual of the netaddr library states, and of
// Python's ipaddress.
func TestNetworks(t *testing.T) {
	for _, tt := range []struct{ cidr, mask, broadcast string }{
		{"192.168.0.0/20", "255.255.240.0", "192.168.15.255"},
		{"10/8", "255.0.0.0", "10.255.255.255"},
		{"10.1.2.3", "255.255.255.255", "None"},
		{"10.1.2.0/31", "255.255.255.254", "None"},
		{"2001:db8::/32", "ffff:ffff::", "None"},
	} {
		mask, err := cidrNetmask(nil, cidrArgs{tt.cidr})
		if err != nil || mask != tt.mask {
			t.Errorf("mask of %s: %s, %v", tt.cidr, mask, err)
		}
		if b, err := cidrBroadcast(nil, cidrArgs{tt.cidr}); err != nil || b != tt.broadcast {
			t.Errorf("broadcast of %s: %s, %v", tt.cidr, b, err)
		}
	}
	l, err := listCidrIps(nil, cidrArgs{"192.168.0.6/30"})
	if err != nil || value.Repr(l) != "['192.168.0.4', '192.168.0.5', '192.168.0.6', '192.168.0.7']" {
		t.Errorf("got %s, %v", value.Repr(l), err)
	}
	if l, err = listCidrIpsIpv6(nil, cidrArgs{"192.168.0.0/31"}); err != nil || value.Repr(l) != "['::ffff:192.168.0.0', '::ffff:192.168.0.1']" {
		t.Errorf("got %s, %v", value.Repr(l), err)
	}
	for _, bad := range []string{"x", "1.2.3.4/33", "2001:db8::/64"} {
		if l, err := listCidrIps(nil, cidrArgs{bad}); err == nil {
			t.Errorf("%s: %d addresses", bad, l.Len())
		}
	}
}
