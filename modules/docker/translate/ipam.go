package translate

import (
	"slices"

	"pinch/value"
)

var poolArgs = []string{"subnet", "iprange", "gateway", "aux_addresses"}

// IPAM makes the configuration of a network's addresses: of pools, each a map
// with the client's names, and of kw: driver (ipam_driver), options
// (ipam_opts), and the arguments of one more pool. warn takes what is odd.
func IPAM(pools []any, kw *value.Map, warn func(string)) (*value.Map, error) {
	kw = kw.Shallow()
	for _, a := range [][2]string{{"driver", "ipam_driver"}, {"options", "ipam_opts"}} {
		v, ok := kw.Pop(a[1])
		switch {
		case ok && kw.Has(a[0]):
			if warn != nil {
				warn("docker.create_ipam_config: Both '" + a[1] + "' and '" + a[0] + "' passed. Ignoring '" + a[1] + "'")
			}
		case ok:
			kw.Set(a[0], v)
		}
	}
	if isDictlist(kw.At("options")) {
		kw.Set("options", repack(kw.At("options")))
	}
	own := new(value.Map)
	for _, name := range poolArgs {
		if v, ok := kw.Pop(name); ok {
			own.Set(name, v)
		}
	}
	if own.Len() > 0 {
		pools = append([]any{own}, pools...)
	}
	all := value.L()
	for _, it := range pools {
		m, ok := it.(*value.Map)
		if !ok {
			return nil, typeError("docker.types.networks.IPAMPool() argument after ** must be a mapping, not %s", value.TypeName(it))
		}
		p, err := pool(m)
		if err != nil {
			return nil, err
		}
		all.Append(p)
	}
	for k := range kw.Items() {
		if k != "driver" && k != "options" {
			return nil, typeError("IPAMConfig.__init__() got an unexpected keyword argument '%s'", k)
		}
	}
	out := value.M("Driver", "default", "Config", all)
	if v, ok := kw.Get("driver"); ok {
		out.Set("Driver", v)
	}
	if v := kw.At("options"); value.Truth(v) {
		if !isA(v, "dict") {
			return nil, typeError("IPAMConfig options must be a dictionary")
		}
		out.Set("Options", v)
	}
	return out, nil
}

func pool(kw *value.Map) (*value.Map, error) {
	for k := range kw.Items() {
		if !slices.Contains(poolArgs, k) {
			return nil, typeError("IPAMPool.__init__() got an unexpected keyword argument '%s'", k)
		}
	}
	out := new(value.Map)
	for _, f := range [][2]string{{"subnet", "Subnet"}, {"iprange", "IPRange"}, {"gateway", "Gateway"}, {"aux_addresses", "AuxiliaryAddresses"}} {
		if v := kw.At(f[0]); v != nil {
			out.Set(f[1], v)
		}
	}
	return out, nil
}
