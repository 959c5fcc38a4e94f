// Package match holds Salt's match module: it says whether target expressions
// mean this minion, for templates and the command line. Its main variable is
// Module.
//
//	{% if salt['match.compound']('web* and G@os:Debian') %}
package match

import (
	"net/netip"
	"strings"

	"pinch/matcher"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's match module.
var Module = salt.Module{
	Name: "match",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"compound":    salt.Exec(compound),
			"data":        salt.Exec(data),
			"filter_by":   salt.Exec(filterBy),
			"glob":        salt.Exec(glob),
			"grain":       salt.Exec(grain),
			"grain_pcre":  salt.Exec(grainPcre),
			"ifelse":      salt.Exec(ifelse),
			"ipcidr":      salt.Exec(ipcidr),
			"list":        salt.Exec(list).Named("list_"),
			"pcre":        salt.Exec(pcre),
			"pillar":      salt.Exec(pillar),
			"pillar_pcre": salt.Exec(pillarPcre),
			"search_by":   salt.Exec(searchBy),
		}
	},
}

type targetArgs struct {
	Tgt any `py:"tgt"` // the expression
}

type minionArgs struct {
	Tgt      any `py:"tgt"`            // the expression
	MinionID any `py:"minion_id=None"` // an id to match instead of this minion's
}

type pathArgs struct {
	Tgt       any    `py:"tgt"`           // path and value, such as os:Debian
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
}

// match runs a matcher; as in Salt an expression that cannot be read matches nothing.
func match(c *salt.Ctx, kind string, tgt any, id any, delimiter string) (bool, error) {
	m := minion(c)
	if value.Truth(id) {
		m.ID = value.Str(id)
	}
	ok, err := m.Match(kind, tgt, delimiter)
	if err != nil {
		c.Log.Error("match."+kind, "target", value.Str(tgt), "error", err.Error())
		return false, nil
	}
	return ok, nil
}

func minion(c *salt.Ctx) *matcher.Minion {
	return &matcher.Minion{ID: c.Opts.Str("id"), Grains: c.Grains, Pillar: c.Pillar,
		Nodegroups: c.Opts.Map("nodegroups"), Resources: c.Opts.Map("resources"), Custom: c.Matcher()}
}

// compound reports whether the minion matches a compound expression.
func compound(c *salt.Ctx, a minionArgs) (any, error) {
	if s, ok := a.Tgt.(string); ok {
		if net, ok := strings.CutPrefix(strings.TrimSpace(s), "S@"); ok && net != "" && !strings.Contains(net, " ") && !isNetwork(net) {
			return new(value.List), nil
		}
	}
	return match(c, "compound", a.Tgt, a.MinionID, "")
}

// ipcidr reports whether the minion has an address, or one in a network. The
// answer for an expression that is neither is an empty list.
func ipcidr(c *salt.Ctx, a targetArgs) (any, error) {
	if s, ok := a.Tgt.(string); ok && !isNetwork(s) {
		return new(value.List), nil
	}
	return match(c, "ipcidr", a.Tgt, nil, "")
}

func isNetwork(s string) bool {
	if _, err := netip.ParseAddr(s); err == nil {
		return true
	}
	_, ok := matcher.ParseNetwork(s)
	return ok
}

// pillarPcre matches a pillar value against a regular expression.
func pillarPcre(c *salt.Ctx, a pathArgs) (bool, error) {
	return match(c, "pillar_pcre", a.Tgt, nil, a.Delimiter)
}

// pillar matches a pillar value against a glob.
func pillar(c *salt.Ctx, a pathArgs) (bool, error) {
	return match(c, "pillar", a.Tgt, nil, a.Delimiter)
}

// grainPcre matches a grain against a regular expression.
func grainPcre(c *salt.Ctx, a pathArgs) (bool, error) {
	return match(c, "grain_pcre", a.Tgt, nil, a.Delimiter)
}

// grain matches a grain against a glob.
func grain(c *salt.Ctx, a pathArgs) (bool, error) {
	return match(c, "grain", a.Tgt, nil, a.Delimiter)
}

// list reports whether the minion's id is in a list, or between commas.
func list(c *salt.Ctx, a minionArgs) (bool, error) { return match(c, "list", a.Tgt, a.MinionID, "") }

// pcre matches the minion's id against a regular expression.
func pcre(c *salt.Ctx, a minionArgs) (bool, error) { return match(c, "pcre", a.Tgt, a.MinionID, "") }

// glob matches the minion's id against a glob.
func glob(c *salt.Ctx, a minionArgs) (bool, error) { return match(c, "glob", a.Tgt, a.MinionID, "") }

// data matches "key:value" against the minion's data store.
func data(c *salt.Ctx, a targetArgs) (bool, error) {
	s, _ := a.Tgt.(string)
	key, _, ok := strings.Cut(s, ":")
	if !ok {
		return false, nil
	}
	v, err := c.Call("data.getval", key)
	if err != nil || v == nil {
		return false, nil
	}
	m := minion(c)
	m.Data = value.M(key, v)
	matched, err := m.Match("data", a.Tgt, "")
	return matched && err == nil, nil
}
