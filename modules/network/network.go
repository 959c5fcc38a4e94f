// Package network holds Salt's network module: addresses, routes, sockets and
// names of this machine, and arithmetic with networks; and the states of
// interfaces, which the module ip writes. Its main variable is Module.
//
//	{% for ip in salt['network.ip_addrs'](cidr='10.0.0.0/8') %}
package network

import (
	"errors"

	"pinch/salt"
)

// Module is Salt's network module.
var Module = salt.Module{
	Name: "network",
	States: func() salt.Funcs {
		return salt.Funcs{
			"managed": salt.State(managed),
			"routes":  salt.State(routesState),
			"system":  salt.State(system),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if kind == "states" && !has(c, "ip.get_interface") {
			return errors.New("ip module could not be loaded")
		}
		return nil
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"active_tcp":      salt.Exec(activeTcp),
			"arp":             salt.Exec(arp),
			"calc_net":        salt.Exec(calcNet),
			"connect":         salt.Exec(connect),
			"convert_cidr":    salt.Exec(convertCidr),
			"default_route":   salt.Exec(defaultRoute),
			"dig":             salt.Exec(dig),
			"fqdns":           salt.Exec(fqdns),
			"get_bufsize":     salt.Exec(getBufsize),
			"get_fqdn":        salt.Exec(getFqdn),
			"get_hostname":    salt.Exec(getHostname),
			"get_route":       salt.Exec(getRoute),
			"hw_addr":         salt.Exec(hwAddr),
			"hwaddr":          salt.Exec(hwAddr).Named("hw_addr"),
			"ifacestartswith": salt.Exec(ifacestartswith),
			"in_subnet":       salt.Exec(inSubnet),
			"interface":       salt.Exec(interface_),
			"interface_ip":    salt.Exec(interfaceIp),
			"interfaces":      salt.Exec(interfaces),
			"ip_addrs":        salt.Exec(ipAddrs),
			"ip_addrs6":       salt.Exec(ipAddrs6),
			"ip_in_subnet":    salt.Exec(ipInSubnet),
			"ip_neighs":       salt.Exec(ipNeighs),
			"ip_neighs6":      salt.Exec(ipNeighs6),
			"ip_networks":     salt.Exec(ipNetworks),
			"ip_networks6":    salt.Exec(ipNetworks6),
			"ipaddrs":         salt.Exec(ipAddrs).Named("ip_addrs"),
			"ipaddrs6":        salt.Exec(ipAddrs6).Named("ip_addrs6"),
			"iphexval":        salt.Exec(iphexval),
			"ipneighs":        salt.Exec(ipNeighs).Named("ip_neighs"),
			"ipneighs6":       salt.Exec(ipNeighs6).Named("ip_neighs6"),
			"is_loopback":     salt.Exec(isLoopback),
			"is_private":      salt.Exec(isPrivate),
			"mod_bufsize":     salt.Exec(modBufsize),
			"mod_hostname":    salt.Exec(modHostname),
			"netstat":         salt.Exec(netstat),
			"ping":            salt.Exec(ping),
			"reverse_ip":      salt.Exec(reverseIp),
			"routes":          salt.Exec(routes),
			"subnets":         salt.Exec(subnets),
			"subnets6":        salt.Exec(subnets6),
			"traceroute":      salt.Exec(traceroute),
			"wol":             salt.Exec(wol),
		}
	},
}
