package firewalld

import (
	"slices"
	"strings"

	"pinch/output"
	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

type presentArgs struct {
	Name            string      `py:"name"`                   // the zone
	BlockIcmp       *value.List `py:"block_icmp=None"`        // types of ICMP to block
	PruneBlockIcmp  bool        `py:"prune_block_icmp=False"` // block no other ones
	Default         bool        `py:"default=None"`           // make it the default zone
	Masquerade      any         `py:"masquerade=None"`        // masquerade or not; None leaves it
	Ports           *value.List `py:"ports=None"`             // ports to let in, such as 53/udp
	PrunePorts      bool        `py:"prune_ports=False"`      // let in no other ones
	PortFwd         *value.List `py:"port_fwd=None"`          // ports to forward: SOURCE:DESTINATION:PROTOCOL or with :ADDRESS
	PrunePortFwd    bool        `py:"prune_port_fwd=False"`   // forward no other ones
	Services        *value.List `py:"services=None"`          // services to let in
	PruneServices   bool        `py:"prune_services=False"`   // let in no other ones
	Interfaces      *value.List `py:"interfaces=None"`        // network cards of the zone
	PruneInterfaces bool        `py:"prune_interfaces=False"` // and no other ones
	Sources         *value.List `py:"sources=None"`           // addresses of the zone
	PruneSources    bool        `py:"prune_sources=False"`    // and no other ones
	RichRules       *value.List `py:"rich_rules=None"`        // rules as in firewalld.richlanguage(5)
	PruneRichRules  bool        `py:"prune_rich_rules=False"` // and no other ones
}

// A zoneState collects what changes about a zone or a service.
type zoneState struct {
	c       *salt.Ctx
	name    string
	isNew   bool // it is not there yet
	changes *value.Map
}

// A part of a zone is a set of texts.
type part struct {
	key         string
	want        []string
	prune       bool // also remove what is not wanted
	list        func() (*value.List, error)
	add, remove func(item string) error
	show        func(item string) any // in changes; nil: as it is
}

func texts(l *value.List) []string {
	var out []string
	if l != nil {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
	}
	return out
}

// minus are the items of a that are not in b, in the order of Python's sets.
func minus(a, b []string) []string {
	return py.SetOrder(slices.DeleteFunc(slices.Clone(py.SetOrder(a)), func(s string) bool { return slices.Contains(b, s) }))
}

// change brings one part to what is wanted.
func (z *zoneState) change(p part) error {
	var now []string
	if !z.isNew || !z.c.Test { // firewalld cannot say anything about what is yet to come
		l, err := p.list()
		if err != nil {
			return err
		}
		now = texts(l)
	}
	more := minus(p.want, now)
	var less []string
	if p.prune {
		less = minus(now, p.want)
	}
	if !z.c.Test {
		for _, item := range more {
			if err := p.add(item); err != nil {
				return err
			}
		}
		for _, item := range less {
			if err := p.remove(item); err != nil {
				return err
			}
		}
	}
	if len(more)+len(less) == 0 {
		return nil
	}
	want := p.want
	if !p.prune {
		want = py.SetOrder(append(slices.Clone(more), py.SetOrder(now)...))
	}
	z.changes.Set(p.key, value.M("old", p.shown(now), "new", p.shown(want)))
	return nil
}

func (p *part) shown(items []string) *value.List {
	l := value.L()
	for _, it := range items {
		if p.show != nil {
			l.Append(p.show(it))
		} else {
			l.Append(it)
		}
	}
	return l
}

// present makes sure that there is a zone with these settings. What is not
// listed stays, unless it is to be pruned.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	z := zoneState{c: c, name: a.Name, changes: new(value.Map)}
	err := z.create()
	if err == nil {
		err = z.all(a)
	}
	switch {
	case err != nil && z.changes.Len() > 0:
		r := salt.Failed("Error: %s", err)
		r.Changes = z.changes
		return z.reloaded(r)
	case err != nil:
		return salt.Failed("Error: %s", err)
	case z.changes.Len() == 0:
		return salt.Correct("'%s' is already in the desired state.", a.Name)
	case c.Test:
		o := output.From(c.Opts, false)
		o.Color, o.Output = false, ""
		return salt.Would(nil, "Configuration for '%s' will change:\n%s", a.Name, strings.TrimRight(output.Format(z.changes, "nested", o), " \n"))
	}
	return z.reloaded(salt.Changed(z.changes, "'%s' was configured.", a.Name))
}

// reloaded puts what changed to use.
func (z *zoneState) reloaded(r salt.Result) salt.Result {
	if z.c.Test {
		return r
	}
	if _, err := reloadRules(z.c, salt.NoArgs{}); err != nil {
		return salt.Raised(err)
	}
	return r
}

// create makes the zone that is not there.
func (z *zoneState) create() error {
	known, err := getZones(z.c, permanentArgs{true})
	if err != nil || slices.Contains(known.Items, any(z.name)) {
		return err
	}
	z.isNew = true
	if !z.c.Test {
		if _, err := newZone(z.c, newZoneArgs{z.name, true}); err != nil {
			return err
		}
	}
	z.changes.Set(z.name, value.M("old", known, "new", z.name))
	return nil
}

func (z *zoneState) all(a presentArgs) error {
	parts := z.parts(a)
	if err := z.some(parts[:1]); err != nil {
		return err
	}
	if a.Default {
		now, err := defaultZone(z.c, salt.NoArgs{})
		if err != nil {
			return err
		}
		if now != z.name {
			if !z.c.Test {
				if _, err := setDefaultZone(z.c, zoneOnlyArgs{z.name}); err != nil {
					return err
				}
			}
			z.changes.Set("default", value.M("old", now, "new", z.name))
		}
	}
	if err := z.masquerade(a.Masquerade); err != nil {
		return err
	}
	return z.some(parts[1:])
}

// some changes the parts that the state speaks of.
func (z *zoneState) some(parts []part) error {
	for _, p := range parts {
		if len(p.want) == 0 && !p.prune {
			continue
		}
		if err := z.change(p); err != nil {
			return err
		}
	}
	return nil
}

func (z *zoneState) masquerade(want any) error {
	now := false
	if !z.isNew || !z.c.Test {
		var err error
		if now, err = getMasquerade(z.c, someZoneArgs{z.name, true}); err != nil {
			return err
		}
	}
	if want == nil || value.Truth(want) == now {
		return nil
	}
	change, done := addMasquerade, "Masquerading successfully set."
	if now {
		change, done = removeMasquerade, "Masquerading successfully disabled."
	}
	if !z.c.Test {
		if _, err := change(z.c, someZoneArgs{z.name, true}); err != nil {
			return err
		}
	}
	z.changes.Set("masquerade", value.M("old", now, "new", done))
	return nil
}
