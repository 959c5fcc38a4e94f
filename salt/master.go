package salt

import (
	"context"

	"pinch/value"
)

// A Master is the salt-master that this minion belongs to.
type Master interface {
	// Request asks with a command of the master's and its fields.
	Request(ctx context.Context, cmd string, fields *value.Map) (any, error)
	// Pillar has the master compile the pillar for these grains.
	Pillar(ctx context.Context, grains *value.Map, o PillarOptions) (*value.Map, error)
}
