package service

import (
	"fmt"
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
)

type runningArgs struct {
	Name      string     `py:"name"`            // the service; a name without a kind is a service unit
	Enable    any        `py:"enable=None"`     // True: starts at boot, False: does not; None leaves that as it is
	Sig       any        `py:"sig=None"`        // without systemd: a text to look for in the list of processes
	InitDelay any        `py:"init_delay=None"` // seconds to wait after a start
	Kwargs    *value.Map `py:"**kwargs"`        // no_block, unmask, unmask_runtime; runlevels (OpenRC); reload, full_restart and force count when a watched state changes
}

// running makes sure that a service runs, and that it starts at boot or not.
//
//	nginx:
//	  service.running:
//	    - enable: True
//	    - watch:
//	      - file: /etc/nginx/nginx.conf
func running(c *salt.Ctx, a runningArgs) salt.Result {
	s := newState(c, a.Name, a.Enable, a.Sig, a.Kwargs)
	if r, stop := s.begin("started"); stop {
		return r
	}
	before, err := s.look()
	if err != nil {
		return salt.Raised(err)
	}
	masks := ""
	if a.Kwargs.Truth("unmask") {
		masks = unmaskedState(c, maskedArgs{a.Name, a.Kwargs.Truth("unmask_runtime")}).Comment
	}
	if before.active {
		r := salt.Correct("%s", lines(fmt.Sprintf("The service %s is already running", a.Name), masks))
		return s.adjust(r, before.enabled)
	}
	if c.Test {
		return salt.Would(nil, "%s", lines(fmt.Sprintf("Service %s is set to start", a.Name), masks))
	}
	ok, err := s.m.start(a.Name, s.options())
	if err != nil {
		return salt.Failed("%s", err)
	}
	if !ok {
		return s.toggle(salt.Failed("Service %s failed to start", a.Name), no, false)
	}
	if err := s.delay(a.InitDelay); err != nil {
		return salt.Failed("%s", err)
	}
	after, err := s.look()
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Changed(s.difference(before, after), "Started service %s", a.Name)
	if !after.active {
		r.Result, r.Comment = salt.False(), fmt.Sprintf("Service %s failed to start", a.Name)
	}
	r = s.toggle(r, truth(after.active), after.active)
	if value.Truth(a.InitDelay) {
		r.Comment += fmt.Sprintf("\nDelayed return for %s seconds", value.Str(a.InitDelay))
	}
	if a.Kwargs.Truth("unmask") {
		r.Comment += "\n" + masks
	}
	return r
}

func lines(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n")
}

type deadArgs struct {
	Name      string     `py:"name"`            // the service; a name without a kind is a service unit
	Enable    any        `py:"enable=None"`     // True: starts at boot, False: does not; None leaves that as it is
	Sig       any        `py:"sig=None"`        // without systemd: a text to look for in the list of processes
	InitDelay any        `py:"init_delay=None"` // seconds to wait after a stop
	Kwargs    *value.Map `py:"**kwargs"`        // no_block
}

// dead makes sure that a service does not run, and that it starts at boot or
// not. A service that is not there is dead too.
func dead(c *salt.Ctx, a deadArgs) salt.Result {
	s := newState(c, a.Name, a.Enable, nil, a.Kwargs)
	if r, stop := s.begin("stopped"); stop {
		if !c.Test && r.Bad() && r.Comment == notAvailable(a.Name) {
			r.Result = salt.True()
		}
		return r
	}
	s.sig = a.Sig
	before, err := s.look()
	if err != nil {
		return salt.Raised(err)
	}
	if !before.active {
		return s.adjust(salt.Correct("The service %s is already dead", a.Name), before.enabled)
	}
	if c.Test {
		return salt.Would(nil, "Service %s is set to be killed", a.Name)
	}
	ok, err := s.m.stop(a.Name, options{noBlock: noBlock(a.Name, a.Kwargs.At("no_block"))})
	if err != nil {
		return salt.Raised(err)
	}
	if !ok {
		return s.toggle(salt.Failed("Service %s failed to die", a.Name), yes, false)
	}
	if err := s.delay(a.InitDelay); err != nil {
		return salt.Failed("%s", err)
	}
	s.sig = nil
	after, err := s.look()
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Changed(s.difference(before, after), "Service %s was killed", a.Name)
	if after.active {
		r.Result, r.Comment = salt.False(), fmt.Sprintf("Service %s failed to die", a.Name)
	}
	return s.toggle(r, truth(after.active), !after.active)
}

// A state is one running or dead in progress.
type state struct {
	c      *salt.Ctx
	m      manager
	name   string
	enable any // true, false or nil
	sig    any
	kwargs *value.Map
}

func newState(c *salt.Ctx, name string, enable, sig any, kwargs *value.Map) *state {
	if s, ok := enable.(string); ok {
		enable = strings.EqualFold(s, "true")
		if s == "1" || s == "1.0" {
			enable = true
		}
	}
	return &state{c: c, m: managerOf(c), name: name, enable: enable, sig: sig, kwargs: kwargs}
}

func (s *state) options() options {
	o := options{
		noBlock: s.kwargs.Truth("no_block"), unmask: s.kwargs.Truth("unmask"),
		unmaskRuntime: s.kwargs.Truth("unmask_runtime"), root: s.kwargs.Str("root"),
	}
	return o.more(s.kwargs)
}

// begin answers for services that are not there, and where nothing can run.
func (s *state) begin(participle string) (salt.Result, bool) {
	if s.kwargs.Has("enabled") {
		return salt.Failed(`Service %s uses non-existent option "enabled".  Perhaps "enable" option was intended?`, s.name), true
	}
	if _, ok := s.m.(systemd); ok && !booted(s.c) {
		return salt.Correct("Running in OFFLINE mode. Nothing to do"), true
	}
	ok, err := s.m.available(s.name)
	switch {
	case err != nil:
		return salt.Failed("%s", err), true
	case ok:
		return salt.Result{}, false
	case s.c.Test:
		return salt.Would(nil, "Service %s not present; if created in this state run, it would have been %s", s.name, participle), true
	}
	return salt.Failed("%s", notAvailable(s.name)), true
}

func notAvailable(name string) string {
	return "The named service " + name + " is not available"
}

// A condition is what a service is before or after a step.
type condition struct{ active, enabled bool }

func (s *state) look() (condition, error) {
	on, err := status(s.c, statusArgs{Name: s.name, Sig: s.sig})
	if err != nil {
		return condition{}, err
	}
	enabled, err := s.m.enabled(s.name, options{})
	return condition{value.Truth(on), enabled}, err
}

func (s *state) difference(before, after condition) *value.Map {
	if before == after {
		return new(value.Map)
	}
	return value.M(s.name, after.active)
}

// adjust enables or disables a service that is in its place already.
func (s *state) adjust(r salt.Result, isEnabled bool) salt.Result {
	if s.enable == true && isEnabled || s.enable == false && !isEnabled {
		return r
	}
	return s.toggle(r, unknown, true)
}

func (s *state) delay(seconds any) error {
	if !value.Truth(seconds) {
		return nil
	}
	var n float64
	switch v := seconds.(type) {
	case int64:
		n = float64(v)
	case float64:
		n = v
	case bool:
		n = 1
	default:
		return value.Errorf("TypeError", "'%s' object cannot be interpreted as an integer", value.TypeName(v))
	}
	return s.c.Sys.Sleep(s.c, time.Duration(n*float64(time.Second)))
}
