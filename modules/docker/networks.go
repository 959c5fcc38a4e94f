package docker

import (
	"net/http"
	"strings"

	"pinch/modules/docker/engine"
	"pinch/modules/docker/translate"
	"pinch/salt"
	"pinch/value"
)

type networksArgs struct {
	Names any `py:"names=None"` // only networks whose names have one of these in them
	Ids   any `py:"ids=None"`   // only networks whose IDs begin so
}

// networks returns the networks with the containers in them.
func networks(c *salt.Ctx, a networksArgs) (*value.List, error) {
	return ask(c, func(d daemon) (*value.List, error) {
		filters := new(value.Map)
		for _, f := range []struct {
			key string
			v   any
		}{{"name", a.Names}, {"id", a.Ids}} {
			if l := splitInput(f.v); len(l) > 0 {
				filters.Set(f.key, value.Strings(l))
			}
		}
		text, err := filterText(filters)
		if err != nil {
			return nil, err
		}
		l, err := d.List(engine.Request{Op: "networks", Path: "/networks", Query: engine.Query("filters", text)})
		if err != nil {
			return nil, err
		}
		for _, it := range l.Items {
			m, ok := it.(*value.Map)
			if !ok {
				continue
			}
			if in, err := d.network(m.Str("Id")); err == nil && value.Truth(in.At("Containers")) {
				m.Set("Containers", in.At("Containers"))
			}
		}
		return l, nil
	})
}

type createNetworkArgs struct {
	Name             string     `py:"name"`                    // the network
	SkipTranslate    any        `py:"skip_translate=None"`     // True, or names of arguments: they reach the API as they are
	IgnoreCollisions bool       `py:"ignore_collisions=False"` // of two names of one argument the API's wins, instead of an error
	ValidateIPAddrs  bool       `py:"validate_ip_addrs=True"`  // False: addresses are not looked at
	ClientTimeout    any        `py:"client_timeout=60"`       // seconds until the daemon must answer
	Kwargs           *value.Map `py:"**kwargs"`                // what it is like: driver, driver_opts, subnet, gateway, ip_range, ipam_pools, labels, internal, enable_ipv6, attachable …
}

// createNetwork makes a network.
//
//	salt-call docker.create_network web driver=bridge subnet=192.168.50.0/24 gateway=192.168.50.1
func createNetwork(c *salt.Ctx, a createNetworkArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		d.Client = d.Within(a.ClientTimeout)
		body, err := translate.CreateNetwork(a.Name, clean(a.Kwargs), d.reading(a.SkipTranslate, a.IgnoreCollisions, a.ValidateIPAddrs),
			translate.Client{Version: d.Version()})
		if err != nil {
			return nil, err
		}
		return d.Map(engine.Request{Op: "create_network", Method: http.MethodPost, Path: "/networks/create", Body: body})
	})
}

// removeNetwork removes a network.
func removeNetwork(c *salt.Ctx, a networkArgs) (bool, error) {
	return ask(c, func(d daemon) (bool, error) {
		_, err := d.Text(engine.Request{Op: "remove_network", Method: http.MethodDelete, Path: "/networks/" + engine.ID(a.NetworkID)})
		return err == nil, err
	})
}

type connectArgs struct {
	Container string     `py:"container"` // name or ID of the container
	NetID     string     `py:"net_id"`    // name or ID of the network
	Kwargs    *value.Map `py:"**kwargs"`  // ipv4_address, ipv6_address, aliases, links, link_local_ips, driver_opt, mac_address
}

// connectContainerToNetwork puts a container into a network.
//
//	salt-call docker.connect_container_to_network web frontend ipv4_address=192.168.50.10
func connectContainerToNetwork(c *salt.Ctx, a connectArgs) (bool, error) {
	return ask(c, func(d daemon) (bool, error) {
		err := d.connect(a.Container, a.NetID, clean(a.Kwargs))
		return err == nil, err
	})
}

func (d daemon) connect(container, network string, kw *value.Map) error {
	body, err := translate.Connect(container, kw, d.Version())
	if err != nil {
		return err
	}
	_, err = d.Text(engine.Request{Op: "connect_container_to_network", Method: http.MethodPost, Path: "/networks/" + engine.ID(network) + "/connect", Body: body})
	return err
}

type disconnectArgs struct {
	Container string `py:"container"`  // name or ID of the container
	NetworkID string `py:"network_id"` // name or ID of the network
}

// disconnectContainerFromNetwork takes a container out of a network.
func disconnectContainerFromNetwork(c *salt.Ctx, a disconnectArgs) (bool, error) {
	return ask(c, func(d daemon) (bool, error) {
		err := d.disconnect(a.Container, a.NetworkID)
		return err == nil, err
	})
}

func (d daemon) disconnect(container, network string) error {
	_, err := d.Text(engine.Request{Op: "disconnect_container_from_network", Method: http.MethodPost,
		Path: "/networks/" + engine.ID(network) + "/disconnect", Body: value.M("Container", container)})
	return err
}

// disconnectAllContainersFromNetwork takes all containers out of a network and
// returns their names.
func disconnectAllContainersFromNetwork(c *salt.Ctx, a networkArgs) (*value.List, error) {
	return ask(c, func(d daemon) (*value.List, error) {
		in, err := d.connected(a.NetworkID)
		if err != nil {
			return nil, err
		}
		out, bad := value.L(), value.L()
		for name := range in.Items() {
			switch err := d.disconnect(name, a.NetworkID); {
			case err == nil:
				out.Append(name)
			case !strings.Contains(err.Error(), "404"):
				bad.Append(err.Error())
			}
		}
		if bad.Len() > 0 {
			return nil, withInfo("One or more containers failed to be removed", value.M("removed", out, "errors", bad))
		}
		return out, nil
	})
}

type connectedArgs struct {
	Name    string `py:"name"`          // name or ID of the network
	Verbose bool   `py:"verbose=False"` // return what the daemon knows about each, by name
}

// connected returns the names of the containers in a network.
func connected(c *salt.Ctx, a connectedArgs) (any, error) {
	return ask(c, func(d daemon) (any, error) {
		m, err := d.connected(a.Name)
		if err != nil || a.Verbose {
			return m, err
		}
		return value.L(m.Keys()...), nil
	})
}

// connected are the containers in a network by their names.
func (d daemon) connected(network string) (*value.Map, error) {
	m, err := d.network(network)
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for id, v := range m.Map("Containers").Items() {
		in, ok := v.(*value.Map)
		name, has := in.Pop("Name")
		if !ok || !has {
			d.c.Log.Warn("'Name' key not present in container definition for container ID '" + id + "' within inspect results for Docker network '" + network + "'.")
			continue
		}
		in.Set("Id", id)
		out.Set(value.Str(name), in)
	}
	return out, nil
}
