package network

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"pinch/grains"
	"pinch/salt"
	"pinch/value"
)

type familyArgs struct {
	Family any `py:"family=None"` // inet or inet6; both when there is none
}

// routes returns the routing table. The form is that of netstat -rn where
// netstat is installed, else that of ip route, as in Salt; both are made from
// what the kernel says.
func routes(c *salt.Ctx, a familyArgs) (any, error) {
	if a.Family != nil && a.Family != "inet" && a.Family != "inet6" {
		return nil, salt.CommandError("Invalid address family %s", value.Str(a.Family))
	}
	all := ipRoutes
	if c.Sys.LookPath("netstat") != "" {
		all = func() []any { return netstatRoutes(c) }
	}
	list := all()
	if a.Family != nil {
		list = slices.DeleteFunc(list, func(r any) bool { return r.(*value.Map).At("addr_family") != a.Family })
	}
	return value.L(list...), nil
}

// defaultRoute returns the default routes.
func defaultRoute(c *salt.Ctx, a familyArgs) (any, error) {
	all, err := routes(c, a)
	if err != nil {
		return nil, err
	}
	out := new(value.List)
	for _, r := range all.(*value.List).Items {
		m := r.(*value.Map)
		d := m.Str("destination")
		if a.Family != "inet6" && d == "0.0.0.0" || a.Family != "inet" && d == "::/0" {
			out.Append(r)
		}
	}
	return out, nil
}

func entry(family, dst, gateway, mask, flags, dev string) *value.Map {
	return value.M("addr_family", family, "destination", dst, "gateway", gateway, "netmask", mask, "flags", flags, "interface", dev)
}

func netstatRoutes(c *salt.Ctx) []any {
	var out []any
	text, _ := c.Sys.ReadFile("/proc/net/route")
	for i, line := range strings.Split(string(text), "\n") {
		if f := strings.Fields(line); i > 0 && len(f) > 7 {
			flags, _ := strconv.ParseUint(f[3], 16, 32)
			out = append(out, entry("inet", procIP(f[1]), procIP(f[2]), procIP(f[7]), flagText(flags), f[0]))
		}
	}
	text, _ = c.Sys.ReadFile("/proc/net/ipv6_route")
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) < 10 {
			continue
		}
		flags, _ := strconv.ParseUint(f[8], 16, 32)
		bits, _ := strconv.ParseUint(f[1], 16, 8)
		out = append(out, entry("inet6", fmt.Sprintf("%s/%d", plainIP(f[0]), bits), plainIP(f[4]), "", flagText(flags), f[9]))
	}
	return out
}

// flagText are the flags as netstat shows them (route(8), linux/route.h and
// linux/ipv6_route.h).
func flagText(flags uint64) string {
	s := "U"
	if flags&0x200 != 0 {
		s = "!"
	}
	for _, f := range []struct {
		bit  uint64
		name string
	}{{2, "G"}, {4, "H"}, {8, "R"}, {0x10, "D"}, {0x20, "M"}, {0x40000, "A"}, {0x1000000, "C"}, {0x200000, "n"}, {0x400000, "e"}} {
		if flags&f.bit != 0 {
			s += f.name
		}
	}
	return s
}

// procIP reads an IPv4 address of /proc/net, whose bytes are in the
// processor's order, or an IPv6 one made of four such words.
func procIP(s string) string {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 4 && len(b) != 16 {
		return s
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	a, _ := netip.AddrFromSlice(b)
	return a.Unmap().String()
}

// plainIP reads an IPv6 address whose bytes are in order.
func plainIP(s string) string {
	b, _ := hex.DecodeString(s)
	return addr(b)
}

// getRoute returns the route to an address: gateway, interface and the source
// address that is used.
func getRoute(c *salt.Ctx, a ipArgs) (any, error) {
	ip, err := netip.ParseAddr(a.IP)
	if err != nil {
		return nil, salt.CommandError("any valid prefix is expected rather than \"%s\".", a.IP)
	}
	r, source, err := routeTo(ip)
	if err != nil {
		return nil, salt.CommandError("RTNETLINK answers: %s", err)
	}
	m := value.M("destination", a.IP, "gateway", nil, "interface", nil, "source", nil)
	if r.Gateway.IsValid() {
		m.Set("gateway", r.Gateway.String())
	}
	ifaces, _ := grains.Interfaces()
	for _, i := range ifaces {
		if i.Index == r.Dev {
			m.Set("interface", i.Name)
		}
	}
	if source.IsValid() {
		m.Set("source", source.String())
	}
	return m, nil
}
