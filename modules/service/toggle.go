package service

import (
	"fmt"

	"pinch/salt"
	"pinch/value"
)

// A tri says whether the service runs, as far as the caller cares.
type tri int

const (
	unknown tri = iota
	yes
	no
)

func truth(b bool) tri {
	if b {
		return yes
	}
	return no
}

// toggle enables or disables the service as the state asks, and puts what came
// of it over r. Result is what r gets when nothing fails.
func (s *state) toggle(r salt.Result, runs tri, result bool) salt.Result {
	switch s.enable {
	case true:
		return s.setEnabled(r, runs, result)
	case false:
		return s.setDisabled(r, runs, result)
	}
	return r
}

// ends are the ends of the comments: of a good one, and of a failed one.
var ends = map[tri][2]string{
	yes:     {"and is running", "but the service is running"},
	unknown: {"and is in the desired state", "but the service was already running"},
	no:      {"and is dead", "and the service is dead"},
}

func (s *state) setEnabled(r salt.Result, runs tri, result bool) salt.Result {
	ok, err := s.m.available(s.name)
	if err != nil || !ok {
		r.Result, r.Comment = salt.False(), notAvailable(s.name)
		if err != nil {
			r.Comment = err.Error()
		}
		return r
	}
	before, err := s.m.enabled(s.name, s.options())
	if err != nil {
		return salt.Raised(err)
	}
	r.Result = boolean(result)
	end := ends[runs]
	switch {
	case before:
		if runs == unknown {
			r.Changes = new(value.Map)
		}
		r.Comment = fmt.Sprintf("Service %s is already enabled, %s", s.name, end[0])
		return r
	case s.c.Test:
		r.Result, r.Comment = nil, fmt.Sprintf("Service %s set to be enabled", s.name)
		return r
	}
	done, failure := s.m.enable(s.name, s.options())
	if done {
		r.Changes = new(value.Map)
		if after, err := s.m.enabled(s.name, s.options()); err != nil {
			return salt.Raised(err)
		} else if after {
			r.Changes.Set(s.name, true)
		}
		r.Comment = fmt.Sprintf("Service %s has been enabled, %s", s.name, end[0])
		return r
	}
	r.Result, r.Comment = salt.False(), fmt.Sprintf("Failed when setting service %s to start at boot, %s", s.name, end[1])
	if failure != nil {
		r.Comment += ". Additional information follows:\n\n" + failure.Error()
	}
	return r
}

func (s *state) setDisabled(r salt.Result, runs tri, result bool) salt.Result {
	ok, err := s.m.available(s.name)
	switch {
	case err != nil:
		r.Result, r.Comment = salt.False(), err.Error()
		return r
	case !ok:
		r.Result, r.Comment = salt.True(), notAvailable(s.name)
		return r
	}
	before, err := s.m.disabled(s.name, options{})
	if err != nil {
		return salt.Raised(err)
	}
	r.Result = boolean(result)
	end := ends[runs]
	switch {
	case before:
		if runs == unknown {
			r.Changes = new(value.Map)
		}
		r.Comment = fmt.Sprintf("Service %s is already disabled, %s", s.name, end[0])
		return r
	case s.c.Test:
		r.Result, r.Comment = nil, fmt.Sprintf("Service %s set to be disabled", s.name)
		return r
	}
	done, err := s.m.disable(s.name, s.options())
	if err != nil {
		return salt.Raised(err)
	}
	if done {
		r.Changes = new(value.Map)
		if after, err := s.m.disabled(s.name, options{}); err != nil {
			return salt.Raised(err)
		} else if after {
			r.Changes.Set(s.name, true)
		}
		r.Comment = fmt.Sprintf("Service %s has been disabled, %s", s.name, end[0])
		return r
	}
	how := "not start at boot, " + end[1]
	if runs == yes {
		how = "not start at boot, and is running"
	}
	r.Result, r.Comment = salt.False(), fmt.Sprintf("Failed when setting service %s to %s", s.name, how)
	return r
}

func boolean(b bool) *bool {
	if b {
		return salt.True()
	}
	return salt.False()
}

type enabledStateArgs struct {
	Name   string     `py:"name"`     // the service
	Kwargs *value.Map `py:"**kwargs"` // unmask, unmask_runtime, root
}

// enabledState makes sure that a service starts at boot. To start it now too
// use service.running with enable.
func enabledState(c *salt.Ctx, a enabledStateArgs) salt.Result {
	s := newState(c, a.Name, true, nil, a.Kwargs)
	r := s.setEnabled(salt.Correct(""), unknown, true)
	if c.Test && r.Comment == notAvailable(a.Name) {
		return salt.Would(nil, "Service %s not present; if created in this state run, it would have been enabled", a.Name)
	}
	return r
}

// disabledState makes sure that a service does not start at boot. To stop it
// now too use service.dead with enable: False.
func disabledState(c *salt.Ctx, a enabledStateArgs) salt.Result {
	return newState(c, a.Name, false, nil, a.Kwargs).setDisabled(salt.Correct(""), unknown, true)
}
