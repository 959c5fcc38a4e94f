package network

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"pinch/grains"
	"pinch/salt"
	"pinch/value"
)

// describe lists the interfaces as Salt does: up, parent, hwaddr, inet, inet6,
// secondary.
func describe() *value.Map {
	ifaces, _ := grains.Interfaces()
	out := value.NewMap(len(ifaces))
	for _, i := range ifaces {
		m := value.M("up", i.Up)
		if i.Parent != "" {
			m.Set("parent", i.Parent)
		}
		if i.HWAddr != "" {
			m.Set("hwaddr", i.HWAddr)
		}
		for _, a := range i.Addrs {
			d, key := new(value.Map), "inet6"
			if a.Secondary {
				d.Set("type", "inet")
				key = "secondary"
			}
			d.Set("address", a.IP.String())
			if a.IP.Is4() {
				if key == "inet6" {
					key = "inet"
				}
				d.Set("netmask", addr(maskOf(netip.PrefixFrom(a.IP, a.Prefix), false)))
				d.Set("broadcast", nil)
				if a.Broadcast != "" {
					d.Set("broadcast", a.Broadcast)
				}
				d.Set("label", a.Label)
			} else {
				d.Set("prefixlen", strconv.Itoa(a.Prefix))
				d.Set("scope", a.Scope)
			}
			if m.List(key) == nil {
				m.Set(key, new(value.List))
			}
			m.List(key).Append(d)
		}
		out.Set(i.Name, m)
	}
	return out
}

// interfaces returns all interfaces with their addresses.
func interfaces(c *salt.Ctx, _ salt.NoArgs) (any, error) { return describe(), nil }

type ifaceArgs struct {
	Iface string `py:"iface"` // the name of the interface
}

// one finds an interface; the text says which ones there are.
func one(c *salt.Ctx, name string) (*value.Map, string) {
	all := describe()
	if m := all.Map(name); m != nil {
		return m, ""
	}
	var names []string
	for k := range all.Items() {
		names = append(names, k)
	}
	text := fmt.Sprintf("Interface \"%s\" not in available interfaces: \"%s\"", name, strings.Join(names, "\", \""))
	c.Log.Error(text)
	return nil, text
}

// hwAddr returns the hardware address of an interface.
func hwAddr(c *salt.Ctx, a ifaceArgs) (string, error) {
	m, text := one(c, a.Iface)
	if m == nil {
		return text, nil
	}
	return m.Str("hwaddr"), nil
}

// interface_ returns the IPv4 addresses of an interface.
func interface_(c *salt.Ctx, a ifaceArgs) (any, error) {
	m, text := one(c, a.Iface)
	if m == nil {
		return text, nil
	}
	if l := m.List("inet"); l != nil {
		return l, nil
	}
	return "", nil
}

// interfaceIp returns the first IPv4 address of an interface.
func interfaceIp(c *salt.Ctx, a ifaceArgs) (string, error) {
	m, text := one(c, a.Iface)
	if m == nil {
		return text, nil
	}
	if l := m.List("inet"); l.Len() > 0 {
		return l.Items[0].(*value.Map).Str("address"), nil
	}
	return "", nil
}

// ifacestartswith returns the interfaces whose IPv4 address begins with a text.
func ifacestartswith(c *salt.Ctx, a cidrArgs) (any, error) {
	out := new(value.List)
	ifaces, _ := grains.Interfaces()
	for _, i := range ifaces {
		for _, ad := range i.Addrs {
			if ad.IP.Is4() && !ad.Secondary && strings.HasPrefix(ad.IP.String(), value.Str(a.CIDR)) {
				out.Append(ad.Label)
			}
		}
	}
	return out, nil
}

// chosen are the interfaces that globs name, all when there are none: a text
// with commas, or a list.
func chosen(filter any) []grains.Interface {
	ifaces, _ := grains.Interfaces()
	var globs []string
	switch f := filter.(type) {
	case nil:
		return ifaces
	case *value.List:
		for _, it := range f.Items {
			globs = append(globs, value.Str(it))
		}
	default:
		for _, s := range strings.Split(value.Str(f), ",") {
			globs = append(globs, strings.TrimSpace(s))
		}
	}
	return slices.DeleteFunc(ifaces, func(i grains.Interface) bool {
		return !slices.ContainsFunc(globs, func(g string) bool { return value.Fnmatch(i.Name, g) })
	})
}

type ipAddrsArgs struct {
	Interface any  `py:"interface=None"`         // names or globs of interfaces
	Loopback  bool `py:"include_loopback=False"` // also 127.0.0.1
	CIDR      any  `py:"cidr=None"`              // only those in this network
	Type      any  `py:"type=None"`              // public or private
}

// ipAddrs returns the IPv4 addresses of this machine, sorted.
func ipAddrs(c *salt.Ctx, a ipAddrsArgs) ([]string, error) {
	addrs := grains.IPAddrs(chosen(a.Interface), true, a.Loopback)
	if value.Truth(a.CIDR) {
		return within(c, addrs, a.CIDR)
	}
	switch a.Type {
	case "public", "private":
		addrs = slices.DeleteFunc(addrs, func(s string) bool { return private(netip.MustParseAddr(s)) != (a.Type == "private") })
	}
	return addrs, nil
}

type ipAddrs6Args struct {
	Interface any  `py:"interface=None"`         // names or globs of interfaces
	Loopback  bool `py:"include_loopback=False"` // also ::1
	CIDR      any  `py:"cidr=None"`              // only those in this network
}

// ipAddrs6 returns the IPv6 addresses of this machine, sorted.
func ipAddrs6(c *salt.Ctx, a ipAddrs6Args) ([]string, error) {
	addrs := grains.IPAddrs(chosen(a.Interface), false, a.Loopback)
	if value.Truth(a.CIDR) {
		return within(c, addrs, a.CIDR)
	}
	return addrs, nil
}

func within(c *salt.Ctx, addrs []string, cidr any) ([]string, error) {
	out := []string{}
	for _, s := range addrs {
		if ok, _ := ipInSubnet(c, inArgs{s, cidr}); ok {
			out = append(out, s)
		}
	}
	return out, nil
}

// inSubnet reports whether this machine has an address in a network.
func inSubnet(c *salt.Ctx, a cidrArgs) (bool, error) {
	ifaces, _ := grains.Interfaces()
	addrs := append(grains.IPAddrs(ifaces, true, false), grains.IPAddrs(ifaces, false, false)...)
	return ipInSubnet(c, inArgs{value.Strings(addrs), a.CIDR})
}
