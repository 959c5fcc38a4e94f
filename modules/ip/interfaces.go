package ip

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// An adapter is what interfaces(5) says about one interface.
type adapter struct {
	auto, hotplug bool
	families      []string              // inet, inet6, in their order
	data          map[string]*value.Map // options by family: addrfam, proto, …
	sources       []string              // of the pseudo interface "source"
}

func (a *adapter) family(name string) *value.Map {
	if a.data == nil {
		a.data = map[string]*value.Map{}
	}
	m := a.data[name]
	if m == nil {
		m = value.M("addrfam", name)
		a.data[name] = m
		a.families = append(a.families, name)
	}
	return m
}

// files are those that ifupdown reads.
func files(c *salt.Ctx) []string {
	var list []string
	if sys.IsFile(c.Sys, interfacesFile) {
		list = append(list, interfacesFile)
	}
	entries, _ := c.Sys.ReadDir(interfacesDir)
	for _, e := range entries {
		if path := filepath.Join(interfacesDir, e.Name()); sys.IsFile(c.Sys, path) {
			list = append(list, path)
		}
	}
	return list
}

// adapters reads all interfaces.
func adapters(c *salt.Ctx) (map[string]*adapter, error) {
	all := map[string]*adapter{}
	for _, path := range files(c) {
		b, err := c.Sys.ReadFile(path)
		if err != nil {
			return nil, salt.OSError(err)
		}
		if err := parse(all, string(b)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// parse reads the text of interfaces(5).
func parse(all map[string]*adapter, text string) error {
	of := func(name string) *adapter {
		if all[name] == nil {
			all[name] = new(adapter)
		}
		return all[name]
	}
	var m *value.Map
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0][0] == '#':
		case strings.HasPrefix(line, "iface"):
			if len(f) != 4 {
				return mistake("Interface file malformed: %s.", value.Repr(value.Strings(f)))
			}
			m = of(f[1]).family(f[2])
			m.Set("proto", f[3])
		case line[0] == ' ' || line[0] == '\t':
			if m != nil && len(f) > 1 {
				option(m, f[0], strings.TrimSpace(strings.TrimSpace(line)[len(f[0]):]))
			}
		case f[0] == "auto":
			for _, name := range f[1:] {
				of(name).auto = true
			}
		case f[0] == "allow-hotplug":
			for _, name := range f[1:] {
				of(name).hotplug = true
			}
		case strings.HasPrefix(line, "source") && len(f) > 1:
			s := of("source")
			s.sources = append(s.sources, f[1])
		}
	}
	return nil
}

var commands = []string{"up", "down", "pre-up", "post-up", "pre-down", "post-down"}

// option reads a line of a stanza.
func option(m *value.Map, attr, val string) {
	into := func(group, key string) {
		g := m.Map(group)
		if g == nil {
			g = new(value.Map)
			m.Set(group, g)
		}
		g.Set(key, val)
	}
	switch name := strings.ReplaceAll(attr, "-", "_"); {
	case options().known(attr):
		var v any = val
		if ch := options().of(m.Str("addrfam"), attr); ch != nil {
			v, _ = ch(val)
		}
		if name == "address" && m.Has("address") {
			more(m, "addresses", v)
			return
		}
		m.Set(name, v)
	case isEthtool(attr):
		into("ethtool", attr)
	case strings.HasPrefix(attr, "bond") && strings.ContainsAny(attr, "_-"):
		into("bonding", attr[strings.IndexAny(attr, "_-")+1:])
	case strings.HasPrefix(attr, "bridge") && strings.ContainsAny(attr, "_-"):
		into("bridging", attr[strings.IndexAny(attr, "_-")+1:])
	case slices.Contains(commands, attr):
		more(m, name+"_cmds", val)
	}
}

// more adds a value to a list.
func more(m *value.Map, key string, v any) {
	l := m.List(key)
	if l == nil {
		l = value.L()
		m.Set(key, l)
	}
	l.Append(v)
}

// order is that of the options in a stanza.
const order = "autoconf privext dhcp hwaddress hwaddr vlan_raw_device address addresses netmask metric gateway pointopoint scope hostname media leasehours leasetime " +
	"vendor client bootfile server mode endpoint dstaddr local ttl mtu provider unit options master dns_nameservers wireless_mode wpa_ap_scan wpa_conf wpa_driver wpa_group " +
	"wpa_key_mgmt wpa_pairwise wpa_proto wpa_psk wpa_roam wpa_ssid accept_ra up_cmds down_cmds pre_up_cmds post_up_cmds pre_down_cmds post_down_cmds"

// debian is what interfaces(5) calls an option.
func debian(opt string) string {
	switch opt {
	case "addresses":
		return "address"
	case "hwaddr":
		return "hwaddress"
	case "master":
		return "bond-master"
	case "accept_ra":
		return opt
	}
	return strings.ReplaceAll(strings.TrimSuffix(opt, "_cmds"), "_", "-")
}

// text writes an adapter as stanzas of interfaces(5).
func (a *adapter) text(name string) string {
	var b strings.Builder
	for _, source := range a.sources {
		b.WriteString("\nsource " + source + "\n")
	}
	if a.auto {
		b.WriteString("auto " + name + "\n")
	}
	if a.hotplug {
		b.WriteString("allow-hotplug " + name + "\n")
	}
	for _, family := range []string{"inet", "inet6"} {
		m := a.data[family]
		if m == nil || !m.Truth("proto") {
			continue
		}
		b.WriteString("iface " + name + " " + family + " " + m.Str("proto") + "\n")
		for opt := range strings.FieldsSeq(order) {
			stanza(&b, debian(opt), m.At(opt), opt == "dns_nameservers")
		}
		for _, group := range [][2]string{{"ethtool", ""}, {"bonding", "bond-"}, {"bridging", "bridge_"}} {
			g := m.Map(group[0])
			keys := make([]string, 0, g.Len())
			for key := range g.Items() {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				stanza(&b, group[1]+key, g.At(key), true)
			}
		}
	}
	return b.String()
}

// stanza writes an option, several lines for the items of a list unless they
// belong on one.
func stanza(b *strings.Builder, name string, v any, joined bool) {
	l, ok := v.(*value.List)
	switch {
	case !value.Truth(v) && !joined, v == nil, v == "":
	case !ok:
		b.WriteString("    " + name + " " + value.Str(v) + "\n")
	case joined:
		words := make([]string, l.Len())
		for i, it := range l.Items {
			words[i] = value.Str(it)
		}
		b.WriteString("    " + name + " " + strings.Join(words, " ") + "\n")
	default:
		for _, it := range l.Items {
			b.WriteString("    " + name + " " + value.Str(it) + "\n")
		}
	}
}

// without is a text of interfaces(5) without an interface, and the place where
// it stood first, -1 if it did not.
func without(text, name string) (rest string, at int) {
	var b strings.Builder
	at = -1
	skip := false
	note := func() {
		if at < 0 {
			at = b.Len()
		}
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			if len(f) == 0 || !skip || line[0] == '#' {
				b.WriteString(line)
			}
			continue
		}
		switch {
		case f[0] == "auto" || strings.HasPrefix(f[0], "allow-"):
			skip = false
			if slices.Contains(f[1:], name) && (f[0] == "auto" || f[0] == "allow-hotplug") {
				others := slices.DeleteFunc(f[1:], func(s string) bool { return s == name })
				if len(others) > 0 {
					b.WriteString(f[0] + " " + strings.Join(others, " ") + "\n")
				}
				note()
				continue
			}
		case f[0] == "iface":
			if skip = len(f) > 1 && f[1] == name; skip {
				note()
			}
		case f[0] == "mapping" || f[0] == "source" || f[0] == "source-directory" || strings.HasPrefix(f[0], "no-") && line[0] != ' ' && line[0] != '\t':
			skip = false
		}
		if !skip {
			b.WriteString(line)
		}
	}
	return b.String(), at
}

// with is a text of interfaces(5) with the stanzas of an interface in place of
// those that there are.
func with(text, name, stanzas string) string {
	rest, at := without(text, name)
	if at < 0 || !begins(rest[at:]) {
		at = len(rest)
	}
	head, tail := rest[:at], rest[at:]
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	if tail == "" && head != "" && !strings.HasSuffix(head, "\n\n") {
		head += "\n"
	}
	return head + stanzas + tail
}

// begins reports whether a text begins with a stanza: other lines would become
// options of what is put before them.
func begins(text string) bool {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		return line[0] > ' ' && (f[0] == "auto" || f[0] == "iface" || f[0] == "mapping" || f[0] == "source" || f[0] == "source-directory" ||
			strings.HasPrefix(f[0], "allow-") || strings.HasPrefix(f[0], "no-"))
	}
	return true
}

// getInterface returns the stanzas of an interface as lines.
func getInterface(c *salt.Ctx, a ifaceArgs) (*value.List, error) {
	all, err := adapters(c)
	if err != nil {
		return nil, err
	}
	ad := all[a.Iface]
	if ad == nil || a.Iface != "source" && len(ad.families) == 0 {
		return value.L(), nil
	}
	return asLines(ad.text(a.Iface)), nil
}

// asLines are the lines of stanzas; the end counts as one, too.
func asLines(text string) *value.List {
	l := value.L()
	for line := range strings.SplitSeq(text, "\n") {
		l.Append(line + "\n")
	}
	return l
}
