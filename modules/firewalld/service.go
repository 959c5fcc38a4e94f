package firewalld

import (
	"slices"

	"pinch/salt"
	"pinch/value"
)

type newServiceArgs struct {
	Name    string `py:"name"`         // the service
	Restart bool   `py:"restart=True"` // reload the rules then
}

// newService makes a service.
func newService(c *salt.Ctx, a newServiceArgs) (string, error) {
	out, err := do(c, "--new-service="+a.Name, "--permanent")
	return made(c, a.Restart, out, err)
}

// deleteService removes a service.
func deleteService(c *salt.Ctx, a newServiceArgs) (string, error) {
	out, err := do(c, "--delete-service="+a.Name, "--permanent")
	return made(c, a.Restart, out, err)
}

// getServices returns the names of the services.
func getServices(c *salt.Ctx, a permanentArgs) (*value.List, error) {
	return list(c, words(nil, "--get-services", a.Permanent)...)
}

// listServices returns the services that a zone lets in.
func listServices(c *salt.Ctx, a someZoneArgs) (*value.List, error) {
	return list(c, words(a.Zone, "--list-services", a.Permanent)...)
}

type zoneServiceArgs struct {
	Service   string `py:"service"`        // the service
	Zone      any    `py:"zone=None"`      // the zone; None: the default one
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// addService lets a service into a zone.
func addService(c *salt.Ctx, a zoneServiceArgs) (string, error) {
	return do(c, words(a.Zone, "--add-service="+a.Service, a.Permanent)...)
}

// removeService lets a service no longer into a zone.
func removeService(c *salt.Ctx, a zoneServiceArgs) (string, error) {
	return do(c, words(a.Zone, "--remove-service="+a.Service, a.Permanent)...)
}

type serviceArgs struct {
	Service string `py:"service"` // the service
}

// getServicePorts returns the ports of a service.
func getServicePorts(c *salt.Ctx, a serviceArgs) (*value.List, error) {
	return list(c, "--permanent", "--service="+a.Service, "--get-ports")
}

// getServiceProtocols returns the protocols of a service.
func getServiceProtocols(c *salt.Ctx, a serviceArgs) (*value.List, error) {
	return list(c, "--permanent", "--service="+a.Service, "--get-protocols")
}

type servicePortArgs struct {
	Service string `py:"service"` // the service
	Port    string `py:"port"`    // a port, such as 53/udp
}

// change changes the ports of a service that is there.
func (a *servicePortArgs) change(c *salt.Ctx, option string) (string, error) {
	known, err := getServices(c, permanentArgs{true})
	switch {
	case err != nil:
		return "", err
	case !slices.Contains(known.Items, any(a.Service)):
		return "", salt.CommandError("The service does not exist.")
	}
	return do(c, "--permanent", "--service="+a.Service, option+a.Port)
}

// addServicePort adds a port to a service.
func addServicePort(c *salt.Ctx, a servicePortArgs) (string, error) {
	return a.change(c, "--add-port=")
}

// removeServicePort takes a port from a service.
func removeServicePort(c *salt.Ctx, a servicePortArgs) (string, error) {
	return a.change(c, "--remove-port=")
}

type serviceProtocolArgs struct {
	Service  string `py:"service"`  // the service
	Protocol string `py:"protocol"` // a protocol, such as ospf
}

// addServiceProtocol adds a protocol to a service.
func addServiceProtocol(c *salt.Ctx, a serviceProtocolArgs) (string, error) {
	return do(c, "--permanent", "--service="+a.Service, "--add-protocol="+a.Protocol)
}

// removeServiceProtocol takes a protocol from a service.
func removeServiceProtocol(c *salt.Ctx, a serviceProtocolArgs) (string, error) {
	return do(c, "--permanent", "--service="+a.Service, "--remove-protocol="+a.Protocol)
}

type serviceStateArgs struct {
	Name      string      `py:"name"`           // the service
	Ports     *value.List `py:"ports=None"`     // its ports, such as 53/udp
	Protocols *value.List `py:"protocols=None"` // its protocols
}

// service makes sure that there is a service with these ports and protocols
// and no other ones.
//
//	dns:
//	  firewalld.service:
//	    - ports: [53/tcp, 53/udp]
func service(c *salt.Ctx, a serviceStateArgs) salt.Result {
	known, err := getServices(c, permanentArgs{true})
	if err != nil {
		return salt.Raised(err)
	}
	isNew := !slices.Contains(known.Items, any(a.Name))
	if isNew && !c.Test {
		if _, err := newService(c, newServiceArgs{a.Name, false}); err != nil {
			return salt.Raised(err)
		}
	}
	z := zoneState{c: c, name: a.Name, isNew: isNew, changes: new(value.Map)}
	for _, p := range []part{
		{
			key: "ports", want: texts(a.Ports), prune: true,
			list:   func() (*value.List, error) { return getServicePorts(c, serviceArgs{a.Name}) },
			add:    func(v string) error { return second(addServicePort(c, servicePortArgs{a.Name, v})) },
			remove: func(v string) error { return second(removeServicePort(c, servicePortArgs{a.Name, v})) },
		},
		{
			key: "protocols", want: texts(a.Protocols), prune: true,
			list:   func() (*value.List, error) { return getServiceProtocols(c, serviceArgs{a.Name}) },
			add:    func(v string) error { return second(addServiceProtocol(c, serviceProtocolArgs{a.Name, v})) },
			remove: func(v string) error { return second(removeServiceProtocol(c, serviceProtocolArgs{a.Name, v})) },
		},
	} {
		if err := z.change(p); err != nil {
			return salt.Failed("Error: %s", err)
		}
	}
	if isNew && z.changes.Len() == 0 {
		z.changes.Set("service", value.M("old", nil, "new", a.Name))
	}
	switch {
	case z.changes.Len() == 0:
		return salt.Correct("'%s' is already in the desired state.", a.Name)
	case c.Test:
		return salt.Would(z.changes, "Configuration for '%s' will change.", a.Name)
	}
	if _, err := reloadRules(c, salt.NoArgs{}); err != nil {
		return salt.Raised(err)
	}
	return salt.Changed(z.changes, "'%s' was configured.", a.Name)
}

func second(_ string, err error) error { return err }
