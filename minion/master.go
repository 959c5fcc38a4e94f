package minion

import (
	"context"
	"errors"
	"time"

	"pinch/minion/session"
	"pinch/salt"
	"pinch/value"
)

// master is a session as functions see it.
type master struct {
	s    *session.Session
	opts *value.Map
}

var _ salt.Master = master{}

func (m master) Request(ctx context.Context, cmd string, fields *value.Map) (any, error) {
	if cmd == "_master_tops" { // with options, in which a date may stand
		fields = sendable(fields).(*value.Map)
	}
	return m.s.Request(ctx, cmd, fields)
}

func (m master) Pillar(ctx context.Context, grains *value.Map, o salt.PillarOptions) (*value.Map, error) {
	r := session.PillarRequest{Grains: grains, Override: o.Override, SaltEnv: orNil(o.SaltEnv), PillarEnv: orNil(o.Env)}
	if names := m.opts.List("pass_to_ext_pillars"); names != nil {
		r.Extra = new(value.Map)
		for _, n := range names.Items {
			if v, ok := value.Traverse(m.opts, value.Str(n), ":"); ok {
				r.Extra.Set(value.Str(n), v)
			}
		}
	}
	start := time.Now()
	p, err := m.s.Pillar(ctx, r)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = value.Errorf("SaltClientError", "Pillar timed out after %d seconds", int(time.Since(start).Seconds()))
	}
	return p, err
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

var errAbsent error = value.Errorf("SaltClientError", "there is no master yet")

// absent is a master that has not accepted this minion yet (scheduler_before_connect).
type absent struct{}

func (absent) Request(context.Context, string, *value.Map) (any, error) {
	return nil, errAbsent
}

func (a absent) Pillar(ctx context.Context, _ *value.Map, _ salt.PillarOptions) (*value.Map, error) {
	_, err := a.Request(ctx, "_pillar", nil)
	return nil, err
}

// fromMaster are the options that a master sets for the states of its minions.
var fromMaster = [...]string{
	"renderer", "failhard", "state_top", "state_top_saltenv", "nodegroups", "state_auto_order", "state_events", "state_aggregate",
	"jinja_env", "jinja_sls_env", "jinja_lstrip_blocks", "jinja_trim_blocks", "top_file_merging_strategy", "env_order", "default_top",
}

// adopt takes the master's options for states.
func adopt(ctx context.Context, m salt.Master, opts *value.Map) error {
	v, err := m.Request(ctx, "_master_opts", new(value.Map))
	if err != nil {
		return err
	}
	theirs, _ := v.(*value.Map)
	for _, k := range fromMaster {
		if v, ok := theirs.Get(k); ok {
			opts.Set(k, v)
		}
	}
	return nil
}
