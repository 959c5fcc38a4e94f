package dockertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

type network struct{ info object }

func (n *network) name() string { return n.info["Name"].(string) }
func (n *network) id() string   { return n.info["Id"].(string) }

func (d *Daemon) network(name string) (*network, error) {
	for _, n := range d.networks {
		if n.name() == name || n.id() == name {
			return n, nil
		}
	}
	return nil, refuse(404, "network %s not found", name)
}

func (d *Daemon) addNetwork(body object) *network {
	order := len(d.networks)
	n := &network{overlay(object{"Driver": "bridge", "Options": object{}, "Labels": object{}, "EnableIPv6": false, "Internal": false, "Attachable": false, "Ingress": false,
		"Scope": "local", "ConfigFrom": object{"Network": ""}, "ConfigOnly": false, "Created": "2024-01-02T03:04:05Z"}, body)}
	n.info["Id"] = d.next("network")
	delete(n.info, "CheckDuplicate")
	ipam, _ := body["IPAM"].(object)
	pools, _ := ipam["Config"].([]any)
	if len(pools) == 0 {
		pools = []any{object{"Subnet": fmt.Sprintf("172.%d.0.0/16", 17+order), "Gateway": fmt.Sprintf("172.%d.0.1", 17+order)}}
	}
	n.info["IPAM"] = overlay(object{"Driver": "default", "Options": nil}, overlay(ipam, object{"Config": pools}))
	d.networks = append(d.networks, n)
	return n
}

func (d *Daemon) networkAnswer(r *http.Request, parts []string, body object) (any, error) {
	if len(parts) == 1 {
		return d.listNetworks(r.URL.Query().Get("filters")), nil
	}
	if parts[1] == "create" {
		for _, n := range d.networks {
			if n.name() == body["Name"] && body["CheckDuplicate"] == true {
				return nil, refuse(409, "network with name %s already exists", n.name())
			}
			if subnetsOverlap(n.info, body) {
				return nil, refuse(403, "Pool overlaps with other one on this address space")
			}
		}
		return object{"Id": d.addNetwork(body).id(), "Warning": ""}, nil
	}
	n, err := d.network(parts[1])
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodDelete {
		return nil, d.removeNetwork(n)
	}
	if len(parts) == 2 {
		return d.inspectNetwork(n), nil
	}
	c, err := d.container(fmt.Sprint(body["Container"]))
	if err != nil {
		return nil, err
	}
	switch _, there := c.nets[n.name()]; parts[2] {
	case "connect":
		if there && c.running {
			return nil, refuse(403, "endpoint with name %s already exists in network %s", c.name, n.name())
		}
		conf, _ := body["EndpointConfig"].(object)
		c.nets[n.name()] = d.endpoint(c, n, conf)
		if c.running {
			if err := d.address(c, n.name()); err != nil {
				delete(c.nets, n.name())
				return nil, err
			}
		}
	case "disconnect":
		if !there {
			return nil, refuse(403, "container %s is not connected to network %s", c.id, n.name())
		}
		delete(c.nets, n.name())
	}
	return []byte{}, nil
}

func subnetsOverlap(a, b object) bool {
	for _, x := range pools(a) {
		for _, y := range pools(b) {
			p, err := netip.ParsePrefix(x)
			q, err2 := netip.ParsePrefix(y)
			if err == nil && err2 == nil && p.Overlaps(q) {
				return true
			}
		}
	}
	return false
}

func pools(info object) []string {
	ipam, _ := info["IPAM"].(object)
	all, _ := ipam["Config"].([]any)
	var out []string
	for _, p := range all {
		out = append(out, fmt.Sprint(p.(object)["Subnet"]))
	}
	return out
}

func (d *Daemon) listNetworks(filters string) []object {
	var f map[string][]string
	_ = json.Unmarshal([]byte(filters), &f)
	out := []object{}
	for _, n := range d.networks {
		keep := len(f) == 0
		for _, name := range f["name"] {
			keep = keep || strings.Contains(n.name(), name)
		}
		for _, id := range f["id"] {
			keep = keep || strings.HasPrefix(n.id(), id)
		}
		if keep {
			info := overlay(n.info, object{"Containers": object{}})
			out = append(out, info)
		}
	}
	return out
}

func (d *Daemon) inspectNetwork(n *network) object {
	in := object{}
	for _, c := range d.containers {
		if e, ok := c.nets[n.name()]; ok && c.running {
			in[c.id] = object{"Name": c.name, "EndpointID": e["EndpointID"], "MacAddress": e["MacAddress"],
				"IPv4Address": fmt.Sprintf("%s/%v", e["IPAddress"], e["IPPrefixLen"]), "IPv6Address": ""}
		}
	}
	return overlay(n.info, object{"Containers": in})
}

func (d *Daemon) removeNetwork(n *network) error {
	if len(d.inspectNetwork(n)["Containers"].(object)) > 0 {
		return refuse(403, "error while removing network: network %s has active endpoints", n.name())
	}
	for i, o := range d.networks {
		if o == n {
			d.networks = append(d.networks[:i:i], d.networks[i+1:]...)
			break
		}
	}
	return nil
}

// endpoint is what a container that does not run has in a network.
func (d *Daemon) endpoint(c *container, n *network, conf object) object {
	e := overlay(object{"IPAMConfig": nil, "Links": nil, "Aliases": nil, "NetworkID": n.id(), "EndpointID": "", "Gateway": "", "IPAddress": "", "IPPrefixLen": 0,
		"IPv6Gateway": "", "GlobalIPv6Address": "", "GlobalIPv6PrefixLen": 0, "MacAddress": "", "DriverOpts": nil}, conf)
	if n.name() != "bridge" && n.name() != "host" && n.name() != "none" {
		given, _ := e["Aliases"].([]any)
		e["Aliases"] = append(append([]any{}, given...), c.id[:12])
	}
	return e
}

// address gives a container that starts its address in a network.
func (d *Daemon) address(c *container, name string) error {
	n, err := d.network(name)
	if err != nil {
		return err
	}
	e := c.nets[name]
	all := pools(n.info)
	if len(all) == 0 {
		return nil
	}
	p, err := netip.ParsePrefix(all[0])
	if err != nil {
		return refuse(500, "%s", err)
	}
	ip := p.Addr().Next()
	for used := range d.used(name) {
		_ = used
		ip = ip.Next()
	}
	ip = ip.Next()
	if conf, ok := e["IPAMConfig"].(object); ok && conf["IPv4Address"] != nil {
		want := fmt.Sprint(conf["IPv4Address"])
		if ip, err = netip.ParseAddr(want); err != nil || !p.Contains(ip) {
			return refuse(400, "invalid address %s: It does not belong to any of this network's subnets", want)
		}
	}
	e["IPAddress"], e["IPPrefixLen"], e["Gateway"] = ip.String(), p.Bits(), p.Addr().Next().String()
	e["EndpointID"], e["MacAddress"], e["NetworkID"] = id("endpoint", c.id+n.id()), "02:42:ac:11:00:02", n.id()
	return nil
}

func (d *Daemon) used(name string) map[string]bool {
	out := map[string]bool{}
	for _, c := range d.containers {
		if e, ok := c.nets[name]; ok && c.running && e["IPAddress"] != "" {
			out[c.id] = true
		}
	}
	return out
}
