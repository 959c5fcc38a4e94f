package translate

import (
	"sync"

	"pinch/value"
	"pinch/value/py"
)

// Network reads the arguments of a network. The error is an *Error.
func Network(kw *value.Map, o Options) (*value.Map, error) { return networks().translate(kw, o) }

var networks = sync.OnceValue(func() *kind {
	readers := networkReaders()
	readers["ipam_pools"] = ipamPools
	return &kind{
		readers: readers,
		aliases: [][2]string{
			{"driver_opt", "options"}, {"driver_opts", "options"}, {"ipv6", "enable_ipv6"},
			{"ip_range", "iprange"}, {"aux_address", "aux_addresses"},
		},
		finish: func(a *args) error {
			if !a.kw.Has("check_duplicate") {
				a.kw.Set("check_duplicate", true)
			}
			return nil
		},
		single: "ipam_pools",
	}
})

// networkReaders are the readers of all arguments that a pool can have, too.
func networkReaders() map[string]reader {
	return map[string]reader{
		"ipam": readDict, "check_duplicate": readBool, "internal": readBool,
		"labels": labels, "enable_ipv6": readBool, "attachable": readBool, "ingress": readBool,
		"ipam_driver": readStr, "ipam_opts": keyVal("="), "driver": readStr, "options": keyVal("="),
		"subnet": subnet, "iprange": subnet, "gateway": gateway, "aux_addresses": auxAddresses,
	}
}

func subnet(v any, a *args) (any, error) {
	s := value.Str(v)
	if a.ValidateIP {
		return s, checkSubnet(s)
	}
	return s, nil
}

func gateway(v any, a *args) (any, error) {
	s := value.Str(v)
	if a.ValidateIP {
		return s, checkIP(s)
	}
	return s, nil
}

func auxAddresses(v any, a *args) (any, error) {
	return namedAddresses(v, "=", a)
}

func poolAlias(name string) string {
	switch name {
	case "ip_range":
		return "iprange"
	case "aux_address":
		return "aux_addresses"
	}
	return name
}

// ipamPools reads pools of addresses: a list of maps. Their addresses are
// always checked.
func ipamPools(v any, a *args) (any, error) {
	items, err := py.Items(v)
	if err != nil {
		return nil, invalidf("ipam_pools must be a list of dictionaries")
	}
	for _, it := range items {
		if _, ok := it.(*value.Map); !ok {
			return nil, invalidf("ipam_pools must be a list of dictionaries")
		}
	}
	readers := networkReaders()
	inner := &args{Options: Options{ValidateIP: true}}
	for _, it := range items {
		pool := it.(*value.Map)
		for _, k := range pool.Keys() {
			name, ok := k.(string)
			if !ok || a.skip[name] {
				continue
			}
			if real := poolAlias(name); real != name {
				v, _ := pool.Pop(name)
				name = real
				pool.Set(name, v)
			}
			read := readers[name]
			if read == nil {
				continue
			}
			v, err := read(pool.At(name), inner)
			if err != nil {
				return nil, err
			}
			pool.Set(name, v)
		}
	}
	return v, nil
}
