package network

import (
	"net/netip"
	"slices"

	"pinch/grains"
	"pinch/salt"
	"pinch/value"
)

// networks are the networks of interfaces, sorted, each once.
func networks(ifaces []grains.Interface, v4, loopback bool) []netip.Prefix {
	var out []netip.Prefix
	for _, i := range ifaces {
		for _, a := range i.Addrs {
			p := netip.PrefixFrom(a.IP.WithZone(""), a.Prefix).Masked()
			if a.IP.Is4() == v4 && (loopback || !a.IP.IsLoopback()) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, func(a, b netip.Prefix) int {
		if c := a.Addr().Compare(b.Addr()); c != 0 {
			return c
		}
		return a.Bits() - b.Bits()
	})
	return out
}

func texts(ps []netip.Prefix) *value.List {
	l := new(value.List)
	for _, p := range ps {
		l.Append(p.String())
	}
	return l
}

type subnetsArgs struct {
	Interfaces any `py:"interfaces=None"` // a name, or a list of names
}

// subnets returns the IPv4 networks that this machine is in, without loopback.
func subnets(c *salt.Ctx, a subnetsArgs) (any, error) {
	ifaces, _ := grains.Interfaces()
	if a.Interfaces != nil {
		names := []any{a.Interfaces}
		if l, ok := a.Interfaces.(*value.List); ok {
			names = l.Items
		}
		ifaces = slices.DeleteFunc(ifaces, func(i grains.Interface) bool { return !slices.Contains(names, any(i.Name)) })
	}
	return texts(networks(ifaces, true, false)), nil
}

// subnets6 returns the IPv6 networks that this machine is in, without loopback.
func subnets6(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	ifaces, _ := grains.Interfaces()
	return texts(networks(ifaces, false, false)), nil
}

type ipNetworksArgs struct {
	Interface any  `py:"interface=None"`         // names or globs of interfaces
	Loopback  bool `py:"include_loopback=False"` // also the loopback network
	Verbose   bool `py:"verbose=False"`          // a map with address, netmask, num_addresses and prefixlen
}

// ipNetworks returns the IPv4 networks of interfaces.
func ipNetworks(c *salt.Ctx, a ipNetworksArgs) (any, error) { return ipNets(a, true) }

// ipNetworks6 returns the IPv6 networks of interfaces.
func ipNetworks6(c *salt.Ctx, a ipNetworksArgs) (any, error) { return ipNets(a, false) }

func ipNets(a ipNetworksArgs, v4 bool) (any, error) {
	nets := networks(chosen(a.Interface), v4, a.Loopback)
	if !a.Verbose {
		return texts(nets), nil
	}
	m := new(value.Map)
	for _, p := range nets {
		m.Set(p.String(), value.M("address", p.Addr().String(), "netmask", addr(maskOf(p, false)),
			"num_addresses", size(p), "prefixlen", int64(p.Bits())))
	}
	return m, nil
}
