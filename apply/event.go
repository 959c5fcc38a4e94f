package apply

import (
	"pinch/salt"
	"pinch/value"
)

// event fires the result of a chunk on the bus, when there is one and the
// chunk (fire_event) or the options (state_events) ask for it.
func (r *runner) event(ch *Chunk, ret *value.Map) {
	fire := ch.Low.At("fire_event")
	if !value.Truth(fire) && !r.c.Opts.Truth("state_events") {
		return
	}
	id := r.c.Opts.Str("id")
	data := value.M("ret", ret)
	var tag string
	switch f := fire.(type) {
	case string:
		tag = "salt/state_result/" + r.o.JID + "/" + id + "/" + f
	default:
		if fire == true {
			tag = "salt/state_result/" + r.o.JID + "/" + id + "/" + ret.Str("name")
			break
		}
		tag = "salt/job/" + r.o.JID + "/prog/" + id + "/" + ret.Str("__run_num__")
		data.Set("len", int64(len(r.plan.Chunks)))
	}
	if r.c.Opts.Truth("local") || r.c.Opts.At("file_client") == "local" {
		if bus, ok := r.c.Host.(salt.EventBus); ok { // no master: the machine's own bus
			data.Set("jid", r.o.JID)
			_, _ = bus.FireEvent(r.looking(), tag, data, false)
		}
		return
	}
	if _, err := r.c.Registry().Exec(r.c, "event.fire_master"); err == nil {
		_, _ = r.c.CallFunc(r.looking(), "event.fire_master", []any{data, tag}, value.M("preload", value.M("jid", r.o.JID)))
	}
}
