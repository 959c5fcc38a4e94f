package salt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pinch/events"
	"pinch/salt"
	"pinch/value"
)

type waitArgs struct {
	Name    string      `py:"name"`          // a glob for the tags of the events
	IDs     *value.List `py:"id_list"`       // what must have been seen
	EventID string      `py:"event_id='id'"` // the key of an event's data that has it
	Timeout any         `py:"timeout=300"`   // give up after so many seconds
	Node    any         `py:"node='master'"` // whose bus: without a master it is this machine's
}

// waitForEvent waits until events have named all of a list.
//
//	wait for the workers:
//	  salt.wait_for_event:
//	    - name: app/ready/*
//	    - id_list: [one, two]
//	    - timeout: 60
func waitForEvent(c *salt.Ctx, a waitArgs) salt.Result {
	if c.Test {
		return salt.Would(nil, "Orchestration would wait for event '%s'", a.Name)
	}
	start := c.Sys.Now()
	ctx, cancel := context.WithTimeout(c, seconds(a.Timeout))
	defer cancel()
	res := salt.Result{Result: salt.False(), Changes: new(value.Map)}
	path := events.Places(c.Opts.Str("sock_dir"), c.Opts.Str("id"), c.Opts.Str("hash_type")).Lines
	bus, err := events.Dial(ctx, path)
	if errors.Is(err, events.ErrNoDaemon) {
		res.Comment = "no daemon sends events at " + path + ": start one to wait for events"
		return res
	} else if err != nil {
		return salt.Raised(err)
	}
	defer bus.Close()
	if err := bus.Subscribe(a.Name); err != nil {
		return salt.Raised(err)
	}
	left := slices.Clone(a.IDs.Items)
	seen := new(value.List)
	for len(left) > 0 {
		e, err := bus.Next()
		if err != nil {
			res.Comment = "Timeout value reached."
			return res
		}
		if !value.Fnmatch(e.Tag, a.Name) {
			continue
		}
		for _, id := range named(e.Data, a.EventID) {
			if i := slices.IndexFunc(left, func(x any) bool { return value.Equal(x, id) }); i >= 0 {
				left = slices.Delete(left, i, i+1)
				seen.Append(id)
				res.Changes.Set("minions_seen", seen)
			}
		}
	}
	res.Result = salt.True()
	res.Comment = fmt.Sprintf("All events seen in %v seconds.", c.Sys.Now().Sub(start).Seconds())
	return res
}

// named is what an event's data, or the data in it, have under a key.
func named(data *value.Map, key string) []any {
	v := data.At(key)
	if v == nil {
		v = data.Map("data").At(key)
	}
	switch v := v.(type) {
	case nil:
		return nil
	case *value.List:
		return v.Items
	}
	return []any{v}
}

func seconds(v any) time.Duration {
	switch v := v.(type) {
	case int64:
		return time.Duration(v) * time.Second
	case float64:
		return time.Duration(v * float64(time.Second))
	}
	return 300 * time.Second
}
