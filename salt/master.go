package salt

import (
	"context"
	"strings"

	"pinch/value"
)

// A Master is the salt-master that this minion belongs to.
type Master interface {
	// Request asks with a command of the master's and its fields.
	Request(ctx context.Context, cmd string, fields *value.Map) (any, error)
	// Pillar has the master compile the pillar for these grains.
	Pillar(ctx context.Context, grains *value.Map, o PillarOptions) (*value.Map, error)
}

// Permits reports whether a policy's minions include that one: by a glob, or
// by a compound expression, of which the master alone knows the data.
func (c *Ctx) Permits(who, id any) (bool, error) {
	if expr, ok := who.(string); !ok || !strings.Contains(expr, "@") {
		ok, err := c.Call("match.glob", who, id)
		return value.Truth(ok), err
	}
	v, err := c.CallKw("publish.runner", value.M("arg", value.L(who, id)), "match.compound_matches")
	if err != nil {
		return false, err
	}
	if v == nil {
		return false, CommandError("Could not check minion match for compound expression. Is this minion allowed to run `match.compound_matches` on the master?")
	}
	m, ok := v.(*value.Map)
	if !ok || !m.Has("res") {
		return false, CommandError("Invalid return value of match.compound_matches.")
	}
	return value.Equal(m.At("res"), id), nil
}
