package service

import (
	"fmt"

	"pinch/salt"
	"pinch/value"
)

type maskedArgs struct {
	Name    string `py:"name"`          // the service
	Runtime bool   `py:"runtime=False"` // the mask that lasts until the next boot
}

// maskedState makes sure that a service cannot be started. Disable it first:
// systemd does not mask what is enabled in the same place.
func maskedState(c *salt.Ctx, a maskedArgs) salt.Result { return setMask(c, a, true) }

// unmaskedState makes sure that a service is not masked.
func unmaskedState(c *salt.Ctx, a maskedArgs) salt.Result { return setMask(c, a, false) }

func setMask(c *salt.Ctx, a maskedArgs, on bool) salt.Result {
	d, ok := managerOf(c).(systemd)
	if !ok {
		return salt.Failed("Service masking not available on this minion")
	}
	kind, action, verb, already := "masked", "masked", "mask", "is already"
	if a.Runtime {
		kind, action = "runtime masked", "runtime masked"
	}
	if !on {
		action, verb, already = "unmasked", "unmask", "was already"
		if a.Runtime {
			action = "runtime unmasked"
		}
	}
	is, err := d.masked(a.Name, a.Runtime, "")
	if err != nil {
		return salt.Failed("%s", err)
	}
	if is == on {
		return salt.Correct("Service %s %s %s", a.Name, already, action)
	}
	changes := value.M(kind, value.M("old", !on, "new", on))
	if c.Test {
		return salt.Would(changes, "Service %s would be %s", a.Name, action)
	}
	change := d.unmask
	if on {
		change = d.mask
	}
	if _, err := change(a.Name, a.Runtime, ""); err != nil {
		return salt.Failed("%s", err)
	}
	if is, err = d.masked(a.Name, a.Runtime, ""); err != nil {
		return salt.Failed("%s", err)
	}
	if is != on {
		// Salt's result stays True here.
		return salt.Correct("Failed to %s service %s", verb, a.Name)
	}
	return salt.Changed(changes, "%s", fmt.Sprintf("Service %s was %s", a.Name, action))
}
