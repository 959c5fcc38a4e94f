package state

import (
	"fmt"
	"os"

	"pinch/salt"
	"pinch/value"
)

type eventArgs struct {
	Tagmatch string  `py:"tagmatch='*'"`  // a glob for the tags
	Count    int64   `py:"count=-1"`      // stop after so many events; -1: never
	Quiet    bool    `py:"quiet=False"`   // print nothing
	SockDir  *string `py:"sock_dir=None"` // the folder of the sockets
	Pretty   bool    `py:"pretty=False"`  // JSON with indentation and sorted keys
	Node     string  `py:"node='minion'"` // whose bus: minion or master
}

// event prints the events of the bus as they come: tag, tab, JSON.
//
//	pinch state.event pretty=True
//	pinch state.event 'salt/job/*' count=1
func event(c *salt.Ctx, a eventArgs) (any, error) {
	dir := c.Opts.Str("sock_dir")
	if a.SockDir != nil {
		dir = *a.SockDir
	}
	bus, err := listen(c, dir, a.Node)
	if err != nil {
		return nil, err
	}
	defer bus.Close()
	left := a.Count
	for {
		tag, data, err := bus.next()
		if err != nil {
			if c.Err() != nil {
				return nil, nil
			}
			return nil, salt.CommandError("the event bus ended: %s", err)
		}
		if !value.Fnmatch(tag, a.Tagmatch) {
			continue
		}
		if !a.Quiet {
			fmt.Fprintf(os.Stdout, "%s\t%s\n", tag, eventJSON(data, a.Pretty))
		}
		if left > 0 {
			left--
		}
		if left == 0 {
			return nil, nil
		}
	}
}
