package docker_container

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type absentArgs struct {
	Name  string `py:"name"`        // name of the container
	Force bool   `py:"force=False"` // remove it even when it runs
}

// absent makes sure that there is no container of this name.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	there, err := listed(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !there:
		return salt.Correct("Container '%s' does not exist", a.Name)
	}
	state, err := c.Call("docker.state", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case state != "stopped" && !a.Force:
		return salt.Failed("Container is running, set force to True to forcibly remove it")
	case c.Test:
		return salt.Would(nil, "Container '%s' will be removed", a.Name)
	}
	removed, err := c.CallKw("docker.rm", value.M("force", a.Force), a.Name)
	if err != nil {
		return salt.Failed("Failed to remove container '%s': %s", a.Name, err)
	}
	r := salt.Changed(value.M("removed", removed), "Successfully removed container '%s'", a.Name)
	if state != "stopped" {
		r.Comment = "Forcibly" + strings.TrimPrefix(r.Comment, "Successfully")
	}
	if there, err = listed(c, a.Name); err != nil {
		return salt.Raised(err)
	}
	if there {
		r.Result, r.Comment = salt.False(), "Failed to remove container '"+a.Name+"'"
	}
	return r
}

func listed(c *salt.Ctx, name string) (bool, error) {
	v, err := c.CallKw("docker.list_containers", value.M("all", true))
	if l, ok := v.(*value.List); ok && err == nil {
		for _, it := range l.Items {
			if value.Str(it) == name {
				return true, nil
			}
		}
	}
	return false, err
}

type stoppedArgs struct {
	Name            any        `py:"name=None"`             // name or ID of the container
	Containers      any        `py:"containers=None"`       // names or IDs of several
	ShutdownTimeout any        `py:"shutdown_timeout=None"` // seconds until it is killed; None: the container's stop_timeout, or 10
	Unpause         bool       `py:"unpause=False"`         // stop paused ones, too
	ErrorOnAbsent   bool       `py:"error_on_absent=True"`  // one that is not there is a failure
	Kwargs          *value.Map `py:"**kwargs"`              // Salt takes and ignores any other
}

// stopped makes sure that containers do not run.
func stopped(c *salt.Ctx, a stoppedArgs) salt.Result {
	var targets []string
	l, isList := a.Containers.(*value.List)
	switch {
	case !value.Truth(a.Name) && !value.Truth(a.Containers):
		return salt.Failed("One of 'name' and 'containers' must be provided")
	case a.Containers == nil:
		targets = []string{value.Str(a.Name)}
	case !isList:
		return salt.Failed("containers must be a list")
	default:
		for _, it := range l.Items {
			targets = append(targets, value.Str(it))
		}
	}
	by := map[string][]string{}
	for _, t := range targets {
		state, err := c.Call("docker.state", t)
		switch {
		case err == nil:
			by[value.Str(state)] = append(by[value.Str(state)], t)
		case isCommandError(err):
			by["absent"] = append(by["absent"], t)
		default:
			return salt.Raised(err)
		}
	}
	var wrong []string
	if gone := by["absent"]; a.ErrorOnAbsent && len(gone) > 0 {
		wrong = append(wrong, "The following container(s) are absent: "+strings.Join(gone, ", "))
	}
	if paused := by["paused"]; !a.Unpause && len(paused) > 0 {
		wrong = append(wrong, "The following container(s) are paused: "+strings.Join(paused, ", "))
	}
	if len(wrong) > 0 {
		return salt.Failed("%s", strings.Join(wrong, ". "))
	}
	todo := append(by["running"], by["paused"]...)
	switch {
	case len(todo) == 0:
		return salt.Correct("%s", alreadyStopped(targets, len(by["absent"]) > 0))
	case c.Test:
		return salt.Would(nil, "The following container(s) will be stopped: %s", strings.Join(todo, ", "))
	}
	return stopAll(c, a, todo)
}

func alreadyStopped(targets []string, absent bool) string {
	s := "All specified containers are "
	if len(targets) == 1 {
		s = "Container '" + targets[0] + "' is "
	}
	if absent {
		s += "absent or "
	}
	return s + "not running"
}

func stopAll(c *salt.Ctx, a stoppedArgs, todo []string) salt.Result {
	kw := value.M("unpause", a.Unpause)
	if value.Truth(a.ShutdownTimeout) {
		kw.Set("timeout", a.ShutdownTimeout)
	}
	changes, wrong := new(value.Map), []string(nil)
	for _, t := range todo {
		v, err := c.CallKw("docker.stop", kw, t)
		if err != nil {
			return salt.Raised(err)
		}
		m, _ := v.(*value.Map)
		switch {
		case m.At("result") == true:
			changes.Set(t, m)
		case m.Has("comment"):
			wrong = append(wrong, m.Str("comment"))
		default:
			wrong = append(wrong, "Failed to stop container '"+t+"'")
		}
	}
	if len(wrong) > 0 {
		r := salt.Failed("%s", strings.Join(wrong, "; "))
		r.Changes = changes
		return r
	}
	return salt.Changed(changes, "The following container(s) were stopped: %s", strings.Join(todo, ", "))
}
