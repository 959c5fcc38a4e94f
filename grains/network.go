package grains

import (
	"net/netip"
	"os"
	"slices"
	"strings"

	"pinch/value"
)

// network registers the grains about names and addresses.
func (c *core) network(m *value.Map) {
	c.one(m, "cwd", func() any { dir, _ := os.Getwd(); return dir })
	c.group(m, c.gateways, "ip_gw", "ip4_gw", "ip6_gw")
	c.lazy(m, "dns", c.dns)
	c.one(m, "fibre_channel_host", func() any { return c.isDir("/sys/class/fc_host") })
	c.one(m, "fqdns", func() any { return c.fqdns() })
	c.lazy(m, "machine_id", c.machineID)
	c.one(m, "master", func() any {
		if v, ok := c.Opts.Get("master"); ok {
			return v
		}
		return ""
	})
	c.one(m, "server_id", func() any { return ServerID(c.Opts.Str("id")) })
	c.one(m, "localhost", func() any { return c.hostname() })
	c.group(m, func() *value.Map {
		host, domain, _ := strings.Cut(c.fqdn(), ".")
		return value.M("fqdn", c.fqdn(), "host", host, "domain", domain)
	}, "fqdn", "host", "domain")
	c.one(m, "hwaddr_interfaces", func() any {
		out := new(value.Map)
		for _, i := range c.interfaces() {
			if i.HWAddr != "" {
				out.Set(i.Name, i.HWAddr)
			}
		}
		return out
	})
	c.one(m, "id", func() any { return c.Opts.Str("id") })
	c.one(m, "ip4_interfaces", func() any { return c.byInterface(true, false) })
	c.one(m, "ip6_interfaces", func() any { return c.byInterface(false, true) })
	c.one(m, "ipv4", func() any { return value.Strings(IPAddrs(c.interfaces(), true, true)) })
	c.one(m, "ipv6", func() any { return value.Strings(IPAddrs(c.interfaces(), false, true)) })
	c.one(m, "fqdn_ip4", func() any { return c.fqdnIPs(true) })
	c.one(m, "fqdn_ip6", func() any { return c.fqdnIPs(false) })
	c.one(m, "ip_interfaces", func() any { return c.byInterface(true, true) })
	c.lazy(m, "kernelparams", c.kernelparams)
}

// byInterface lists the addresses of each interface: IPv4, IPv6, secondary ones.
func (c *core) byInterface(v4, v6 bool) *value.Map {
	out := new(value.Map)
	for _, i := range c.interfaces() {
		l := new(value.List)
		add := func(want func(Address) bool) {
			for _, a := range i.Addrs {
				if want(a) {
					l.Append(a.IP.String())
				}
			}
		}
		if v4 {
			add(func(a Address) bool { return a.IP.Is4() && !a.Secondary })
		}
		if v6 {
			add(func(a Address) bool { return a.IP.Is6() })
		}
		if v4 {
			add(func(a Address) bool { return a.Secondary })
		}
		out.Set(i.Name, l)
	}
	return out
}

// IPAddrs are the IPv4 or IPv6 addresses of interfaces, sorted, each once.
func IPAddrs(ifaces []Interface, v4, loopback bool) []string {
	var addrs []netip.Addr
	for _, i := range ifaces {
		for _, a := range i.Addrs {
			if a.IP.Is4() == v4 && (loopback || !a.IP.IsLoopback()) {
				addrs = append(addrs, a.IP)
			}
		}
	}
	slices.SortFunc(addrs, netip.Addr.Compare)
	addrs = slices.Compact(addrs)
	out := make([]string, len(addrs))
	for i, a := range addrs {
		out[i] = a.String()
	}
	return out
}

// machineID is the first machine-id(5) file there is.
func (c *core) machineID() (any, bool) {
	for _, path := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if c.exists(path) {
			return strings.TrimSpace(c.read(path)), true
		}
	}
	return nil, false
}

// kernelparams are pairs of name and value of /proc/cmdline; the value is nil
// where there is not exactly one "=".
func (c *core) kernelparams() (any, bool) {
	text, ok := c.file("/proc/cmdline")
	if !ok {
		return nil, false
	}
	out := new(value.List)
	for _, word := range shellSplit(text) {
		parts := strings.Split(word, "=")
		pair := value.Tuple{parts[0], nil}
		if len(parts) == 2 {
			pair[1] = strings.Trim(parts[1], `"`)
		}
		out.Append(pair)
	}
	return out, true
}

// shellSplit splits at blanks outside of quotes, which are taken off.
func shellSplit(s string) []string {
	var words []string
	var b strings.Builder
	var quote byte
	open := false
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '"' || ch == '\''):
			quote, open = ch, true
		case ch == '\\' && quote != '\'' && i+1 < len(s) && (quote == 0 || s[i+1] == '"' || s[i+1] == '\\'):
			i++
			open = true
			b.WriteByte(s[i])
		case quote == 0 && strings.IndexByte(" \t\r\n", ch) >= 0:
			if open {
				words = append(words, b.String())
				b.Reset()
				open = false
			}
		default:
			open = true
			b.WriteByte(ch)
		}
	}
	if open {
		words = append(words, b.String())
	}
	return words
}
