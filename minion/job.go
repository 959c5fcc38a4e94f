package minion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/jobs"
	"pinch/returners"
	"pinch/salt"
	"pinch/value"
)

// inline reports whether a function is run in the minion's own process: those
// that answer at once, change nothing and cannot hang. All others get a process
// of their own, which can be stopped.
func inline(load, opts *value.Map) bool {
	if asked(load, opts) != "" {
		return false
	}
	switch load.At("fun") {
	case "test.ping", "test.echo", "test.arg", "test.kwarg", "test.arg_clean", "test.version", "test.get_opts", "test.true", "test.false",
		"saltutil.find_job", "saltutil.running", "saltutil.is_running", "saltutil.find_cached_job",
		"saltutil.term_job", "saltutil.kill_job", "saltutil.signal_job", "saltutil.term_all_jobs", "saltutil.kill_all_jobs",
		"grains.items", "grains.item", "grains.get", "grains.ls", "grains.has_value", "grains.fetch",
		"pillar.get", "pillar.item", "pillar.raw", "pillar.keys", "pillar.ls", "config.get", "sys.list_functions", "sys.list_modules", "sys.doc", "sys.argspec":
		return true
	}
	return false
}

// perform runs a job as Salt's minion does: the result is what _return sends.
func perform(ctx context.Context, how caller.Options, load *value.Map) *value.Map {
	opts, log := how.Config.Opts, how.Log
	name, single := load.At("fun").(string)
	if !inline(load, opts) { // those in the minion's own process are no jobs that one could stop
		note := value.M("pid", int64(os.Getpid()))
		note.Update(load)
		defer jobs.Start(opts.Str("cachedir"), note)()
	}
	if strings.HasPrefix(name, "state.") {
		if err := adopt(ctx, how.Master, opts); err != nil {
			log.Warn("the master did not tell its options: " + err.Error())
		}
		how.Pillar = nil // compiled for this run
	}
	if !opts.Has("pillar_mask_output") {
		opts.Set("pillar_mask_output", true) // Salt's default: what is returned stays in the master's job cache
	}
	run := caller.New(how)
	defer run.Close()
	c := run.Ctx(ctx)
	c.Mask = true
	defer func() {
		for _, d := range run.Reports() {
			log.Error(d.Error())
		}
	}()
	var ret *value.Map
	if single {
		ret = one(c, load, name, list(load.At("arg")))
		var late *value.Exception
		if _, refused := ret.At("return").(*value.List); refused && errors.As(run.NoPillar(), &late) {
			ret = failed(c, name, late)
		}
	} else {
		ret = several(c, load)
	}
	handOver(c, load, ret)
	return ret
}

// asked are the names of returners on this machine, with commas between: those
// that the job asks for, and those of the option return.
func asked(load, opts *value.Map) string {
	names := load.Str("ret")
	if more := opts.Str("return"); more != "" {
		names = strings.TrimPrefix(names+","+more, ",")
	}
	return names
}

// handOver gives a return to the returners on this machine.
func handOver(c *salt.Ctx, load, ret *value.Map) {
	names := asked(load, c.Opts)
	if names == "" {
		return
	}
	full := ret.Shallow()
	full.Update(identity(load, c.Opts.Str("id")))
	for _, k := range []string{"ret_config", "ret_kwargs"} {
		if v, ok := load.Get(k); ok {
			full.Set(k, v)
		}
	}
	list := returners.List(names)
	slices.Sort(list)
	returners.Send(c, slices.Compact(list), full, io.Discard)
}

// identity says whose return it is, and of what.
func identity(load *value.Map, id string) *value.Map {
	m := value.M("id", id, "jid", load.At("jid"), "fun", load.At("fun"), "fun_args", load.At("arg"))
	for _, k := range []string{"user", "master_id"} {
		if v, ok := load.Get(k); ok && v != nil {
			m.Set(k, v)
		}
	}
	if data := load.Map("metadata"); data != nil { // Salt ignores what is no map
		m.Set("metadata", data)
	}
	return m
}

// beginning is what the event of a job's start says, which start_event=True asks for.
func beginning(load *value.Map, id string) *value.Map {
	m := value.M("id", id)
	for _, k := range []string{"jid", "fun", "tgt", "tgt_type", "user"} {
		m.Set(k, load.At(k))
	}
	if load.Truth("master_id") {
		m.Set("master_id", load.At("master_id"))
	}
	if v := load.At("metadata"); v != nil {
		m.Set("metadata", v)
	}
	return m
}

// several runs the functions of a job that has a list of them.
func several(c *salt.Ctx, load *value.Map) *value.Map {
	ret, codes, good := new(value.Map), new(value.Map), new(value.Map)
	argLists := list(load.At("arg"))
	inOrder := [3]*value.List{new(value.List), new(value.List), new(value.List)}
	for i, f := range list(load.At("fun")) {
		var arg []any
		if i < len(argLists) {
			arg = list(argLists[i])
		}
		name := value.Str(f)
		r := one(c, load, name, arg)
		ret.Set(name, r.At("return"))
		codes.Set(name, r.At("retcode"))
		good.Set(name, r.At("success"))
		for i, k := range []string{"return", "retcode", "success"} {
			inOrder[i].Append(r.At(k))
		}
	}
	if c.Opts.Truth("multifunc_ordered") { // without names, so that a function may come twice
		return value.M("return", inOrder[0], "retcode", inOrder[1], "success", inOrder[2])
	}
	return value.M("return", ret, "retcode", codes, "success", good)
}

func list(v any) []any {
	switch v := v.(type) {
	case *value.List:
		return v.Items
	case value.Tuple:
		return v
	}
	return nil
}

// one runs one function.
func one(c *salt.Ctx, load *value.Map, name string, arg []any) *value.Map {
	c.Run.SetRetcode(0)
	v, err := call(c, load, name, arg)
	if err != nil {
		return failed(c, name, err)
	}
	ret := new(value.Map)
	code := c.Run.Retcode()
	if m, ok := v.(*value.Map); ok && code == 0 && (saysNo(m, "result") || saysNo(m, "success")) {
		code = 1
	}
	ret.Set("return", v)
	ret.Set("retcode", int64(code))
	ret.Set("success", code == 0)
	if out := c.Registry().Outputter(c, name); out != "" {
		ret.Set("out", out)
	}
	return ret
}

// failed is the return of a function that could not give one.
func failed(c *salt.Ctx, name string, err error) *value.Map {
	return value.M("return", failure(c, name, err), "retcode", int64(1), "success", false, "out", "nested")
}

func saysNo(m *value.Map, key string) bool {
	v, ok := m.Get(key)
	return ok && !value.Truth(v)
}

// call calls a function; a panic is its error.
func call(c *salt.Ctx, load *value.Map, name string, arg []any) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v (this is a bug, please report it)", p)
		}
	}()
	if blackout(c, name) {
		return nil, salt.InvocationError("Minion in blackout mode. Set 'minion_blackout' to False in pillar or grains to resume operations. Only saltutil.refresh_pillar allowed in blackout mode.")
	}
	f, err := c.Registry().Offered(c, name)
	if err != nil {
		return nil, err
	}
	sig := f.Signature()
	names := args.Signature{Kwargs: sig.Kwargs != ""}
	for _, p := range sig.Params {
		names.Names = append(names.Names, p.Name)
	}
	pos, kw, err := args.Load(names, arg)
	if err != nil {
		return nil, err
	}
	if sig.Kwargs != "" {
		for k, it := range load.Items() {
			kw.Set("__pub_"+k, it)
		}
	}
	return f.Call(c, pos, kw)
}

// blackout reports whether this machine must be left alone (minion_blackout).
func blackout(c *salt.Ctx, fun string) bool {
	if fun == "saltutil.refresh_pillar" {
		return false
	}
	for _, m := range []*value.Map{c.Pillar, c.Grains} {
		if !m.Truth("minion_blackout") {
			continue
		}
		for _, allowed := range list(m.At("minion_blackout_whitelist")) {
			if allowed == fun {
				return false
			}
		}
		return true
	}
	return false
}

// failure is what a minion returns for an error.
func failure(c *salt.Ctx, name string, err error) any {
	var missing *salt.LookupError
	if errors.As(err, &missing) && missing.Name == name {
		text := missing.Error()
		if v, err := c.Call("sys.doc", name+"*"); err == nil {
			if docs, _ := v.(*value.Map); docs.Len() > 0 { // what begins with it
				docs.Set(name, text)
				return docs
			}
		}
		if missing.Reason != "" && !missing.Refused {
			text = fmt.Sprintf("'%s' is not available. Possible reasons: '%s'", name, missing.Reason)
		}
		return text
	}
	var x *value.Exception
	if !errors.As(err, &x) {
		return "ERROR: " + c.Run.Redact(err.Error())
	}
	msg := c.Run.Redact(x.Msg)
	switch x.Class {
	case "CommandNotFoundError":
		return fmt.Sprintf("Command required for '%s' not found: %s", name, msg)
	case "CommandExecutionError":
		return "ERROR: " + msg
	case "SaltInvocationError", "SaltClientError":
		return fmt.Sprintf("ERROR executing '%s': %s", name, msg)
	case "TypeError":
		return fmt.Sprintf("Passed invalid arguments to %s: %s\n%s", name, msg, manual(c, name))
	}
	return fmt.Sprintf("The minion function caused an exception: %s: %s", x.Class, msg)
}

// manual is the manual of a function, "" when it has none.
func manual(c *salt.Ctx, name string) string {
	v, err := c.Call("sys.doc", name)
	if err != nil {
		return ""
	}
	m, _ := v.(*value.Map)
	return m.Str(name)
}
