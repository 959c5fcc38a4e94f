package grains

import (
	"net/netip"
	"slices"
	"strings"

	"pinch/value"
)

// dns reads resolv.conf(5), systemd-resolved's real one where there is one.
func (c *core) dns() (any, bool) {
	path := "/etc/resolv.conf"
	if c.exists("/run/systemd/resolve/resolv.conf") {
		path = "/run/systemd/resolve/resolv.conf"
	}
	text, ok := c.file(path)
	if !ok {
		return nil, false
	}
	return ParseResolv(text), true
}

// ParseResolv reads the text of a resolv.conf: nameservers, ip4_nameservers,
// ip6_nameservers, sortlist ("10.0.0.0/255.0.0.0"), domain, search, options.
func ParseResolv(text string) *value.Map {
	var all, v4, v6, sortlist, options []string
	var search []string
	domain := ""
	once := func(l []string, s string) []string {
		if slices.Contains(l, s) {
			return l
		}
		return append(l, s)
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		args := f[1:]
		if i := slices.IndexFunc(args, func(s string) bool { return s[0] == '#' || s[0] == ';' }); i >= 0 {
			args = args[:i]
		}
		directive := strings.ToLower(f[0])
		if directive == "search" {
			search = args
			continue
		}
		if len(args) == 0 {
			continue
		}
		switch directive {
		case "nameserver":
			ip, err := netip.ParseAddr(args[0])
			if err != nil {
				continue
			}
			all = once(all, ip.String())
			if ip.Is4() {
				v4 = once(v4, ip.String())
			} else {
				v6 = once(v6, ip.String())
			}
		case "domain":
			domain = args[0]
		case "sortlist":
			for _, a := range args {
				if net := sortlistNet(a); net != "" {
					sortlist = once(sortlist, net)
				}
			}
		case "options":
			options = once(options, args[0])
		}
	}
	return value.M("nameservers", value.Strings(all), "ip4_nameservers", value.Strings(v4), "ip6_nameservers", value.Strings(v6),
		"sortlist", value.Strings(sortlist), "domain", domain, "search", value.Strings(search), "options", value.Strings(options))
}

// sortlistNet reads an entry of a sortlist; without a mask a network has the
// one of its class.
func sortlistNet(s string) string {
	host, mask, has := strings.Cut(s, "/")
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	bits := ip.BitLen()
	switch {
	case has:
		p, err := netip.ParsePrefix(s)
		if m, e := netip.ParseAddr(mask); e == nil && m.Is4() {
			p, err = netip.PrefixFrom(ip, onesOf(m)), nil
		}
		if err != nil || p.Masked() != p {
			return ""
		}
		bits = p.Bits()
	case ip.Is4():
		bits = classBits(ip)
		ip = netip.PrefixFrom(ip, bits).Masked().Addr()
	}
	return ip.String() + "/" + netmask(ip, bits)
}

func classBits(ip netip.Addr) int {
	switch b := ip.As4()[0]; {
	case b >= 192:
		return 24
	case b >= 128:
		return 16
	}
	return 8
}

func onesOf(m netip.Addr) (n int) {
	for _, b := range m.As4() {
		for ; b&0x80 != 0; b <<= 1 {
			n++
		}
	}
	return n
}

// netmask is the mask of a prefix length, as an address.
func netmask(ip netip.Addr, bits int) string {
	b := make([]byte, ip.BitLen()/8)
	for i := range bits {
		b[i/8] |= 0x80 >> (i % 8)
	}
	m, _ := netip.AddrFromSlice(b)
	return m.String()
}
