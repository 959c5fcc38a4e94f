// Package dnsutil holds Salt's dnsutil module: names and addresses from DNS,
// hosts files and zone files. Its main variable is Module.
//
//	{{ salt['dnsutil.A']('db.example.org') | join(', ') }}
package dnsutil

import (
	"errors"
	"io/fs"
	"net"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's dnsutil module.
var Module = salt.Module{
	Name: "dnsutil",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"A": salt.Exec(a_), "AAAA": salt.Exec(aaaa), "MX": salt.Exec(mx), "NS": salt.Exec(ns), "SPF": salt.Exec(spf),
			"check_ip":     salt.Exec(checkIP),
			"hosts_append": salt.Exec(hostsAppend),
			"hosts_remove": salt.Exec(hostsRemove),
			"parse_hosts":  salt.Exec(parseHosts),
			"parse_zone":   salt.Exec(parseZone),
			"serial":       salt.Exec(serial),
		}
	},
}

type checkIPArgs struct {
	IPAddr any `py:"ip_addr"` // an address, with or without a prefix length
}

// checkIP says whether a text is an address or a network.
func checkIP(c *salt.Ctx, a checkIPArgs) (any, error) { return c.Call("dig.check_ip", a.IPAddr) }

type hostArgs struct {
	Host       string `py:"host"`            // the name
	Nameserver any    `py:"nameserver=None"` // the server to ask, that of the machine by default
}

// a_ returns the IPv4 addresses of a name. Where dig is not installed, and no
// server is given, /etc/hosts and search domains count, too, as in Salt.
func a_(c *salt.Ctx, a hostArgs) (any, error) { return a.look(c, "dig.A", "ip4") }

// aaaa returns the IPv6 addresses of a name, see dnsutil.A.
func aaaa(c *salt.Ctx, a hostArgs) (any, error) { return a.look(c, "dig.AAAA", "ip6") }

func (a hostArgs) look(c *salt.Ctx, fun, network string) (any, error) {
	if a.Nameserver != nil || c.Sys.LookPath("dig") != "" {
		return c.Call(fun, a.Host, a.Nameserver)
	}
	ips, err := net.DefaultResolver.LookupNetIP(c, network, a.Host)
	if err != nil || len(ips) == 0 {
		return "Unable to resolve " + a.Host, nil
	}
	l := value.L()
	for _, ip := range ips {
		l.Append(ip.Unmap().String())
	}
	return l, nil
}

type nsArgs struct {
	Domain     string `py:"domain"`          // the domain
	Resolve    bool   `py:"resolve=True"`    // their addresses instead of their names
	Nameserver any    `py:"nameserver=None"` // the server to ask, that of resolv.conf(5) by default
}

// ns returns the name servers of a domain.
func ns(c *salt.Ctx, a nsArgs) (any, error) {
	return c.Call("dig.NS", a.Domain, a.Resolve, a.Nameserver)
}

type mxArgs struct {
	Domain     string `py:"domain"`          // the domain
	Resolve    bool   `py:"resolve=False"`   // their addresses instead of their names
	Nameserver any    `py:"nameserver=None"` // the server to ask, that of resolv.conf(5) by default
}

// mx returns the mail servers of a domain as pairs of preference and name.
func mx(c *salt.Ctx, a mxArgs) (any, error) {
	return c.Call("dig.MX", a.Domain, a.Resolve, a.Nameserver)
}

type spfArgs struct {
	Domain     string `py:"domain"`          // the domain
	Record     string `py:"record='SPF'"`    // the type of record: SPF (then TXT where there is none) or TXT
	Nameserver any    `py:"nameserver=None"` // the server to ask, that of resolv.conf(5) by default
}

// spf returns the addresses and networks that may send mail for a domain.
func spf(c *salt.Ctx, a spfArgs) (any, error) {
	return c.Call("dig.SPF", a.Domain, a.Record, a.Nameserver)
}

type parseHostsArgs struct {
	Hostsfile string `py:"hostsfile='/etc/hosts'"` // the file
	Hosts     string `py:"hosts=None"`             // a text instead
}

// parseHosts returns the names in a hosts file by their addresses.
func parseHosts(c *salt.Ctx, a parseHostsArgs) (any, error) {
	text := a.Hosts
	if text == "" {
		b, err := c.Sys.ReadFile(a.Hostsfile)
		if err != nil {
			return "Error: hosts data was not found", nil
		}
		text = string(b)
	}
	return names(text), nil
}

func names(text string) *value.Map {
	m := new(value.Map)
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		l := m.List(f[0])
		if l == nil {
			l = value.L()
			m.Set(f[0], l)
		}
		for _, alias := range f[1:] {
			l.Append(alias)
		}
	}
	return m
}

type appendArgs struct {
	Hostsfile string `py:"hostsfile='/etc/hosts'"` // the file
	IPAddr    string `py:"ip_addr=None"`           // the address
	Entries   string `py:"entries=None"`           // its names, with commas between
}

// hostsAppend adds a line to a hosts file with the names that are not there yet.
// A file that is missing is made.
func hostsAppend(c *salt.Ctx, a appendArgs) (string, error) {
	b, err := c.Sys.ReadFile(a.Hostsfile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	has := map[string]bool{}
	if l := names(string(b)).List(a.IPAddr); l != nil {
		for _, it := range l.Items {
			has[value.Str(it)] = true
		}
	}
	var add []string
	for h := range strings.SplitSeq(a.Entries, ",") {
		if !has[h] {
			add = append(add, h)
		}
	}
	if len(add) == 0 {
		return "No additional hosts were added to " + a.Hostsfile, nil
	}
	line := "\n" + a.IPAddr + " " + strings.Join(add, " ")
	return "The following line was added to " + a.Hostsfile + ":" + line, sys.WriteFile(c.Sys, a.Hostsfile, append(b, line...), sys.FileAttrs{})
}

type removeArgs struct {
	Hostsfile string `py:"hostsfile='/etc/hosts'"` // the file
	Entries   string `py:"entries=None"`           // the names, with commas between
}

// hostsRemove removes names from a hosts file, and lines that have none left.
func hostsRemove(c *salt.Ctx, a removeArgs) (any, error) {
	b, err := c.Sys.ReadFile(a.Hostsfile)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			out.WriteString(line + "\n")
			continue
		}
		for h := range strings.SplitSeq(a.Entries, ",") {
			for i := 1; i < len(f); i++ {
				if f[i] == h {
					f = append(f[:i], f[i+1:]...)
					break
				}
			}
		}
		if len(f) > 1 {
			out.WriteString(strings.Join(f, " ") + "\n")
		}
	}
	return nil, sys.WriteFile(c.Sys, a.Hostsfile, []byte(out.String()), sys.FileAttrs{})
}

type serialArgs struct {
	Zone   string `py:"zone=''"`      // the zone; each has a number of its own
	Update bool   `py:"update=False"` // count up and store the new number
}

// serial returns the serial number of a zone, which is kept in a grain: the
// day and a count, such as 2024051701.
//
//	{{ salt['dnsutil.serial']('example.com') }}
func serial(c *salt.Ctx, a serialArgs) (string, error) {
	key := "dnsserial"
	if a.Zone != "" {
		key += "_" + a.Zone
	}
	v, err := c.Call("grains.get", key)
	if err != nil {
		return "", err
	}
	stored, now := "", c.Sys.Now().Format("20060102")+"01"
	if value.Truth(v) {
		stored = value.Str(v)
	}
	if !a.Update {
		if stored != "" {
			return stored, nil
		}
		return now, nil
	}
	if stored >= now {
		n, err := strconv.ParseInt(stored, 10, 64)
		if err != nil {
			return "", err
		}
		now = strconv.FormatInt(n+1, 10)
	}
	_, err = c.Call("grains.setval", key, now)
	return now, err
}
