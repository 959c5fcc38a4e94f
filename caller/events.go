package caller

import (
	"errors"

	"pinch/events"
	"pinch/salt"
	"pinch/value"
)

var _ salt.EventBus = (*Caller)(nil)

// FireEvent fires on the bus of this process, or of the daemon of this minion;
// false when there is none. There is no master to send anything to.
func (r *Caller) FireEvent(c *salt.Ctx, tag string, data *value.Map, toMaster bool) (bool, error) {
	switch {
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
