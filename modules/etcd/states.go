package etcd

import (
	"pinch/salt"
	"pinch/value"
)

const noProfile = "No profile found, using a profile is always recommended"

// A place is a key with the server that has it.
type place struct {
	store
	key     string
	profile any
}

// now is what a key has, or with all what lies below it. Without a profile an
// absent key fails, as in Salt: settings may be missing.
func (p place) now(all bool) (v any, failed *salt.Result) {
	read := p.get
	if all {
		read = p.tree
	}
	v, err := read(p.key)
	if refusedWith(err, keyNotFound) {
		err = nil
	}
	var bad salt.Result
	switch {
	case err != nil:
		bad = salt.Failed("etcd: %s", err)
	case v == nil && p.profile == nil:
		bad = salt.Failed(noProfile)
	default:
		return v, nil
	}
	return nil, &bad
}

func at(c *salt.Ctx, key string, profile any, kw *value.Map) (place, error) {
	s, err := connect(c, profile, kw)
	return place{s, key, profile}, err
}

type presentArgs struct {
	Name    string     `py:"name"`         // the key
	Value   any        `py:"value"`        // what it has
	Profile any        `py:"profile=None"` // settings of the configuration or the pillar
	Kwargs  *value.Map `py:"**kwargs"`     // ttl, host, port, username, password, ca, client_cert, client_key
}

// present makes sure that a key has a value.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	p, err := at(c, a.Name, a.Profile, a.Kwargs)
	if err != nil {
		return salt.Failed("%s", err)
	}
	now, failed := p.now(false)
	did := "Key value updated"
	switch {
	case failed != nil:
		return *failed
	case now != nil && (value.Equal(now, a.Value) || p.folders() && value.Equal(now, value.Str(a.Value))):
		return salt.Correct("Key contains correct value")
	case !value.Truth(now):
		did = "New key created"
	}
	return c.Make(salt.Change{
		Changes: value.M(a.Name, a.Value),
		Will:    "Key " + a.Name + " would be set",
		Did:     did,
		Do: func() error {
			_, err := p.set(a.Name, a.Value, a.Kwargs.At("ttl"))
			return err
		},
	})
}

type directoryArgs struct {
	Name    string     `py:"name"`         // the folder
	Profile any        `py:"profile=None"` // settings of the configuration or the pillar
	Kwargs  *value.Map `py:"**kwargs"`     // ttl, host, port, username, password, ca, client_cert, client_key
}

// directory makes sure that there is a folder (version 2 of the API).
//
//	/app:
//	  etcd.directory:
//	    - profile: my_etcd
func directory(c *salt.Ctx, a directoryArgs) salt.Result {
	p, err := at(c, a.Name, a.Profile, a.Kwargs)
	if err != nil {
		return salt.Failed("%s", err)
	}
	if !p.folders() {
		_, err := p.mkdir(a.Name, nil)
		return salt.Raised(err)
	}
	now, failed := p.now(true)
	switch {
	case failed != nil:
		return *failed
	case now != nil:
		return salt.Correct("Directory exists")
	}
	return c.Make(salt.Change{
		Changes: value.M(a.Name, "Created"),
		Will:    "Directory " + a.Name + " would be created",
		Did:     "New directory created",
		Do: func() error {
			_, err := p.mkdir(a.Name, a.Kwargs.At("ttl"))
			return err
		},
	})
}

type removedArgs struct {
	Name    string     `py:"name"`          // the key
	Recurse bool       `py:"recurse=False"` // with all that lies below it
	Profile any        `py:"profile=None"`  // settings of the configuration or the pillar
	Kwargs  *value.Map `py:"**kwargs"`      // host, port, username, password, ca, client_cert, client_key
}

// removed makes sure that there is no such key.
func removed(c *salt.Ctx, a removedArgs) salt.Result {
	p, err := at(c, a.Name, a.Profile, a.Kwargs)
	if err != nil {
		return salt.Failed("%s", err)
	}
	now, failed := p.now(true)
	switch {
	case failed != nil:
		return *failed
	case now == nil:
		return salt.Correct("Key does not exist")
	}
	return c.Make(salt.Change{
		Changes: value.M(a.Name, "Deleted"),
		Will:    "Key " + a.Name + " would be removed",
		Did:     "Key removed",
		Do: func() error {
			v, err := p.rm(a.Name, a.Recurse)
			if err == nil && !value.Truth(v) {
				err = salt.CommandError("nothing is removed: keys lie below it, use recurse")
			}
			if err != nil {
				return salt.CommandError("Unable to remove key: %s", err)
			}
			return nil
		},
	})
}

// waitSet sets a key when something that it watches has changes.
func waitSet(c *salt.Ctx, a presentArgs) salt.Result { return salt.Correct("") }

// waitRm removes a key when something that it watches has changes.
func waitRm(c *salt.Ctx, a removedArgs) salt.Result { return salt.Correct("") }

type watchedArgs struct {
	Name   string     `py:"name"`     // the key
	Kwargs *value.Map `py:"**kwargs"` // sfun, and the arguments of the state
}

// watched is what happens when a watched state has changes.
func watched(c *salt.Ctx, a watchedArgs) salt.Result {
	profile := a.Kwargs.At("profile")
	switch fun := a.Kwargs.Str("sfun"); fun {
	case "wait_set", "wait_set_key":
		return present(c, presentArgs{a.Name, a.Kwargs.At("value"), profile, a.Kwargs})
	case "wait_rm", "wait_rm_key":
		return removed(c, removedArgs{a.Name, a.Kwargs.Truth("recurse"), profile, a.Kwargs})
	default:
		return salt.Failed("etcd.%s does not work with the watch requisite, please use etcd.wait_set or etcd.wait_rm", fun)
	}
}
