package translate

import (
	"slices"

	"pinch/value"
)

// Client is what matters of the daemon and of the client's settings.
type Client struct {
	Version  string   // of the API: 1.47; the client knows those from 1.24 up
	ProxyEnv []string // the environment that config.json has for containers: HTTP_PROXY=…
}

// A Creation is what POST /containers/create takes.
type Creation struct {
	Body     *value.Map
	Platform string   // of the query, "" when there is none
	Unused   []string // arguments that nothing takes, sorted
}

// Create makes the body that creates a container of an image, of Salt's
// arguments (see Container) without name. Of networks, a map from names to
// configurations, the one that network_mode names is taken. The error is an
// *Error, or a CommandExecutionError with Salt's text.
func Create(image string, kw *value.Map, o Options, c Client) (*Creation, error) {
	kw = kw.Shallow()
	nets, _ := kw.Pop("networks")
	var networking *value.Map
	if m, ok := nets.(*value.Map); ok && m.HasKey(kw.At("network_mode")) {
		mode := kw.Str("network_mode")
		conf, _ := m.At(mode).(*value.Map)
		e, err := Endpoint(conf, c.Version)
		if err != nil {
			return nil, asSalt("create_endpoint_config", err)
		}
		networking = value.M("EndpointsConfig", value.M(mode, e))
	}
	kw, err := Container(kw, o)
	if err != nil {
		return nil, err
	}
	if networking != nil {
		kw.Set("networking_config", networking)
	}
	return create(image, kw, c)
}

// create makes the body of the client's arguments.
func create(image string, kw *value.Map, c Client) (*Creation, error) {
	host, err := hostConfig(kw, c.Version)
	if err != nil {
		return nil, asSalt("create_host_config", err)
	}
	if full, ok := kw.Pop("host_config"); ok {
		m, ok := full.(*value.Map)
		if !ok {
			return nil, asSalt("create_host_config", typeError("'%s' object is not iterable", value.TypeName(full)))
		}
		host.Update(m)
	}
	kw.Set("host_config", host)
	out := new(Creation)
	if out.Body, err = config(image, kw, c); err != nil {
		return nil, asSalt("create_container", err)
	}
	if kw.Truth("platform") {
		out.Platform = kw.Str("platform")
		if older(c.Version, "1.41") {
			return nil, asSalt("create_container", clientErrorf("platform is not supported for API version < 1.41"))
		}
	}
	for k := range kw.Items() {
		if !slices.Contains(configArgs, k) {
			out.Unused = append(out.Unused, k)
		}
	}
	slices.Sort(out.Unused)
	return out, nil
}
