package docker_network

import (
	"strings"

	"pinch/modules/docker/translate"
	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name             string     `py:"name"`                    // the network
	SkipTranslate    any        `py:"skip_translate=None"`     // arguments that go to the API as they are: names, or True for all
	IgnoreCollisions bool       `py:"ignore_collisions=False"` // of two names of one argument the API's wins, instead of an error
	ValidateIPAddrs  bool       `py:"validate_ip_addrs=True"`  // check that addresses and networks are some
	Containers       any        `py:"containers=None"`         // containers to connect; better say it in docker_container.running
	Reconnect        bool       `py:"reconnect=True"`          // connect the containers again that were in a network that is replaced
	Kwargs           *value.Map `py:"**kwargs"`                // driver, driver_opts, labels, internal, attachable, enable_ipv6, scope, ingress; subnet, gateway, iprange, aux_addresses or ipam_pools; ipam_driver, ipam_opts; or ipam
}

// A goal is a network on its way to what a state says.
type goal struct {
	presentArgs
	c    *salt.Ctx
	kw   *value.Map // the API's arguments, but for addresses
	ipam *value.Map // the addresses
	net  *value.Map // what is there, nil when nothing is

	connect *value.Map // containers to connect, by ID: {Name, …}
	left    *value.Map // containers that were in a network that was replaced
	r       salt.Result
}

// present makes sure that a network of these arguments is there. One that
// differs is replaced.
//
//	backend:
//	  docker_network.present:
//	    - driver: macvlan
//	    - driver_opts:
//	      - parent: eth0
//	    - ipam_pools:
//	      - subnet: 10.0.20.0/24
//	      - subnet: fe3f:2180:26:1::/123
func present(c *salt.Ctx, a presentArgs) salt.Result {
	net, err := inspect(c, a.Name)
	if err != nil {
		return broken(err)
	}
	g := &goal{presentArgs: a, c: c, net: net, connect: new(value.Map), left: new(value.Map), r: salt.Failed("")}
	for _, step := range []func() (bool, error){g.find, g.translate, g.replaceOther, g.create, g.connectAll} {
		done, err := step()
		if err != nil {
			return salt.Raised(err)
		}
		if done {
			break
		}
	}
	return g.r
}

func (g *goal) fail(text string) (bool, error) {
	g.r.Result, g.r.Comment = salt.False(), text
	return true, nil
}

func (g *goal) would(text string) (bool, error) {
	g.r.Result, g.r.Comment = nil, text
	return true, nil
}

// find looks for the containers that are to be connected.
func (g *goal) find() (bool, error) {
	var missing, stopped []string
	for _, name := range splitInput(g.Containers) {
		v, err := g.c.Call("docker.inspect_container", name)
		if err != nil && !isCommandError(err) {
			return true, err
		}
		m, _ := v.(*value.Map)
		switch {
		case err != nil || !m.Has("Id"):
			missing = append(missing, name)
		case !m.Map("State").Truth("Running"):
			stopped = append(stopped, name)
		default:
			g.connect.Set(m.Str("Id"), value.M("Name", name))
		}
	}
	if len(missing) > 0 {
		g.r.Warnings = append(g.r.Warnings, "The following containers do not exist: "+strings.Join(missing, ", ")+".")
	}
	if len(stopped) > 0 {
		g.r.Warnings = append(g.r.Warnings, "The following containers are not running: "+strings.Join(stopped, ", ")+".")
	}
	return false, nil
}

func splitInput(v any) []string {
	var out []string
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
		return out
	}
	if !value.Truth(v) {
		return nil
	}
	for part := range strings.SplitSeq(value.Str(v), ",") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

// translate reads the arguments and parts those of addresses from the others.
func (g *goal) translate() (bool, error) {
	kw, err := translate.Network(g.Kwargs, translate.Options{Skip: g.SkipTranslate, IgnoreCollisions: g.IgnoreCollisions, ValidateIP: g.ValidateIPAddrs,
		Log: func(text string) { g.c.Log.Error(text) }})
	if err != nil {
		return g.fail(err.Error())
	}
	own := new(value.Map)
	for _, name := range []string{"ipam", "ipam_driver", "ipam_opts", "ipam_pools", "subnet", "iprange", "gateway", "aux_addresses"} {
		if v, ok := kw.Pop(name); ok {
			own.Set(name, v)
		}
	}
	g.kw = kw
	if v, ok := own.Get("ipam"); ok {
		if own.Len() > 1 {
			return g.fail("Cannot mix the 'ipam' argument with any of the IPAM config arguments. See documentation for details.")
		}
		if g.ipam, ok = v.(*value.Map); !ok {
			return g.fail("'" + value.Str(v) + "' is not a dictionary")
		}
		return false, nil
	}
	var pools []any
	if v, _ := own.Pop("ipam_pools"); v != nil {
		if l, ok := v.(*value.List); ok {
			pools = l.Items
		}
	}
	if g.ipam, err = translate.IPAM(pools, own, func(text string) { g.c.Log.Warn(text) }); err != nil {
		return g.fail(err.Error())
	}
	return false, nil
}

// create makes the network, unless it is there and right.
func (g *goal) create() (bool, error) {
	if g.net != nil && !g.replaced() {
		return false, nil
	}
	if g.c.Test {
		return g.would("Network will be created")
	}
	kw := g.kw.Shallow()
	kw.Set("ipam", g.ipam)
	kw.Set("skip_translate", true)
	if _, err := g.c.CallKw("docker.create_network", kw, g.Name); err != nil {
		return g.fail("Failed to create network '" + g.Name + "': " + err.Error())
	}
	if g.net == nil {
		g.r.Changes.Set("created", true)
		g.r.Comment = "Network '" + g.Name + "' created"
	} else {
		g.r.Changes.Set("recreated", true)
		g.r.Comment = "Network '" + g.Name + "' was replaced with updated config"
	}
	g.net = value.M("Containers", new(value.Map))
	return false, nil
}

// replaced reports whether the network that was there had to go.
func (g *goal) replaced() bool { return g.r.Changes.Has(g.Name) }

// connectAll connects containers, those that were asked for or those that lost
// their network.
func (g *goal) connectAll() (bool, error) {
	if g.Containers == nil && g.Reconnect && g.left.Len() > 0 {
		g.connect = g.left.Shallow()
	}
	for id := range g.net.Map("Containers").Items() {
		g.connect.Pop(id)
	}
	var wrong []string
	for id, it := range g.connect.Items() {
		info := it.(*value.Map)
		err := g.attach(id, info)
		switch {
		case isCommandError(err):
			wrong = append(wrong, err.Error())
		case err != nil:
			return true, err
		case g.left.Has(id):
			g.note("reconnected", info)
		default:
			g.note("connected", info)
		}
	}
	if len(wrong) == 0 {
		g.r.Result = salt.True()
	} else {
		if g.r.Comment != "" {
			g.r.Comment += ". "
		}
		g.r.Comment += strings.Join(wrong, ". ") + "."
	}
	for id, it := range g.left.Items() {
		if !g.connect.Has(id) {
			g.note("disconnected", it.(*value.Map))
		}
	}
	return true, nil
}

// note adds a container to a list in the changes.
func (g *goal) note(key string, info *value.Map) {
	l := g.r.Changes.List(key)
	if l == nil {
		l = value.L()
		g.r.Changes.Set(key, l)
	}
	l.Append(info.At("Name"))
}

// attach connects a container, as it was before when it was, or else as the
// daemon likes.
func (g *goal) attach(id string, info *value.Map) error {
	kw := new(value.Map)
	if g.left.Has(id) {
		for _, k := range [][2]string{{"IPv4Address", "ipv4_address"}, {"IPv6Address", "ipv6_address"}, {"Links", "links"}, {"Aliases", "aliases"}} {
			switch v := info.At(k[0]).(type) {
			case nil:
			case string:
				if i := strings.LastIndexByte(v, '/'); i >= 0 {
					v = v[:i]
				}
				kw.Set(k[1], v)
			default:
				kw.Set(k[1], v)
			}
		}
	}
	_, err := g.c.CallKw("docker.connect_container_to_network", kw, id, g.Name)
	if kw.Len() > 0 && isCommandError(err) {
		_, err = g.c.Call("docker.connect_container_to_network", id, g.Name)
	}
	return err
}
