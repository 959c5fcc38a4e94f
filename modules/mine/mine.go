// Package mine holds Salt's mine module: results of functions that are kept
// for other minions, and masterless for this one (in the store of module
// data). Its main variable is Module.
//
//	{% for id, ips in salt['mine.get']('web*', 'network.ip_addrs').items() %}
package mine

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's mine module.
var Module = salt.Module{
	Name: "mine",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"delete":     salt.Exec(delete_),
			"flush":      salt.Exec(flush),
			"get":        salt.Exec(get),
			"get_docker": salt.Exec(getDocker),
			"send":       salt.Exec(send),
			"update":     salt.Exec(update),
			"valid":      salt.Exec(valid),
		}
	},
}

// The names of an entry that only some minions may read.
const (
	aclMark = "__saltmine_acl__"
	aclData = "__data__"
	store   = "mine_cache"
)

func local(c *salt.Ctx) bool { return c.Opts.Str("file_client") == "local" }

// cached is the mine of this minion, nil if there is none.
func cached(c *salt.Ctx) (*value.Map, error) {
	v, err := c.Call("data.get", store)
	m, _ := v.(*value.Map)
	return m, err
}

// keep stores results: here, or with the master.
func keep(c *salt.Ctx, results *value.Map, clear bool) (any, error) {
	if !local(c) {
		return tell(c, value.M("cmd", "_mine", "data", results, "id", c.Opts.At("id"), "clear", clear))
	}
	if !clear {
		old, err := cached(c)
		if err != nil {
			return nil, err
		}
		if old != nil {
			old.Update(results)
			results = old
		}
	}
	return c.Call("data.update", store, results)
}

// tell hands a message for the master to the minion's bus.
func tell(c *salt.Ctx, load *value.Map) (any, error) {
	if m := c.Run.Master; m != nil {
		cmd, _ := load.Pop("cmd")
		return m.Request(c, value.Str(cmd), load)
	}
	bus, ok := c.Host.(salt.EventBus)
	if !ok {
		return false, nil
	}
	return bus.FireEvent(c, "_minion_mine", load, false)
}

// A definition is an entry of mine_functions.
type definition struct {
	fun  string
	args []any
	kw   *value.Map
	acl  *value.Map // allow_tgt, allow_tgt_type
}

func define(alias string, v any) definition {
	d := definition{kw: new(value.Map), acl: new(value.Map)}
	switch v := v.(type) {
	case *value.Map:
		d.kw.Update(v)
	case *value.List:
		for _, it := range v.Items {
			if m, ok := it.(*value.Map); ok {
				d.kw.Update(m)
			} else {
				d.args = append(d.args, it)
			}
		}
	}
	fun, _ := d.kw.Pop("mine_function")
	if d.fun, _ = fun.(string); d.fun == "" {
		d.fun = alias
	}
	for _, k := range []string{"allow_tgt", "allow_tgt_type"} {
		if x, _ := d.kw.Pop(k); value.Truth(x) {
			d.acl.Set(k, x)
		}
	}
	return d
}

// call runs the function and wraps its result if not everyone may see it.
func (d definition) call(c *salt.Ctx) (any, error) {
	args, kw := []any{}, new(value.Map)
	for _, a := range d.args { // a mapping among the arguments is keywords
		if m, ok := a.(*value.Map); ok {
			kw.Update(m)
		} else {
			args = append(args, a)
		}
	}
	kw.Update(d.kw)
	v, err := c.CallKw(d.fun, kw, args...)
	if err != nil || !d.acl.Has("allow_tgt") {
		return v, err
	}
	m := value.M(aclData, v, aclMark, int64(1))
	m.Update(d.acl)
	return m, nil
}

type updateArgs struct {
	Clear         bool `py:"clear=False"`         // forget what the mine has now
	MineFunctions any  `py:"mine_functions=None"` // run these (a list of names, or as the option) instead of the configured ones
}

// update runs the functions of the option mine_functions (of the minion and
// the pillar) and stores their results.
//
//	mine_functions:
//	  network.ip_addrs: [eth0]
//	  web_ips:
//	    - mine_function: network.ip_addrs
//	    - cidr: 10.0.0.0/8
func update(c *salt.Ctx, a updateArgs) (any, error) {
	funs := new(value.Map)
	switch v := a.MineFunctions.(type) {
	case *value.Map:
		funs = v
	case *value.List:
		for _, it := range v.Items {
			funs.SetKey(it, new(value.Map))
		}
	default:
		if value.Truth(v) {
			return nil, nil
		}
	}
	if funs.Len() == 0 {
		v, err := c.Call("config.merge", "mine_functions", new(value.Map))
		if err != nil {
			return nil, err
		}
		if funs, _ = v.(*value.Map); funs.Len() == 0 {
			return nil, nil
		}
	}
	results := new(value.Map)
	for alias, v := range funs.Items() {
		d := define(alias, v)
		if _, err := c.Registry().Exec(c, d.fun); err != nil {
			c.Log.Error("Function " + d.fun + " in mine_functions not available")
			continue
		}
		res, err := d.call(c)
		if err != nil {
			c.Log.Error("Function " + d.fun + " in mine.update failed to execute: " + err.Error())
			continue
		}
		results.Set(alias, res)
	}
	return keep(c, results, a.Clear)
}

type sendArgs struct {
	Name   string     `py:"name"`     // the name in the mine, and the function unless mine_function says another
	Args   []any      `py:"*args"`    // its arguments
	Kwargs *value.Map `py:"**kwargs"` // its keyword arguments, and mine_function, allow_tgt, allow_tgt_type
}

// send runs a function and stores its result. It says whether that worked.
//
//	salt-call mine.send eth0_ips mine_function=network.ip_addrs interface=eth0
func send(c *salt.Ctx, a sendArgs) (any, error) {
	kw := new(value.Map)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") {
			kw.Set(k, v)
		}
	}
	d := define(a.Name, kw)
	d.args = a.Args
	res, err := d.call(c)
	if err != nil {
		c.Log.Error("Function " + d.fun + " in mine.send failed to execute: " + err.Error())
		return false, nil
	}
	return keep(c, value.M(a.Name, res), false)
}

type getArgs struct {
	Tgt           string `py:"tgt"`                  // whose results
	Fun           any    `py:"fun"`                  // the name in the mine; a list or names with commas between give a mapping of all
	TgtType       string `py:"tgt_type='glob'"`      // the kind of target: glob, pcre, list, grain, compound …
	ExcludeMinion bool   `py:"exclude_minion=False"` // leave this minion out
}

// get returns what minions have in the mine, by their ids. Without a master
// that is this minion alone.
func get(c *salt.Ctx, a getArgs) (any, error) {
	if m := c.Run.Master; m != nil {
		return ask(c, m, a)
	}
	if !local(c) {
		return nil, salt.CommandError("mine.get: the mine is with the master, and there is no connection to one")
	}
	out := new(value.Map)
	kinds := []string{"glob", "pcre", "list", "grain", "grain_pcre", "ipcidr", "compound", "pillar", "pillar_pcre"}
	if !slices.Contains(kinds, a.TgtType) {
		return nil, value.Errorf("KeyError", "%s", value.Repr(a.TgtType))
	}
	ok, err := c.Call("match."+a.TgtType, a.Tgt)
	if err != nil || !value.Truth(ok) {
		return out, err
	}
	data, err := cached(c)
	if data == nil || err != nil {
		return out, err
	}
	var funs []string
	many := false
	switch f := a.Fun.(type) {
	case string:
		for name := range strings.SplitSeq(f, ",") {
			if !slices.Contains(funs, name) {
				funs = append(funs, name)
			}
		}
		many = len(funs) > 1
	case *value.List:
		for _, it := range f.Items {
			funs = append(funs, value.Str(it))
		}
		many = true
	}
	id := c.Opts.Str("id")
	for _, f := range funs {
		v, ok := data.Get(f)
		if !ok {
			continue
		}
		if m, ok := v.(*value.Map); ok && m.Has(aclMark) {
			v = m.At(aclData)
		}
		if many {
			out.Set(f, value.M(id, v))
		} else {
			out.Set(id, v)
		}
	}
	return out, nil
}

// ask is get with a master.
func ask(c *salt.Ctx, m salt.Master, a getArgs) (any, error) {
	v, err := m.Request(c, "_mine_get", value.M("tgt", a.Tgt, "fun", a.Fun, "tgt_type", a.TgtType))
	if got, ok := v.(*value.Map); ok && a.ExcludeMinion {
		got.Pop(c.Opts.Str("id"))
	}
	return v, err
}

type deleteArgs struct {
	Fun string `py:"fun"` // the name in the mine
}

// delete_ removes one result from the mine.
func delete_(c *salt.Ctx, a deleteArgs) (any, error) {
	if !local(c) {
		return tell(c, value.M("cmd", "_mine_delete", "id", c.Opts.At("id"), "fun", a.Fun))
	}
	m, err := cached(c)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return c.Call("data.update", store, nil)
	}
	m.Pop(a.Fun)
	return c.Call("data.update", store, m)
}

// flush removes all results of this minion from the mine.
func flush(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	if !local(c) {
		return tell(c, value.M("cmd", "_mine_flush", "id", c.Opts.At("id")))
	}
	return c.Call("data.update", store, new(value.Map))
}

// valid returns the configured functions that can be run, with their arguments.
func valid(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	v, err := c.Call("config.merge", "mine_functions", new(value.Map))
	funs, _ := v.(*value.Map)
	if err != nil || funs.Len() == 0 {
		return nil, err
	}
	out := new(value.Map)
	for alias, v := range funs.Items() {
		d := define(alias, v)
		if _, err := c.Registry().Exec(c, d.fun); err != nil {
			c.Log.Error("Function " + d.fun + " in mine_functions not available")
			continue
		}
		entry := v
		switch _, plain := v.(*value.Map); {
		case d.fun != alias:
			args := value.L(d.args...)
			for k, it := range d.kw.All() {
				m := new(value.Map)
				m.SetKey(k, it)
				args.Append(m)
			}
			entry = value.M(d.fun, args)
		case plain:
			entry = d.kw
		}
		out.Set(alias, entry)
	}
	return out, nil
}
