package firewalld

import (
	"strings"
	"unicode"

	"pinch/salt"
	"pinch/value"
)

type newZoneArgs struct {
	Zone    string `py:"zone"`         // the zone
	Restart bool   `py:"restart=True"` // reload the rules then
}

// made reloads the rules after a success.
func made(c *salt.Ctx, restart bool, out string, err error) (string, error) {
	if err == nil && restart && out == "success" {
		return do(c, "--reload")
	}
	return out, err
}

// newZone makes a zone.
func newZone(c *salt.Ctx, a newZoneArgs) (string, error) {
	out, err := do(c, "--new-zone="+a.Zone, "--permanent")
	return made(c, a.Restart, out, err)
}

// deleteZone removes a zone.
func deleteZone(c *salt.Ctx, a newZoneArgs) (string, error) {
	out, err := do(c, "--delete-zone="+a.Zone, "--permanent")
	return made(c, a.Restart, out, err)
}

// defaultZone returns the zone of connections without one.
func defaultZone(c *salt.Ctx, _ salt.NoArgs) (string, error) { return ask(c, "--get-default-zone") }

type zoneOnlyArgs struct {
	Zone string `py:"zone"` // the zone
}

// setDefaultZone sets the zone of connections without one.
func setDefaultZone(c *salt.Ctx, a zoneOnlyArgs) (string, error) {
	return do(c, "--set-default-zone="+a.Zone)
}

// getZones returns the names of the zones.
func getZones(c *salt.Ctx, a permanentArgs) (*value.List, error) {
	return list(c, words(nil, "--get-zones", a.Permanent)...)
}

// listZones returns all zones with what is set for them: lists of text.
func listZones(c *salt.Ctx, a permanentArgs) (*value.Map, error) {
	out, err := ask(c, words(nil, "--list-all-zones", a.Permanent)...)
	return zones(out), err
}

type someZoneArgs struct {
	Zone      any  `py:"zone=None"`      // the zone; None: the default one
	Permanent bool `py:"permanent=True"` // the permanent configuration, not the one in use
}

// listAll returns what is set for a zone.
func listAll(c *salt.Ctx, a someZoneArgs) (*value.Map, error) {
	out, err := ask(c, words(a.Zone, "--list-all", a.Permanent)...)
	return zones(out), err
}

// zones reads what firewall-cmd lists: a zone, its settings below, and further
// lines of a setting behind a tab.
func zones(out string) *value.Map {
	all := new(value.Map)
	zone, key := new(value.Map), ""
	for line := range strings.SplitSeq(out, "\n") {
		switch first := rune((line + " ")[0]); {
		case strings.TrimSpace(line) == "":
		case first < 128 && (unicode.IsLetter(first) || unicode.IsDigit(first)):
			// Salt leaves out a zone about which nothing is said.
			zone = new(value.Map)
			all.Set(strings.TrimRight(line, " "), zone)
		case first == '\t':
			if l := zone.List(key); l != nil {
				l.Append(strings.TrimSpace(line))
			}
		default:
			k, v, _ := strings.Cut(line, ":")
			key = strings.TrimSpace(k)
			zone.Set(key, value.L(strings.TrimSpace(v)))
		}
	}
	for _, name := range all.Keys() {
		if all.Map(name.(string)).Len() == 0 {
			all.Pop(name.(string))
		}
	}
	return all
}

// getMasquerade reports whether a zone masquerades.
func getMasquerade(c *salt.Ctx, a someZoneArgs) (bool, error) {
	all, err := listAll(c, a)
	if err != nil {
		return false, err
	}
	for _, it := range all.Items() {
		if l := it.(*value.Map).List("masquerade"); l != nil && l.Items[0] == "no" {
			return false, nil
		}
	}
	return true, nil
}

// addMasquerade has a zone masquerade.
func addMasquerade(c *salt.Ctx, a someZoneArgs) (string, error) {
	return do(c, words(a.Zone, "--add-masquerade", a.Permanent)...)
}

// removeMasquerade has a zone no longer masquerade.
func removeMasquerade(c *salt.Ctx, a someZoneArgs) (string, error) {
	return do(c, words(a.Zone, "--remove-masquerade", a.Permanent)...)
}

type zoneArgs struct {
	Zone      string `py:"zone"`           // the zone
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// getInterfaces returns the network cards of a zone.
func getInterfaces(c *salt.Ctx, a zoneArgs) (*value.List, error) {
	return list(c, words(a.Zone, "--list-interfaces", a.Permanent)...)
}

// getSources returns the addresses of a zone.
func getSources(c *salt.Ctx, a zoneArgs) (*value.List, error) {
	return list(c, words(a.Zone, "--list-sources", a.Permanent)...)
}

type interfaceArgs struct {
	Zone      string `py:"zone"`           // the zone
	Interface string `py:"interface"`      // the network card
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// addInterface puts a network card into a zone.
func addInterface(c *salt.Ctx, a interfaceArgs) (string, error) {
	return do(c, words(a.Zone, "--add-interface="+a.Interface, a.Permanent)...)
}

// removeInterface takes a network card out of a zone.
func removeInterface(c *salt.Ctx, a interfaceArgs) (string, error) {
	return do(c, words(a.Zone, "--remove-interface="+a.Interface, a.Permanent)...)
}

type sourceArgs struct {
	Zone      string `py:"zone"`           // the zone
	Source    string `py:"source"`         // an address or a network
	Permanent bool   `py:"permanent=True"` // the permanent configuration, not the one in use
}

// addSource puts an address into a zone.
func addSource(c *salt.Ctx, a sourceArgs) (string, error) {
	return do(c, words(a.Zone, "--add-source="+a.Source, a.Permanent)...)
}

// removeSource takes an address out of a zone.
func removeSource(c *salt.Ctx, a sourceArgs) (string, error) {
	return do(c, words(a.Zone, "--remove-source="+a.Source, a.Permanent)...)
}
