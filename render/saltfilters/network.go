package saltfilters

import (
	"math/big"
	"net/netip"
	"strings"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func networkFilters() []filters.Entry {
	is := func(versions ...int) func(*jinja.Call, []any) (any, error) {
		return defined(func(_ *jinja.Call, a []any) (any, error) {
			for _, v := range versions {
				s, err := isIP(a[0], v, a[1])
				if s != "" || err != nil {
					return s != "", err
				}
			}
			return false, nil
		})
	}
	return []filters.Entry{
		entry("is_ip", sig("is_ip_filter", "ip_addr", "options", nil), is(4, 6)),
		entry("is_ipv4", sig("is_ipv4_filter", "ip_addr", "options", nil), is(4)),
		entry("is_ipv6", sig("is_ipv6_filter", "ip_addr", "options", nil), is(6)),
		entry("ipv4", sig("ipv4", "value", "options", nil), func(_ *jinja.Call, a []any) (any, error) { return filterIP(a[0], 4, a[1]) }),
		entry("ipv6", sig("ipv6", "value", "options", nil), func(_ *jinja.Call, a []any) (any, error) { return filterIP(a[0], 6, a[1]) }),
		entry("ipaddr", sig("ipaddr", "value", "options", nil), func(_ *jinja.Call, a []any) (any, error) { return ipaddr(a[0], a[1], nil) }),
		entry("ip_host", sig("ip_host", "value", "options", nil, "version", nil), each(ipHost)),
		entry("network_hosts", sig("network_hosts", "value", "options", nil, "version", nil), each(networkHosts)),
		entry("network_size", sig("network_size", "value", "options", nil, "version", nil), each(networkSize)),
		entry("mac_str_to_bytes", sig("mac_str_to_bytes", "mac_str"), macToBytes),
		entry("filter_by_networks", sig("filter_by_networks", "values networks"), filterByNetworks),
		entry("ipwrap", sig("ipwrap", "data"), ipwrap),
	}
}

// isIP gives the normal form of an address or interface of the version that
// has all the options ("private,loopback"), else "".
func isIP(v any, version int, options any) (string, error) {
	a, ok := parseAddr(v)
	ip := ipValue{a, -1}
	if !ok {
		if ip, ok = parseInterface(v); !ok {
			return "", nil
		}
	}
	if ip.addr.Is4() != (version == 4) {
		return "", nil
	}
	if !value.Truth(options) {
		return ip.String(), nil
	}
	list, ok := py.Text(options)
	if !ok {
		_, err := py.Attr(options, "split")
		return "", err
	}
	for _, o := range strings.Split(list, ",") {
		if !ip.has(strings.TrimSpace(o)) {
			return "", nil
		}
	}
	return ip.String(), nil
}

// several reports whether Salt takes v for a list of addresses.
func several(v any) bool {
	switch g := v.(type) {
	case *value.List, value.Tuple:
		return true
	case *py.Generator:
		return g.Type == ""
	}
	return false
}

func filterIP(v any, version int, options any) (any, error) {
	switch v.(type) {
	case string, py.Markup, []byte:
		s, err := isIP(v, version, options)
		if s == "" {
			return nil, err
		}
		return s, err
	}
	if !several(v) {
		return nil, nil
	}
	items, err := py.Items(v)
	if err != nil {
		return nil, err
	}
	out := new(value.List)
	for _, x := range items {
		s, err := isIP(x, version, options)
		if err != nil {
			return nil, err
		}
		if s != "" {
			out.Append(s)
		}
	}
	return out, nil
}

func ipaddr(v, options, version any) (any, error) {
	if value.Truth(version) {
		switch n, _ := py.AsIndex(version); n {
		case 4, 6:
			return filterIP(v, int(n), options)
		}
		return nil, nil
	}
	four, err := filterIP(v, 4, options)
	if err != nil {
		return nil, err
	}
	six, err := filterIP(v, 6, options)
	switch {
	case err != nil:
		return nil, err
	case four == nil:
		return six, nil
	case six == nil:
		return four, nil
	}
	return py.Add(four, six)
}

// each applies do to the one address, or lists what it gives for several.
func each(do func(c *jinja.Call, ip ipValue) (any, error)) func(*jinja.Call, []any) (any, error) {
	return func(c *jinja.Call, a []any) (any, error) {
		found, err := ipaddr(a[0], a[1], a[2])
		if err != nil || !value.Truth(found) {
			return nil, err
		}
		one := func(v any) (any, error) {
			ip, _ := parseInterface(v)
			return do(c, ip)
		}
		if !several(a[0]) {
			return one(found)
		}
		out := new(value.List)
		for _, v := range found.(*value.List).Items {
			r, err := one(v)
			if err != nil {
				return nil, err
			}
			out.Append(r)
		}
		return out, nil
	}
}

func ipHost(_ *jinja.Call, ip ipValue) (any, error) { return ip.String(), nil }

func networkSize(_ *jinja.Call, ip ipValue) (any, error) {
	return value.Int(new(big.Int).Lsh(big.NewInt(1), uint(ip.addr.BitLen()-ip.bits))), nil
}

// maxHosts bounds network_hosts, where Python would fill the memory.

// networkHosts lists a network's addresses without its own and, for IPv4, the
// broadcast address; the smallest networks keep all.
func networkHosts(c *jinja.Call, ip ipValue) (any, error) {
	room := ip.addr.BitLen() - ip.bits
	if room > 20 {
		return nil, value.Errorf("MemoryError", "a network of 2**%d addresses is too large to be listed", room)
	}
	n := 1 << room
	first, last := 0, n-1
	if room > 1 {
		first = 1
		if ip.addr.Is4() {
			last--
		}
	}
	a := netip.PrefixFrom(ip.addr.WithZone(""), ip.bits).Masked().Addr()
	out := new(value.List)
	for i := range n {
		if i >= first && i <= last {
			out.Append(ipText(a))
		}
		a = a.Next()
		if err := c.State.Step(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func macToBytes(_ *jinja.Call, a []any) (any, error) {
	s, ok := py.Text(a[0])
	if !ok {
		if _, err := py.Len(a[0]); err != nil {
			return nil, err
		}
	}
	switch r := []rune(s); len(r) {
	case 12:
	case 17:
		s = strings.ReplaceAll(s, string(r[2]), "")
	default:
		return nil, value.Errorf("ValueError", "Invalid MAC address")
	}
	out := make([]byte, 6)
	for i := range out {
		part, err := py.Slice(s, int64(2*i), int64(2*i+2), nil)
		if err != nil {
			return nil, err
		}
		n, err := py.IntBase(part, 16)
		if err != nil {
			return nil, err
		}
		out[i] = byte(n.(int64))
	}
	return out, nil
}

// network is ipaddress.ip_network, which wants no host bits.
func network(v any) (netip.Prefix, error) {
	ip, ok := parseInterface(v)
	if !ok {
		return netip.Prefix{}, value.Errorf("ValueError", "%s does not appear to be an IPv4 or IPv6 network", value.Repr(v))
	}
	p := netip.PrefixFrom(ip.addr, ip.bits)
	if p.Masked() != p {
		return p, value.Errorf("ValueError", "%s has host bits set", value.Str(v))
	}
	return p, nil
}

func filterByNetworks(_ *jinja.Call, a []any) (any, error) {
	if a[1] == nil {
		return a[0], nil
	}
	list, err := py.Items(a[1])
	if err != nil {
		return nil, err
	}
	var nets []netip.Prefix
	for _, v := range list {
		p, err := network(v)
		if err != nil {
			return nil, err
		}
		nets = append(nets, p)
	}
	switch v := a[0].(type) {
	case *value.Map:
		out := new(value.Map)
		for k, ips := range v.All() {
			in, err := within(ips, nets)
			if err != nil {
				return nil, err
			}
			if err := out.SetKey(k, in); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *value.List, value.Tuple, string, py.Markup, []byte, py.Range:
		return within(v, nets)
	}
	return nil, value.Errorf("ValueError", "Do not know how to filter a %s", classOf(a[0]))
}

func within(ips any, nets []netip.Prefix) (any, error) {
	items, err := py.Items(ips)
	if err != nil {
		return nil, err
	}
	out := new(value.List)
	for _, v := range items {
		for _, n := range nets {
			ip, ok := parseAddr(v)
			if !ok {
				return nil, value.Errorf("ValueError", "%s does not appear to be an IPv4 or IPv6 address", value.Repr(v))
			}
			if n.Contains(ip.WithZone("")) {
				out.Append(v)
			}
		}
	}
	return out, nil
}

// ipwrap puts IPv6 addresses into brackets.
func ipwrap(_ *jinja.Call, a []any) (any, error) {
	var items []any
	switch v := a[0].(type) {
	case *value.List:
		items = v.Items
	case value.Tuple:
		items = v
	default:
		return wrapOne(v)
	}
	out := new(value.List)
	for _, v := range items {
		w, err := wrapOne(v)
		if err != nil {
			return nil, err
		}
		out.Append(w)
	}
	return out, nil
}

func wrapOne(v any) (any, error) {
	if s, _ := isIP(v, 6, nil); s == "" {
		return v, nil
	}
	return bracket(value.Str(v))
}

// bracket is Salt's ip_bracket.
func bracket(s string) (any, error) {
	s = strings.TrimRight(strings.TrimLeft(s, "["), "]")
	a, ok := parseAddr(s)
	switch {
	case !ok:
		return nil, value.Errorf("ValueError", "%s does not appear to be an IPv4 or IPv6 address", value.Quote(s))
	case a.Is6():
		return "[" + ipText(a) + "]", nil
	}
	return ipText(a), nil
}
