package state

import (
	"path/filepath"

	"pinch/apply"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type pauseArgs struct {
	JID      any `py:"jid"`           // the job id of the run
	StateID  any `py:"state_id=None"` // pause before this ID; none: at once
	Duration any `py:"duration=None"` // go on after so many seconds
}

type stopArgs struct {
	JID     any `py:"jid"`           // the job id of the run
	StateID any `py:"state_id=None"` // the ID; none: all
}

// edit changes what is noted for an ID of a run.
func edit(c *salt.Ctx, jid, id any, f func(data *value.Map, key any)) error {
	s := c.With(false).Sys
	path := apply.PauseFile(c.Opts.Str("cachedir"), value.Str(jid))
	_ = sys.MkdirAll(s, filepath.Dir(path), 0o755)
	data := new(value.Map)
	if b, err := s.ReadFile(path); err == nil {
		if v, err := value.ParseMsgpack(b); err == nil {
			if m, ok := v.(*value.Map); ok {
				data = m
			}
		}
	}
	if id == nil {
		id = "__all__"
	}
	f(data, id)
	b, err := value.Msgpack(data)
	if err != nil {
		return err
	}
	return sys.WriteFile(s, path, b, sys.FileAttrs{})
}

func noted(data *value.Map, key any) *value.Map {
	v, _ := data.GetKey(key)
	m, ok := v.(*value.Map)
	if !ok {
		m = new(value.Map)
		_ = data.SetKey(key, m)
	}
	return m
}

// pause holds a run before an ID, or before its next state.
//
//	pinch state.pause 20261130120000000000 vim duration=20
func pause(c *salt.Ctx, a pauseArgs) (any, error) {
	return nil, edit(c, a.JID, a.StateID, func(data *value.Map, key any) {
		m := noted(data, key)
		if value.Truth(a.Duration) {
			m.Set("duration", a.Duration)
		}
	})
}

// resume lets a run go on.
//
//	pinch state.resume 20261130120000000000
func resume(c *salt.Ctx, a stopArgs) (any, error) {
	return nil, edit(c, a.JID, a.StateID, func(data *value.Map, key any) {
		if key == "__all__" {
			data.Clear()
			return
		}
		data.PopKey(key)
	})
}

// softKill ends a run before an ID, or before its next state.
//
//	pinch state.soft_kill 20261130120000000000
func softKill(c *salt.Ctx, a stopArgs) (any, error) {
	return nil, edit(c, a.JID, a.StateID, func(data *value.Map, key any) { noted(data, key).Set("kill", true) })
}

type pausesArgs struct {
	JID any `py:"jid=None"` // one job id or a list; none: all
}

// getPauses shows what is noted for the runs that are under way, and forgets
// what is noted for others.
//
//	pinch state.get_pauses
func getPauses(c *salt.Ctx, a pausesArgs) (any, error) {
	out := new(value.Map)
	dir := filepath.Dir(apply.PauseFile(c.Opts.Str("cachedir"), "x"))
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return out, nil
	}
	var jids []string
	switch j := a.JID.(type) {
	case nil:
		for _, e := range entries {
			jids = append(jids, e.Name())
		}
	case *value.List:
		jids = strs(j)
	default:
		jids = []string{value.Str(j)}
	}
	active := activeJIDs(c)
	for _, jid := range jids {
		path := apply.PauseFile(c.Opts.Str("cachedir"), jid)
		if !active[jid] {
			_ = c.With(false).Sys.Remove(path)
			continue
		}
		data := any(new(value.Map))
		if b, err := c.Sys.ReadFile(path); err == nil {
			if v, err := value.ParseMsgpack(b); err == nil {
				data = v
			}
		}
		out.Set(jid, data)
	}
	return out, nil
}

// activeJIDs are the job ids of the runs of states that are under way.
func activeJIDs(c *salt.Ctx) map[string]bool {
	out := map[string]bool{}
	if h := sys.Holder(filepath.Join(c.Opts.Str("cachedir"), "state_run", "lock")); h != "" {
		out[readJob(h).jid] = true
	}
	if _, err := c.Registry().Exec(c, "saltutil.is_running"); err == nil {
		v, _ := c.Call("saltutil.is_running", "state.*")
		l, _ := v.(*value.List)
		if l != nil {
			for _, it := range l.Items {
				m, _ := it.(*value.Map)
				out[m.Str("jid")] = true
			}
		}
	}
	return out
}
