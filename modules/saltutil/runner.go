package saltutil

import (
	"strings"
	"time"

	"pinch/jobs"
	"pinch/salt"
	"pinch/value"
)

type runnerArgs struct {
	Name       string     `py:"name"`              // the runner's function: jobs.list_jobs
	Arg        any        `py:"arg=None"`          // its positional arguments, a list
	Kwarg      *value.Map `py:"kwarg=None"`        // its keyword arguments
	FullReturn bool       `py:"full_return=False"` // with the ID of the job and the like
	SaltEnv    string     `py:"saltenv='base'"`    // for runners that take one
	JID        any        `py:"jid=None"`          // the ID of the job; none: a new one
	Kwargs     *value.Map `py:"**kwargs"`          // more keyword arguments for the runner
}

// runner runs a function of a master on this machine, as far as it makes sense
// without one: jobs, fileserver, pillar, cache, manage, saltutil, state, test,
// http, event, salt and mine functions. Others are refused by name.
//
//	salt-call saltutil.runner jobs.list_jobs
//	salt-call saltutil.runner jobs.lookup_jid arg='[20260102030405678901]'
func runner(c *salt.Ctx, a runnerArgs) (any, error) {
	kw := new(value.Map)
	kw.Update(a.Kwarg)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") {
			kw.Set(k, v)
		}
	}
	var args []any
	switch l := a.Arg.(type) {
	case nil:
	case *value.List:
		args = l.Items
	case value.Tuple:
		args = l
	default:
		args = []any{l}
	}
	v, err := run(c, a, args, kw)
	if err != nil || !a.FullReturn {
		return v, err
	}
	jid := value.Str(a.JID)
	if a.JID == nil {
		jid = jobs.NewJID(time.Now())
	}
	return value.M("fun", "runner."+a.Name, "jid", jid, "user", c.Opts.Str("user"), "fun_args", value.L(args...), "return", v, "success", true), nil
}

func run(c *salt.Ctx, a runnerArgs, args []any, kw *value.Map) (any, error) {
	mod, fun, _ := strings.Cut(a.Name, ".")
	arg := func(i int, name string) any {
		if i < len(args) {
			return args[i]
		}
		return kw.At(name)
	}
	switch mod {
	case "jobs":
		if f := jobRunner(fun); f != nil {
			return f(jobCall{c: c, arg: arg})
		}
		if fun != "master" {
			return nil, salt.CommandError("there is no runner %s: list_jobs, list_jobs_filter, list_job, print_job, lookup_jid, last_run, exit_success and active are there", a.Name)
		}
	case "manage":
		return manage(c, fun, a.Name)
	case "fileserver":
		if v, ok, err := fileserver(c, fun, arg); ok {
			return v, err
		}
	case "pillar":
		switch fun {
		case "show_pillar":
			return c.CallKw("pillar.items", value.M("unmask", true))
		case "show_top":
			return c.CompilePillar(c, salt.PillarOptions{Env: c.Opts.Str("pillarenv"), SaltEnv: a.SaltEnv})
		}
	case "cache":
		switch fun {
		case "grains":
			return value.M(c.Opts.Str("id"), c.Grains), nil
		case "pillar":
			return value.M(c.Opts.Str("id"), c.Pillar), nil
		}
	case "git_pillar":
		if fun == "update" {
			repillar(c)
			return true, nil
		}
	case "salt":
		if name, ok := arg(0, "fun").(string); ok && (fun == "cmd" || fun == "execute") {
			rest := args
			if len(rest) > 0 {
				rest = rest[1:]
			}
			kw.Pop("fun")
			return c.CallFunc(c, name, rest, kw)
		}
	}
	// These have the same meaning and arguments here and there.
	if here[a.Name] || mod == "saltutil" && strings.HasPrefix(fun, "sync_") || mod == "test" && fun != "stream" && fun != "metasyntactic" {
		if name := sameAs[a.Name]; name != "" {
			a.Name = name
		}
		return c.CallFunc(c, a.Name, args, kw)
	}
	if cu := c.Run.Custom; cu != nil {
		if file := cu.FileOf(c, "runners", mod); file != "" {
			return cu.Call(c, "runners", file, fun, args, kw)
		}
		if m := cu.File(c, "runners", mod); m != nil && m.Functions("exec")[fun] != nil {
			return cu.Call(c, "runners", mod, fun, args, kw)
		}
	}
	return nil, salt.CommandError("the runner %s needs a Salt master: run it there with salt-run", a.Name)
}

// here are runners that are execution functions, too.
var here = map[string]bool{
	"state.orchestrate": true, "state.orch": true, "state.sls": true, "state.event": true, "state.pause": true, "state.resume": true,
	"state.soft_kill": true, "http.query": true, "event.send": true, "mine.get": true, "mine.update": true, "config.get": true,
	"network.wol": true,
}

var sameAs = map[string]string{"state.orch": "state.orchestrate", "state.sls": "state.orchestrate"}

// manage tells of the one minion that there is: this one.
func manage(c *salt.Ctx, fun, name string) (any, error) {
	me, none := value.L(c.Opts.Str("id")), new(value.List)
	switch fun {
	case "up", "alived", "present", "joined", "reaped", "allowed":
		return me, nil
	case "down", "not_alived", "not_present", "not_joined", "not_reaped", "not_allowed":
		return none, nil
	case "status", "list_state":
		return value.M("up", me, "down", none), nil
	case "versions":
		return value.M("Up to date", value.M(c.Opts.Str("id"), c.Grains.At("saltversion"))), nil
	}
	return nil, salt.CommandError("the runner %s needs a Salt master: run it there with salt-run", name)
}

type wheelArgs struct {
	Name   string     `py:"name"`     // the function: config.values
	Args   []any      `py:"*args"`    // its arguments
	Kwargs *value.Map `py:"**kwargs"` // its keyword arguments
}

// wheel calls a function of a master's administration on this machine, as far
// as it makes sense without one: config.values, file_roots and pillar_roots
// functions. Others are refused by name.
//
//	salt-call saltutil.wheel config.values
func wheel(c *salt.Ctx, a wheelArgs) (any, error) {
	var v any
	var err error
	switch a.Name {
	case "config.values":
		v = c.Opts
	case "file_roots.list_env", "file_roots.list_roots", "pillar_roots.list_env", "pillar_roots.list_roots":
		v = c.Opts.At(a.Name[:strings.IndexByte(a.Name, '.')])
		if v == nil {
			v = new(value.Map)
		}
	case "file_roots.find", "file_roots.read":
		if len(a.Args) == 0 {
			return nil, value.Errorf("TypeError", "%s() missing 1 required positional argument: 'path'", a.Name[strings.IndexByte(a.Name, '.')+1:])
		}
		v, err = c.Call("cp.get_file_str", "salt://"+strings.TrimPrefix(value.Str(a.Args[0]), "salt://"))
	default:
		return nil, salt.CommandError("the wheel function %s needs a Salt master: call it there", a.Name)
	}
	if err != nil {
		return nil, err
	}
	return value.M("fun", "wheel."+a.Name, "jid", jobs.NewJID(time.Now()), "user", "UNKNOWN", "fun_args", value.L(a.Args...), "return", v, "success", true), nil
}
