package caller

import (
	"errors"

	"pinch/events"
	"pinch/salt"
	"pinch/value"
)

var _ salt.EventBus = (*Caller)(nil)

// FireEvent fires on the bus of this process, or of the daemon of this minion;
// false when there is none. What is for the master goes to it, if there is one.
func (r *Caller) FireEvent(c *salt.Ctx, tag string, data *value.Map, toMaster bool) (bool, error) {
	switch {
	case toMaster && r.o.Master != nil:
		return r.tellMaster(c, tag, data)
	case toMaster:
		return false, nil
	case r.o.Bus != nil:
		r.o.Bus.Fire(tag, value.Copy(data).(*value.Map))
		return true, nil
	}
	o := r.opts()
	err := events.Fire(c, events.Places(o.Str("sock_dir"), o.Str("id"), o.Str("hash_type")).Lines, tag, data)
	if errors.Is(err, events.ErrNoDaemon) {
		return false, nil
	}
	return err == nil, err
}

// tellMaster sends an event to the master; the keys of __preload go into the
// message itself.
func (r *Caller) tellMaster(c *salt.Ctx, tag string, data *value.Map) (bool, error) {
	data = data.Shallow()
	fields := value.M("tag", tag, "data", data, "pretag", nil)
	if more, ok := data.Pop("__preload"); ok {
		if m, ok := more.(*value.Map); ok {
			fields.Update(m)
		}
	}
	_, err := r.o.Master.Request(c, "_minion_event", fields)
	return err == nil, err
}
