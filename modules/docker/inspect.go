package docker

import (
	"strings"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

// A daemon is the one that a call asks.
type daemon struct {
	*engine.Client
	c *salt.Ctx
}

func open(c *salt.Ctx) (daemon, error) {
	d, err := engine.For(c)
	return daemon{d, c}, err
}

// ask opens the daemon and has f ask it.
func ask[R any](c *salt.Ctx, f func(daemon) (R, error)) (R, error) {
	d, err := open(c)
	if err != nil {
		var none R
		return none, err
	}
	return f(d)
}

func missing(err error) bool { return engine.Status(err) == 404 }

type nameArgs struct {
	Name string `py:"name"` // name or ID of the container
}

type imageArgs struct {
	Name string `py:"name"` // name or ID of the image
}

type networkArgs struct {
	NetworkID string `py:"network_id"` // name or ID of the network
}

type volumeArgs struct {
	Name string `py:"name"` // the volume
}

func (d daemon) container(name string) (*value.Map, error) {
	return d.Map(engine.Request{Op: "inspect_container", Path: "/containers/" + engine.ID(name) + "/json"})
}

// inspectContainer returns what the daemon knows about a container.
func inspectContainer(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.container(a.Name) })
}

func (d daemon) image(name string) (*value.Map, error) {
	m, err := d.Map(engine.Request{Op: "inspect_image", Path: "/images/" + engine.ID(name) + "/json"})
	if err == nil {
		human(m, "Size", "VirtualSize")
	}
	return m, err
}

// inspectImage returns what the daemon knows about an image.
func inspectImage(c *salt.Ctx, a imageArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.image(a.Name) })
}

func (d daemon) network(name string) (*value.Map, error) {
	return d.Map(engine.Request{Op: "inspect_network", Path: "/networks/" + engine.ID(name)})
}

// inspectNetwork returns what the daemon knows about a network.
func inspectNetwork(c *salt.Ctx, a networkArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.network(a.NetworkID) })
}

func (d daemon) volume(name string) (*value.Map, error) {
	return d.Map(engine.Request{Op: "inspect_volume", Path: "/volumes/" + engine.ID(name)})
}

// inspectVolume returns what the daemon knows about a volume.
func inspectVolume(c *salt.Ctx, a volumeArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.volume(a.Name) })
}

type inspectArgs struct {
	Name string `py:"name"` // name or ID of a container, image, volume or network
}

// inspect returns what the daemon knows about the container, the image, the
// volume or the network of a name, the first of them that there is.
func inspect(c *salt.Ctx, a inspectArgs) (*value.Map, error) {
	d, err := open(c)
	if err != nil {
		return nil, err
	}
	for _, one := range []func(string) (*value.Map, error){d.container, d.image, d.volume, d.network} {
		m, err := one(a.Name)
		if !missing(err) {
			return m, err
		}
	}
	return nil, salt.CommandError("Error 404: No such image/container/volume/network: %s", a.Name)
}

// exists reports whether there is a container.
func exists(c *salt.Ctx, a nameArgs) (bool, error) {
	d, err := open(c)
	if err != nil {
		return false, err
	}
	_, err = d.container(a.Name)
	if engine.Status(err) != 0 {
		return false, nil
	}
	return err == nil, err
}

func (d daemon) state(name string) (string, error) {
	m, err := d.container(name)
	if err != nil {
		return "", err
	}
	return stateOf(m), nil
}

func stateOf(container *value.Map) string {
	switch s := container.Map("State"); {
	case s.Truth("Paused"):
		return "paused"
	case s.Truth("Running"):
		return "running"
	}
	return "stopped"
}

// state returns the state of a container: running, paused or stopped.
func state(c *salt.Ctx, a nameArgs) (string, error) {
	return ask(c, func(d daemon) (string, error) { return d.state(a.Name) })
}

// pid returns the process ID of what a container runs, 0 when it does not run.
func pid(c *salt.Ctx, a nameArgs) (any, error) {
	m, err := inspectContainer(c, a)
	return m.Map("State").At("Pid"), err
}

// info returns what the daemon says about itself and its host.
func info(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) { return d.Map(engine.Request{Op: "info", Path: "/info"}) })
}

// version returns the versions of the daemon and its parts; VersionInfo and
// ApiVersionInfo have the numbers of Version and ApiVersion.
func version(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	d, err := open(c)
	if err != nil {
		return nil, err
	}
	m, err := d.Map(engine.Request{Op: "version", Path: "/version"})
	for _, key := range []string{"Version", "ApiVersion"} {
		if t := numbers(m.Str(key)); t != nil {
			m.Set(key+"Info", t)
		}
	}
	return m, err
}

// numbers are those that a version begins with: 20.10.24+dfsg1 is 20, 10, 24.
func numbers(s string) value.Tuple {
	end := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(s)
	}
	var t value.Tuple
	for part := range strings.SplitSeq(strings.Trim(s[:end], "."), ".") {
		if part != "" {
			t = append(t, value.ScalarArg(part))
		}
	}
	return t
}
