package salt

import "pinch/value"

// An EventBus is a Host that can fire events. A Host without one, such as a
// single call on the command line, sends none.
type EventBus interface {
	// FireEvent fires on the local bus, or asks for the event to be sent to
	// the master. False says that nobody took it.
	FireEvent(c *Ctx, tag string, data *value.Map, toMaster bool) (bool, error)
}

// A ReturnerHost is a Host that can hand a return to one of the returners.
// The map has id, jid, fun and ret. An unknown returner is ignored, as in Salt.
type ReturnerHost interface {
	Return(c *Ctx, returner string, ret *value.Map) error
}
