package grains

import (
	"net/netip"

	"golang.org/x/sys/unix"

	"pinch/value"
)

// An Interface is a network interface with its addresses, as the kernel lists
// them.
type Interface struct {
	Name   string
	Index  int
	Up     bool   // administratively
	Parent string // what it sits on: "eth0" for eth0.10, "if5" for one in another namespace
	HWAddr string // "" for links without
	Addrs  []Address
}

// An Address is one address of an interface.
type Address struct {
	IP        netip.Addr
	Prefix    int
	Broadcast string // IPv4 only, "" when there is none
	Label     string // IPv4 only
	Scope     string // global, link, host, site
	Secondary bool   // an IPv4 address in the network of another one
}

// A Route is an entry of the kernel's routing tables.
type Route struct {
	Dst       netip.Prefix // 0.0.0.0/0 or ::/0 for a default route
	Gateway   netip.Addr   // not valid when there is none
	Dev       int          // index of the interface, 0 when there is none
	Table     uint32       // unix.RT_TABLE_MAIN …
	Kind      byte         // unix.RTN_UNICAST …
	Multipath bool         // has several next hops
}

// gateways has the default routes: the address of the gateway, true when the
// route has none, false without a route.
func (c *core) gateways() *value.Map {
	m := value.M("ip_gw", false, "ip4_gw", false, "ip6_gw", false)
	for _, f := range []struct {
		family int
		key    string
	}{{unix.AF_INET, "ip4_gw"}, {unix.AF_INET6, "ip6_gw"}} {
		if gw, ok := defaultRoute(f.family); ok {
			m.Set("ip_gw", true)
			m.Set(f.key, true)
			if gw.IsValid() {
				m.Set(f.key, gw.String())
			}
		}
	}
	return m
}
