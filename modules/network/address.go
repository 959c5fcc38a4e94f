package network

import (
	"fmt"
	"math/big"
	"net/netip"
	"strconv"
	"strings"

	"pinch/matcher"
	"pinch/salt"
	"pinch/value"
)

type addrArgs struct {
	IPAddr any `py:"ip_addr"` // an IPv4 or IPv6 address
}

type cidrArgs struct {
	CIDR any `py:"cidr"` // a network, such as 10.0.0.0/8
}

// address reads an IP address as Python's ip_address does.
func address(v any) (netip.Addr, error) {
	if s, ok := v.(string); ok {
		if a, err := netip.ParseAddr(s); err == nil {
			return a, nil
		}
	}
	return netip.Addr{}, value.Errorf("ValueError", "%s does not appear to be an IPv4 or IPv6 address", value.Repr(v))
}

// looseNetwork reads an address with a prefix length or mask as the network
// that it is in (Python's ip_network with strict=False).
func looseNetwork(s string) (netip.Prefix, error) {
	host, mask, _ := strings.Cut(s, "/")
	if a, err := netip.ParseAddr(host); err == nil {
		// the zero address lies in the network of any mask
		zero := netip.IPv4Unspecified()
		if a.Is6() {
			zero = netip.IPv6Unspecified()
		}
		text := zero.String()
		if strings.Contains(s, "/") {
			text += "/" + mask
		}
		if p, ok := matcher.ParseNetwork(text); ok {
			return netip.PrefixFrom(a.WithZone(""), p.Bits()).Masked(), nil
		}
	}
	return netip.Prefix{}, value.Errorf("ValueError", "%s does not appear to be an IPv4 or IPv6 network", value.Repr(s))
}

// maskOf is the mask of a network as an address; hosts the other way round.
func maskOf(p netip.Prefix, hosts bool) []byte {
	b := make([]byte, p.Addr().BitLen()/8)
	for i := range p.Addr().BitLen() {
		if (i < p.Bits()) != hosts {
			b[i/8] |= 0x80 >> (i % 8)
		}
	}
	return b
}

func addr(b []byte) string { a, _ := netip.AddrFromSlice(b); return a.String() }

// broadcast is the last address of a network.
func broadcast(p netip.Prefix) string {
	b := p.Addr().AsSlice()
	for i, m := range maskOf(p, true) {
		b[i] |= m
	}
	return addr(b)
}

// size is the number of addresses of a network.
func size(p netip.Prefix) any {
	return value.Int(new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits())))
}

type calcArgs struct {
	IPAddr  any `py:"ip_addr"`      // an address, or an address with its prefix length
	Netmask any `py:"netmask=None"` // a mask or prefix length
}

// calcNet returns the network that an address is in, with its prefix length.
func calcNet(c *salt.Ctx, a calcArgs) (string, error) {
	s := value.Str(a.IPAddr)
	if a.Netmask != nil {
		s += "/" + value.Str(a.Netmask)
	}
	p, err := looseNetwork(s)
	if err != nil {
		return "", err
	}
	return p.String(), nil
}

// convertCidr returns network, netmask and broadcast address of a network.
func convertCidr(c *salt.Ctx, a cidrArgs) (any, error) {
	p, err := looseNetwork(value.Str(a.CIDR))
	if err != nil {
		return nil, err
	}
	return value.M("network", p.Addr().String(), "netmask", addr(maskOf(p, false)), "broadcast", broadcast(p)), nil
}

type inArgs struct {
	IPAddr any `py:"ip_addr"` // an address, or a list of them
	CIDR   any `py:"cidr"`    // a network
}

// ipInSubnet reports whether an address is in a network.
func ipInSubnet(c *salt.Ctx, a inArgs) (bool, error) {
	p, ok := matcher.ParseNetwork(value.Str(a.CIDR))
	if !ok {
		c.Log.Error(fmt.Sprintf("Invalid CIDR '%s'", value.Str(a.CIDR)))
		return false, nil
	}
	items := []any{a.IPAddr}
	if l, ok := a.IPAddr.(*value.List); ok {
		items = l.Items
	}
	for _, it := range items {
		ip, err := address(it)
		if err != nil {
			return false, err
		}
		if p.Contains(ip.WithZone("")) {
			return true, nil
		}
	}
	return false, nil
}

// isPrivate reports whether an address is not meant for the public internet
// (IANA's special-purpose registries, as Python's ipaddress reads them).
func isPrivate(c *salt.Ctx, a addrArgs) (bool, error) {
	ip, err := address(a.IPAddr)
	return err == nil && private(ip), err
}

func private(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	list := []string{"0.0.0.0/8", "10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/29", "192.0.0.170/31",
		"192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"}
	if ip.Is6() {
		list = []string{"::1/128", "::/128", "100::/64", "2001::/23", "2001:db8::/32", "fc00::/7", "fe80::/10"}
	}
	for _, s := range list {
		if netip.MustParsePrefix(s).Contains(ip) {
			return true
		}
	}
	return false
}

// isLoopback reports whether an address is one of this machine to itself.
func isLoopback(c *salt.Ctx, a addrArgs) (bool, error) {
	ip, err := address(a.IPAddr)
	return err == nil && !ip.Is4In6() && ip.IsLoopback(), err
}

// reverseIp returns the name that the DNS has for an address.
func reverseIp(c *salt.Ctx, a addrArgs) (string, error) {
	ip, err := address(a.IPAddr)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if ip.Is4() {
		o := ip.As4()
		fmt.Fprintf(&b, "%d.%d.%d.%d.in-addr.arpa", o[3], o[2], o[1], o[0])
		return b.String(), nil
	}
	o := ip.As16()
	for i := 15; i >= 0; i-- {
		fmt.Fprintf(&b, "%x.%x.", o[i]&15, o[i]>>4)
	}
	return b.String() + "ip6.arpa", nil
}

type ipArgs struct {
	IP string `py:"ip"` // an IPv4 address
}

// iphexval returns an IPv4 address in hexadecimal: 10.0.0.1 is 0A000001.
func iphexval(c *salt.Ctx, a ipArgs) (string, error) {
	var b strings.Builder
	for _, part := range strings.Split(a.IP, ".") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil {
			return "", value.Errorf("ValueError", "invalid literal for int() with base 10: %s", value.Repr(part))
		}
		fmt.Fprintf(&b, "%02X", n)
	}
	return b.String(), nil
}
