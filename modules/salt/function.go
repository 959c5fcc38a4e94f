package salt

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type functionArgs struct {
	Name          string     `py:"name"`                 // the function
	Tgt           any        `py:"tgt"`                  // which minions; this one must be among them
	SSH           bool       `py:"ssh=False"`            // needs salt-ssh, which is not here
	TgtType       string     `py:"tgt_type='glob'"`      // how tgt is meant
	Ret           any        `py:"ret=''"`               // a returner for the result, used by a master
	RetConfig     any        `py:"ret_config=None"`      // its configuration
	RetKwargs     any        `py:"ret_kwargs=None"`      // its arguments
	ExpectMinions bool       `py:"expect_minions=False"` // no minion is a failure
	FailMinions   any        `py:"fail_minions=None"`    // minions that may fail: a list, or joined by commas
	FailFunction  any        `py:"fail_function=None"`   // a function that is given the result and tells whether it is a success
	Arg           any        `py:"arg=None"`             // the positional arguments, a list
	Kwarg         any        `py:"kwarg=None"`           // the keyword arguments, a mapping
	Timeout       any        `py:"timeout=None"`         // used by a master
	Batch         any        `py:"batch=None"`           // used by a master
	Subset        any        `py:"subset=None"`          // used by a master
	Failhard      any        `py:"failhard=None"`        // used by a master
	Kwargs        *value.Map `py:"**kwargs"`             // roster
}

// function calls an execution function on this machine.
//
//	cmd.run:
//	  salt.function:
//	    - tgt: '*'
//	    - arg: [uptime]
func function(c *salt.Ctx, a functionArgs) salt.Result {
	var warnings []string
	if s, ok := a.Arg.(string); ok {
		warnings = append(warnings, "Please specify 'arg' as a list of arguments.")
		l := new(value.List)
		for _, w := range strings.Fields(s) {
			l.Append(w)
		}
		a.Arg = l
	}
	if a.Arg == nil {
		a.Arg = new(value.List)
	}
	if a.Kwarg == nil {
		a.Kwarg = new(value.Map)
	}
	if c.Test {
		return salt.Result{Comment: fmt.Sprintf("Function %s would be executed on target %s", a.Name, value.Str(a.Tgt)), Warnings: warnings}
	}
	before := c.Run.Retcode()
	c.Run.SetRetcode(0)
	v, err := c.CallKw("saltutil.cmd", value.M("tgt", a.Tgt, "fun", a.Name, "arg", a.Arg, "kwarg", a.Kwarg, "tgt_type", a.TgtType, "ssh", a.SSH))
	c.Run.SetRetcode(before)
	if err != nil {
		return salt.Result{Result: salt.False(), Comment: err.Error(), Warnings: warnings}
	}
	all, _ := v.(*value.Map)
	may, more := failures(a.FailMinions)
	res := salt.Result{Result: salt.True(), Changes: new(value.Map), Warnings: append(warnings, more...)}
	var failed, ran []string
	rets := new(value.Map)
	for id, d := range all.Items() {
		data, _ := d.(*value.Map)
		ret := data.At("ret")
		res.Extra = jid(data.At("jid"))
		good := ret != false
		if f := value.Str(orNone(a.FailFunction)); f != "" && good {
			ok, err := c.Call(f, ret)
			if err != nil {
				return salt.Raised(err)
			}
			good = value.Truth(ok)
		}
		if data.Truth("retcode") || !good && !may[id] {
			failed = append(failed, id)
		}
		ran = append(ran, id)
		rets.Set(id, ret)
	}
	res.Changes.Set("ret", rets)
	if len(failed) > 0 {
		res.Result = salt.False()
		res.Comment = fmt.Sprintf("Running function %s failed on minions: %s", a.Name, strings.Join(failed, ", "))
	} else {
		res.Comment = "Function ran successfully."
	}
	res.Comment += fmt.Sprintf(" Function %s ran on %s.", a.Name, strings.Join(ran, ", "))
	return res
}

func orNone(v any) any {
	if v == nil {
		return ""
	}
	return v
}
