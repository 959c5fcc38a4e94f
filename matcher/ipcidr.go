package matcher

import (
	"fmt"
	"math/bits"
	"net/netip"
	"strings"

	"pinch/value"
)

// ipcidr matches an address or a network against the grains ipv4 or ipv6. A
// network with host bits set is no network, and matches nothing.
func (m *Minion) ipcidr(expr any) (bool, error) {
	s, ok := expr.(string)
	if !ok {
		return false, nil
	}
	if addr, err := netip.ParseAddr(s); err == nil {
		addrs, ok := m.Grains.Get(proto(addr))
		if !ok {
			return false, nil
		}
		want := canonical(addr)
		switch a := addrs.(type) {
		case *value.List:
			return holds(a.Items, want), nil
		case string:
			return strings.Contains(a, want), nil
		}
		return false, notIterable(addrs)
	}
	net, ok := ParseNetwork(s)
	if !ok {
		return false, nil
	}
	addrs, ok := m.Grains.Get(proto(net.Addr()))
	if !ok {
		return false, nil
	}
	return inNetwork(net, addrs)
}

func proto(a netip.Addr) string {
	if a.Is4() {
		return "ipv4"
	}
	return "ipv6"
}

// canonical is Python's str() of an address: it knows no dotted end.
func canonical(a netip.Addr) string {
	if a.Is4In6() {
		b := a.As16()
		s := fmt.Sprintf("::ffff:%x:%x", uint16(b[12])<<8|uint16(b[13]), uint16(b[14])<<8|uint16(b[15]))
		if a.Zone() != "" {
			s += "%" + a.Zone()
		}
		return s
	}
	return a.String()
}

func inNetwork(net netip.Prefix, addrs any) (bool, error) {
	items := []any{addrs}
	switch a := addrs.(type) {
	case *value.List:
		items = a.Items
	case value.Tuple:
		items = a
	}
	for _, it := range items {
		s, ok := it.(string)
		addr, err := netip.ParseAddr(s)
		if !ok || err != nil {
			return false, value.Errorf("ValueError", "%s does not appear to be an IPv4 or IPv6 address", value.Repr(it))
		}
		if net.Contains(addr.WithZone("")) {
			return true, nil
		}
	}
	return false, nil
}

// ParseNetwork reads "10.0.0.0/8", "10.0.0.0/255.0.0.0", "10.0.0.0/0.255.255.255"
// or an address alone as a network, as Python's ip_network does. It is not
// ok for bad text and when bits beyond the mask are set.
func ParseNetwork(s string) (netip.Prefix, bool) {
	host, mask, slash := strings.Cut(s, "/")
	addr, err := netip.ParseAddr(host)
	if err != nil || addr.Zone() != "" {
		return netip.Prefix{}, false
	}
	n := addr.BitLen()
	if slash {
		if n, slash = maskBits(mask, addr); !slash {
			return netip.Prefix{}, false
		}
	}
	p := netip.PrefixFrom(addr, n)
	return p, p.Masked() == p
}

func maskBits(mask string, addr netip.Addr) (int, bool) {
	if mask != "" && strings.Trim(mask, "0123456789") == "" {
		n := 0
		for _, d := range mask {
			if n = n*10 + int(d-'0'); n > addr.BitLen() {
				return 0, false
			}
		}
		return n, true
	}
	m, err := netip.ParseAddr(mask)
	if err != nil || !m.Is4() || !addr.Is4() {
		return 0, false
	}
	b := m.As4()
	v := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	if ones := bits.LeadingZeros32(^v); v<<ones == 0 {
		return ones, true
	}
	if zeros := bits.LeadingZeros32(v); ^v<<zeros == 0 {
		return zeros, true
	}
	return 0, false
}
