package mine

import (
	"slices"

	"pinch/salt"
	"pinch/value"
)

type getDockerArgs struct {
	Interfaces      any  `py:"interfaces=None"`         // take the hosts' addresses from this interface, or list of interfaces
	Cidrs           any  `py:"cidrs=None"`              // addresses of the hosts must be in this network, or list of networks
	WithContainerID bool `py:"with_container_id=False"` // pairs of address and container's id instead of addresses
}

// getDocker returns, for the images that docker.ps put into the mine, where
// their containers' ports can be reached: image, ipv4, port, addresses.
func getDocker(c *salt.Ctx, a getDockerArgs) (*value.Map, error) {
	v, err := get(c, getArgs{Tgt: "*", Fun: "docker.ps", TgtType: "glob"})
	if err != nil {
		return nil, err
	}
	images := new(value.Map)
	hosts, _ := v.(*value.Map)
	for _, h := range hosts.All() {
		host, _ := h.(*value.Map)
		ips, err := addresses(c, host.Map("host").Map("interfaces"), items(a.Interfaces), items(a.Cidrs))
		if err != nil {
			return nil, err
		}
		for name, it := range host.Items() {
			container, _ := it.(*value.Map)
			if name == "host" || container == nil {
				continue
			}
			image := child(images, container.At("Image"))
			ports := container.List("Ports")
			if ports == nil {
				continue
			}
			for _, p := range ports.Items {
				port, _ := p.(*value.Map)
				at := []string{port.Str("IP")}
				switch port.Str("IP") {
				case "":
					continue
				case "0.0.0.0":
					at = ips
				}
				for _, ip := range at {
					l := child(image, "ipv4")
					reach(l, port, ip, container.Map("Info").At("Id"), a.WithContainerID)
				}
			}
		}
	}
	return images, nil
}

// reach notes an address of a container's port.
func reach(ports, port *value.Map, ip string, id any, pairs bool) {
	key := port.At("PrivatePort")
	old, _ := ports.GetKey(key)
	l, _ := old.(*value.List)
	if l == nil {
		l = value.L()
		ports.SetKey(key, l)
	}
	var is any = ip + ":" + value.Str(port.At("PublicPort"))
	if pairs {
		is = value.Tuple{is, id}
	}
	if !slices.ContainsFunc(l.Items, func(x any) bool { return value.Equal(x, is) }) {
		l.Append(is)
	}
}

// child is the mapping under a key, made when it is not there.
func child(m *value.Map, key any) *value.Map {
	if v, ok := m.GetKey(key); ok {
		if in, ok := v.(*value.Map); ok {
			return in
		}
	}
	in := new(value.Map)
	m.SetKey(key, in)
	return in
}

// addresses are the IPv4 addresses of a host's interfaces.
func addresses(c *salt.Ctx, interfaces *value.Map, names, cidrs []any) ([]string, error) {
	var ips []string
	for name, v := range interfaces.Items() {
		if len(names) > 0 && !slices.ContainsFunc(names, func(n any) bool { return value.Equal(n, name) }) {
			continue
		}
		info, _ := v.(*value.Map)
		for _, it := range items(info.At("inet")) {
			m, _ := it.(*value.Map)
			ip := m.Str("address")
			ok := len(cidrs) == 0
			for _, net := range cidrs {
				in, err := c.Call("network.ip_in_subnet", ip, net)
				if err != nil {
					return nil, err
				}
				ok = ok || value.Truth(in)
			}
			if ok && !slices.Contains(ips, ip) {
				ips = append(ips, ip)
			}
		}
	}
	return ips, nil
}

// items are those of a list; another true value is a list of itself.
func items(v any) []any {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	if value.Truth(v) {
		return []any{v}
	}
	return nil
}
