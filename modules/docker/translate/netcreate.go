package translate

import (
	"slices"

	"pinch/value"
)

var networkArgs = []string{"driver", "options", "ipam", "check_duplicate", "internal", "labels", "enable_ipv6", "attachable", "scope", "ingress"}

// CreateNetwork makes the body of POST /networks/create, of Salt's arguments
// (see Network) without name. Arguments of addresses (subnet, ipam_pools …)
// become IPAM, unless ipam has all of it.
func CreateNetwork(name string, kw *value.Map, o Options, c Client) (*value.Map, error) {
	kw, err := Network(kw, o)
	if err != nil {
		return nil, err
	}
	if !kw.Has("ipam") {
		own := new(value.Map)
		for _, k := range append([]string{"ipam_driver", "ipam_opts"}, poolArgs...) {
			if v, ok := kw.Pop(k); ok {
				own.Set(k, v)
			}
		}
		var pools []any
		if v, _ := kw.Pop("ipam_pools"); value.Truth(v) {
			l, ok := v.(*value.List)
			if !ok {
				return nil, typeError("docker.types.networks.IPAMPool() argument after ** must be a mapping, not %s", value.TypeName(v))
			}
			pools = l.Items
		}
		if len(pools) > 0 || own.Len() > 0 {
			m, err := IPAM(pools, own, o.Log)
			if err != nil {
				return nil, err
			}
			kw.Set("ipam", m)
		}
	}
	for k := range kw.Items() {
		if !slices.Contains(networkArgs, k) {
			return nil, asSalt("create_network", typeError("NetworkApiMixin.create_network() got an unexpected keyword argument '%s'", k))
		}
	}
	body, err := network(name, kw, c.Version)
	return body, asSalt("create_network", err)
}

func network(name string, kw *value.Map, version string) (*value.Map, error) {
	for _, arg := range []string{"options", "labels"} {
		if v := kw.At(arg); v != nil && !isA(v, "dict") {
			return nil, typeError("%s must be a dictionary", arg)
		}
	}
	body := new(value.Map)
	for _, f := range []struct {
		name  string
		v     any
		since string
		text  string
	}{
		{"Name", name, "", ""},
		{"Driver", kw.At("driver"), "", ""},
		{"Options", kw.At("options"), "", ""},
		{"IPAM", kw.At("ipam"), "", ""},
		{"CheckDuplicate", kw.At("check_duplicate"), "", ""},
		{"Labels", kw.At("labels"), "", ""},
		{"EnableIPv6", onlyTrue(kw, "enable_ipv6"), "", ""},
		{"Internal", onlyTrue(kw, "internal"), "", ""},
		{"Attachable", kw.At("attachable"), "", ""},
		{"Ingress", kw.At("ingress"), "1.29", "ingress is not supported in API version < 1.29"},
		{"Scope", kw.At("scope"), "1.30", "scope is not supported in API version < 1.30"},
	} {
		if f.v == nil {
			continue
		}
		if older(version, f.since) {
			return nil, clientErrorf("%s", f.text)
		}
		body.Set(f.name, f.v)
	}
	return body, nil
}

func onlyTrue(kw *value.Map, name string) any {
	if kw.Truth(name) {
		return true
	}
	return nil
}
