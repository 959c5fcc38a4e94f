package network

import (
	"encoding/binary"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"

	"pinch/grains"
)

func ipRoutes() []any {
	names := map[int]string{}
	ifaces, _ := grains.Interfaces()
	for _, i := range ifaces {
		names[i.Index] = i.Name
	}
	var out []any
	v4, _ := grains.Routes(unix.AF_INET)
	for _, r := range v4 {
		if r.Table != unix.RT_TABLE_MAIN || r.Kind != unix.RTN_UNICAST {
			continue
		}
		gateway, flags := "0.0.0.0", "U"
		if r.Gateway.IsValid() {
			gateway, flags = r.Gateway.String(), "UG"
		}
		out = append(out, entry("inet", r.Dst.Addr().String(), gateway, addr(maskOf(r.Dst, false)), flags, names[r.Dev]))
	}
	v6, _ := grains.Routes(unix.AF_INET6)
	for _, r := range v6 {
		if r.Kind != unix.RTN_UNICAST && r.Kind != unix.RTN_LOCAL {
			continue
		}
		dst, gateway, flags := r.Dst.String(), "::", "U"
		if r.Kind == unix.RTN_UNICAST && r.Dst.IsSingleIP() {
			dst = r.Dst.Addr().String()
		}
		if r.Gateway.IsValid() {
			gateway, flags = r.Gateway.String(), "UG"
		}
		out = append(out, entry("inet6", dst, gateway, "", flags, names[r.Dev]))
	}
	return out
}

// routeTo asks the kernel (RTM_GETROUTE with a destination).
func routeTo(ip netip.Addr) (r grains.Route, source netip.Addr, err error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return r, source, err
	}
	defer unix.Close(fd)
	family, dst := byte(unix.AF_INET), ip.AsSlice()
	if ip.Is6() {
		family = unix.AF_INET6
	}
	n := binary.NativeEndian
	length := unix.SizeofNlMsghdr + unix.SizeofRtMsg + unix.SizeofRtAttr + len(dst)
	b := make([]byte, length)
	n.PutUint32(b, uint32(length))
	n.PutUint16(b[4:], unix.RTM_GETROUTE)
	n.PutUint16(b[6:], unix.NLM_F_REQUEST)
	b[16], b[17] = family, byte(ip.BitLen())
	n.PutUint16(b[28:], uint16(unix.SizeofRtAttr+len(dst)))
	n.PutUint16(b[30:], unix.RTA_DST)
	copy(b[32:], dst)
	if err := unix.Sendto(fd, b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return r, source, err
	}
	buf := make([]byte, 8192)
	size, _, err := unix.Recvfrom(fd, buf, 0)
	if err != nil {
		return r, source, err
	}
	messages, err := syscall.ParseNetlinkMessage(buf[:size])
	if err != nil || len(messages) == 0 {
		return r, source, err
	}
	m := messages[0]
	if m.Header.Type == unix.NLMSG_ERROR {
		return r, source, unix.Errno(-int32(n.Uint32(m.Data)))
	}
	attrs, err := syscall.ParseNetlinkRouteAttr(&m)
	for _, a := range attrs {
		if a.Attr.Type == unix.RTA_PREFSRC {
			source, _ = netip.AddrFromSlice(a.Value)
		}
	}
	return grains.ParseRoute(m), source, err
}
