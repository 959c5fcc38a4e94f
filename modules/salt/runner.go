package salt

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type runnerArgs struct {
	Name   string     `py:"name"`     // the runner's function
	Kwargs *value.Map `py:"**kwargs"` // its arguments: arg, kwarg or by name
}

// runner runs a runner of a master, as far as it has a meaning here.
//
//	fileserver.update:
//	  salt.runner: []
func runner(c *salt.Ctx, a runnerArgs) salt.Result {
	if c.Test {
		return salt.Would(nil, "Runner function '%s' would be executed.", a.Name)
	}
	out, err := master(c, "saltutil.runner", a.Name, a.Kwargs)
	if err != nil {
		return salt.Raised(err)
	}
	return told(out, "Runner", a.Name)
}

// wheel runs a wheel function of a master, as far as it has a meaning here.
//
//	config.values:
//	  salt.wheel: []
func wheel(c *salt.Ctx, a runnerArgs) salt.Result {
	if c.Test {
		return salt.Would(nil, "Wheel function '%s' would be executed.", a.Name)
	}
	kw := a.Kwargs.Shallow()
	kw.Set("name", a.Name)
	v, err := c.CallKw("saltutil.wheel", kw)
	if err != nil {
		return salt.Raised(err)
	}
	out, ok := v.(*value.Map)
	if !ok || !out.Has("return") {
		out = value.M("return", v)
	}
	return told(out, "Wheel", a.Name)
}

// master calls a runner and gives its full return.
func master(c *salt.Ctx, fun, name string, kwargs *value.Map) (*value.Map, error) {
	kw := kwargs.Shallow()
	kw.Set("name", name)
	kw.Set("full_return", true)
	before := c.Run.Retcode()
	defer func() { c.Run.SetRetcode(before) }()
	v, err := c.CallKw(fun, kw)
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	return m, nil
}

// told is the result of a runner or wheel function.
func told(out *value.Map, what, name string) salt.Result {
	ret := out.At("return")
	success := !out.Has("success") || out.Truth("success")
	if m, ok := ret.(*value.Map); ok && m.Has("Error") {
		success = false
	}
	res := salt.Result{Result: &success, Changes: value.M("return", ret), Extra: jid(out.At("jid"))}
	word := "executed"
	if !success {
		word = "failed"
	}
	res.Comment = fmt.Sprintf("%s function '%s' %s.", what, name, word)
	return res
}

type parallelArgs struct {
	Name    string     `py:"name"`     // names the step
	Runners any        `py:"runners"`  // a runner, or a mapping of an ID to name and kwarg
	Kwargs  *value.Map `py:"**kwargs"` // taken and ignored
}

// parallelRunners runs several runners; without a master they run one after
// the other.
//
//	refresh:
//	  salt.parallel_runners:
//	    - runners:
//	        trees: [{name: fileserver.update}]
//	        pillar: [{name: git_pillar.update}]
func parallelRunners(c *salt.Ctx, a parallelArgs) salt.Result {
	if s, ok := a.Runners.(string); ok {
		a.Runners = value.M(s, value.L(value.M("name", s)))
	}
	all, ok := a.Runners.(*value.Map)
	if !ok {
		return salt.Failed("The runners parameter must be a string or dict.")
	}
	outs := new(value.Map)
	var failed []string
	for id, v := range all.Items() {
		conf := new(value.Map)
		if l, ok := v.(*value.List); ok {
			for _, it := range l.Items {
				m, _ := it.(*value.Map)
				conf.Update(m)
			}
		}
		name := conf.Str("name")
		if name == "" {
			name = id
		}
		kw := conf.Map("kwarg")
		if kw == nil {
			kw = new(value.Map)
		}
		out, err := master(c, "saltutil.runner", name, kw)
		if err != nil {
			return salt.Failed("One of the runners raised an exception: %s", err)
		}
		ret := out.At("return")
		if m, ok := ret.(*value.Map); ok && (m.Truth("exit_code") || m.Truth("retcode")) {
			failed = append(failed, id)
		}
		outs.Set(id, ret)
	}
	res := salt.Changed(value.M("ret", outs), "All runner functions executed successfully.")
	switch len(failed) {
	case 0:
	case 1:
		res.Result, res.Comment = salt.False(), "Runner "+failed[0]+" failed."
	default:
		res.Result, res.Comment = salt.False(), "Runners "+strings.Join(failed, ", ")+" failed."
	}
	return res
}
