package ip

import (
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

var bondModes = []string{"balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb", "balance-alb"}

// bondOptions are the settings of a bond; those that its mode needs have
// defaults.
func bondOptions(c *salt.Ctx, opts *value.Map, iface string) (*value.Map, error) {
	mode := slices.Index(bondModes, opts.Str("mode"))
	if n, err := strconv.Atoi(opts.Str("mode")); err == nil && n >= 0 && n < len(bondModes) {
		mode = n
	}
	if mode < 0 {
		return nil, badInterface(iface, "mode", "0|1|2|3|4|5|6|"+strings.Join(bondModes, "|"))
	}
	m := value.M("mode", strconv.Itoa(mode))
	var err error
	number := func(key, def, valid string) {
		v, ok := opts.Get(key)
		if !ok {
			v = def
		}
		if _, ok := integer(v); !ok && err == nil {
			err = badInterface(iface, key, valid)
		}
		m.Set(key, v)
	}
	if mode == 0 || mode == 2 {
		if err := targets(m, opts, iface); err != nil {
			return nil, err
		}
		number("arp_interval", "250", "integer")
	} else {
		number("miimon", "100", "integer")
		number("downdelay", "200", "integer")
		number("updelay", "0", "integer")
	}
	if mode == 4 {
		switch opts.At("lacp_rate") {
		case "fast":
			opts.Set("lacp_rate", "1")
		case "slow":
			opts.Set("lacp_rate", "0")
		}
		number("lacp_rate", "0", "fast|1|slow|0")
		number("ad_select", "0", "integer")
	}
	if v, ok := opts.Get("primary"); ok && (mode == 1 || mode == 5 || mode == 6) {
		m.Set("primary", v)
	}
	if mode != 0 && mode != 2 && (mode != 1 || c.Grains.Str("os") != "Ubuntu") {
		m.Set("use_carrier", "on")
		if err := flag(m, opts, iface, "use_carrier", "use_carrier", "1", "0"); err != nil {
			return nil, err
		}
	}
	if v, ok := opts.Get("hashing-algorithm"); ok && (mode == 2 || mode == 4) {
		if !slices.Contains([]string{"layer2", "layer2+3", "layer3+4"}, value.Str(v)) {
			return nil, badInterface(iface, "hashing-algorithm", "layer2|layer2+3|layer3+4")
		}
		m.Set("xmit_hash_policy", v)
	}
	return m, err
}

// targets are the addresses that ARP asks for.
func targets(m, opts *value.Map, iface string) error {
	l := opts.List("arp_ip_target")
	if l == nil || l.Len() < 1 || l.Len() > 16 {
		return badInterface(iface, "arp_ip_target", "list of ips (up to 16)")
	}
	ips := make([]string, l.Len())
	for i, it := range l.Items {
		ips[i] = value.Str(it)
	}
	m.Set("arp_ip_target", strings.Join(ips, ","))
	return nil
}

// buildBond writes the options of a bond for modprobe(8), loads its module and
// returns the lines of the file.
func buildBond(c *salt.Ctx, a buildArgs) (*value.List, error) {
	m, err := bondOptions(c, a.Settings.Shallow(), a.Iface)
	if err != nil {
		return nil, err
	}
	text := "alias " + a.Iface + " bonding\noptions " + a.Iface + " "
	for key, v := range m.Items() {
		text += key + "=" + value.Str(v) + " "
	}
	if trying(c, a.Settings) {
		return lines(text), nil
	}
	path := modprobeDir + a.Iface + ".conf"
	if !sys.IsDir(c.Sys, modprobeDir) {
		return nil, mistake("%s cannot be written. %s does not exist", path, modprobeDir)
	}
	if err := sys.WriteFile(c.Sys, path, []byte(text), sys.FileAttrs{}); err != nil {
		return nil, salt.OSError(err)
	}
	if _, err := c.Call("kmod.load", "bonding"); err != nil {
		return nil, err
	}
	if v, err := c.Call("pkg.version", "ifenslave"); err != nil || !value.Truth(v) {
		if _, err := c.Call("pkg.install", "ifenslave"); err != nil {
			return nil, err
		}
	}
	return fileLines(c, path), nil
}

// getBond returns the options of a bond as lines.
func getBond(c *salt.Ctx, a ifaceArgs) (*value.List, error) {
	return fileLines(c, modprobeDir+a.Iface+".conf"), nil
}

// bridgeOptions are the settings of a bridge.
func bridgeOptions(opts *value.Map, iface string) (*value.Map, error) {
	m := new(value.Map)
	if v, ok := opts.Get("ports"); ok {
		ports := value.Str(v)
		if l, ok := v.(*value.List); ok {
			list := make([]string, l.Len())
			for i, it := range l.Items {
				list[i] = value.Str(it)
			}
			ports = strings.Join(list, " ")
		}
		m.Set("ports", ports)
	}
	for key, read := range map[string]check{"ageing": float, "fd": float, "gcint": float, "hello": float, "maxage": float, "bridgeprio": whole, "maxwait": whole, "hw": bridgeMAC, "pathcost": port, "portprio": port, "waitport": wait} {
		v, ok := opts.Get(key)
		if !ok {
			continue
		}
		if _, ok := read(v); !ok {
			kind := "float"
			switch key {
			case "bridgeprio", "maxwait":
				kind = "integer"
			case "hw":
				kind = "valid MAC address"
			case "pathcost", "portprio":
				kind = "interface integer"
			case "waitport":
				kind = "integer [interfaces]"
			}
			return nil, badInterface(iface, key, kind)
		}
		m.Set(key, v)
	}
	return m, flag(m, opts, iface, "stp", "stp", "on", "off")
}

func whole(v any) (any, bool) { _, ok := v.(int64); return v, ok }

func bridgeMAC(v any) (any, bool) {
	ok, _ := regexp.MatchString(`^[0-9a-f]{2}([-:][0-9a-f]{2}){5}$`, strings.ToLower(value.Str(v)))
	return v, ok
}

func port(v any) (any, bool) {
	f := strings.Fields(value.Str(v))
	if len(f) != 2 {
		return v, false
	}
	_, ok := integer(f[1])
	return v, ok
}

func wait(v any) (any, bool) {
	f := strings.Fields(value.Str(v))
	if len(f) == 0 {
		return v, false
	}
	_, ok := integer(f[0])
	return v, ok
}

// pppOptions are the settings of a connection over PPPoE.
func pppOptions(opts *value.Map, iface string) (*value.Map, error) {
	m := new(value.Map)
	for _, key := range []string{"user", "password", "provider", "pppoe_iface", "holdoff", "maxfail", "lcp-echo-interval", "lcp-echo-failure", "connect", "mtu", "linkname"} {
		if v, ok := opts.Get(key); ok {
			m.Set(key, v)
		}
	}
	if v, ok := opts.Get("provider"); ok && !value.Truth(v) {
		return nil, badInterface(iface, "provider", switches)
	}
	for _, key := range []string{"noipdefault", "usepeerdns", "defaultroute", "hide-password", "noauth", "persist", "noaccomp"} {
		if err := flag(m, opts, iface, key, key, "True", "False"); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// peer writes the options of a provider for pppd(8). They have a password:
// only root reads them.
func peer(c *salt.Ctx, m *value.Map) error {
	if !m.Has("provider") {
		return mistake("provider is a required setting for pppoe interfaces")
	}
	path := peersDir + strings.ReplaceAll(m.Str("provider"), "/", "_")
	if !sys.IsDir(c.Sys, peersDir) {
		return mistake("%s cannot be written.", peersDir)
	}
	mode := fs.FileMode(0o600)
	return salt.OSError(sys.WriteFile(c.Sys, path, []byte(peerText(m)), sys.FileAttrs{Mode: &mode}))
}

func peerText(m *value.Map) string {
	if !m.Truth("user") {
		return ""
	}
	val := func(key, def string) string {
		if v, ok := m.Get(key); ok {
			return value.Str(v)
		}
		return def
	}
	on := func(key string) string {
		if val(key, "True") == "False" {
			return ""
		}
		return key
	}
	pair := func(key, def string) string {
		if v := val(key, def); v != "" {
			return key + " " + v
		}
		return ""
	}
	text := "user " + m.Str("user") + "\n"
	if m.Truth("password") {
		text += "password " + m.Str("password") + " "
	}
	text += "\nplugin rp-pppoe.so " + val("pppoe_iface", "eth0") + "\n\n"
	text += strings.Join([]string{on("noipdefault"), on("usepeerdns"), on("defaultroute"), "", pair("holdoff", "15"), pair("maxfail", "0"), "", on("hide-password"),
		pair("lcp-echo-interval", "20"), pair("lcp-echo-failure", "3"), "", on("noauth"), on("persist"), pair("mtu", "1492"), on("noaccomp")}, "\n") + "\n"
	if m.Has("linkname") {
		text += "\nlinkname " + m.Str("linkname") + "\n"
	}
	return text
}
