package grains

import (
	"encoding/binary"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"

	"pinch/value"
)

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
			if gw != "" {
				m.Set(f.key, gw)
			}
		}
	}
	return m
}

// defaultRoute is the first default route of the main table.
func defaultRoute(family int) (gateway string, ok bool) {
	routes, err := netlink(unix.RTM_GETROUTE, family)
	if err != nil {
		return "", false
	}
	for _, m := range routes {
		if m.Header.Type != unix.RTM_NEWROUTE || len(m.Data) < unix.SizeofRtMsg || m.Data[0] != byte(family) || m.Data[1] != 0 {
			continue
		}
		table, kind := uint32(m.Data[4]), m.Data[7]
		attrs, _ := syscall.ParseNetlinkRouteAttr(&m)
		gateway = ""
		nexthop := false
		for _, a := range attrs {
			switch a.Attr.Type {
			case unix.RTA_TABLE:
				table = binary.NativeEndian.Uint32(a.Value)
			case unix.RTA_GATEWAY:
				if ip, ok := netip.AddrFromSlice(a.Value); ok {
					gateway = ip.String()
				}
			case unix.RTA_MULTIPATH:
				nexthop = true
			}
		}
		// ip(8) writes "unreachable default" and the like for other kinds, so
		// the line does not begin with "default".
		if table != unix.RT_TABLE_MAIN || kind != unix.RTN_UNICAST {
			continue
		}
		if nexthop {
			return "", true
		}
		return gateway, true
	}
	return "", false
}
