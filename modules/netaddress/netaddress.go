// Package netaddress holds Salt's netaddress module: arithmetic with networks.
// Its main variable is Module.
//
//	salt-call netaddress.cidr_netmask 192.168.0.0/20
package netaddress

import (
	"net/netip"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's netaddress module.
var Module = salt.Module{
	Name: "netaddress",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"cidr_broadcast":     salt.Exec(cidrBroadcast),
			"cidr_netmask":       salt.Exec(cidrNetmask),
			"list_cidr_ips":      salt.Exec(listCidrIps),
			"list_cidr_ips_ipv6": salt.Exec(listCidrIpsIpv6),
		}
	},
}

// most is how many addresses a list may have.
const most = 1 << 20

type cidrArgs struct {
	Cidr string `py:"cidr"` // a network such as 10.0.0.0/8, or 10/8; without a prefix one address
}

func (a *cidrArgs) network() (netip.Prefix, error) {
	addr, bits, ok := strings.Cut(a.Cidr, "/")
	if ok && !strings.Contains(addr, ":") {
		addr += strings.Repeat(".0", max(0, 3-strings.Count(addr, ".")))
	}
	if !ok {
		if ip, err := netip.ParseAddr(addr); err == nil {
			return netip.PrefixFrom(ip, ip.BitLen()), nil
		}
	}
	p, err := netip.ParsePrefix(addr + "/" + bits)
	if err != nil {
		return p, value.Errorf("AddrFormatError", "invalid IPNetwork %s", a.Cidr)
	}
	return p, nil
}

func (a *cidrArgs) each(show func(netip.Addr) string) (*value.List, error) {
	p, err := a.network()
	if err != nil {
		return nil, err
	}
	if free := p.Addr().BitLen() - p.Bits(); free > 20 {
		return nil, salt.InvocationError("%s has more than %d addresses", a.Cidr, most)
	}
	all := value.L()
	for ip := p.Masked().Addr(); ip.IsValid() && p.Contains(ip); ip = ip.Next() {
		all.Append(show(ip))
	}
	return all, nil
}

// listCidrIps returns all addresses of a network.
func listCidrIps(_ *salt.Ctx, a cidrArgs) (*value.List, error) { return a.each(netip.Addr.String) }

// listCidrIpsIpv6 returns all addresses of a network as those of IPv6.
func listCidrIpsIpv6(_ *salt.Ctx, a cidrArgs) (*value.List, error) {
	return a.each(func(ip netip.Addr) string { return netip.AddrFrom16(ip.As16()).String() })
}

// filled is the network with its host bits set, or the mask.
func filled(p netip.Prefix, mask bool) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := range len(b) * 8 {
		switch host := i >= p.Bits(); {
		case mask && !host, !mask && host:
			b[i/8] |= 1 << (7 - i%8)
		case mask:
			b[i/8] &^= 1 << (7 - i%8)
		}
	}
	ip, _ := netip.AddrFromSlice(b)
	return ip
}

// cidrNetmask returns the mask of a network.
func cidrNetmask(_ *salt.Ctx, a cidrArgs) (string, error) {
	p, err := a.network()
	if err != nil {
		return "", err
	}
	return filled(p, true).String(), nil
}

// cidrBroadcast returns the broadcast address of a network, "None" when it has
// none.
func cidrBroadcast(_ *salt.Ctx, a cidrArgs) (string, error) {
	p, err := a.network()
	switch {
	case err != nil:
		return "", err
	case p.Addr().Is6() || p.Bits() > 30:
		return "None", nil
	}
	return filled(p, false).String(), nil
}
