package firewalld

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type addPortArgs struct {
	Zone            string `py:"zone"`                   // the zone
	Port            string `py:"port"`                   // a port, such as 53/udp
	Permanent       bool   `py:"permanent=True"`         // the permanent configuration, not the one in use
	ForceMasquerade bool   `py:"force_masquerade=False"` // have the zone masquerade
}

// masquerading has a zone masquerade that does not.
func masquerading(c *salt.Ctx, zone string, force bool) error {
	if !force {
		return nil
	}
	on, err := getMasquerade(c, someZoneArgs{zone, true})
	if err != nil || on {
		return err
	}
	_, err = addMasquerade(c, someZoneArgs{zone, true})
	return err
}

// addPort lets a port into a zone.
func addPort(c *salt.Ctx, a addPortArgs) (string, error) {
	if err := masquerading(c, a.Zone, a.ForceMasquerade); err != nil {
		return "", err
	}
	return do(c, words(a.Zone, "--add-port="+a.Port, a.Permanent)...)
}

type portArgs struct {
	Zone      string `py:"zone"`           // the zone
	Port      string `py:"port"`           // a port, such as 53/udp
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// removePort lets a port no longer into a zone.
func removePort(c *salt.Ctx, a portArgs) (string, error) {
	return do(c, words(a.Zone, "--remove-port="+a.Port, a.Permanent)...)
}

// listPorts returns the ports that a zone lets in.
func listPorts(c *salt.Ctx, a zoneArgs) (*value.List, error) {
	return list(c, words(a.Zone, "--list-ports", a.Permanent)...)
}

type addPortFwdArgs struct {
	Zone            string `py:"zone"`                   // the zone
	Src             string `py:"src"`                    // the port where packets come in
	Dest            string `py:"dest"`                   // the port where they go to
	Proto           string `py:"proto='tcp'"`            // the protocol
	Dstaddr         string `py:"dstaddr=''"`             // the address where they go to; the default is this machine
	Permanent       bool   `py:"permanent=True"`         // the permanent configuration, not the one in use
	ForceMasquerade bool   `py:"force_masquerade=False"` // have the zone masquerade
}

// addPortFwd forwards a port.
func addPortFwd(c *salt.Ctx, a addPortFwdArgs) (string, error) {
	if err := masquerading(c, a.Zone, a.ForceMasquerade); err != nil {
		return "", err
	}
	return do(c, words(a.Zone, "--add-forward-port=port="+a.Src+":proto="+a.Proto+":toport="+a.Dest+":toaddr="+a.Dstaddr, a.Permanent)...)
}

type portFwdArgs struct {
	Zone      string `py:"zone"`           // the zone
	Src       string `py:"src"`            // the port where packets come in
	Dest      string `py:"dest"`           // the port where they go to
	Proto     string `py:"proto='tcp'"`    // the protocol
	Dstaddr   string `py:"dstaddr=''"`     // the address where they go to
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// removePortFwd forwards a port no longer.
func removePortFwd(c *salt.Ctx, a portFwdArgs) (string, error) {
	return do(c, words(a.Zone, "--remove-forward-port=port="+a.Src+":proto="+a.Proto+":toport="+a.Dest+":toaddr="+a.Dstaddr, a.Permanent)...)
}

// listPortFwd returns the forwarded ports of a zone: "Source port", Protocol,
// "Destination port" and "Destination address" of each.
func listPortFwd(c *salt.Ctx, a zoneArgs) (*value.List, error) {
	out, err := ask(c, words(a.Zone, "--list-forward-ports", a.Permanent)...)
	if err != nil {
		return nil, err
	}
	all := value.L()
	for line := range strings.SplitSeq(out, "\n") {
		if line == "" {
			continue
		}
		parts := strings.SplitN(line, ":", 4)
		for i, p := range parts {
			_, parts[i], _ = strings.Cut(p, "=")
		}
		if len(parts) != 4 {
			return nil, salt.CommandError("firewall-cmd: unexpected output: %s", line)
		}
		all.Append(value.M("Source port", parts[0], "Protocol", parts[1], "Destination port", parts[2], "Destination address", parts[3]))
	}
	return all, nil
}

type icmpArgs struct {
	Zone      string `py:"zone"`           // the zone
	Icmp      string `py:"icmp"`           // the type of ICMP
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// blocked reports whether a zone blocks a type; known that there is such one.
func (a *icmpArgs) blocked(c *salt.Ctx) (blocked, known bool, err error) {
	types, err := getIcmpTypes(c, permanentArgs{a.Permanent})
	switch {
	case err != nil:
		return false, false, err
	case !slices.Contains(types.Items, any(a.Icmp)):
		c.Log.Error("Invalid ICMP type")
		return false, false, nil
	}
	now, err := listIcmpBlock(c, zoneArgs{a.Zone, a.Permanent})
	if err != nil {
		return false, false, err
	}
	return slices.Contains(now.Items, any(a.Icmp)), true, nil
}

// blockIcmp has a zone block a type of ICMP. It returns "success", or False
// for an unknown type.
func blockIcmp(c *salt.Ctx, a icmpArgs) (any, error) {
	blocked, known, err := a.blocked(c)
	switch {
	case err != nil || !known:
		return false, err
	case blocked:
		return "success", nil
	}
	return do(c, words(a.Zone, "--add-icmp-block="+a.Icmp, a.Permanent)...)
}

// allowIcmp has a zone block a type of ICMP no longer. It returns "success",
// or False for an unknown type.
func allowIcmp(c *salt.Ctx, a icmpArgs) (any, error) {
	blocked, known, err := a.blocked(c)
	switch {
	case err != nil || !known:
		return false, err
	case !blocked:
		return "success", nil
	}
	return do(c, words(a.Zone, "--remove-icmp-block="+a.Icmp, a.Permanent)...)
}

// listIcmpBlock returns the types of ICMP that a zone blocks.
func listIcmpBlock(c *salt.Ctx, a zoneArgs) (*value.List, error) {
	return list(c, words(a.Zone, "--list-icmp-blocks", a.Permanent)...)
}

// getRichRules returns the rich rules of a zone.
func getRichRules(c *salt.Ctx, a zoneArgs) (*value.List, error) {
	out, err := ask(c, words(a.Zone, "--list-rich-rules", a.Permanent)...)
	if err != nil || out == "" {
		return value.L(), err
	}
	return value.Strings(strings.Split(out, "\n")), nil
}

type richRuleArgs struct {
	Zone      string `py:"zone"`           // the zone
	Rule      string `py:"rule"`           // the rule as in firewalld.richlanguage(5)
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// addRichRule adds a rich rule to a zone.
func addRichRule(c *salt.Ctx, a richRuleArgs) (string, error) {
	return do(c, words(a.Zone, "--add-rich-rule="+a.Rule, a.Permanent)...)
}

// removeRichRule takes a rich rule from a zone.
func removeRichRule(c *salt.Ctx, a richRuleArgs) (string, error) {
	return do(c, words(a.Zone, "--remove-rich-rule="+a.Rule, a.Permanent)...)
}
