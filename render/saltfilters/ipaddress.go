package saltfilters

import (
	"fmt"
	"math/big"
	"net/netip"
	"strconv"
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// An ipValue is an object of Python's module ipaddress: an address, or an
// interface when bits is set.
type ipValue struct {
	addr netip.Addr
	bits int // -1: an address
}

// ipText is Python's str of an address: IPv4 inside of IPv6 stays in hex.
func ipText(a netip.Addr) string {
	if a.Is4In6() {
		b := a.As16()
		s := fmt.Sprintf("::ffff:%x:%x", int(b[12])<<8|int(b[13]), int(b[14])<<8|int(b[15]))
		if z := a.Zone(); z != "" {
			s += "%" + z
		}
		return s
	}
	return a.String()
}

func (v ipValue) String() string {
	if v.bits < 0 {
		return ipText(v.addr)
	}
	return ipText(v.addr) + "/" + strconv.Itoa(v.bits)
}

// parseAddr is ipaddress.ip_address.
func parseAddr(v any) (netip.Addr, bool) {
	switch v := v.(type) {
	case string:
		if strings.ContainsRune(v, '%') && (strings.HasSuffix(v, "%") || strings.Count(v, "%") > 1) {
			return netip.Addr{}, false
		}
		a, err := netip.ParseAddr(v)
		return a, err == nil
	case py.Markup:
		return parseAddr(string(v))
	case []byte:
		return netip.AddrFromSlice(v)
	case bool:
		n, _ := py.AsIndex(v)
		return parseAddr(n)
	case int64:
		return parseAddr(big.NewInt(v))
	case *big.Int:
		if v.Sign() < 0 || v.BitLen() > 128 {
			return netip.Addr{}, false
		}
		if v.BitLen() <= 32 {
			return netip.AddrFromSlice(v.FillBytes(make([]byte, 4)))
		}
		return netip.AddrFromSlice(v.FillBytes(make([]byte, 16)))
	}
	return netip.Addr{}, false
}

// parseInterface is ipaddress.ip_interface: "10.0.0.1/24", also with a netmask
// or its opposite behind the slash.
func parseInterface(v any) (ipValue, bool) {
	s, ok := py.Text(v)
	if !ok {
		if t, is := v.(value.Tuple); is && len(t) == 2 {
			s, ok = value.Str(t[0])+"/"+value.Str(t[1]), true
		}
	}
	if !ok {
		a, ok := parseAddr(v)
		return ipValue{a, a.BitLen()}, ok
	}
	host, mask, has := strings.Cut(s, "/")
	a, ok := parseAddr(host)
	if !ok {
		return ipValue{}, false
	}
	if !has {
		return ipValue{a, a.BitLen()}, true
	}
	bits, ok := prefixLen(mask, a)
	return ipValue{a, bits}, ok
}

func prefixLen(mask string, a netip.Addr) (int, bool) {
	if n, err := strconv.Atoi(mask); err == nil && strings.Trim(mask, "0123456789") == "" {
		return n, n <= a.BitLen()
	}
	m, err := netip.ParseAddr(mask)
	if err != nil || !m.Is4() || !a.Is4() {
		return 0, false
	}
	b := m.As4()
	n := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	for bits := 0; bits <= 32; bits++ {
		if n == ^uint32(0)<<(32-bits) {
			return bits, true
		}
	}
	for bits := 0; bits <= 32; bits++ {
		if n == ^(^uint32(0) << (32 - bits)) {
			return bits, true
		}
	}
	return 0, false
}

func inAny(a netip.Addr, nets ...string) bool {
	a = a.WithZone("")
	for _, n := range nets {
		if netip.MustParsePrefix(n).Contains(a) {
			return true
		}
	}
	return false
}

// isPrivate has the networks of Python 3.11.
func isPrivate(a netip.Addr) bool {
	if a.Is4In6() {
		a = a.Unmap()
	}
	if a.Is4() {
		return inAny(a, "0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/29", "192.0.0.170/31",
			"192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4")
	}
	return inAny(a, "::1/128", "::/128", "100::/64", "2001::/23", "2001:2::/48", "2001:db8::/32", "2001:10::/28", "fc00::/7", "fe80::/10")
}

func isReserved(a netip.Addr) bool {
	if a.Is4() {
		return inAny(a, "240.0.0.0/4")
	}
	b := a.As16()
	// all but 2000::/3, fc00::/7 and fe80 … ffff
	return !inAny(a, "2000::/3", "fc00::/7", "fe80::/9", "ff00::/8") || b[0] == 0xfe && b[1] < 0x80
}

// has answers one of Salt's options of the address filters.
func (v ipValue) has(option string) bool {
	a := v.addr
	full := v.bits < 0 || v.bits == a.BitLen() // an IPv6 interface asks its whole network
	switch option {
	case "global", "public":
		return !isPrivate(a)
	case "private":
		return isPrivate(a)
	case "link-local", "linklocal", "ll", "link_local":
		return inAny(a, "169.254.0.0/16", "fe80::/10")
	case "loopback", "lo":
		if a.Is4() {
			return inAny(a, "127.0.0.0/8")
		}
		return full && a.WithZone("") == netip.IPv6Loopback()
	case "multicast":
		return inAny(a, "224.0.0.0/4", "ff00::/8")
	case "reserved":
		return isReserved(a)
	case "site-local", "sl", "site_local":
		return a.Is6() && inAny(a, "fec0::/10")
	case "unspecified":
		if a.Is4() {
			return a == netip.IPv4Unspecified()
		}
		return full && a.WithZone("") == netip.IPv6Unspecified()
	}
	return true
}
