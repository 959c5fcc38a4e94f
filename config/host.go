package config

import (
	"context"
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// hostID is the first usable name of this host: the full one by /etc/hosts or
// DNS, the host's own, those of the hosts file, an address; else "localhost".
// The order is that of Salt's generate_minion_id.
func (c *Config) hostID() string {
	if c.o.Hosts != nil {
		return firstName(c.o.Hosts())
	}
	name, _ := os.Hostname()
	hosts, _ := os.ReadFile("/etc/hosts")
	if id := firstName([]string{fullName(name, string(hosts)), name}); id != "localhost" {
		return id
	}
	var names []string
	for _, file := range []string{"/etc/hostname", "/etc/nodename", "/etc/hosts"} {
		text, _ := os.ReadFile(file)
		names = append(names, namesIn(string(text))...)
	}
	return firstName(append(names, addresses()...))
}

// local matches names that would fit any machine.
var local = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(localhost.*|ip6-.*|127[.]\d|0\.0\.0\.0|::1.*|ipv6-.*|fe00::.*|fe02::.*|1.0.0.*.ip6.arpa)`)
})

func firstName(names []string) string {
	for _, n := range names {
		if n != "" && !local().MatchString(n) {
			return n
		}
	}
	return "localhost"
}

// namesIn are the names of a hosts file's loopback lines, and of lines that
// hold a single word, as /etc/hostname does.
func namesIn(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 1 || len(f) > 1 && (strings.HasPrefix(f[0], "127.") || strings.HasPrefix(f[0], "::1")) {
			out = append(out, f...)
		}
	}
	return out
}

// fullName is Python's socket.getfqdn: the name's address looked up again, of
// its names the first with a dot, else its first.
func fullName(name, hosts string) string {
	addr := ""
	if lines := hostsLines(hosts, func(f []string) bool { return slices.Contains(f[1:], name) }); len(lines) > 0 {
		addr = lines[0][0]
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var r net.Resolver
	if addr == "" && name != "" {
		if found, err := r.LookupHost(ctx, name); err == nil && len(found) > 0 {
			addr = found[0]
		}
	}
	if addr == "" {
		return name
	}
	var names []string
	if lines := hostsLines(hosts, func(f []string) bool { return f[0] == addr }); len(lines) > 0 {
		names = lines[0][1:]
	} else if found, err := r.LookupAddr(ctx, addr); err == nil {
		for _, n := range found {
			names = append(names, strings.TrimSuffix(n, "."))
		}
	}
	if len(names) == 0 {
		return name
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.Contains(n, ".") }); i >= 0 {
		return names[i]
	}
	return names[0]
}

func hostsLines(hosts string, keep func([]string) bool) [][]string {
	var out [][]string
	for line := range strings.Lines(hosts) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) > 1 && keep(f) {
			out = append(out, f)
		}
	}
	return out
}

// addresses are this host's IPv4 addresses but the loopback ones, sorted.
func addresses() []string {
	all, _ := net.InterfaceAddrs()
	var out []netip.Addr
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() && !p.Addr().IsLoopback() {
			out = append(out, p.Addr())
		}
	}
	slices.SortFunc(out, netip.Addr.Compare)
	names := make([]string, len(out))
	for i, a := range out {
		names[i] = a.String()
	}
	return names
}
