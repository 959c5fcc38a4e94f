package network

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// ipNeighs returns the IPv4 neighbours: hardware address → address.
func ipNeighs(c *salt.Ctx, _ salt.NoArgs) (any, error) { return neighbours(true) }

// ipNeighs6 returns the IPv6 neighbours: hardware address → address.
func ipNeighs6(c *salt.Ctx, _ salt.NoArgs) (any, error) { return neighbours(false) }

// arp returns the ARP table: hardware address → IPv4 address.
func arp(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	out := new(value.Map)
	text, err := c.Sys.ReadFile("/proc/net/arp")
	if err != nil {
		return out, nil
	}
	for i, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if i == 0 || len(f) < 6 {
			continue
		}
		mac := f[3]
		if f[2] == "0x0" {
			mac = "<incomplete>"
		}
		out.Set(mac, f[0])
	}
	return out, nil
}
