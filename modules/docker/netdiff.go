package docker

import (
	"slices"

	"pinch/value"
)

// A member is a container in its networks.
type member struct {
	id, hostname string
	running      bool
	nets         *value.Map
}

// inNetworks looks a container up; v may be what inspect_container returned.
func (d daemon) inNetworks(v any) (*member, error) {
	m, ok := v.(*value.Map)
	name := value.Str(v)
	if ok {
		name = m.Str("Id")
	}
	now, err := d.container(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		m = now
	}
	s := now.Map("State")
	return &member{m.Str("Id"), m.Map("Config").Str("Hostname"), s.Truth("Running") && !s.Truth("Paused"), m.Map("NetworkSettings").Map("Networks").Shallow()}, nil
}

// drop takes out networks that a container is not really in: the daemon keeps
// one that it could not join, for instance because of its address.
func (d daemon) drop(members ...*member) {
	in := map[string]*value.Map{}
	for _, m := range members {
		for _, k := range m.nets.Keys() {
			name := value.Str(k)
			if in[name] == nil {
				n, err := d.network(name)
				if err != nil {
					d.c.Log.Warn("Failed to inspect Docker network " + name + ": " + err.Error())
					continue
				}
				in[name] = n
			}
			if m.running && !in[name].Map("Containers").Has(m.id) {
				m.nets.Pop(name)
			}
		}
	}
}

// netDiff compares two containers network by network.
type netDiff struct {
	out       *value.Map
	old, now  *value.Map
	automatic []string // keys of addresses that the daemon gives
}

func (n *netDiff) set(net, key string, old, now any) { differs(n.out, net, key, old, now) }

func (n *netDiff) compare(static []string, first, second *member) {
	for net := range n.old.Items() {
		if n.now.Has(net) {
			continue
		}
		for _, key := range static {
			old := n.old.Map(net).At(key)
			if key == "IPAMConfig" {
				n.addresses(net, &old, nil)
			} else if v, ok := leaving(key, old, first.hostname); ok {
				n.set(net, key, v, nil)
			}
		}
	}
	for net := range n.now.Items() {
		for _, key := range static {
			now := n.now.Map(net).At(key)
			switch {
			case !n.old.Has(net) && key == "IPAMConfig":
				n.addresses(net, nil, &now)
			case !n.old.Has(net):
				if v, ok := leaving(key, now, second.hostname); ok {
					n.set(net, key, nil, v)
				}
			default:
				n.both(net, key, n.old.Map(net).At(key), now, first, second)
			}
		}
	}
}

// leaving is a setting of a network that only one container is in, not ok when
// it says nothing.
func leaving(key string, v any, host string) (any, bool) {
	if l, ok := v.(*value.List); ok && key == "Aliases" {
		v = less(l, host)
	}
	return v, value.Truth(v)
}

// less is a list without the first of each item.
func less(l *value.List, items ...string) *value.List {
	out := slices.Clone(l.Items)
	for _, it := range items {
		if i := slices.Index(out, any(it)); i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
	}
	return value.L(out...)
}

// both compares a setting of a network that both containers are in.
func (n *netDiff) both(net, key string, old, now any, first, second *member) {
	switch key {
	case "IPAMConfig":
		n.addresses(net, &old, &now)
		return
	case "Aliases":
		old, now = named(old, first), named(now, second)
	default:
		old, now = ordered(old), ordered(now)
	}
	if (value.Truth(old) || value.Truth(now)) && !value.Equal(old, now) {
		n.set(net, key, old, now)
	}
}

// named are the aliases that somebody gave; the daemon adds the host's name and
// the short ID.
func named(v any, m *member) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	if l = less(l, m.hostname, short(m.id)); l.Len() == 0 {
		return nil
	}
	return ordered(l)
}

// addresses compares IPAMConfig; nil: not in the network. Without one the
// daemon gives the addresses.
func (n *netDiff) addresses(net string, old, now *any) {
	static := func(v *any) bool { return v != nil && value.Truth(*v) }
	fixed := func(v *any) any {
		if v == nil {
			return nil
		}
		return *v
	}
	wasAuto, isAuto := old != nil && !static(old), now != nil && !static(now)
	switch {
	case wasAuto && (static(now) || now == nil):
		found := n.given(net, n.old, true)
		if static(now) {
			n.set(net, "IPAMConfig", nil, *now)
		}
		if !found {
			n.set(net, "IPConfiguration", "automatic", how(static(now)))
		}
	case isAuto && (static(old) || old == nil):
		if !n.given(net, n.now, false) {
			n.set(net, "IPConfiguration", how(static(old)), "automatic")
		}
		if static(old) {
			n.set(net, "IPAMConfig", *old, nil)
		}
	case !value.Equal(fixed(old), fixed(now)):
		n.set(net, "IPAMConfig", fixed(old), fixed(now))
	}
}

// given notes the addresses that the daemon gave, and reports whether there are any.
func (n *netDiff) given(net string, side *value.Map, old bool) bool {
	found := false
	for _, key := range n.automatic {
		v := side.Map(net).At(key)
		if !value.Truth(v) {
			continue
		}
		found = true
		if old {
			n.set(net, key, v, nil)
		} else {
			n.set(net, key, nil, v)
		}
	}
	return found
}

func how(static bool) string {
	if static {
		return "static"
	}
	return "not connected"
}
