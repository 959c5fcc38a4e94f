package apply

import (
	"errors"
	"fmt"

	"pinch/matcher"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A verdict is what a condition says: skip the state, and why.
type verdict struct {
	skip, skipWatch bool
	comment         any
}

// conditions evaluates onlyif, unless and creates. The map is the return of a
// state that need not run, nil when it must.
func (r *runner) conditions(ch *Chunk) (*value.Map, error) {
	low := ch.Low
	only, hasOnly := low.Get("onlyif")
	not, hasNot := low.Get("unless")
	file, hasFile := low.Get("creates")
	if !hasOnly && !hasNot && !hasFile || r.has(ch, "mod_run_check") {
		return nil, nil
	}
	opts := r.commandOptions(ch)
	comments := new(value.List)
	var all verdict
	note := func(v verdict, err error) error {
		all.skip = all.skip || v.skip
		all.skipWatch = all.skipWatch || v.skipWatch
		comments.Append(v.comment)
		return err
	}
	var err error
	if hasOnly {
		err = note(r.onlyif(ch, only, opts))
	}
	if hasNot && err == nil {
		err = note(r.unless(ch, not, opts))
	}
	if hasFile && err == nil {
		err = note(r.creates(file), nil)
	}
	if err != nil || !all.skip {
		return nil, err
	}
	ret := value.M("result", true, "name", low.At("name"), "changes", new(value.Map), "comment", comments,
		"__sls__", low.At("__sls__"), "__id__", low.At("__id__"))
	if all.skipWatch {
		ret.Set("skip_watch", true)
	}
	return ret, nil
}

// has reports whether the chunk's module has a function of that name.
func (r *runner) has(ch *Chunk, fun string) bool {
	return r.p.lookup(ch.State, fun).err == nil
}

// commandOptions are the arguments of the state that its conditions' commands
// run with too, less those in cmd_opts_exclude.
func (r *runner) commandOptions(ch *Chunk) *value.Map {
	low := ch.Low
	kw := value.M("ignore_retcode", true, "python_shell", true)
	not := set(words(low.At("cmd_opts_exclude"))...)
	for _, k := range [...]string{"cwd", "root", "runas", "env", "prepend_path", "umask", "timeout", "success_retcodes"} {
		if v := low.At(k); v != nil && !not[k] {
			kw.Set(k, v)
		}
	}
	if n, ok := low.At("__umask__").(int64); ok && !not["umask"] {
		kw.Set("umask", fmt.Sprintf("%o", n))
	}
	if v, ok := low.Get("shell"); ok && !not["shell"] && !r.ownShell(ch) {
		kw.Set("shell", v)
	} else if v, ok := r.c.Grains.Get("shell"); ok {
		kw.Set("shell", v)
	}
	return kw
}

// ownShell reports whether the argument shell is no shell to run commands in:
// user.present gives it to the user that it makes.
func (r *runner) ownShell(ch *Chunk) bool {
	if ch.State == "cmd" {
		return false
	}
	fn, err := r.p.function(ch)
	return err == nil && fn.Signature().Param("shell") != nil
}

// looking is a context for what only looks, also under test=True.
func (r *runner) looking() *salt.Ctx { return r.c.With(false) }

func (r *runner) retcode(cmd string, opts *value.Map) (any, error) {
	return r.c.CallFunc(r.looking(), "cmd.retcode", []any{cmd}, opts.Shallow())
}

func entries(v any) []any {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	return []any{v}
}

func commandFailed(err error) bool {
	var ex *value.Exception
	return errors.As(err, &ex) && ex.Class == "CommandExecutionError"
}

// onlyif wants every entry to be true.
func (r *runner) onlyif(ch *Chunk, v any, opts *value.Map) (out verdict, err error) {
	out.comment = nil
	no := verdict{true, true, "onlyif condition is false"}
	yes := verdict{false, false, "onlyif condition is true"}
	for _, e := range entries(v) {
		switch e := e.(type) {
		case string:
			code, err := r.retcode(e, opts)
			if err != nil && !commandFailed(err) {
				return out, err
			}
			if err != nil || !value.Equal(code, int64(0)) {
				return no, nil
			}
			out = yes
		case *value.Map:
			if !e.Has("fun") || ch.spent[e] {
				out.comment = "no `fun` argument in onlyif: " + ch.unspent(e)
				r.c.Log.Warn(out.comment.(string))
				return out, nil
			}
			ch.spend(e)
			ok, err := r.conditionFunction(e)
			if err != nil {
				return out, err
			}
			if !ok {
				return no, nil
			}
			out = yes
		default:
			return verdict{false, out.skipWatch, "onlyif execution failed, bad type passed"}, nil
		}
	}
	return out, nil
}

// unless wants one entry to be false.
func (r *runner) unless(ch *Chunk, v any, opts *value.Map) (out verdict, err error) {
	yes := verdict{true, true, "unless condition is true"}
	no := verdict{false, false, "unless condition is false"}
	for _, e := range entries(v) {
		switch e := e.(type) {
		case string:
			code, err := r.retcode(e, opts)
			if err != nil && !commandFailed(err) {
				return out, err
			}
			if err == nil && !value.Equal(code, int64(0)) {
				return no, nil
			}
			out = yes
		case *value.Map:
			if !e.Has("fun") || ch.spent[e] {
				out.comment = "no `fun` argument in unless: " + ch.unspent(e)
				r.c.Log.Warn(out.comment.(string))
				return out, nil
			}
			ch.spend(e)
			ok, err := r.conditionFunction(e)
			if err != nil {
				return out, err
			}
			if !ok {
				return verdict{false, out.skipWatch, no.comment}, nil
			}
			out = yes
		default:
			out = verdict{false, out.skipWatch, "unless condition is false, bad type passed"}
		}
	}
	return out, nil
}

// spend notes that a condition's function was asked: as in Salt it counts once.
// When the state is called again, after the test run of a prereq or by retry,
// the condition holds it back no more.
func (ch *Chunk) spend(e *value.Map) {
	if ch.spent == nil {
		ch.spent = map[*value.Map]bool{}
	}
	ch.spent[e] = true
}

// unspent shows what is left of a condition.
func (ch *Chunk) unspent(e *value.Map) string {
	if ch.spent[e] {
		e = e.Shallow()
		for _, k := range [...]string{"fun", "args", "get_return"} {
			e.Pop(k)
		}
	}
	return value.Str(e)
}

// leavesCode reports whether states and functions of a module leave the exit
// code of the last command as it is. All others run commands that succeed, or
// none of which the code counts.
func leavesCode(mod string) bool { return mod == "cmd" || mod == "module" || mod == "test" }

// conditionFunction calls an execution function and tells whether its answer,
// or the part named by get_return, is true. A function that sets an exit code
// is judged by that; as in Salt it may be the one that a command of an earlier
// state left behind.
func (r *runner) conditionFunction(e *value.Map) (bool, error) {
	kw := e.Shallow()
	fun, _ := kw.Pop("fun")
	part, _ := kw.Pop("get_return")
	args, _ := kw.Pop("args")
	pos := &value.List{Items: append([]any{}, items(args)...)}
	if err := r.slotList(pos); err != nil {
		return false, err
	}
	if err := r.slots(kw); err != nil {
		return false, err
	}
	if _, err := r.c.Registry().Offered(r.c, value.Str(fun)); err != nil {
		return false, err
	}
	before := r.c.Run.Retcode()
	v, err := r.c.CallFunc(r.looking(), value.Str(fun), pos.Items, kw)
	if err != nil {
		return false, err
	}
	if code := r.c.Run.Retcode(); code != 0 {
		if code == before {
			r.c.Log.Warn(fmt.Sprintf("the exit code %d of an earlier command decides the condition %s", code, value.Str(fun)))
		}
		return false, nil
	}
	if value.Truth(part) {
		v = value.TraverseOr(v, part, nil, ":")
	}
	return value.Truth(v), nil
}

// creates skips the state when all files are there.
func (r *runner) creates(v any) verdict {
	switch v := v.(type) {
	case string:
		if sys.Exists(r.c.Sys, v) {
			return verdict{true, true, v + " exists"}
		}
	case *value.List:
		all := true
		for _, f := range v.Items {
			all = all && sys.Exists(r.c.Sys, value.Str(f))
		}
		if all {
			return verdict{true, true, "All files in creates exist"}
		}
	}
	return verdict{comment: "Creates files not found"}
}

// allowed reports whether the option global_state_conditions lets a state run:
// one matching condition is enough.
func (r *runner) allowed(ch *Chunk) bool {
	conds := r.c.Opts.Map("global_state_conditions")
	if conds.Len() == 0 {
		return true
	}
	m := matcher.Minion{ID: r.c.Opts.Str("id"), Grains: r.c.Grains, Pillar: r.c.Pillar, Nodegroups: r.c.Opts.Map("nodegroups")}
	asked := false
	for k, v := range conds.Items() {
		if k != "*" && k != ch.State && k != ch.State+"."+ch.Fun {
			continue
		}
		if _, ok := v.(string); !ok {
			if _, ok := v.(*value.List); !ok {
				continue
			}
		}
		for _, e := range entries(v) {
			asked = true
			if ok, err := m.Match("compound", e, ""); err == nil && ok {
				return true
			}
		}
	}
	return !asked
}
