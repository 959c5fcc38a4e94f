// Package ip holds Salt's ip module for Debian and its relatives: interfaces
// of ifupdown, routes, and the settings of the whole network. The states are
// those of network. Its main variable is Module.
//
//	salt-call ip.build_interface eth0 eth True proto=static ipaddr=10.0.0.2 netmask=24
package ip

import (
	"errors"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's ip module.
var Module = salt.Module{
	Name: "ip",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"apply_network_settings": salt.Exec(applyNetworkSettings),
			"build_bond":             salt.Exec(buildBond),
			"build_interface":        salt.Exec(buildInterface),
			"build_network_settings": salt.Exec(buildNetworkSettings),
			"build_routes":           salt.Exec(buildRoutes),
			"down":                   salt.Exec(down),
			"get_bond":               salt.Exec(getBond),
			"get_interface":          salt.Exec(getInterface),
			"get_network_settings":   salt.Exec(getNetworkSettings),
			"get_routes":             salt.Exec(getRoutes),
			"up":                     salt.Exec(up),
		}
	},
	Virtual: func(c *salt.Ctx, _ string) error {
		switch {
		case c.Grains.Str("os_family") != "Debian":
			return errors.New("The debian_ip module could not be loaded: unsupported OS family")
		case c.Sys.LookPath("netplan") != "" && sys.IsDir(c.Sys, "/etc/netplan"):
			return errors.New("The debian_ip module is not loaded: netplan is the active renderer; the netplan_ip provider handles the 'ip' virtual instead")
		}
		return nil
	},
}

const (
	interfacesFile = "/etc/network/interfaces"
	interfacesDir  = "/etc/network/interfaces.d"
	upDir          = "/etc/network/if-up.d/"
	downDir        = "/etc/network/if-down.d/"
	modprobeDir    = "/etc/modprobe.d/"
	networkingFile = "/etc/default/networking"
	resolvFile     = "/etc/resolv.conf"
	peersDir       = "/etc/ppp/peers/"
)

// mistake is an AttributeError, which the states show as their comment.
func mistake(format string, a ...any) error { return value.Errorf("AttributeError", format, a...) }

func badInterface(iface, option, expected string) error {
	return mistake("Invalid option -- Interface: %s, Option: %s, Expected: [%s]", iface, option, expected)
}

const switches = "yes|on|true|1|True|no|off|false|0|False"

// onOff reads a switch; ok is false for anything else.
func onOff(v any) (on, ok bool) {
	switch v {
	case "yes", "on", "true", "1", true:
		return true, true
	case "no", "off", "false", "0", false:
		return false, true
	}
	return value.Equal(v, true), value.Equal(v, true) || value.Equal(v, false)
}

type ifaceTypeArgs struct {
	Iface     string `py:"iface"`      // the interface
	IfaceType string `py:"iface_type"` // eth, bond, bridge, slave, vlan, pppoe, source …
}

func ifupdown(c *salt.Ctx, command string, a ifaceTypeArgs) (any, error) {
	if a.IfaceType == "slave" || a.IfaceType == "source" {
		return nil, nil
	}
	return c.Call("cmd.run", value.L(command, a.Iface))
}

// down shuts an interface down.
func down(c *salt.Ctx, a ifaceTypeArgs) (any, error) { return ifupdown(c, "ifdown", a) }

// up starts an interface.
func up(c *salt.Ctx, a ifaceTypeArgs) (any, error) { return ifupdown(c, "ifup", a) }

// lines splits a text into its lines, with their ends.
func lines(text string) *value.List {
	l := value.L()
	for text != "" {
		n := len(text)
		for i := range len(text) {
			if text[i] == '\n' {
				n = i + 1
				break
			}
		}
		l.Append(text[:n])
		text = text[n:]
	}
	return l
}

// fileLines are the lines of a file; none when it is not there.
func fileLines(c *salt.Ctx, path string) *value.List {
	b, _ := c.Sys.ReadFile(path)
	return lines(string(b))
}

// trying reports whether settings say that nothing is to be changed.
func trying(c *salt.Ctx, settings *value.Map) bool { return c.Test || settings.Truth("test") }

type ifaceArgs struct {
	Iface string `py:"iface"` // the interface
}
