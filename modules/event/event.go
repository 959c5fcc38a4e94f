// Package event holds Salt's event module: it fires events on the bus of the
// daemon, or sends them to the master. Its main variable is Module.
//
//	app/deployed:
//	  event.send:
//	    - data: {version: 3}
package event

import (
	"os"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's event module.
var Module = salt.Module{
	Name: "event",
	States: func() salt.Funcs {
		return salt.Funcs{
			"send":        salt.State(sendState),
			"fire_master": salt.State(fireMasterState).Named("send"),
			"wait":        salt.State(wait),
			"mod_watch":   watch,
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"fire":        salt.Exec(fire),
			"fire_master": salt.Exec(fireMaster),
			"send":        salt.Exec(send),
		}
	},
	Watch: watch,
}

var watch = salt.State(modWatch)

type sendStateArgs struct {
	Name        string     `py:"name"`              // the name of the state, free to choose
	Data        any        `py:"data=None"`         // the data of the event, a mapping
	Preload     any        `py:"preload=None"`      // more keys of the message to the master
	WithEnv     any        `py:"with_env=False"`    // True: with the environment variables; a list: with these
	WithGrains  any        `py:"with_grains=False"` // True: with the grains; a list: with these
	WithPillar  any        `py:"with_pillar=False"` // True: with the pillar; a list: with these
	ShowChanged bool       `py:"show_changed=True"` // show tag and data as changes
	Kwargs      *value.Map `py:"**kwargs"`          // more arguments, which are ignored
}

// sendState fires an event each time.
func sendState(c *salt.Ctx, a sendStateArgs) salt.Result {
	changes := new(value.Map)
	if a.ShowChanged {
		changes = value.M("tag", a.Name, "data", a.Data)
	}
	if c.Test {
		return salt.Would(changes, "Event would have been fired")
	}
	sent, err := send(c, sendArgs{
		Tag: a.Name, Data: a.Data, Preload: a.Preload, WithEnv: a.WithEnv, WithGrains: a.WithGrains,
		WithPillar: a.WithPillar, Kwargs: a.Kwargs,
	})
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Changed(changes, "Event fired")
	if !sent {
		r.Result = salt.False()
	}
	return r
}

// fireMasterState is another name of event.send.
func fireMasterState(c *salt.Ctx, a sendStateArgs) salt.Result {
	return sendState(c, a)
}

type waitArgs struct {
	Name string `py:"name"`      // the name of the state, free to choose
	Sfun any    `py:"sfun=None"` // the function that was called before
	Data any    `py:"data=None"` // the data of the event, a mapping
}

// wait fires an event only when something that it watches changed.
func wait(c *salt.Ctx, a waitArgs) salt.Result { return salt.Correct("") }

// modWatch fires the event when something that the state watches changed.
func modWatch(c *salt.Ctx, a sendStateArgs) salt.Result { return sendState(c, a) }

type fireArgs struct {
	Data any    `py:"data"` // the data of the event, a mapping
	Tag  string `py:"tag"`  // the tag of the event
}

// fire fires an event on the local bus. It says whether there is one.
//
//	salt-call event.fire '{"data": "my event data"}' 'tag'
func fire(c *salt.Ctx, a fireArgs) (bool, error) {
	data, _ := a.Data.(*value.Map)
	return post(c, a.Tag, data, false)
}

type fireMasterArgs struct {
	Data    any    `py:"data"`         // the data of the event, a mapping
	Tag     string `py:"tag"`          // the tag of the event
	Preload any    `py:"preload=None"` // more keys of the message to the master
}

// fireMaster sends an event to the master. Without a master it does nothing
// and answers False.
func fireMaster(c *salt.Ctx, a fireMasterArgs) (bool, error) {
	if masterless(c) {
		c.Log.Warn("Local mode detected. Event with tag " + a.Tag + " will NOT be sent.")
		return false, nil
	}
	data, ok := a.Data.(*value.Map)
	if !ok {
		data = value.M("data", a.Data)
	}
	if preload, ok := a.Preload.(*value.Map); ok {
		data = data.Shallow()
		data.Set("__preload", preload)
	}
	return post(c, a.Tag, data, true)
}

type sendArgs struct {
	Tag         string     `py:"tag"`                 // the tag of the event
	Data        any        `py:"data=None"`           // the data of the event, a mapping
	Preload     any        `py:"preload=None"`        // more keys of the message to the master
	WithEnv     any        `py:"with_env=False"`      // True: with the environment variables; a list: with these
	WithGrains  any        `py:"with_grains=False"`   // True: with the grains; a list: with these
	WithPillar  any        `py:"with_pillar=False"`   // True: with the pillar; a list: with these
	WithEnvOpts bool       `py:"with_env_opts=False"` // with saltenv and pillarenv
	Kwargs      *value.Map `py:"**kwargs"`            // more arguments, which are ignored
}

// send fires an event with the given data and, if asked to, environment,
// grains and pillar: to the master, or without one on the local bus.
//
//	salt-call event.send myco/mytag foo=Foo bar=Bar with_grains='[id, os]'
func send(c *salt.Ctx, a sendArgs) (bool, error) {
	data := new(value.Map)
	for _, part := range []struct {
		name string
		want any
		from func() *value.Map
	}{
		{"environ", a.WithEnv, environment},
		{"grains", a.WithGrains, func() *value.Map { return c.Grains }},
		{"pillar", a.WithPillar, func() *value.Map { return c.Pillar }},
	} {
		if value.Truth(part.want) {
			data.Set(part.name, subset(part.from(), part.want))
		}
	}
	if a.WithEnvOpts {
		env := c.Opts.At("saltenv")
		if !c.Opts.Has("saltenv") {
			env = "base"
		}
		data.Set("saltenv", env)
		data.Set("pillarenv", c.Opts.At("pillarenv"))
	}
	data.Update(a.Kwargs)
	if m, ok := a.Data.(*value.Map); ok {
		data.Update(m)
	}
	if masterless(c) || c.Opts.Str("master_type") == "disable" && !c.Opts.Truth("use_master_when_local") {
		return post(c, a.Tag, data, false)
	}
	return fireMaster(c, fireMasterArgs{Data: data, Tag: a.Tag, Preload: a.Preload})
}

func masterless(c *salt.Ctx) bool {
	return (c.Opts.Truth("local") || c.Opts.Str("file_client") == "local") && !c.Opts.Truth("use_master_when_local")
}

func post(c *salt.Ctx, tag string, data *value.Map, toMaster bool) (bool, error) {
	bus, ok := c.Host.(salt.EventBus)
	if !ok {
		return false, nil
	}
	return bus.FireEvent(c, tag, data, toMaster)
}

func environment() *value.Map {
	m := new(value.Map)
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok {
			m.Set(k, v)
		}
	}
	return m
}

// subset are the wanted keys of a mapping, or all of them.
func subset(m *value.Map, want any) *value.Map {
	keys, ok := want.(*value.List)
	if !ok {
		return m
	}
	out := new(value.Map)
	for _, k := range keys.Items {
		if v, ok := m.Get(value.Str(k)); ok {
			out.Set(value.Str(k), v)
		}
	}
	return out
}
