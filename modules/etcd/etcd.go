// Package etcd holds Salt's etcd module: keys in an etcd server, through its
// HTTP API of version 2 or, with etcd.require_v2: False, of version 3. Its main
// variable is Module.
//
//	my_etcd:            # a profile, in the configuration or the pillar
//	  etcd.host: 127.0.0.1
//	  etcd.port: 2379
//	  etcd.require_v2: False
//
//	/app/color:
//	  etcd.set:
//	    - value: blue
//	    - profile: my_etcd
package etcd

import (
	"errors"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's etcd module.
var Module = salt.Module{
	Name: "etcd",
	States: func() salt.Funcs {
		return salt.Funcs{
			"directory": salt.State(directory),
			"rm":        salt.State(removed),
			"set":       salt.State(present).Named("set_"),
			"wait_rm":   salt.State(waitRm),
			"wait_set":  salt.State(waitSet),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get":    query(salt.Exec(get)).Named("get_"),
			"ls":     query(salt.Exec(ls)).Named("ls_"),
			"rm":     salt.Exec(rm).Named("rm_"),
			"set":    salt.Exec(set).Named("set_"),
			"tree":   query(salt.Exec(tree)),
			"update": salt.Exec(update),
			"watch":  query(salt.Exec(watch)),
		}
	},
	Watch: salt.State(watched),
}

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

// A store is etcd in one version of its API. An absent key is nil.
type store interface {
	get(key string) (any, error)
	// tree is what lies below a path, by the last parts of the keys.
	tree(path string) (any, error)
	// ls is what lies right below a path, by whole keys; folders are empty maps.
	ls(path string) (any, error)
	// set writes a key and returns the value it has then; ttl is in seconds.
	set(key string, v any, ttl any) (any, error)
	mkdir(key string, ttl any) (any, error)
	rm(key string, recurse bool) (any, error)
	// folders reports whether an empty map is written as a folder.
	folders() bool
	watch(key string, recurse bool, timeout float64, from any) (any, error)
}

// quiet turns errors that Salt only logs into None: no server, no key.
func quiet(c *salt.Ctx, v any, err error) (any, error) {
	var refused *refusal
	switch {
	case err == nil:
		return v, nil
	case errors.As(err, &refused) && refused.raises:
		return nil, &value.Exception{Class: "EtcdException", Msg: err.Error()}
	case refused == nil && !errors.As(err, new(unreachable)):
		return nil, err
	}
	c.Log.Error("etcd: " + err.Error())
	return nil, nil
}

// ask puts a question to the store; its answer is quiet.
func ask(c *salt.Ctx, profile any, kw *value.Map, question func(store) (any, error)) (any, error) {
	s, err := connect(c, profile, kw)
	if err != nil {
		return nil, err
	}
	v, err := question(s)
	return quiet(c, v, err)
}

type getArgs struct {
	Key     string     `py:"key"`           // the key
	Recurse bool       `py:"recurse=False"` // all that lies below it
	Profile any        `py:"profile=None"`  // settings of the configuration or the pillar
	Kwargs  *value.Map `py:"**kwargs"`      // host, port, username, password, ca, client_cert, client_key
}

// get returns the value of a key; None where there is none.
//
//	salt-call etcd.get /app/color host=127.0.0.1 port=2379
func get(c *salt.Ctx, a getArgs) (any, error) {
	return ask(c, a.Profile, a.Kwargs, func(s store) (any, error) {
		if a.Recurse {
			return s.tree(a.Key)
		}
		return s.get(a.Key)
	})
}

type pathArgs struct {
	Path    string     `py:"path='/'"`     // where to look
	Profile any        `py:"profile=None"` // settings of the configuration or the pillar
	Kwargs  *value.Map `py:"**kwargs"`     // host, port, username, password, ca, client_cert, client_key
}

// ls returns the keys right below a path, folders with a slash behind.
func ls(c *salt.Ctx, a pathArgs) (any, error) {
	return ask(c, a.Profile, a.Kwargs, func(s store) (any, error) { return s.ls(a.Path) })
}

// tree returns all keys below a path, as maps in maps.
func tree(c *salt.Ctx, a pathArgs) (any, error) {
	return ask(c, a.Profile, a.Kwargs, func(s store) (any, error) { return s.tree(a.Path) })
}

type rmArgs struct {
	Key     string     `py:"key"`           // the key
	Recurse bool       `py:"recurse=False"` // with all that lies below it
	Profile any        `py:"profile=None"`  // settings of the configuration or the pillar
	Kwargs  *value.Map `py:"**kwargs"`      // host, port, username, password, ca, client_cert, client_key
}

// rm removes a key and reports whether there was one; None if that failed.
func rm(c *salt.Ctx, a rmArgs) (any, error) {
	return ask(c, a.Profile, a.Kwargs, func(s store) (any, error) { return s.rm(a.Key, a.Recurse) })
}

type setArgs struct {
	Key       string     `py:"key"`             // the key
	Value     any        `py:"value"`           // what it gets
	Profile   any        `py:"profile=None"`    // settings of the configuration or the pillar
	TTL       any        `py:"ttl=None"`        // seconds until it goes away by itself
	Directory bool       `py:"directory=False"` // make a folder (version 2 of the API only)
	Kwargs    *value.Map `py:"**kwargs"`        // host, port, username, password, ca, client_cert, client_key
}

// set writes a key and returns its value; None if that failed.
//
//	salt-call etcd.set /app/color blue ttl=60
func set(c *salt.Ctx, a setArgs) (any, error) {
	return ask(c, a.Profile, a.Kwargs, func(s store) (any, error) {
		if a.Directory {
			return s.mkdir(a.Key, a.TTL)
		}
		return s.set(a.Key, a.Value, a.TTL)
	})
}

type watchArgs struct {
	Key     string     `py:"key"`           // the key
	Recurse bool       `py:"recurse=False"` // or one below it
	Profile any        `py:"profile=None"`  // settings of the configuration or the pillar
	Timeout float64    `py:"timeout=0"`     // seconds to wait; 0: for ever
	Index   any        `py:"index=None"`    // the first change that counts, by its number
	Kwargs  *value.Map `py:"**kwargs"`      // host, port, username, password, ca, client_cert, client_key
}

// watch waits for a change and returns key, value, changed, mIndex and dir.
func watch(c *salt.Ctx, a watchArgs) (any, error) {
	return ask(c, a.Profile, a.Kwargs, func(s store) (any, error) {
		return s.watch(a.Key, a.Recurse, a.Timeout, a.Index)
	})
}
