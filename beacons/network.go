package beacons

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"pinch/sys"
	"pinch/value"
)

// counters are the attributes of network_info and where the kernel shows them.
func counters() [][2]string {
	return [][2]string{
		{"bytes_sent", "tx_bytes"}, {"bytes_recv", "rx_bytes"}, {"packets_sent", "tx_packets"}, {"packets_recv", "rx_packets"},
		{"errin", "rx_errors"}, {"errout", "tx_errors"}, {"dropin", "rx_dropped"}, {"dropout", "tx_dropped"},
	}
}

// networkInfo tells of interfaces whose counters are equal to, or greater than,
// a number:
//
//	network_info:
//	  - interfaces:
//	      eth0:
//	        type: greater
//	        bytes_sent: 100000
func networkInfo() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("network_info", conf); text != "" {
				return text
			}
			for _, v := range options(conf).Map("interfaces").Items() {
				m, ok := v.(*value.Map)
				if !ok {
					return "Configuration for network_info beacon must be a list of dictionaries."
				}
				known := m.Has("type")
				for _, c := range counters() {
					known = known || m.Has(c[0])
				}
				if !known {
					return "Invalid configuration item in Beacon configuration."
				}
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			return looker(func() ([]*value.Map, error) {
				var out []*value.Map
				for name := range conf.Map("interfaces").Items() {
					stats, ok := counts(e.Sys, name)
					if !ok {
						continue
					}
					c := conf.Map("interfaces").Map(name)
					hit := false
					for _, k := range counters() {
						if !c.Has(k[0]) {
							continue
						}
						limit, err := threshold(c.At(k[0]))
						if err != nil {
							return nil, err
						}
						n := float64(stats.At(k[0]).(int64))
						hit = hit || n == limit && c.At("type") != "greater" || n > limit && c.At("type") == "greater"
					}
					if hit {
						out = append(out, value.M("interface", name, "network_info", stats))
					}
				}
				return out, nil
			}), nil
		},
	}
}

// counts are the counters of an interface.
func counts(s sys.Sys, name string) (*value.Map, bool) {
	if name == "" || strings.ContainsAny(name, "/") {
		return nil, false
	}
	out := new(value.Map)
	for _, k := range counters() {
		b, err := s.ReadFile("/sys/class/net/" + name + "/statistics/" + k[1])
		n, err2 := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
		if err != nil || err2 != nil {
			return nil, false
		}
		out.Set(k[0], n)
	}
	return out, true
}

// attributes are those that network_settings takes.
func attributes() []string {
	return []string{"family", "txqlen", "ipdb_scope", "index", "operstate", "group", "carrier_changes", "ipaddr", "neighbours", "ifname",
		"promiscuity", "linkmode", "broadcast", "address", "num_tx_queues", "ipdb_priority", "kind", "qdisc", "mtu", "num_rx_queues",
		"carrier", "flags", "ifi_type", "ports"}
}

// networkSettings tells when attributes of interfaces change; a name may end in
// a star:
//
//	network_settings:
//	  - interfaces:
//	      eth0:
//	        ipaddr:
//	        mtu:
//	          onvalue: 1400
//	  - coalesce: True
func networkSettings() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("network_settings", conf); text != "" {
				return text
			}
			o := options(conf)
			if o.List("interfaces") != nil {
				return "interfaces section for network_settings beacon must be a dictionary."
			}
			for _, v := range o.Map("interfaces").Items() {
				m, ok := v.(*value.Map)
				if !ok {
					return "Interface attributes for network_settings beacon must be a dictionary."
				}
				for k := range m.Items() {
					if !slices.Contains(attributes(), k) {
						return "Invalid attributes in beacon configuration."
					}
				}
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			last := map[string]*value.Map{}
			first := true
			return looker(func() ([]*value.Map, error) {
				now, err := settings(e.Sys)
				if err != nil {
					return nil, err
				}
				var out []*value.Map
				all := new(value.Map)
				for pattern, wanted := range conf.Map("interfaces").Items() {
					attrs, _ := wanted.(*value.Map)
					for _, name := range sortedNames(now) {
						if !value.Fnmatch(name, pattern) || first {
							continue
						}
						diff := changes(last[name], now[name], attrs)
						if diff.Len() == 0 {
							continue
						}
						if conf.At("coalesce") == true {
							all.Set(name, diff)
							continue
						}
						out = append(out, value.M("tag", name, "interface", name, "change", diff))
					}
				}
				if all.Len() > 0 {
					out = append(out, value.M("tag", "result", "changes", all))
				}
				last, first = now, false
				return out, nil
			}), nil
		},
	}
}

func sortedNames(m map[string]*value.Map) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// changes are the wanted attributes that differ, with onvalue only those that
// have a certain value now.
func changes(old, now, wanted *value.Map) *value.Map {
	out := new(value.Map)
	for attr := range wanted.Items() {
		v := now.At(attr)
		if value.Equal(old.At(attr), v) {
			continue
		}
		if only, ok := wanted.Map(attr).Get("onvalue"); ok && value.Truth(only) && !value.Equal(only, v) {
			continue
		}
		out.Set(attr, v)
	}
	return out
}

// settings are the attributes of all interfaces, from the kernel's files.
func settings(s sys.Sys) (map[string]*value.Map, error) {
	ifs, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	out := map[string]*value.Map{}
	for _, i := range ifs {
		m := value.M("ifname", i.Name, "index", int64(i.Index), "mtu", int64(i.MTU), "address", i.HardwareAddr.String())
		for attr, file := range map[string]string{
			"operstate": "operstate", "carrier": "carrier", "carrier_changes": "carrier_changes", "txqlen": "tx_queue_len",
			"group": "netdev_group", "linkmode": "link_mode", "broadcast": "broadcast", "flags": "flags", "ifi_type": "type",
		} {
			b, err := s.ReadFile("/sys/class/net/" + i.Name + "/" + file)
			if err != nil {
				continue
			}
			text := strings.TrimSpace(string(b))
			if n, err := strconv.ParseInt(text, 0, 64); err == nil {
				m.Set(attr, n)
			} else if attr == "operstate" {
				m.Set(attr, strings.ToUpper(text))
			} else {
				m.Set(attr, text)
			}
		}
		addrs := new(value.List)
		if list, err := i.Addrs(); err == nil {
			for _, a := range list {
				addrs.Append(a.String())
			}
		}
		m.Set("ipaddr", addrs)
		out[i.Name] = m
	}
	return out, nil
}
