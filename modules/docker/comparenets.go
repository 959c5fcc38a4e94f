package docker

import (
	"net/netip"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type compareNetworksArgs struct {
	First  any `py:"first"`                                      // name or ID of a network, or what inspect_network returned
	Second any `py:"second"`                                     // and of another one
	Ignore any `py:"ignore='Name,Id,Created,Containers,Status'"` // settings that do not matter
}

// compareNetworks returns what differs in the configuration of two networks.
func compareNetworks(c *salt.Ctx, a compareNetworksArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		var nets [2]*value.Map
		for i, v := range []any{a.First, a.Second} {
			m, ok := v.(*value.Map)
			if !ok {
				var err error
				if m, err = d.network(value.Str(v)); err != nil {
					return nil, err
				}
			}
			nets[i] = m
		}
		ignore, out := splitInput(a.Ignore), new(value.Map)
		one, two := nets[0], nets[1]
		keys := one.Keys()
		for _, k := range two.Keys() {
			if !one.HasKey(k) {
				keys = append(keys, k)
			}
		}
		for _, k := range keys {
			key := value.Str(k)
			old, now := one.At(key), two.At(key)
			switch {
			case slices.Contains(ignore, key), !value.Truth(old) && !value.Truth(now):
			case key == "IPAM" && one.Has(key):
				compareIPAM(out, one.Map(key), two.Map(key))
			case key == "Options" && one.Has(key):
				m, n := one.Map(key), two.Map(key)
				for sub, v := range m.Items() {
					if sub != "com.docker.network.bridge.name" && !value.Equal(v, n.At(sub)) {
						differs(out, key, sub, v, n.At(sub))
					}
				}
			case !value.Equal(old, now):
				out.Set(key, value.M("old", old, "new", now))
			}
		}
		return out, nil
	})
}

func differs(out *value.Map, key, sub string, old, now any) {
	m := out.Map(key)
	if m == nil {
		m = new(value.Map)
		out.Set(key, m)
	}
	m.Set(sub, value.M("old", old, "new", now))
}

func compareIPAM(out, one, two *value.Map) {
	for key, old := range one.Items() {
		now := two.At(key)
		switch {
		case !value.Truth(old) && !value.Truth(now):
		case key == "Config":
			old, now := pools(old), pools(now)
			if poolsDiffer(old, now) {
				differs(out, "IPAM", key, old, now)
			}
		case !value.Equal(old, now):
			differs(out, "IPAM", key, old, now)
		}
	}
}

// pools are the pools of addresses without what is empty, in an order.
func pools(v any) *value.List {
	out := value.L()
	l, _ := v.(*value.List)
	if l == nil {
		return out
	}
	for _, it := range l.Items {
		m, _ := it.(*value.Map)
		p := new(value.Map)
		for key, v := range m.Items() {
			if v != nil && v != "" {
				p.Set(key, v)
			}
		}
		out.Append(p)
	}
	slices.SortStableFunc(out.Items, func(a, b any) int { return strings.Compare(value.Repr(a), value.Repr(b)) })
	return out
}

// poolsDiffer looks past a gateway that only one side has when it is the first
// address, which the daemon gives by itself.
func poolsDiffer(one, two *value.List) bool {
	bySubnet := func(l *value.List) *value.Map {
		out := new(value.Map)
		for _, it := range l.Items {
			out.Set(it.(*value.Map).Str("Subnet"), it)
		}
		return out
	}
	a, b := bySubnet(one), bySubnet(two)
	if a.Len() != b.Len() {
		return true
	}
	for subnet, v := range a.Items() {
		if !b.Has(subnet) {
			return true
		}
		m, n := v.(*value.Map).Shallow(), b.Map(subnet).Shallow()
		for _, p := range [][2]*value.Map{{m, n}, {n, m}} {
			if p[0].Has("Gateway") && !p[1].Has("Gateway") && automatic(subnet, p[0].Str("Gateway")) {
				p[0].Pop("Gateway")
			}
		}
		if !value.Equal(m, n) {
			return true
		}
	}
	return false
}

// automatic reports whether a gateway is the first address of its network.
func automatic(subnet, gateway string) bool {
	p, err := netip.ParsePrefix(subnet)
	g, err2 := netip.ParseAddr(gateway)
	return err == nil && err2 == nil && p.Masked().Addr().Next() == g
}

type compareContainerNetworksArgs struct {
	First  any `py:"first"`  // name or ID of a container (old)
	Second any `py:"second"` // and of another one (new)
}

// compareContainerNetworks returns how two containers are in different
// networks, or otherwise in the same. The option
// docker.compare_container_networks says what counts.
func compareContainerNetworks(c *salt.Ctx, a compareContainerNetworksArgs) (*value.Map, error) {
	v, err := c.Call("config.option", "docker.compare_container_networks")
	if err != nil {
		return nil, err
	}
	keys, _ := v.(*value.Map)
	return ask(c, func(d daemon) (*value.Map, error) {
		first, err := d.inNetworks(a.First)
		if err != nil {
			return nil, err
		}
		second, err := d.inNetworks(a.Second)
		if err != nil {
			return nil, err
		}
		d.drop(first, second)
		n := netDiff{out: new(value.Map), old: first.nets, now: second.nets, automatic: splitInput(keys.At("automatic"))}
		n.compare(splitInput(keys.At("static")), first, second)
		return n.out, nil
	})
}
