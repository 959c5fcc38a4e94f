package beacon

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name   string     `py:"name"`       // the name of the beacon
	Save   bool       `py:"save=False"` // also write minion.d/beacons.conf
	Kwargs *value.Map `py:"**kwargs"`   // the options of the beacon
}

// present makes sure that a beacon is configured as described.
//
//	ps_beacon:
//	  beacon.present:
//	    - name: ps
//	    - save: True
//	    - processes: {salt-master: running}
func present(c *salt.Ctx, a presentArgs) salt.Result {
	now, err := current(c)
	if err != nil {
		return salt.Raised(err)
	}
	data := new(value.List)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") {
			data.Append(value.M(k, v))
		}
	}
	kw := new(value.Map)
	if c.Test {
		kw.Set("test", true)
	}
	s := step{c: c, name: a.Name, save: a.Save}
	switch {
	case !now.Has(a.Name):
		got, err := call(c, "add", kw, a.Name, data)
		return s.end(got, err, "Adding "+a.Name+" to beacons", true)
	case value.Equal(data, now.At(a.Name)):
		return s.end(value.M("result", true), nil, "Job "+a.Name+" in correct state", false)
	}
	got, err := call(c, "modify", kw, a.Name, data)
	return s.end(got, err, "Modifying "+a.Name+" in beacons", true)
}

type absentArgs struct {
	Name   string     `py:"name"`       // the name of the beacon
	Save   bool       `py:"save=False"` // also write minion.d/beacons.conf
	Kwargs *value.Map `py:"**kwargs"`   // further arguments are ignored
}

// absent makes sure that a beacon is not configured.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	s := step{c: c, name: a.Name, save: a.Save}
	return s.change(func(kw *value.Map) (*value.Map, error) { return call(c, "delete", kw, a.Name) },
		"Removed "+a.Name+" from beacons", a.Name+" not configured in beacons")
}

type stateArgs struct {
	Name   string     `py:"name"`     // the name of the beacon
	Kwargs *value.Map `py:"**kwargs"` // further arguments are ignored
}

// enabled makes sure that a beacon is switched on.
func enabled(c *salt.Ctx, a stateArgs) salt.Result {
	s := step{c: c, name: a.Name}
	return s.change(func(kw *value.Map) (*value.Map, error) { return call(c, "enable_beacon", kw, a.Name) },
		"Enabled "+a.Name+" from beacons", a.Name+" not a configured beacon")
}

// disabled makes sure that a beacon is switched off.
func disabled(c *salt.Ctx, a stateArgs) salt.Result {
	s := step{c: c, name: a.Name}
	return s.change(func(kw *value.Map) (*value.Map, error) { return call(c, "disable_beacon", kw, a.Name) },
		"Disabled beacon "+a.Name+".", "Job "+a.Name+" is not configured.")
}

// step is one state under way.
type step struct {
	c    *salt.Ctx
	name string
	save bool
}

// change calls a function if the beacon is configured.
func (s step) change(do func(*value.Map) (*value.Map, error), did, missing string) salt.Result {
	now, err := current(s.c)
	if err != nil {
		return salt.Raised(err)
	}
	if !now.Has(s.name) {
		return s.end(value.M("result", true), nil, missing, false)
	}
	kw := new(value.Map)
	if s.c.Test {
		kw.Set("test", true)
	}
	got, err := do(kw)
	return s.end(got, err, did, true)
}

// end is the answer: changed says that something was done, or would be.
func (s step) end(got *value.Map, err error, did string, changed bool) salt.Result {
	if err != nil {
		return salt.Raised(err)
	}
	if !got.Truth("result") {
		return salt.Failed("%s", got.Str("comment"))
	}
	comments := []string{did}
	if s.c.Test && changed {
		comments[0] = got.Str("comment")
	}
	switch {
	case s.save && s.c.Test:
		comments = append(comments, "Beacon "+s.name+" would be saved")
	case s.save:
		saved, err := call(s.c, "save", nil)
		if err != nil {
			return salt.Raised(err)
		}
		if !saved.Truth("result") {
			return salt.Failed("%s", saved.Str("comment"))
		}
		comments = append(comments, "Beacon "+s.name+" saved")
	}
	changes := got.Map("changes")
	if changes == nil {
		changes = new(value.Map)
	}
	text := strings.Join(comments, "\n")
	if s.c.Test && changed {
		return salt.Would(changes, "%s", text)
	}
	return salt.Changed(changes, "%s", text)
}
