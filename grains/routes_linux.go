package grains

import (
	"encoding/binary"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// Routes lists the routes of a family (unix.AF_INET or unix.AF_INET6), in the
// kernel's order.
func Routes(family int) ([]Route, error) {
	messages, err := netlink(unix.RTM_GETROUTE, family)
	if err != nil {
		return nil, err
	}
	var out []Route
	for _, m := range messages {
		const cloned = 0x200 // a cached entry
		if m.Header.Type != unix.RTM_NEWROUTE || len(m.Data) < unix.SizeofRtMsg || m.Data[0] != byte(family) ||
			binary.NativeEndian.Uint32(m.Data[8:])&cloned != 0 {
			continue
		}
		out = append(out, ParseRoute(m))
	}
	return out, nil
}

// ParseRoute reads an RTM_NEWROUTE message (rtnetlink(7)).
func ParseRoute(m syscall.NetlinkMessage) Route {
	any := netip.IPv4Unspecified()
	if m.Data[0] == unix.AF_INET6 {
		any = netip.IPv6Unspecified()
	}
	r := Route{Dst: netip.PrefixFrom(any, int(m.Data[1])), Table: uint32(m.Data[4]), Kind: m.Data[7]}
	attrs, _ := syscall.ParseNetlinkRouteAttr(&m)
	for _, a := range attrs {
		switch a.Attr.Type {
		case unix.RTA_DST:
			if ip, ok := netip.AddrFromSlice(a.Value); ok {
				r.Dst = netip.PrefixFrom(ip, int(m.Data[1]))
			}
		case unix.RTA_GATEWAY:
			r.Gateway, _ = netip.AddrFromSlice(a.Value)
		case unix.RTA_OIF:
			r.Dev = int(binary.NativeEndian.Uint32(a.Value))
		case unix.RTA_TABLE:
			r.Table = binary.NativeEndian.Uint32(a.Value)
		case unix.RTA_MULTIPATH:
			r.Multipath = true
		}
	}
	return r
}

// defaultRoute is the first default route of the main table. Those that are
// unreachable or the like do not count.
func defaultRoute(family int) (gateway netip.Addr, ok bool) {
	routes, _ := Routes(family)
	for _, r := range routes {
		if r.Dst.Bits() == 0 && r.Table == unix.RT_TABLE_MAIN && r.Kind == unix.RTN_UNICAST {
			return r.Gateway, true
		}
	}
	return gateway, false
}
