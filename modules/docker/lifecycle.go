package docker

import (
	"net/http"
	"strconv"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

// tellMine renews what the mine knows of the containers, unless
// docker.update_mine is False.
func tellMine(c *salt.Ctx) error {
	v, err := c.Call("config.option", "docker.update_mine", true)
	if err != nil || !value.Truth(v) {
		return err
	}
	_, err = c.CallKw("mine.send", value.M("verbose", true, "all", true, "host", true), "docker.ps")
	return err
}

// changing asks as ask does, and tells the mine afterwards.
func changing[R any](c *salt.Ctx, f func(daemon) (R, error)) (R, error) {
	r, err := ask(c, f)
	if err == nil {
		err = tellMine(c)
	}
	return r, err
}

func (d daemon) act(op, name, action string, query ...string) error {
	_, err := d.Text(engine.Request{Op: op, Method: http.MethodPost, Path: "/containers/" + engine.ID(name) + "/" + action,
		Query: engine.Query(query...), Unlimited: true})
	return err
}

func stays(state, comment string) *value.Map {
	return value.M("result", false, "state", value.M("old", state, "new", state), "comment", comment)
}

// change brings a container that was in some state to another one.
func (d daemon) change(name, was, action, want string, query ...string) (*value.Map, error) {
	if action != "restart" && was == want {
		return stays(want, "Container '"+name+"' already "+want), nil
	}
	if err := d.act(action, name, action, query...); err != nil {
		return nil, err
	}
	var now any
	switch s, err := d.state(name); {
	case err == nil:
		now = s
	case !missing(err):
		return nil, err
	}
	return value.M("result", now == want, "state", value.M("old", was, "new", now)), nil
}

// kill kills what a container runs.
func kill(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return changing(c, func(d daemon) (*value.Map, error) {
		s, err := d.state(a.Name)
		if err != nil {
			return nil, err
		}
		return d.change(a.Name, s, "kill", "stopped")
	})
}

// pause stops all processes of a container until unpause.
func pause(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return changing(c, func(d daemon) (*value.Map, error) {
		s, err := d.state(a.Name)
		if s == "stopped" {
			return stays(s, "Container '"+a.Name+"' is stopped, cannot pause"), err
		}
		if err != nil {
			return nil, err
		}
		return d.change(a.Name, s, "pause", "paused")
	})
}

// unpause has the processes of a container go on.
func unpause(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return changing(c, func(d daemon) (*value.Map, error) {
		s, err := d.state(a.Name)
		if s == "stopped" {
			return stays(s, "Container '"+a.Name+"' is stopped, cannot unpause"), err
		}
		if err != nil {
			return nil, err
		}
		return d.change(a.Name, s, "unpause", "running")
	})
}

type restartArgs struct {
	Name    string `py:"name"`       // name or ID of the container
	Timeout any    `py:"timeout=10"` // seconds until it is killed
}

// restart stops a container, when it runs, and starts it.
func restart(c *salt.Ctx, a restartArgs) (*value.Map, error) {
	return ask(c, func(d daemon) (*value.Map, error) {
		s, err := d.state(a.Name)
		if err != nil {
			return nil, err
		}
		m, err := d.change(a.Name, s, "restart", "running", "t", text(a.Timeout))
		if m.Truth("result") {
			m.Set("restarted", true)
		}
		return m, err
	})
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}

type signalArgs struct {
	Name   string `py:"name"`   // name or ID of the container
	Signal any    `py:"signal"` // its number or name: 9, HUP, SIGHUP
}

// signal sends a signal to what a container runs.
func signal(c *salt.Ctx, a signalArgs) (bool, error) {
	return changing(c, func(d daemon) (bool, error) {
		err := d.act("kill", a.Name, "kill", "signal", text(a.Signal))
		return err == nil, err
	})
}

// start starts a container that exists.
func start(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return changing(c, func(d daemon) (*value.Map, error) { return d.start(a.Name) })
}

func (d daemon) start(name string) (*value.Map, error) {
	s, err := d.state(name)
	switch {
	case err != nil:
		return nil, err
	case s == "paused":
		return stays(s, "Container '"+name+"' is paused, cannot start"), nil
	}
	return d.change(name, s, "start", "running")
}

type stopArgs struct {
	Name    string     `py:"name"`         // name or ID of the container
	Timeout any        `py:"timeout=None"` // seconds until it is killed; None: the container's own, or 10
	Kwargs  *value.Map `py:"**kwargs"`     // unpause: stop it even when it is paused
}

// stop stops a container.
func stop(c *salt.Ctx, a stopArgs) (*value.Map, error) {
	return changing(c, func(d daemon) (*value.Map, error) { return d.stop(a.Name, a.Timeout, a.Kwargs.Truth("unpause")) })
}

// stopTimeout is how long a container has to stop, in seconds.
const stopTimeout = 10

func (d daemon) stop(name string, timeout any, unpause bool) (*value.Map, error) {
	m, err := d.container(name)
	if err != nil {
		return nil, err
	}
	if timeout == nil {
		var ok bool
		if timeout, ok = m.Map("Config").Get("StopTimeout"); !ok {
			timeout = int64(stopTimeout)
		}
	}
	was := stateOf(m)
	now := was
	if was == "paused" {
		if !unpause {
			return stays(was, "Container '"+name+"' is paused, run with unpause=True to unpause before stopping"), nil
		}
		m, err := d.change(name, was, "unpause", "running")
		if err != nil {
			return nil, err
		}
		if !m.Truth("result") {
			m.Set("comment", "Failed to unpause container '"+name+"'")
			return m, nil
		}
		now = "running"
	}
	m, err = d.change(name, now, "stop", "stopped", "t", text(timeout))
	if err == nil {
		m.Map("state").Set("old", was)
	}
	return m, err
}

type waitArgs struct {
	Name                 string `py:"name"`                         // name or ID of the container
	IgnoreAlreadyStopped bool   `py:"ignore_already_stopped=False"` // a container that does not run, or is not there, is a success
	FailOnExitStatus     bool   `py:"fail_on_exit_status=False"`    // an exit status other than 0 is a failure
}

// wait waits until a container stops.
func wait(c *salt.Ctx, a waitArgs) (*value.Map, error) {
	d, err := open(c)
	if err != nil {
		return nil, err
	}
	was, err := d.state(a.Name)
	if engine.Status(err) != 0 {
		return value.M("result", a.IgnoreAlreadyStopped, "comment", "Container '"+a.Name+"' absent"), nil
	}
	if err != nil {
		return nil, err
	}
	status, err := d.JSON(engine.Request{Op: "wait", Method: http.MethodPost, Path: "/containers/" + engine.ID(a.Name) + "/wait", Unlimited: true})
	if err != nil {
		return nil, err
	}
	var now any
	switch s, err := d.state(a.Name); {
	case err == nil:
		now = s
	case !missing(err):
		return nil, err
	}
	ok := now == "stopped"
	if was == "stopped" {
		ok = a.IgnoreAlreadyStopped
	}
	out := value.M("result", ok, "state", value.M("old", was, "new", now), "exit_status", status)
	if was == "stopped" {
		out.Set("comment", "Container '"+a.Name+"' already stopped")
	}
	if m, is := status.(*value.Map); is {
		status = m.At("StatusCode")
	}
	if a.FailOnExitStatus && ok {
		out.Set("result", value.Equal(status, int64(0)))
	}
	return out, nil
}

type rmArgs struct {
	Name    string     `py:"name"`          // name or ID of the container
	Force   bool       `py:"force=False"`   // kill it when it runs
	Volumes bool       `py:"volumes=False"` // remove its unnamed volumes, too
	Kwargs  *value.Map `py:"**kwargs"`      // stop: stop it first; timeout: seconds until it is killed then
}

// rm removes a container and returns the IDs of those that went.
//
//	salt-call docker.rm mycontainer stop=True
func rm(c *salt.Ctx, a rmArgs) (*value.List, error) {
	kw, err := only(a.Kwargs, "stop", "timeout")
	if err != nil {
		return nil, err
	}
	return changing(c, func(d daemon) (*value.List, error) {
		return d.rm(a.Name, a.Force, a.Volumes, kw.Truth("stop"), kw.At("timeout"))
	})
}

func (d daemon) rm(name string, force, volumes, stop bool, timeout any) (*value.List, error) {
	m, err := d.container(name)
	if err != nil {
		return nil, err
	}
	s := m.Map("State")
	if s.Truth("Running") && !s.Truth("Paused") && !force && !stop {
		return nil, salt.CommandError("Container '%s' is running, use force=True to forcibly remove this container", name)
	}
	goes := false
	if stop && !force {
		goes = m.Map("HostConfig").Truth("AutoRemove")
		if _, err := d.stop(name, timeout, false); err != nil {
			return nil, err
		}
	}
	before, err := d.ps(nil, true, false)
	if err != nil {
		return nil, err
	}
	if !goes {
		_, err = d.Text(engine.Request{Op: "remove_container", Method: http.MethodDelete, Path: "/containers/" + engine.ID(name), Unlimited: true,
			Query: engine.Query("v", pyBool(volumes), "link", "False", "force", pyBool(force))})
		if err != nil {
			return nil, err
		}
	}
	after, err := d.ps(nil, true, false)
	return without(before, after), err
}

// pyBool is a flag as Salt's own client writes it; the daemon reads it.
func pyBool(b bool) string {
	s := strconv.FormatBool(b)
	return string(s[0]-'a'+'A') + s[1:]
}

// without are the keys that a map has lost.
func without(before, after *value.Map) *value.List {
	out := value.L()
	for key := range before.Items() {
		if !after.Has(key) {
			out.Append(key)
		}
	}
	return out
}
