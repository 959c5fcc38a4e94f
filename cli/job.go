package cli

import (
	"context"
	"errors"
	"os"
	"strings"

	"pinch/bridge"
	"pinch/caller"
	"pinch/cli/args"
	"pinch/jobs"
	"pinch/render/yaml"
	"pinch/returners"
	"pinch/salt"
	"pinch/value"
)

// note tells others on this machine that the job runs.
func (a *answer) note(line *args.Call) (done func()) {
	job := value.M("fun", line.Fun, "pid", int64(os.Getpid()), "jid", a.jid, "tgt", "salt-call")
	return jobs.Start(line.Opts.Str("cachedir"), job)
}

// execute runs the function through the executors of the option
// module_executors: the first that gives a result ends the chain.
func execute(c *salt.Ctx, line *args.Call, f *salt.Func, pos []any, kw *value.Map) (any, error) {
	names := words(line.Opts.At("module_executors"))
	if len(names) == 0 || len(names) == 1 && names[0] == "direct_call" {
		return f.Call(c, pos, kw)
	}
	var err error
	left := false // an executor of the tree left it to the next
	data := value.M("arg", value.L(pos...), "fun", line.Fun)
	data.Update(kw)
	if v := line.Opts.At("executor_opts"); v != nil {
		if s, ok := v.(string); ok {
			if v, err = yaml.Load("", s); err != nil {
				return nil, err
			}
		}
		data.Set("executor_opts", v)
	}
	for _, name := range names {
		var v any
		switch {
		case name == "direct_call":
			v, err = f.Call(c, pos, kw)
		case c.Run.Custom != nil && c.Run.Custom.Has(c, "executors", name):
			v, err = c.Run.Custom.Execute(c, name, line.Fun, data, pos, kw)
			left = true
		case name == "splay": // has waited already, see executors
		default:
			// Before the executors of the tree were ever synced, syncing must be possible.
			if strings.HasPrefix(line.Fun, "saltutil.sync_") || line.Fun == "saltutil.refresh_modules" {
				c.Log.Warn("Executor '" + name + "' is not available: " + line.Fun + " is called without it")
				return f.Call(c, pos, kw)
			}
			return nil, salt.InvocationError("Executor '%s' is not available", name)
		}
		if err != nil || v != nil {
			return v, err
		}
	}
	if left {
		return nil, nil
	}
	return f.Call(c, pos, kw) // a chain of splay alone
}

// ofTree reports whether an executor is a custom module, or is left out
// because the call is to bring it.
func ofTree(line *args.Call, name string) bool {
	if strings.HasPrefix(line.Fun, "saltutil.sync_") || line.Fun == "saltutil.refresh_modules" {
		return true
	}
	b := bridge.New(bridge.Options{Opts: line.Opts, Log: line.Log})
	return b.Has(nil, "executors", name)
}

// hand gives the return to the returners and to the cache of jobs.
func (p *program) hand(ctx context.Context, run *caller.Caller, line *args.Call, a *answer) {
	names := returners.List(line.Opts.At("return"))
	keep := cached(line)
	if len(names) == 0 && !keep {
		return
	}
	c := run.Ctx(ctx)
	ret, _ := c.Run.Sealed(a.metadata(run, line)).(*value.Map)
	save := func() {
		if err := jobs.Save(line.Opts, a.jid, ret); err != nil {
			line.Log.Debug("the return is not cached: " + err.Error())
		}
	}
	// The record of this machine first: nothing that fails later loses it.
	if keep {
		save()
	}
	if len(names) > 0 {
		a.returned = true
		ret.Set("success", true)
		if !returners.Send(c, names, ret, p.stdout) && !keep {
			save()
		}
	}
}

// cached reports whether the return is kept: all with cache_jobs, none with
// cache_jobs: False, and state runs when the option is not set.
func cached(line *args.Call) bool {
	if line.Config.IsSet("cache_jobs") {
		return line.Opts.Truth("cache_jobs")
	}
	switch strings.TrimPrefix(line.Fun, "state.") {
	case "apply", "sls", "highstate", "sls_id", "single", "template", "template_str", "top", "low", "high", "pkg", "orchestrate":
		return strings.HasPrefix(line.Fun, "state.")
	}
	return false
}

// exited is what a custom module left by sys.exit.
func exited(fun string, err error) *callError {
	var e *bridge.Error
	if !errors.As(err, &e) {
		return nil
	}
	code, ok := e.Exit()
	if !ok {
		return nil
	}
	switch code := code.(type) {
	case nil:
		return &callError{text: fun + " called sys.exit()"}
	case int64:
		return &callError{text: fun + " called sys.exit(" + value.Str(code) + ")", code: int(code & 0xff)}
	default:
		return &callError{text: value.Str(code), code: exitGeneric}
	}
}

// refused is the answer to a function whose module whitelist_modules leaves
// out: the manuals of what has that name, as Salt gives them. Modules may
// call it all the same.
func refused(c *salt.Ctx, line *args.Call) *value.Map {
	if mod, _, _ := strings.Cut(line.Fun, "."); salt.Offers(c, mod) {
		return nil
	}
	_, _ = c.Registry().Offered(c, line.Fun) // says why
	v, err := c.Call("sys.doc", line.Fun+"*")
	docs, ok := v.(*value.Map)
	if err != nil || !ok {
		docs = new(value.Map)
	}
	docs.Set(line.Fun, (&salt.LookupError{Name: line.Fun}).Error())
	return docs
}
