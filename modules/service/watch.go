package service

import (
	"fmt"

	"pinch/salt"
	"pinch/value"
)

type modWatchArgs struct {
	Name        string     `py:"name"`               // the service
	Sfun        any        `py:"sfun=None"`          // the state's function: running or dead
	Sig         any        `py:"sig=None"`           // without systemd: a text to look for in the list of processes
	Reload      bool       `py:"reload=False"`       // reload instead of restart
	FullRestart bool       `py:"full_restart=False"` // where the manager has a full restart (runit): that; restarts elsewhere
	InitDelay   any        `py:"init_delay=None"`    // seconds to wait afterwards
	Force       bool       `py:"force=False"`        // with reload: service.force_reload
	Kwargs      *value.Map `py:"**kwargs"`           // no_block, unmask, unmask_runtime
}

// modWatch is what running and dead do when something they watch changed: a
// running service is restarted or reloaded, another one started, a dead one
// stopped.
func modWatch(c *salt.Ctx, a modWatchArgs) salt.Result {
	s := newState(c, a.Name, nil, a.Sig, a.Kwargs)
	on := func() (bool, error) {
		v, err := status(c, statusArgs{Name: a.Name, Sig: a.Sig})
		return value.Truth(v), err
	}
	force, _ := s.m.(forceReloader)
	_, full := s.m.(runit)
	o := s.options()
	verb, participle, do := "", "", s.m.start
	switch a.Sfun {
	case "dead":
		runs, err := on()
		if err != nil {
			return salt.Raised(err)
		}
		if !runs {
			return salt.Correct("Service is already stopped")
		}
		verb, participle, do = "stop", "stopped", s.m.stop
		o.noBlock = noBlock(a.Name, a.Kwargs.At("no_block"))
	case "running":
		runs, err := on()
		switch {
		case err != nil:
			return salt.Raised(err)
		case !runs:
			verb = "start"
		case a.Reload && a.Force && force != nil:
			verb, do = "forcefully reload", force.forceReload
			o.noBlock = !a.Kwargs.Has("no_block") || o.noBlock
		case a.Reload:
			verb, do = "reload", s.m.reload
		case a.FullRestart && full:
			verb, do = "fully restart", s.m.restart
		default:
			verb, do = "restart", s.m.restart
			o.noBlock = noBlock(a.Name, a.Kwargs.At("no_block"))
		}
		participle = verb + "ed"
	default:
		return salt.Failed("Unable to trigger watch for service.%s", value.Str(a.Sfun))
	}
	if c.Test {
		return salt.Would(nil, "Service is set to be %s", participle)
	}
	if verb == "start" {
		if _, err := s.m.stop(a.Name, options{noBlock: noBlock(a.Name, nil)}); err != nil {
			return salt.Raised(err)
		}
	}
	ok, err := do(a.Name, o)
	if err != nil {
		return salt.Failed("%s", err)
	}
	if err := s.delay(a.InitDelay); err != nil {
		return salt.Failed("%s", err)
	}
	r := salt.Changed(value.M(a.Name, ok), "Service %s", participle)
	if !ok {
		r.Result, r.Comment = salt.False(), fmt.Sprintf("Failed to %s the service", verb)
	}
	return r
}

type modBeaconArgs struct {
	Name   string     `py:"name"`     // the service
	Kwargs *value.Map `py:"**kwargs"` // sfun, beacon, beacon_data: the arguments of the state
}

// modBeacon makes the beacon that a state with beacon: True asks for.
func modBeacon(c *salt.Ctx, a modBeaconArgs) salt.Result {
	fun := a.Kwargs.Str("sfun")
	if fun != "running" && fun != "dead" {
		return salt.Failed("service.%s does not work with the beacon state function", fun)
	}
	if !a.Kwargs.Truth("beacon") {
		return salt.Correct("Not adding beacon.")
	}
	given := a.Kwargs.Map("beacon_data")
	or := func(key string, def any) any {
		if v, ok := given.Get(key); ok {
			return v
		}
		return def
	}
	data := value.M("onchangeonly", or("onchangeonly", true), "delay", or("delay", int64(0)),
		"emitatstartup", or("emitatstartup", false), "uncleanshutdown", or("emitatstartup", nil))
	r, err := c.CallState(c, "beacon.present", value.M("name", "beacon_service_"+a.Name, "services", value.M(a.Name, data),
		"interval", or("interval", int64(60)), "beacon_module", "service"))
	if err != nil {
		return salt.Raised(err)
	}
	return r
}
