package apply

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// call calls the function of a chunk, with all that the global arguments say,
// and gives its return. attempt counts from 1 (retry).
func (r *runner) call(ch *Chunk, attempt int) *value.Map {
	start := r.c.Sys.Now()
	r.announce(ch, start)
	fn, errs := r.p.verify(ch)
	if len(errs) > 0 {
		r.tested(ch)
		ret := value.M("result", false, "name", ch.Low.At("name"), "changes", new(value.Map), "comment", strings.Join(errs, "\n")+"\n",
			"__sls__", ch.Low.At("__sls__"), "__run_num__", r.number(), "__id__", ch.Low.At("__id__"), "start_time", clock(start), "duration", 0.0)
		r.logResult(ch, ret)
		return ret
	}
	r.executing(ch)
	kw := kwargs(fn, ch.Low)
	ret := r.protected(ch, fn, kw)
	if ch.prereq {
		r.hide(ret)
		r.tested(ch)
		unify(ret)
		return ret
	}
	r.finish(ch, ret, r.number(), start, time.Time{})
	if v, ok := ch.Low.Get("retry"); ok && !ch.Low.Has("parallel") && !refused(ret) {
		ret = r.retry(ch, ret, v, attempt)
	}
	// Only now: the texts of retry show a comment that is a list as one.
	unify(ret)
	return ret
}

// announce says which state runs now.
func (r *runner) announce(ch *Chunk, start time.Time) {
	name := strings.TrimSpace(ch.Name)
	r.log("Running state [", name, "] at time ", clock(start))
	if p := r.c.Run.Progress; p != nil {
		p(r.running.Len()+1, len(r.plan.Chunks), ch.State+"."+ch.Fun+" "+name)
	}
}

func (r *runner) executing(ch *Chunk) {
	if !ch.prereq {
		r.log("Executing state ", ch.State+"."+ch.Fun, " for ["+strings.TrimSpace(ch.Name), "]")
	}
}

// finish completes the return of a state that ran until end, by default until
// now, and does what the state asks for after it.
func (r *runner) finish(ch *Chunk, ret *value.Map, num int64, start, end time.Time) {
	r.hide(ret)
	ret.Set("__sls__", ch.Low.At("__sls__"))
	ret.Set("__run_num__", num)
	if ch.Low.Truth("no_log") {
		mask(ret)
	}
	r.logResult(ch, ret)
	r.reload(ch, ret)
	if end.IsZero() {
		end = r.c.Sys.Now()
	}
	took := millis(end.Sub(start))
	ret.Set("start_time", clock(start))
	ret.Set("duration", took)
	ret.Set("__id__", ch.Low.At("__id__"))
	r.log("Completed state [", strings.TrimSpace(ch.Name), "] at time ", clock(end)+" (duration_in_ms="+value.FormatFloat(took)+")")
}

// tested ends the test run of a chunk: its next run is real.
func (r *runner) tested(ch *Chunk) {
	if ch.prereq {
		ch.prereq = false
		ch.Low.Set("__prereq__", false)
	}
}

// ctx is what the function of a chunk gets to know.
func (r *runner) ctx(ch *Chunk) *salt.Ctx {
	c := *r.c
	c.Low = ch.Low
	c.Env = "base"
	if e := ch.Low.Str("__env__"); e != "" {
		c.Env = e
	}
	if !c.Opts.Truth("lock_saltenv") {
		if e := ch.Low.Str("saltenv"); e != "" {
			c.Env = e
		} else if e, ok := ch.Low.At("env").(string); ok {
			c.Env = e
		}
	}
	if ch.prereq {
		return c.With(true)
	}
	return &c
}

// protected checks the conditions of a chunk and calls its function. An
// exception or a panic fails this state only.
func (r *runner) protected(ch *Chunk, fn *salt.Func, kw *value.Map) (ret *value.Map) {
	defer func() {
		if p := recover(); p != nil {
			r.c.Log.Debug(fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
			ret = exception(ch, panicked(p))
		}
	}()
	ret, err := r.conditions(ch)
	if err != nil {
		return exception(ch, err)
	}
	if ret == nil {
		if ret, err = r.function(ch, fn, kw); err != nil {
			return exception(ch, err)
		}
	}
	if v, ok := ch.Low.Get("check_cmd"); ok && !r.checksItself(ch) {
		if err := r.checkCmd(ch, ret, v); err != nil {
			return exception(ch, err)
		}
	}
	return ret
}

// function calls the function itself, or starts it when it runs in parallel.
func (r *runner) function(ch *Chunk, fn *salt.Func, kw *value.Map) (*value.Map, error) {
	if r.o.Mock {
		return value.M("name", ch.Low.At("name"), "comment", "Not called, mocked", "changes", new(value.Map), "result", true), nil
	}
	if !r.allowed(ch) {
		r.c.Log.Info("Failed to meet global state conditions. State '" + ch.Name + "' not called.")
		return value.M("name", ch.Low.At("name"), "comment", "Failed to meet global state conditions. State not called.", "changes", new(value.Map), "result", nil), nil
	}
	c := r.ctx(ch)
	if !ch.prereq && ch.Low.Truth("parallel") {
		if k := r.p.lookup(ch.State, ch.Fun); ch.Fun == "mod_watch" || fn.Origin != nil || k.err == nil && k.mod.Aggregate != nil {
			c.Before = r.running.Shallow() // these look at the results of others
		}
		return r.procs.start(ch, func() *value.Map { return r.background(c, ch, fn, kw) }), nil
	}
	ret, err := r.invoke(c, ch, fn, kw)
	if !leavesCode(ch.State) {
		c.Run.SetRetcode(0)
	}
	return ret, err
}

// invoke works the slots out and calls the function under the chunk's umask.
func (r *runner) invoke(c *salt.Ctx, ch *Chunk, fn *salt.Func, kw *value.Map) (ret *value.Map, err error) {
	if err := r.slots(kw); err != nil {
		return nil, err
	}
	do := func() {
		var v any
		if v, err = fn.Call(c, nil, kw); err == nil {
			ret, err = answer(v, called(ch, kw))
		}
	}
	if mask, ok := ch.Low.At("__umask__").(int64); ok {
		err2 := sys.WithUmask(int(mask), do)
		if err2 != nil {
			return nil, err2
		}
		return ret, err
	}
	do()
	return ret, err
}

// called is the name that a function was called with: that of the chunk, or
// what a slot in its place gave.
func called(ch *Chunk, kw *value.Map) string {
	if s, ok := kw.At("name").(string); ok && strings.HasPrefix(ch.Name, slotMark) {
		return s
	}
	return ch.Name
}

// answer makes a state's return of what the function gave.
func answer(v any, name string) (*value.Map, error) {
	switch v := v.(type) {
	case salt.Result:
		return v.Map(name), nil
	case *value.Map:
		return v, nil
	}
	return nil, malformed("Malformed state return. Data must be a dictionary type.")
}

// refused reports whether a return stands for one that was malformed.
func refused(ret *value.Map) bool {
	return ret.At("name") == "later" && strings.HasPrefix(ret.Str("comment"), "An exception occurred in this state: ")
}

// malformed is what a return is refused with.
func malformed(text string) error { return &value.Exception{Class: "SaltException", Msg: text} }

// exception is the return of a state that raised an exception.
func exception(ch *Chunk, err error) *value.Map {
	name := ch.Low.At("name")
	text := err.Error()
	var ex *value.Exception
	var missing *salt.LookupError
	var traced salt.Traced
	switch {
	case errors.As(err, &traced) && traced.Traceback() != "":
		text = traced.Traceback()
	case errors.As(err, &ex) && ex.Class == "SaltException":
		name = "later" // what Salt calls a state whose return it refuses
	case errors.As(err, &ex):
		text = className(ex.Class)
		if ex.Msg != "" {
			text += ": " + ex.Msg
		}
	case errors.Is(err, context.Canceled):
		text = "the run was interrupted"
	case errors.As(err, &missing):
		text = "KeyError: '" + missing.Name + "'"
	}
	return value.M("result", false, "name", name, "changes", new(value.Map), "comment", "An exception occurred in this state: "+text)
}

// className is the class as a Python traceback ends with it: Salt's own with
// their module.
func className(class string) string {
	for _, own := range [...]string{"CommandExecutionError", "CommandNotFoundError", "MinionError", "FileLockError", "TimedProcTimeoutError"} {
		if class == own {
			return "salt.exceptions." + class
		}
	}
	if strings.HasPrefix(class, "Salt") {
		return "salt.exceptions." + class
	}
	return class
}

// unify brings a return to its form: changes is a map, the comment a text and
// the result a boolean or None.
func unify(ret *value.Map) {
	bad := ""
	if _, ok := ret.At("changes").(*value.Map); !ok {
		bad = "'Changes' should be a dictionary."
	} else {
		var missing []string
		for _, k := range [...]string{"name", "result", "changes", "comment"} {
			if !ret.Has(k) {
				missing = append(missing, k)
			}
		}
		if len(missing) > 0 {
			bad = "The following keys were not present in the state return: " + strings.Join(missing, ", ") + "."
		}
	}
	if bad != "" {
		*ret = *value.M("result", false, "name", "later", "changes", new(value.Map), "comment", "An exception occurred in this state: "+bad)
		return
	}
	if l, ok := ret.At("comment").(*value.List); ok {
		lines := make([]string, len(l.Items))
		for i, it := range l.Items {
			lines[i] = value.Str(it)
		}
		ret.Set("comment", strings.Join(lines, "\n"))
	}
	switch v := ret.At("result").(type) {
	case nil, bool:
	default:
		ret.Set("result", value.Truth(v))
	}
}

// init gives a module its chance to prepare, once (mod_init).
func (r *runner) init(ch *Chunk) {
	if r.started[ch.State] {
		return
	}
	k := r.p.lookup(ch.State, ch.Fun)
	if k.err != nil {
		return
	}
	if k.mod.Init == nil || k.mod.Init(r.ctx(ch), ch.Low) {
		r.started[ch.State] = true
	}
}
