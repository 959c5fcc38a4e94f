package docker_network

import (
	"crypto/rand"

	"pinch/value"
)

const bridgeName = "com.docker.network.bridge.name"

// temporary is a name for the network to compare with.
func temporary() string {
	b := make([]byte, 20)
	rand.Read(b)
	for i := range b {
		b[i] = 'a' + b[i]%26
	}
	return string(b)
}

// replaceOther compares the network that is there with one that is made of the
// arguments, and removes it when they differ.
func (g *goal) replaceOther() (done bool, err error) {
	if g.net == nil {
		return false, nil
	}
	g.r.Comment = "Network '" + g.Name + "' already exists, and is configured as specified"
	temp := temporary()
	// Two networks cannot share addresses, so the temporary one has none of
	// its own, and no IPv6, which would need some.
	kw := g.kw.Shallow()
	kw.Update(value.M("skip_translate", true, "enable_ipv6", false))
	if o, ok := kw.At("options").(*value.Map); ok && kw.Str("driver") == "bridge" && o.At(bridgeName) != nil {
		name := o.Str(bridgeName) + "comp"
		o = o.Shallow()
		o.Set(bridgeName, name[max(0, len(name)-14):])
		kw.Set("options", o)
	}
	if _, err := g.c.CallKw("docker.create_network", kw, temp); isCommandError(err) {
		return g.fail("Failed to create temp network for comparison: " + err.Error())
	} else if err != nil {
		return true, err
	}
	defer func() {
		_, rmErr := g.c.Call("docker.remove_network", temp)
		switch {
		case isCommandError(rmErr):
			g.r.Warnings = append(g.r.Warnings, "Failed to remove temp network '"+temp+"': "+rmErr.Error()+".")
		case rmErr != nil && err == nil:
			err = rmErr
		}
	}()
	changes, done, err := g.compare(temp)
	if done || err != nil || changes.Len() == 0 {
		return done, err
	}
	g.r.Changes.Set(g.Name, changes)
	if g.c.Test {
		return g.would("Network would be recreated with new config")
	}
	if err := g.remember(); err != nil {
		return true, err
	}
	gone := remove(g.c, g.net)
	if err := gone.Err(); err != nil {
		return true, err
	}
	if !gone.OK() {
		gone.Warnings = append(g.r.Warnings, gone.Warnings...)
		g.r = gone
		return true, nil
	}
	g.net.Set("Containers", new(value.Map))
	return false, nil
}

func (g *goal) compare(temp string) (changes *value.Map, done bool, err error) {
	v, err := g.c.Call("docker.inspect_network", temp)
	if isCommandError(err) {
		done, err = g.fail("Failed to inspect temp network: " + err.Error())
	}
	m, _ := v.(*value.Map)
	if done || err != nil {
		return nil, done, err
	}
	m.Set("EnableIPv6", g.kw.Truth("enable_ipv6"))
	m.Set("IPAM", g.ipam)
	// A network that asks for no addresses has one pool of the daemon's choice.
	ipam := g.net.Map("IPAM")
	if old := ipam.List("Config"); g.ipam.List("Config").Len() == 0 && old.Len() == 1 && chosen(old.Items[0]) {
		ipam.Set("Config", value.L())
	}
	v, err = g.c.CallKw("docker.compare_networks", value.M("ignore", "Name,Id,Created,Containers,Status"), g.net, m)
	changes, _ = v.(*value.Map)
	return changes, false, err
}

// chosen reports whether a pool may be the daemon's choice: it has a subnet
// and a gateway, and nothing else.
func chosen(v any) bool {
	m, _ := v.(*value.Map)
	n := 0
	for k, v := range m.Items() {
		if v == nil || v == "" {
			continue
		}
		if k != "Gateway" && k != "Subnet" {
			return false
		}
		n++
	}
	return n == 2
}

// remember keeps the containers of the network that goes, with their links
// and aliases.
func (g *goal) remember() error {
	for id, it := range g.net.Map("Containers").Items() {
		info, _ := value.Copy(it).(*value.Map)
		g.left.Set(id, info)
		if value.Truth(g.Containers) || !g.Reconnect {
			continue
		}
		v, err := g.c.Call("docker.inspect_container", id)
		if isCommandError(err) {
			continue
		}
		if err != nil {
			return err
		}
		m, _ := v.(*value.Map)
		conf := m.Map("NetworkSettings").Map("Networks").Map(g.Name)
		for _, key := range []string{"Links", "Aliases"} {
			if conf.Truth(key) {
				info.Set(key, conf.At(key))
			}
		}
	}
	return nil
}
