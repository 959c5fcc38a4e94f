package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"pinch/caller"
	"pinch/jobs"
	"pinch/returners"
	"pinch/salt"
	"pinch/value"
)

// Perform runs a job in this process, as Salt's scheduler does: with a process
// file while it runs, and its return handed to the returners and the job cache.
func Perform(ctx context.Context, how caller.Options, j Job) *value.Map {
	o, log := how.Config.Opts, how.Log
	ret := value.M("fun", j.Fun, "fun_args", arguments(j), "pid", int64(os.Getpid()))
	if !j.Raw.Has("jid_include") || j.Raw.Truth("jid_include") {
		done := jobs.Start(o.Str("cachedir"), procData(o, j))
		if !j.Awaited {
			defer done()
		}
	}
	run := caller.New(how)
	defer run.Close()
	c := run.Ctx(ctx)
	v, err := call(c, j)
	for _, d := range run.Reports() {
		log.Error(d.Error())
	}
	var missing *salt.LookupError
	switch {
	case errors.As(err, &missing):
		log.Error(missing.Error(), "fun", j.Fun)
		ret.Set("return", missing.Error())
	case err != nil:
		log.Error(fmt.Sprintf("Unhandled exception running %s: %s", j.Fun, err), "fun", j.Fun)
		ret.Set("return", "Unhandled exception running "+j.Fun)
	}
	if err != nil {
		ret.Set("success", false)
		ret.Set("retcode", int64(254))
	} else {
		ret.Set("return", v)
		ret.Set("retcode", int64(c.Run.Retcode()))
		ret.Set("success", true)
		handOver(c, o, j, ret)
	}
	return ret
}

// call calls the function; a panic is its error.
func call(c *salt.Ctx, j Job) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v (this is a bug, please report it)", p)
		}
	}()
	if blackout(c, j.Fun) {
		return nil, salt.InvocationError("Minion in blackout mode. Set 'minion_blackout' to False in pillar or grains to resume operations. Only saltutil.refresh_pillar allowed in blackout mode.")
	}
	f, err := c.Registry().Offered(c, j.Fun)
	if err != nil {
		return nil, err
	}
	kw := j.Kwargs.Shallow()
	if runsStates(j.Fun) && !kw.Has("queue") && !c.Opts.Truth("state_queue") {
		kw.Set("queue", true) // one run at a time: ours waits for its turn
	}
	if f.Signature().Kwargs != "" {
		for k, x := range procData(c.Opts, j).Items() {
			kw.Set("__pub_"+k, x)
		}
	}
	return f.Call(c, j.Args, kw)
}

// runsStates reports whether a function runs states under the lock.
func runsStates(fun string) bool {
	switch fun {
	case "state.apply", "state.sls", "state.highstate", "state.top", "state.sls_id", "state.single":
		return true
	}
	return false
}

// blackout reports whether the machine must not be touched (minion_blackout).
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

func list(v any) []any {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	return nil
}

// handOver gives the return to the returners of a scheduled job.
func handOver(c *salt.Ctx, o *value.Map, j Job, ret *value.Map) {
	if j.Schedule == "" {
		return
	}
	done := map[string]bool{}
	for _, v := range []any{j.Raw.At("returner"), o.At("schedule_returner")} {
		names := list(v)
		if s, ok := v.(string); ok && s != "" {
			names = []any{s}
		}
		for _, n := range names {
			name := value.Str(n)
			if done[name] {
				continue
			}
			done[name] = true
			data := scheduleReturn(o.Str("id"), j, j.JID, ret)
			data.Pop("cmd")
			returners.Send(c, []string{name}, data, io.Discard)
		}
	}
}

// procData is what a process file holds.
func procData(o *value.Map, j Job) *value.Map {
	m := value.M("id", o.Str("id"), "fun", j.Fun, "fun_args", arguments(j))
	if j.Schedule != "" {
		m.Set("schedule", j.Schedule)
	}
	m.Set("jid", j.JID)
	if j.Metadata != nil {
		m.Set("metadata", j.Metadata)
	}
	m.Set("pid", int64(os.Getpid()))
	return m
}

// cache keeps a return in the job cache (cache_jobs).
func cache(o *value.Map, j Job, ret *value.Map) error {
	if !o.Truth("cache_jobs") {
		return nil
	}
	data := value.M("cmd", "_return", "id", o.Str("id"), "jid", j.JID)
	data.Update(ret)
	if j.Schedule != "" {
		data = scheduleReturn(o.Str("id"), j, j.JID, ret)
	}
	return jobs.Save(o, j.JID, data)
}
