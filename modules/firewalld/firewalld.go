// Package firewalld holds Salt's firewalld module: zones and services of
// firewalld, by firewall-cmd. Its main variable is Module.
//
//	public:
//	  firewalld.present:
//	    - default: True
//	    - services: [http, https, ssh]
//	    - prune_services: True
package firewalld

import (
	"errors"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's firewalld module.
var Module = salt.Module{
	Name:   "firewalld",
	States: func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "service": salt.State(service)} },
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add_interface":           salt.Exec(addInterface),
			"add_masquerade":          salt.Exec(addMasquerade),
			"add_port":                salt.Exec(addPort),
			"add_port_fwd":            salt.Exec(addPortFwd),
			"add_rich_rule":           salt.Exec(addRichRule),
			"add_service":             salt.Exec(addService),
			"add_service_port":        salt.Exec(addServicePort),
			"add_service_protocol":    salt.Exec(addServiceProtocol),
			"add_source":              salt.Exec(addSource),
			"allow_icmp":              salt.Exec(allowIcmp),
			"block_icmp":              salt.Exec(blockIcmp),
			"default_zone":            salt.Exec(defaultZone),
			"delete_service":          salt.Exec(deleteService),
			"delete_zone":             salt.Exec(deleteZone),
			"get_icmp_types":          salt.Exec(getIcmpTypes),
			"get_interfaces":          salt.Exec(getInterfaces),
			"get_masquerade":          salt.Exec(getMasquerade),
			"get_rich_rules":          salt.Exec(getRichRules),
			"get_service_ports":       salt.Exec(getServicePorts),
			"get_service_protocols":   salt.Exec(getServiceProtocols),
			"get_services":            salt.Exec(getServices),
			"get_sources":             salt.Exec(getSources),
			"get_zones":               salt.Exec(getZones),
			"list_all":                salt.Exec(listAll),
			"list_icmp_block":         salt.Exec(listIcmpBlock),
			"list_port_fwd":           salt.Exec(listPortFwd),
			"list_ports":              salt.Exec(listPorts),
			"list_services":           salt.Exec(listServices),
			"list_zones":              salt.Exec(listZones),
			"make_permanent":          salt.Exec(makePermanent),
			"new_service":             salt.Exec(newService),
			"new_zone":                salt.Exec(newZone),
			"reload_rules":            salt.Exec(reloadRules),
			"remove_interface":        salt.Exec(removeInterface),
			"remove_masquerade":       salt.Exec(removeMasquerade),
			"remove_port":             salt.Exec(removePort),
			"remove_port_fwd":         salt.Exec(removePortFwd),
			"remove_rich_rule":        salt.Exec(removeRichRule),
			"remove_service":          salt.Exec(removeService),
			"remove_service_port":     salt.Exec(removeServicePort),
			"remove_service_protocol": salt.Exec(removeServiceProtocol),
			"remove_source":           salt.Exec(removeSource),
			"set_default_zone":        salt.Exec(setDefaultZone),
			"version":                 salt.Exec(version),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("firewall-cmd") != "":
			return nil
		case kind == "states":
			return errors.New("firewall-cmd is not available, firewalld is probably not installed.")
		}
		return errors.New("The firewalld execution module cannot be loaded: the firewall-cmd binary is not in the path.")
	},
}

func said(a command.Answer, err error) (string, error) {
	if err == nil && a.Code != 0 {
		err = salt.CommandError("firewall-cmd failed: %s", a.Text())
	}
	return a.Out, err
}

// ask looks at something.
func ask(c *salt.Ctx, words ...string) (string, error) {
	return said(command.Ask(c, append([]string{"firewall-cmd"}, words...)...))
}

// list looks at something that is words.
func list(c *salt.Ctx, words ...string) (*value.List, error) {
	out, err := ask(c, words...)
	if err != nil {
		return nil, err
	}
	return value.Strings(strings.Fields(out)), nil
}

// do changes something and returns "success".
func do(c *salt.Ctx, words ...string) (string, error) {
	return said(command.Do(c, append([]string{"firewall-cmd"}, words...)...))
}

// words puts the zone before an option and --permanent behind it.
func words(zone any, option string, permanent bool) []string {
	var w []string
	if value.Truth(zone) {
		w = append(w, "--zone="+value.Str(zone))
	}
	if w = append(w, option); permanent {
		w = append(w, "--permanent")
	}
	return w
}

// version returns the version of firewalld.
func version(c *salt.Ctx, _ salt.NoArgs) (string, error) { return ask(c, "--version") }

// reloadRules makes the permanent configuration the one in use.
func reloadRules(c *salt.Ctx, _ salt.NoArgs) (string, error) { return do(c, "--reload") }

// makePermanent makes the configuration in use the permanent one.
func makePermanent(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	return do(c, "--runtime-to-permanent")
}

type permanentArgs struct {
	Permanent bool `py:"permanent=True"` // the permanent configuration, not the one in use
}

// getIcmpTypes returns the types of ICMP that firewalld knows.
func getIcmpTypes(c *salt.Ctx, a permanentArgs) (*value.List, error) {
	return list(c, words(nil, "--get-icmptypes", a.Permanent)...)
}
