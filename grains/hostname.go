package grains

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"pinch/value"
)

func (c *core) hostname() string {
	u := c.uts()
	return unix.ByteSliceToString(u.Nodename[:])
}

// findFQDN is the canonical name of this host, as getaddrinfo(3) finds it: in
// /etc/hosts the first name of the line, else what DNS says, else the bare name.
func (c *core) findFQDN() string {
	host := c.hostname()
	for _, source := range c.hostSources() {
		switch source {
		case "files":
			if names, _ := c.hostsLines(host); len(names) > 0 {
				return names[0]
			}
		case "dns", "resolve":
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			name, err := resolver.LookupCNAME(ctx, host)
			cancel()
			if name = strings.TrimSuffix(name, "."); err == nil && name != "" {
				return name
			}
		case "myhostname":
			return host
		}
	}
	return host
}

var resolver = &net.Resolver{PreferGo: true}

// hostSources are the sources of host names in nsswitch.conf(5).
func (c *core) hostSources() []string {
	for line := range strings.Lines(c.read("/etc/nsswitch.conf")) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "hosts:"); ok {
			rest, _, _ = strings.Cut(rest, "#")
			return slices.DeleteFunc(strings.Fields(rest), func(s string) bool { return s[0] == '[' })
		}
	}
	return []string{"files", "dns"}
}

// hostsLines finds a name in /etc/hosts: the names of its first line, and the
// addresses of all its lines.
func (c *core) hostsLines(host string) (names []string, addrs []netip.Addr) {
	for line := range strings.Lines(c.read("/etc/hosts")) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) < 2 || !slices.ContainsFunc(f[1:], func(n string) bool { return strings.EqualFold(n, host) }) {
			continue
		}
		if ip, err := netip.ParseAddr(f[0]); err == nil {
			if names == nil {
				names = f[1:]
			}
			addrs = append(addrs, ip)
		}
	}
	return names, addrs
}

// addressNames are the names of an address: those of its first line in
// /etc/hosts, else what the DNS says.
func (c *core) addressNames(ip netip.Addr) []string {
	for line := range strings.Lines(c.read("/etc/hosts")) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) > 1 {
			if a, err := netip.ParseAddr(f[0]); err == nil && a == ip.WithZone("") {
				return f[1:]
			}
		}
	}
	if ip.IsLinkLocalUnicast() || !slices.Contains(c.hostSources(), "dns") {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	names, _ := resolver.LookupAddr(ctx, ip.String())
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], ".")
	}
	return names
}

// fqdnIPs are the addresses that the host's full name resolves to, of one
// family; there are none when the host has no address of that family.
func (c *core) fqdnIPs(v4 bool) *value.List {
	out := new(value.List)
	if len(IPAddrs(c.interfaces(), v4, true)) == 0 {
		return out
	}
	for _, ip := range c.resolve(c.fqdn(), v4) {
		if s := ip.String(); !slices.Contains(out.Items, any(s)) {
			out.Append(s)
		}
	}
	return out
}

func (c *core) resolve(host string, v4 bool) []netip.Addr {
	family := "ip6"
	if v4 {
		family = "ip4"
	}
	for _, source := range c.hostSources() {
		var found []netip.Addr
		switch source {
		case "files":
			_, found = c.hostsLines(host)
			found = slices.DeleteFunc(found, func(a netip.Addr) bool { return a.Is4() != v4 })
		case "dns", "resolve":
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			found, _ = resolver.LookupNetIP(ctx, family, host)
			cancel()
			for i := range found {
				found[i] = found[i].Unmap()
			}
			found = slices.DeleteFunc(found, func(a netip.Addr) bool { return a.Is4() != v4 })
		case "myhostname":
			if host == c.hostname() {
				for _, s := range IPAddrs(c.interfaces(), v4, false) {
					found = append(found, netip.MustParseAddr(s))
				}
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// fqdns are the names that this host's addresses resolve to, looked up side by
// side.
func (c *core) fqdns() *value.List {
	if !c.opt("enable_fqdns_grains", true) {
		return new(value.List)
	}
	return value.Strings(c.reverseNames())
}

// FQDNs are the full names that the addresses of this host resolve to, sorted.
func FQDNs(h Host) []string { return newCore(h).reverseNames() }

// FQDN is the full name of this host, as in the grain fqdn.
func FQDN(h Host) string { return newCore(h).findFQDN() }

func (c *core) reverseNames() []string {
	ips := append(IPAddrs(c.interfaces(), true, false), IPAddrs(c.interfaces(), false, false)...)
	names := make([]string, len(ips))
	var wg sync.WaitGroup
	for i, ip := range ips {
		wg.Go(func() { names[i] = c.reverseName(ip) })
	}
	wg.Wait()
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "" })
}

func (c *core) reverseName(ip string) string {
	names := c.addressNames(netip.MustParseAddr(ip))
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// ReverseFQDN is the host's name as Python's socket.getfqdn finds it: the host
// name is resolved and its address looked up again; of that address's names the
// first with a dot counts, else the first. A name that does not resolve stays
// as it is.
func ReverseFQDN(h Host) string {
	c := newCore(h)
	host := c.hostname()
	ips := c.resolve(host, true)
	if len(ips) == 0 {
		if ips = c.resolve(host, false); len(ips) == 0 {
			return host
		}
	}
	names := c.addressNames(ips[0])
	for _, n := range names {
		if strings.Contains(n, ".") {
			return n
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return host
}
