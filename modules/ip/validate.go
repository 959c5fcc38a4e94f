package ip

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pinch/value"
)

// A check reads the value of an option; ok is false when it makes no sense.
type check func(v any) (read any, ok bool)

func anything(v any) (any, bool) { return v, true }

// integer is Python's int().
func integer(v any) (any, bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case bool:
		if x {
			return int64(1), true
		}
		return int64(0), true
	case float64:
		return int64(x), true
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(x), 10, 64)
		if err != nil {
			return v, false
		}
		return n, true
	}
	return v, false
}

func float(v any) (any, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(x), 64)
		if err != nil {
			return v, false
		}
		return f, true
	}
	return v, false
}

// address checks an IP address that may have a prefix length.
func address(v any, six bool) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	ip, mask, ok := strings.Cut(s, "/")
	a, err := netip.ParseAddr(ip)
	if err != nil || a.Is4() == six || a.Zone() != "" {
		return false
	}
	n, err := strconv.Atoi(mask)
	return !ok || err == nil && n >= 1 && n <= a.BitLen()
}

func ipv4(v any) (any, bool) { return v, address(v, false) }
func ipv6(v any) (any, bool) { return v, address(v, true) }

func ipv4Mask(v any) (any, bool) {
	if n, ok := integer(v); ok && n.(int64) >= 0 && n.(int64) <= 32 {
		return n, true
	}
	s, ok := v.(string)
	if !ok {
		return v, false
	}
	a, err := netip.ParseAddr(s)
	if err != nil || !a.Is4() {
		return v, false
	}
	b := a.As4()
	bits := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	// A mask of ones and zeros, or the other way round.
	return v, ^bits&(^bits+1) == 0 || bits&(bits+1) == 0
}

func ipv6Mask(v any) (any, bool) {
	n, ok := integer(v)
	return n, ok && n.(int64) >= 0 && n.(int64) <= 128
}

var hardware = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^([0-9a-f]{1,2}-){5}[0-9a-f]{1,2}$|^([0-9a-f]{1,2}:){5}[0-9a-f]{1,2}$|^([0-9a-f]{1,2}\.){5}[0-9a-f]{1,2}$`)
})

func mac(v any) (any, bool) {
	s, ok := v.(string)
	return v, ok && hardware().MatchString(s)
}

// words reads a list, or words with blanks between.
func words(v any) (any, bool) {
	if s, ok := v.(string); ok {
		v = value.Strings(strings.Fields(s))
	}
	l, ok := v.(*value.List)
	return v, ok && l.Len() > 0
}

// oneOf is a check for some texts, oneNumber for some numbers.
func oneOf(list ...string) check {
	return func(v any) (any, bool) {
		s := value.Str(v)
		return s, slices.Contains(list, s)
	}
}

func oneNumber(list ...int64) check {
	return func(v any) (any, bool) {
		n, ok := integer(v)
		return n, ok && slices.Contains(list, n.(int64))
	}
}

// options are the checks by family; wireless options belong to both.
type tables struct{ inet, inet6, wireless map[string]check }

func (t *tables) of(family, attr string) check {
	m := t.inet
	if family == "inet6" {
		m = t.inet6
	}
	if ch := m[attr]; ch != nil {
		return ch
	}
	return t.wireless[attr]
}

// known reports whether any family has an option.
func (t *tables) known(attr string) bool {
	return t.inet[attr] != nil || t.inet6[attr] != nil || t.wireless[attr] != nil
}

var options = sync.OnceValue(func() *tables {
	mode := oneOf("gre", "GRE", "ipip", "IPIP", "802.3ad")
	return &tables{
		inet: map[string]check{
			"proto": oneOf("bootp", "dhcp", "static", "manual", "loopback", "ppp"), "address": ipv4, "addresses": anything, "netmask": ipv4Mask, "broadcast": ipv4,
			"metric": integer, "gateway": ipv4, "pointopoint": ipv4, "hwaddress": mac, "mtu": integer, "scope": oneOf("global", "link", "host"), "hostname": anything,
			"leasehours": integer, "leasetime": integer, "vendor": anything, "client": anything, "bootfile": anything, "server": ipv4, "hwaddr": mac, "mode": mode,
			"endpoint": ipv4, "dstaddr": ipv4, "local": ipv4, "ttl": integer, "slaves": anything, "provider": anything, "unit": integer, "options": anything,
			"dns-nameservers": words, "dns-search": words, "vlan-raw-device": anything, "network": anything, "test": anything, "enable_ipv4": anything, "enable_ipv6": anything,
		},
		inet6: map[string]check{
			"proto": oneOf("auto", "loopback", "static", "manual", "dhcp", "v4tunnel", "6to4"), "address": ipv6, "addresses": anything, "netmask": ipv6Mask, "broadcast": ipv6,
			"gateway": ipv6, "hwaddress": mac, "mtu": integer, "scope": oneOf("global", "site", "link", "host"), "privext": oneNumber(0, 1, 2), "dhcp": oneNumber(0, 1),
			"media": anything, "accept_ra": oneNumber(0, 1, 2), "autoconf": oneNumber(0, 1), "preferred-lifetime": integer, "dad-attempts": integer, "dad-interval": float,
			"slaves": anything, "mode": mode, "endpoint": ipv4, "local": ipv4, "ttl": integer, "dns-nameservers": words, "dns-search": words, "vlan-raw-device": anything,
			"test": anything, "enable_ipv4": anything, "enable_ipv6": anything,
		},
		wireless: map[string]check{
			"wireless-essid": anything, "wireless-mode": anything, "wpa-ap-scan": oneNumber(0, 1, 2), "wpa-conf": anything, "wpa-driver": anything, "wpa-group": anything,
			"wpa-key-mgmt": anything, "wpa-pairwise": anything, "wpa-psk": anything, "wpa-proto": anything, "wpa-roam": anything, "wpa-ssid": anything,
		},
	}
})

// ethtool are the options of ethtool(8) and what interfaces(5) calls them.
var ethtool = sync.OnceValue(func() map[string]string {
	return map[string]string{"autoneg": "ethernet-autoneg", "duplex": "link-duplex", "speed": "link-speed",
		"rx": "offload-rx", "tx": "offload-tx", "sg": "offload-sg", "tso": "offload-tso", "ufo": "offload-ufo", "gso": "offload-gso", "gro": "offload-gro", "lro": "offload-lro"}
})

// isEthtool reports whether interfaces(5) has an option for ethtool(8).
func isEthtool(attr string) bool {
	for _, prefix := range []string{"link-speed", "link-duplex", "ethernet-autoneg", "ethernet-port", "ethernet-wol", "ethernet-pause-", "driver-message-level", "offload-", "hardware-irq-coalesce-", "hardware-dma-ring-"} {
		if strings.HasPrefix(attr, prefix) {
			return true
		}
	}
	return false
}
