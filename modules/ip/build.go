package ip

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type buildInterfaceArgs struct {
	Iface     string     `py:"iface"`      // the interface
	IfaceType string     `py:"iface_type"` // eth, bond, bridge, slave, vlan, pppoe or source
	Enabled   bool       `py:"enabled"`    // start it with the machine
	Settings  *value.Map `py:"**settings"` // the options of interfaces(5): proto, ipaddr, netmask, gateway, dns …; ipv6… for IPv6; filename; test
}

var kinds = []string{"eth", "bond", "alias", "clone", "ipsec", "dialup", "bridge", "slave", "vlan", "pppoe", "source"}

// buildInterface writes the stanzas of an interface and returns them as lines.
// All other stanzas of the file stay as they are.
//
//	salt-call ip.build_interface eth0 eth True proto=dhcp
func buildInterface(c *salt.Ctx, a buildInterfaceArgs) (*value.List, error) {
	kind := strings.ToLower(a.IfaceType)
	if !slices.Contains(kinds, kind) {
		return nil, badInterface(a.Iface, kind, strings.Join(kinds, "|"))
	}
	opts := new(value.Map)
	for k, v := range a.Settings.Items() {
		if !strings.HasPrefix(k, "__") {
			opts.Set(k, v)
		}
	}
	test := trying(c, opts)
	if err := prepare(c, kind, opts, test); err != nil {
		return nil, err
	}
	ad := new(adapter)
	var err error
	switch kind {
	case "source":
		if !opts.Has("source") {
			return nil, mistake("source is a required setting for source interfaces")
		}
		if ad.sources, err = sources(c, opts.Str("source")); err != nil {
			return nil, err
		}
	case "eth", "bond", "bridge", "slave", "vlan", "pppoe":
		if ad, err = build(c, a.Iface, kind, a.Enabled, opts); err != nil {
			return nil, err
		}
	default:
		return nil, badInterface(a.Iface, kind, "eth|bond|bridge|slave|vlan|pppoe|source")
	}
	text := ad.text(a.Iface)
	if test {
		return asLines(text), nil
	}
	if err := store(c, a.Iface, text, opts); err != nil {
		return nil, err
	}
	if kind == "pppoe" {
		if err := peer(c, ad.data["inet"]); err != nil {
			return nil, err
		}
	}
	return asLines(text), nil
}

// prepare checks what a kind of interface needs, and installs its tools.
func prepare(c *salt.Ctx, kind string, opts *value.Map, test bool) error {
	need := map[string]string{"slave": "master", "bond": "slaves", "bridge": "ports"}[kind]
	if need != "" && !opts.Has(need) {
		text := need + " is a required setting for " + kind + " interfaces"
		if kind == "bridge" {
			text += " on Debian or Ubuntu based systems"
		}
		return mistake("%s", text)
	}
	pkg := map[string]string{"vlan": "vlan", "pppoe": "ppp", "bridge": "bridge-utils"}[kind]
	if pkg == "" || test {
		return nil
	}
	v, err := c.Call("pkg.version", pkg)
	if err != nil || value.Truth(v) {
		return err
	}
	_, err = c.Call("pkg.install", pkg)
	return err
}

// store puts stanzas into the file of interfaces, or into one of their own.
func store(c *salt.Ctx, iface, text string, opts *value.Map) error {
	path := interfacesFile
	if opts.Has("filename") {
		if path = opts.Str("filename"); !strings.HasPrefix(path, "/") {
			path = filepath.Join(interfacesDir, path)
		}
	} else {
		b, _ := c.Sys.ReadFile(path)
		if opts.Has("source") {
			text = sourced(string(b), opts.Str("source"))
		} else {
			text = with(string(b), iface, text)
		}
	}
	if !sys.Exists(c.Sys, filepath.Dir(path)) {
		return mistake("%s cannot be written.", filepath.Dir(path))
	}
	return salt.OSError(sys.WriteFile(c.Sys, path, []byte(text), sys.FileAttrs{}))
}

// sources are the files that are read besides, with one more.
func sources(c *salt.Ctx, more string) ([]string, error) {
	all, err := adapters(c)
	if err != nil {
		return nil, err
	}
	var list []string
	if s := all["source"]; s != nil {
		list = s.sources
	}
	if !slices.Contains(list, more) {
		list = append(list, more)
	}
	return list, nil
}

// sourced is a text of interfaces(5) that reads one more file.
func sourced(text, more string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "source" && f[1] == more {
			return text
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + "source " + more + "\n"
}

var vlanTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.\d*`) })

// build makes an adapter from settings.
func build(c *salt.Ctx, iface, kind string, enabled bool, opts *value.Map) (*adapter, error) {
	ad := &adapter{auto: enabled, hotplug: opts.Truth("hotplug"), data: map[string]*value.Map{"inet": new(value.Map), "inet6": new(value.Map)}}
	for _, family := range []string{"inet", "inet6"} {
		if err := special(c, ad.data[family], family, iface, kind, opts); err != nil {
			return nil, err
		}
	}
	if kind == "slave" {
		opts.Set("proto", "manual")
	}
	opts.Pop("mode")
	for opt, v := range opts.Items() {
		plain(ad, opt, v)
	}
	for _, opt := range commands {
		if v, ok := opts.Get(strings.ReplaceAll(opt, "-", "_") + "_cmds"); ok {
			for _, m := range ad.data {
				m.Set(strings.ReplaceAll(opt, "-", "_")+"_cmds", v)
			}
		}
	}
	for family, enable := range map[string]string{"inet": "enable_ipv4", "inet6": "enable_ipv6"} {
		if opts.At(enable) == false || ad.data[family].Str("addrfam") != family {
			delete(ad.data, family)
		}
	}
	return ad, nil
}

// special sets what depends on the kind of the interface.
func special(c *salt.Ctx, m *value.Map, family, iface, kind string, opts *value.Map) error {
	group := func(key string, g *value.Map, err error) error {
		if err == nil && g.Len() > 0 {
			m.Set(key, g)
		}
		return err
	}
	if kind != "bridge" {
		g, err := ethtoolOptions(opts, iface)
		if err := group("ethtool", g, err); err != nil {
			return err
		}
	}
	if kind != "eth" {
		m.Set("addrfam", family)
	}
	switch kind {
	case "bridge":
		g, err := bridgeOptions(opts, iface)
		if err == nil && g.Len() == 0 {
			m.Pop("addrfam")
		}
		return group("bridging", g, err)
	case "bond":
		g, err := bondOptions(c, opts, iface)
		if err == nil {
			g.Set("slaves", opts.At("slaves"))
		}
		return group("bonding", g, err)
	case "slave":
		m.Set("master", opts.At("master"))
	case "vlan":
		m.Set("vlan_raw_device", vlanTag().ReplaceAllString(iface, ""))
	case "pppoe":
		g, err := pppOptions(opts, iface)
		m.Update(g)
		return err
	}
	return nil
}

// names are Salt's words for options of interfaces(5).
func plainName(opt string) string {
	switch opt {
	case "dns":
		return "dns-nameservers"
	case "search":
		return "dns-search"
	case "hwaddr":
		return "hwaddress"
	case "ipaddr", "addr":
		return "address"
	case "ipaddrs", "addrs":
		return "addresses"
	}
	return opt
}

// plain sets an option in the families that it is for: ipv6ipaddr is for one,
// mtu for both.
func plain(ad *adapter, opt string, v any) {
	only := ""
	switch {
	case strings.HasPrefix(opt, "ipv4"):
		opt, only = opt[4:], "inet"
	case strings.HasPrefix(opt, "ipv6"):
		opt, only = opt[4:], "inet6"
	case slices.Contains([]string{"ipaddr", "address", "ipaddresses", "addresses", "gateway", "proto"}, opt):
		only = "inet"
	}
	if only != "" {
		ad.data[only].Set("addrfam", only)
	}
	opt = plainName(opt)
	key := strings.ReplaceAll(opt, "-", "_")
	for family, m := range ad.data {
		ch := options().of(family, opt)
		if ch == nil {
			continue
		}
		read, ok := ch(v)
		if ok && (only == family || only == "" && !m.Has(key)) {
			m.Set(key, read)
		}
	}
}

// ethtoolOptions are the settings for ethtool(8).
func ethtoolOptions(opts *value.Map, iface string) (*value.Map, error) {
	m := new(value.Map)
	for _, key := range []string{"autoneg", "rx", "tx", "sg", "tso", "ufo", "gso", "gro", "lro"} {
		if err := flag(m, opts, iface, key, ethtool()[key], "on", "off"); err != nil {
			return nil, err
		}
	}
	for key, valid := range map[string]string{"duplex": "full|half", "speed": "10|100|1000|10000"} {
		v, ok := opts.Get(key)
		switch {
		case !ok:
		case !slices.Contains(strings.Split(valid, "|"), value.Str(v)):
			if key == "speed" {
				key = value.Str(v)
			}
			return nil, badInterface(iface, key, valid)
		default:
			m.Set(ethtool()[key], v)
		}
	}
	return m, nil
}

// flag reads a switch.
func flag(m, opts *value.Map, iface, key, name, on, off string) error {
	v, ok := opts.Get(key)
	if !ok {
		return nil
	}
	is, ok := onOff(v)
	if !ok {
		return badInterface(iface, key, switches)
	}
	m.Set(name, map[bool]string{true: on, false: off}[is])
	return nil
}
