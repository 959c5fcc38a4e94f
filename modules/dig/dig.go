// Package dig holds Salt's dig module: DNS records, asked for directly and
// shown as dig +short shows them. The command is not needed. Its main variable
// is Module.
//
//	{{ salt['dig.A']('example.org', nameserver='10.0.0.53') | first }}
package dig

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/dns/dnsmessage"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's dig module.
var Module = salt.Module{
	Name: "dig",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"A": salt.Exec(a_), "a": salt.Exec(a_).Named("A"),
			"AAAA": salt.Exec(aaaa), "aaaa": salt.Exec(aaaa).Named("AAAA"),
			"CNAME": salt.Exec(cname), "cname": salt.Exec(cname).Named("CNAME"),
			"MX": salt.Exec(mx), "mx": salt.Exec(mx).Named("MX"),
			"NS": salt.Exec(ns), "ns": salt.Exec(ns).Named("NS"),
			"PTR": salt.Exec(ptr), "ptr": salt.Exec(ptr).Named("PTR"),
			"SPF": salt.Exec(spf), "spf": salt.Exec(spf).Named("SPF"),
			"TXT": salt.Exec(txt), "check_ip": salt.Exec(checkIP),
		}
	},
}

type checkIPArgs struct {
	Addr any `py:"addr"` // an address, with or without a prefix length
}

// checkIP says whether a text is an IPv4 or IPv6 address, or a network.
func checkIP(_ *salt.Ctx, a checkIPArgs) (bool, error) {
	s, ok := a.Addr.(string)
	return ok && isAddress(s), nil
}

func isAddress(s string) bool {
	addr, length, ranged := s, "", false
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		addr, length, ranged = s[:i], s[i+1:], true
	}
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		return false
	}
	if !ranged {
		return true
	}
	n, err := strconv.Atoi(length)
	if ip.Is4() {
		return err == nil && n >= 1 && n <= 32
	}
	return err == nil && n >= 8 && n <= 128
}

type hostArgs struct {
	Host       any `py:"host"`            // the name
	Nameserver any `py:"nameserver=None"` // the server to ask, that of resolv.conf(5) by default
}

// short are the lines of dig +short; ok is false when no server answered.
func short(c *salt.Ctx, name, server any, kind dnsmessage.Type) (lines []string, ok bool) {
	lines, err := lookup(c, value.Str(name), server, kind)
	if err != nil {
		c.Log.Warn("dig: " + err.Error() + ". Returning empty list as fallback.")
		return nil, false
	}
	return lines, true
}

// split is what Python's split makes of lines: nothing is one empty text.
func split(lines []string) *value.List {
	if len(lines) == 0 {
		return value.L("")
	}
	return value.Strings(lines)
}

func addresses(c *salt.Ctx, name, server any, kind dnsmessage.Type) []string {
	lines, _ := short(c, name, server, kind)
	var out []string
	for _, l := range lines {
		if isAddress(l) {
			out = append(out, l)
		}
	}
	return out
}

// a_ returns the IPv4 addresses of a name.
func a_(c *salt.Ctx, a hostArgs) (*value.List, error) {
	return value.Strings(addresses(c, a.Host, a.Nameserver, dnsmessage.TypeA)), nil
}

// aaaa returns the IPv6 addresses of a name.
func aaaa(c *salt.Ctx, a hostArgs) (*value.List, error) {
	return value.Strings(addresses(c, a.Host, a.Nameserver, dnsmessage.TypeAAAA)), nil
}

// cname returns what a name is another name of.
func cname(c *salt.Ctx, a hostArgs) (any, error) {
	lines, ok := short(c, a.Host, a.Nameserver, dnsmessage.TypeCNAME)
	if !ok {
		return value.L(), nil
	}
	return strings.Join(lines, "\n"), nil
}

// ptr returns the names of an address.
func ptr(c *salt.Ctx, a hostArgs) (any, error) {
	ip, err := netip.ParseAddr(value.Str(a.Host))
	if err != nil {
		return value.L(), nil
	}
	lines, ok := short(c, reverse(ip), a.Nameserver, dnsmessage.TypePTR)
	if !ok {
		return value.L(), nil
	}
	return split(lines), nil
}

// reverse is the name under which an address is looked up (RFC 1035, 3596).
func reverse(ip netip.Addr) string {
	b := ip.AsSlice()
	var parts []string
	for i := len(b) - 1; i >= 0; i-- {
		if ip.Is4() {
			parts = append(parts, strconv.Itoa(int(b[i])))
			continue
		}
		parts = append(parts, strconv.FormatInt(int64(b[i]&15), 16), strconv.FormatInt(int64(b[i]>>4), 16))
	}
	if ip.Is4() {
		return strings.Join(parts, ".") + ".in-addr.arpa."
	}
	return strings.Join(parts, ".") + ".ip6.arpa."
}

// txt returns the texts of a name, in quotes.
func txt(c *salt.Ctx, a hostArgs) (any, error) {
	lines, ok := short(c, a.Host, a.Nameserver, dnsmessage.TypeTXT)
	if !ok {
		return value.L(), nil
	}
	return split(lines), nil
}

type nsArgs struct {
	Domain     any  `py:"domain"`          // the domain
	Resolve    bool `py:"resolve=True"`    // their addresses instead of their names
	Nameserver any  `py:"nameserver=None"` // the server to ask, that of resolv.conf(5) by default
}

// ns returns the name servers of a domain.
func ns(c *salt.Ctx, a nsArgs) (any, error) {
	lines, ok := short(c, a.Domain, a.Nameserver, dnsmessage.TypeNS)
	if !ok {
		return value.L(), nil
	}
	if !a.Resolve {
		return split(lines), nil
	}
	out := value.L()
	for _, host := range lines {
		for _, ip := range addresses(c, host, a.Nameserver, dnsmessage.TypeA) {
			out.Append(ip)
		}
	}
	return out, nil
}

type mxArgs struct {
	Domain     any  `py:"domain"`          // the domain
	Resolve    bool `py:"resolve=False"`   // their addresses instead of their names
	Nameserver any  `py:"nameserver=None"` // the server to ask, that of resolv.conf(5) by default
}

// mx returns the mail servers of a domain as pairs of preference and name.
func mx(c *salt.Ctx, a mxArgs) (any, error) {
	lines, ok := short(c, a.Domain, a.Nameserver, dnsmessage.TypeMX)
	out := value.L()
	if !ok {
		return out, nil
	}
	if len(lines) == 0 && !a.Resolve {
		return value.L(value.L()), nil
	}
	for _, l := range lines {
		f := strings.Fields(l)
		if a.Resolve {
			ips := addresses(c, f[1], a.Nameserver, dnsmessage.TypeA)
			if len(ips) == 0 {
				continue
			}
			f[1] = ips[0]
		}
		out.Append(value.Strings(f))
	}
	return out, nil
}

type spfArgs struct {
	Domain     any    `py:"domain"`          // the domain
	Record     string `py:"record='SPF'"`    // the type of record: SPF (then TXT where there is none) or TXT
	Nameserver any    `py:"nameserver=None"` // the server to ask, that of resolv.conf(5) by default
}

// spf returns the addresses and networks that may send mail for a domain.
func spf(c *salt.Ctx, a spfArgs) (any, error) {
	return value.Strings(senders(c, value.Str(a.Domain), a.Record, a.Nameserver, 0)), nil
}

const typeSPF = dnsmessage.Type(99)

func senders(c *salt.Ctx, domain, record string, server any, depth int) []string {
	if depth > 20 { // RFC 7208 allows ten lookups
		return nil
	}
	kind := typeSPF
	if record == "TXT" {
		kind = dnsmessage.TypeTXT
	}
	lines, ok := short(c, domain, server, kind)
	if !ok {
		return nil
	}
	if len(lines) == 0 && record == "SPF" {
		return senders(c, domain, "TXT", server, depth+1)
	}
	for _, line := range lines {
		words := strings.Fields(strings.ReplaceAll(line, `"`, ""))
		if len(words) < 2 || words[0] != "v=spf1" {
			continue
		}
		if to, ok := strings.CutPrefix(words[1], "redirect="); ok {
			return senders(c, to, "SPF", server, depth+1)
		}
		var out []string
		for _, w := range words[1:] {
			how, what, ok := strings.Cut(strings.TrimLeft(w, "+~"), ":")
			switch {
			case !ok:
			case how == "include":
				out = append(out, senders(c, what, "SPF", server, depth+1)...)
			case (how == "ip4" || how == "ip6") && isAddress(what):
				out = append(out, what)
			}
		}
		return out
	}
	return nil
}
