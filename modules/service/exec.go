package service

import (
	"regexp"
	"sync"

	"pinch/salt"
	"pinch/value"
)

type nameArgs struct {
	Name string `py:"name"` // the service; a name without a kind is a service unit
}

// available says whether there is such a service.
func available(c *salt.Ctx, a nameArgs) (bool, error) { return managerOf(c).available(a.Name) }

// missing is the contrary of service.available.
func missing(c *salt.Ctx, a nameArgs) (bool, error) {
	ok, err := managerOf(c).available(a.Name)
	return err == nil && !ok, err
}

type statusArgs struct {
	Name string `py:"name"`     // the service, or a glob of services
	Sig  any    `py:"sig=None"` // without systemd: a text to look for in the list of processes instead
}

var globbing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\*|\?|\[.+\]`) })

// status says whether a service runs; for a glob it is a mapping of all
// services that match.
func status(c *salt.Ctx, a statusArgs) (any, error) {
	m := managerOf(c)
	if _, ok := m.(systemd); !ok && value.Truth(a.Sig) {
		pid, err := c.Call("status.pid", a.Sig)
		return value.Truth(pid), err
	}
	if _, literal := m.(runit); literal || !globbing().MatchString(a.Name) {
		return m.active(a.Name)
	}
	all, err := m.all("")
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for _, name := range all {
		if !value.Fnmatch(name, a.Name) {
			continue
		}
		on, err := m.active(name)
		if err != nil {
			return nil, err
		}
		ret.Set(name, on)
	}
	return ret, nil
}

type jobArgs struct {
	Name          string `py:"name"`                 // the service
	NoBlock       bool   `py:"no_block=False"`       // do not wait for the job
	Unmask        bool   `py:"unmask=False"`         // remove a lasting mask first
	UnmaskRuntime bool   `py:"unmask_runtime=False"` // remove a mask until the next boot first
}

func (a jobArgs) options() options {
	return options{noBlock: a.NoBlock, unmask: a.Unmask, unmaskRuntime: a.UnmaskRuntime}
}

// start starts a service.
func start(c *salt.Ctx, a jobArgs) (bool, error) { return managerOf(c).start(a.Name, a.options()) }

// reload makes a service read its configuration anew.
func reload(c *salt.Ctx, a jobArgs) (bool, error) {
	return managerOf(c).reload(a.Name, jobArgs(a).options())
}

type forceReloadArgs struct {
	Name          string `py:"name"`                 // the service
	NoBlock       bool   `py:"no_block=True"`        // do not wait for the job
	Unmask        bool   `py:"unmask=False"`         // remove a lasting mask first
	UnmaskRuntime bool   `py:"unmask_runtime=False"` // remove a mask until the next boot first
}

// forceReload reloads a service, or restarts one that cannot reload.
func forceReload(c *salt.Ctx, a forceReloadArgs) (bool, error) {
	m, err := only[forceReloader](c, "force_reload")
	if err != nil {
		return false, err
	}
	return m.forceReload(a.Name, jobArgs(a).options())
}

type restartArgs struct {
	Name          string `py:"name"`                 // the service
	NoBlock       any    `py:"no_block=None"`        // do not wait for the job; None: only salt-minion is not waited for
	Unmask        bool   `py:"unmask=False"`         // remove a lasting mask first
	UnmaskRuntime bool   `py:"unmask_runtime=False"` // remove a mask until the next boot first
}

// restart stops and starts a service.
func restart(c *salt.Ctx, a restartArgs) (bool, error) {
	return managerOf(c).restart(a.Name, options{noBlock: noBlock(a.Name, a.NoBlock), unmask: a.Unmask, unmaskRuntime: a.UnmaskRuntime})
}

type stopArgs struct {
	Name    string `py:"name"`          // the service
	NoBlock any    `py:"no_block=None"` // do not wait for the job; None: only salt-minion is not waited for
}

// stop stops a service.
func stop(c *salt.Ctx, a stopArgs) (bool, error) {
	return managerOf(c).stop(a.Name, options{noBlock: noBlock(a.Name, a.NoBlock)})
}

// noBlock is the default of no_block: whoever runs under salt-minion cannot
// wait for its end.
func noBlock(name string, given any) bool {
	if given == nil {
		return canonical(name) == "salt-minion.service"
	}
	return value.Truth(given)
}

type enableArgs struct {
	Name          string     `py:"name"`                 // the service
	NoBlock       bool       `py:"no_block=False"`       // Salt hands it to systemctl, which ignores it here
	Unmask        bool       `py:"unmask=False"`         // remove a lasting mask first
	UnmaskRuntime bool       `py:"unmask_runtime=False"` // remove a mask until the next boot first
	Root          *string    `py:"root=None"`            // the root of another system
	Kwargs        *value.Map `py:"**kwargs"`             // runlevels (OpenRC): exactly those, one or a list; start (runit): start it, too
}

// enable makes a service start at boot. With OpenRC runlevels (one or a list)
// says in which, and it is taken out of all others; without, the current one is
// added. With runit it is not started now unless start is True.
func enable(c *salt.Ctx, a enableArgs) (bool, error) {
	o := options{unmask: a.Unmask, unmaskRuntime: a.UnmaskRuntime, root: text(a.Root)}
	return managerOf(c).enable(a.Name, o.more(a.Kwargs))
}

type disableArgs struct {
	Name    string     `py:"name"`           // the service
	NoBlock bool       `py:"no_block=False"` // Salt hands it to systemctl, which ignores it here
	Root    *string    `py:"root=None"`      // the root of another system
	Kwargs  *value.Map `py:"**kwargs"`       // runlevels (OpenRC): only those, one or a list; stop (runit): stop it, too
}

// disable makes a service not start at boot. With OpenRC it is taken out of the
// runlevels given (one or a list), or of the current one. With runit stop: True
// stops it now, too.
func disable(c *salt.Ctx, a disableArgs) (bool, error) {
	return managerOf(c).disable(a.Name, options{root: text(a.Root)}.more(a.Kwargs))
}

type enabledArgs struct {
	Name   string     `py:"name"`      // the service
	Root   *string    `py:"root=None"` // the root of another system
	Kwargs *value.Map `py:"**kwargs"`  // runlevels (OpenRC): in all of those, one or a list
}

// enabled says whether a service starts at boot; with OpenRC and runlevels (one
// or a list), whether in all of those.
func enabled(c *salt.Ctx, a enabledArgs) (bool, error) {
	return managerOf(c).enabled(a.Name, options{root: text(a.Root)}.more(a.Kwargs))
}

type disabledArgs struct {
	Name string  `py:"name"`      // the service
	Root *string `py:"root=None"` // the root of another system
}

// disabled says whether a service does not start at boot.
func disabled(c *salt.Ctx, a disabledArgs) (bool, error) {
	return managerOf(c).disabled(a.Name, options{root: text(a.Root)})
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type maskArgs struct {
	Name    string  `py:"name"`          // the service
	Runtime bool    `py:"runtime=False"` // the mask that lasts until the next boot
	Root    *string `py:"root=None"`     // the root of another system
}

// mask makes it impossible to start a service.
func mask(c *salt.Ctx, a maskArgs) (bool, error) {
	d, err := onSystemd(c, "mask")
	if err != nil {
		return false, err
	}
	return d.mask(a.Name, a.Runtime, text(a.Root))
}

// unmask takes a mask away again.
func unmask(c *salt.Ctx, a maskArgs) (bool, error) {
	d, err := onSystemd(c, "unmask")
	if err != nil {
		return false, err
	}
	return d.unmask(a.Name, a.Runtime, text(a.Root))
}

// masked says whether a service is masked.
func masked(c *salt.Ctx, a maskArgs) (bool, error) {
	d, err := onSystemd(c, "masked")
	if err != nil {
		return false, err
	}
	return d.masked(a.Name, a.Runtime, text(a.Root))
}

// systemctlReload makes systemd read its unit files anew.
func systemctlReload(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	d, err := onSystemd(c, "systemctl_reload")
	if err != nil {
		return false, err
	}
	if err := d.units().Reload(c); err != nil {
		return false, reloadError(err)
	}
	return true, nil
}

// offline gives the path of systemctl where there is one but systemd does not
// run, else False.
func offline(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	if booted(c) {
		return false, nil
	}
	if p := c.Sys.LookPath("systemctl"); p != "" {
		return p, nil
	}
	return nil, nil
}
