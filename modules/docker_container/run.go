package docker_container

import (
	"errors"

	"pinch/salt"
	"pinch/value"
)

type runArgs struct {
	Name             string     `py:"name"`                    // name of the container
	Image            any        `py:"image=None"`              // its image, with a tag; it is pulled when it is not here
	Bg               bool       `py:"bg=False"`                // do not wait for its end
	Failhard         bool       `py:"failhard=True"`           // an exit code other than 0 is a failure
	Replace          bool       `py:"replace=False"`           // remove a container of this name first
	Force            bool       `py:"force=False"`             // with replace: even when it runs
	SkipTranslate    any        `py:"skip_translate=None"`     // arguments that go to the API as they are: names, or True for all
	IgnoreCollisions bool       `py:"ignore_collisions=False"` // of two names of one argument the API's wins, instead of an error
	ValidateIPAddrs  bool       `py:"validate_ip_addrs=True"`  // check that addresses are some
	ClientTimeout    any        `py:"client_timeout=60"`       // seconds to wait for an answer of the daemon
	Kwargs           *value.Map `py:"**kwargs"`                // the arguments of running, and those of docker.logs
}

// run runs a container to its end and returns what it wrote, as cmd.run does
// with a command.
//
//	build:
//	  docker_container.run:
//	    - image: builder:1
//	    - command: /scripts/build.sh
//	    - binds: /srv/builds:/out
//	    - replace: True
func run(c *salt.Ctx, a runArgs) salt.Result {
	kw := clean(a.Kwargs)
	for _, name := range []string{"watch_action", "start", "shutdown_timeout", "follow"} {
		if kw.Has(name) {
			return salt.Failed("The '%s' argument is not supported", name)
		}
	}
	if a.Image == nil {
		return salt.Failed("The 'image' argument is required")
	}
	changes := new(value.Map)
	if err := prepareRun(c, a, kw, changes); err != nil {
		var bad *badNetworks
		if !errors.As(err, &bad) && !isCommandError(err) {
			return salt.Raised(err)
		}
		r := salt.Failed("%s", commentOf(err))
		r.Changes = changes
		return r
	}
	if c.Test {
		where := ""
		if a.Bg {
			where = " in the background"
		}
		return salt.Would(changes, "Container would be run%s", where)
	}
	remove, ok := takeRemove(kw, a)
	if !ok {
		r := salt.Failed("'rm' is an alias for 'auto_remove', they cannot both be used")
		r.Changes = changes
		return r
	}
	kw.Update(value.M("name", a.Name, "skip_translate", a.SkipTranslate, "ignore_collisions", a.IgnoreCollisions, "validate_ip_addrs", a.ValidateIPAddrs,
		"client_timeout", a.ClientTimeout, "bg", a.Bg, "replace", a.Replace, "force", a.Force))
	v, err := c.CallKw("docker.run_container", kw, value.Str(a.Image))
	if err != nil {
		r := salt.Failed("Encountered error running container: %s", err)
		r.Changes = changes
		return r
	}
	m, _ := v.(*value.Map)
	r := ranTo(a, m)
	if id := m.At("Id"); remove && value.Truth(id) {
		_, err := c.Call("docker.rm", id)
		switch {
		case isCommandError(err):
			r.Warnings = append(r.Warnings, "Failed to auto_remove container: "+err.Error())
		case err != nil:
			return salt.Raised(err)
		}
	}
	return r
}

func prepareRun(c *salt.Ctx, a runArgs, kw, changes *value.Map) error {
	if v := kw.At("networks"); v != nil {
		nets, err := parseNetworks(c, v)
		if err != nil {
			return err
		}
		kw.Set("networks", nets)
	}
	_, err := resolve(c, value.Str(a.Image), a.ClientTimeout, changes)
	return err
}

// takeRemove takes auto_remove, or rm, out: the daemon must keep the container
// until its exit code is read. It is false when both are given.
func takeRemove(kw *value.Map, a runArgs) (remove, ok bool) {
	if a.Bg {
		return false, true
	}
	given := false
	for _, name := range []string{"auto_remove", "rm"} {
		v, has := kw.Pop(name)
		switch {
		case !has:
		case !given:
			given, remove = true, value.Truth(v)
		case !a.IgnoreCollisions:
			return false, false
		}
	}
	if given {
		kw.Set("auto_remove", false)
	}
	return remove, true
}

// ranTo is the result of a container that ran.
func ranTo(a runArgs, m *value.Map) salt.Result {
	if a.Bg {
		return salt.Changed(m, "Container was run in the background")
	}
	code, ok := m.Get("ExitCode")
	if !ok {
		return salt.Changed(m, "")
	}
	r := salt.Changed(m, "Container ran and exited with a return code of %s", value.Str(code))
	if a.Failhard && !value.Equal(code, int64(0)) {
		r.Result = salt.False()
	}
	return r
}
