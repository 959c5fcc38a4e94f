package raid

import (
	"slices"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type presentArgs struct {
	Name    string      `py:"name"`     // the array
	Level   any         `py:"level"`    // the RAID level
	Devices *value.List `py:"devices"`  // its members; missing stands for one that is not there
	Kwargs  *value.Map  `py:"**kwargs"` // metadata; long options of mdadm(8), with True those without a value
}

// A plan is what has to be done about an array.
type plan struct {
	verb    string // assembled, created, or "" when the array is there
	marked  []string
	fresh   *value.List // devices without a mark
	missing *value.List
	isThere bool
	name    string
	level   any
	kwargs  *value.Map
}

// look sorts the devices; mistake says why they cannot be an array.
func look(c *salt.Ctx, a presentArgs) (p plan, mistake string, err error) {
	p = plan{fresh: value.L(), missing: value.L(), name: a.Name, level: a.Level, kwargs: a.Kwargs}
	all, err := list(c, salt.NoArgs{})
	if err != nil {
		return p, "", err
	}
	now := all.Map(a.Name)
	p.isThere = now != nil
	byUUID := map[string][]string{}
	var uuids []string
	for _, dev := range texts(a.Devices) {
		if dev == "missing" || !sys.Exists(c.Sys, dev) {
			p.missing.Append(dev)
			continue
		}
		mark, err := examine(c, examineArgs{dev, true})
		if err != nil {
			return p, "", err
		}
		if uuid := mark.Str("MD_UUID"); mark.Has("MD_UUID") {
			if byUUID[uuid] == nil {
				uuids = append(uuids, uuid)
			}
			byUUID[uuid] = append(byUUID[uuid], dev)
		} else {
			p.fresh.Append(dev)
		}
	}
	slices.Sort(uuids)
	switch {
	case len(uuids) > 1:
		return p, "Devices are a mix of RAID constituents with multiple MD_UUIDs: " + value.Repr(value.Strings(uuids)) + ".", nil
	case len(uuids) == 1 && p.isThere && now.Str("uuid") != uuids[0]:
		return p, "Devices MD_UUIDs: " + uuids[0] + " differs from present RAID uuid " + now.Str("uuid") + ".", nil
	case len(uuids) == 1:
		p.marked = byUUID[uuids[0]]
	}
	switch {
	case p.isThere:
	case len(p.marked) > 0:
		p.verb = "assembled"
	case p.fresh.Len() == 0:
		return p, "All devices are missing: " + value.Repr(p.missing) + ".", nil
	default:
		p.verb = "created"
	}
	return p, "", nil
}

// act assembles or makes the array; with test it only says how.
func (p *plan) act(c *salt.Ctx, test bool) (any, error) {
	if p.verb == "assembled" {
		return assemble(c, assembleArgs{p.name, value.Strings(p.marked), test, p.kwargs})
	}
	args := createArgs{Name: p.name, Level: p.level, Devices: value.L(p.fresh.Items...), Metadata: "default", TestMode: test, Kwargs: p.kwargs.Shallow()}
	if v, ok := args.Kwargs.Pop("metadata"); ok {
		args.Metadata = v
	}
	for range p.missing.Items {
		args.Devices.Append("missing")
	}
	return create(c, args)
}

// present makes sure that there is an array: it is assembled if its members
// have the mark of one, else made. Members without a mark are added.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	p, mistake, err := look(c, a)
	switch {
	case err != nil:
		return salt.Raised(err)
	case mistake != "":
		return salt.Failed("%s", mistake)
	case c.Test:
		return p.announce(c)
	}
	r := salt.Correct("Raid %s already present.", a.Name)
	if p.verb != "" {
		if _, err := p.act(c, false); err != nil {
			return salt.Raised(err)
		}
		all, err := list(c, salt.NoArgs{})
		if err != nil {
			return salt.Raised(err)
		}
		r = salt.Failed("Raid %s failed to be %s.", a.Name, p.verb)
		if m := all.Map(a.Name); m != nil {
			r = salt.Changed(m, "Raid %s %s.", a.Name, p.verb)
			if _, err := saveConfig(c, salt.NoArgs{}); err != nil {
				return salt.Raised(err)
			}
		}
	}
	if p.verb != "created" && p.fresh.Len() > 0 && r.OK() {
		for _, dev := range texts(p.fresh) {
			ok, err := add(c, addArgs{a.Name, dev})
			switch {
			case err != nil:
				return salt.Raised(err)
			case ok:
				r.Comment += " Added new device " + dev + " to " + a.Name + ".\n"
			default:
				r.Comment += " Unable to add " + dev + " to " + a.Name + ".\n"
				r.Result = salt.False()
			}
		}
		if r.OK() {
			r.Changes.Set("added", p.fresh)
		}
	}
	if p.missing.Len() > 0 {
		r.Comment += " Missing devices: " + value.Repr(p.missing)
	}
	return r
}

// announce says what would be done.
func (p *plan) announce(c *salt.Ctx) salt.Result {
	r := salt.Correct("Raid %s already present.", p.name)
	if p.verb != "" {
		words, err := p.act(c, true)
		if err != nil {
			return salt.Raised(err)
		}
		r = salt.Would(nil, "Raid will be %s with: %s", p.verb, value.Str(words))
	}
	if p.verb != "created" && p.fresh.Len() > 0 {
		r.Comment += " New devices will be added: " + value.Repr(p.fresh)
		r.Result = nil
	}
	if p.missing.Len() > 0 {
		r.Comment += " Missing devices: " + value.Repr(p.missing)
	}
	return r
}

type absentArgs struct {
	Name string `py:"name"` // the array
}

// absent makes sure that there is no such array. What is on it is lost.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	all, err := list(c, salt.NoArgs{})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !all.Has(a.Name):
		return salt.Correct("Raid %s already absent", a.Name)
	case c.Test:
		return salt.Would(nil, "Raid %s is set to be destroyed", a.Name)
	}
	ok, err := destroy(c, arrayArgs{a.Name})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Raid %s failed to be destroyed", a.Name)
	}
	return salt.Correct("Raid %s has been destroyed", a.Name)
}
