package salt

import (
	"fmt"
	"strings"

	"pinch/apply"
	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

type stateArgs struct {
	Name          string     `py:"name"`                   // names the step
	Tgt           any        `py:"tgt"`                    // which minions; without a master it is always this one
	SSH           bool       `py:"ssh=False"`              // needs salt-ssh, which is not here
	TgtType       string     `py:"tgt_type='glob'"`        // how tgt is meant
	Ret           any        `py:"ret=''"`                 // a returner for the results, used by a master
	RetConfig     any        `py:"ret_config=None"`        // its configuration
	RetKwargs     any        `py:"ret_kwargs=None"`        // its arguments
	Highstate     any        `py:"highstate=None"`         // apply the highstate
	SLS           any        `py:"sls=None"`               // apply these SLS files: a list, or joined by commas
	Top           any        `py:"top=None"`               // apply this top file
	SaltEnv       any        `py:"saltenv=None"`           // the environment
	Test          any        `py:"test=None"`              // change nothing, tell what would change
	Pillar        any        `py:"pillar=None"`            // values on top of the pillar
	Pillarenv     any        `py:"pillarenv=None"`         // the environment of the pillar
	ExpectMinions bool       `py:"expect_minions=True"`    // no minion is a failure
	Exclude       any        `py:"exclude=None"`           // SLS files or IDs to leave out
	FailMinions   any        `py:"fail_minions=None"`      // minions that may fail: a list, or joined by commas
	AllowFail     any        `py:"allow_fail=0"`           // so many minions may fail
	Concurrent    any        `py:"concurrent=False"`       // run beside another run of states
	Timeout       any        `py:"timeout=None"`           // used by a master
	Batch         any        `py:"batch=None"`             // used by a master
	Queue         any        `py:"queue=False"`            // wait for a run that is under way
	Subset        any        `py:"subset=None"`            // used by a master
	JID           any        `py:"orchestration_jid=None"` // used by a master
	Failhard      any        `py:"failhard=None"`          // end at the first failure
	Kwargs        *value.Map `py:"**kwargs"`               // roster
}

// state applies states on this machine, as one step of an orchestration.
//
//	deploy:
//	  salt.state:
//	    - tgt: 'web*'
//	    - sls: [nginx, app]
//	    - pillar: {version: 2}
func state(c *salt.Ctx, a stateArgs) salt.Result {
	n, err := py.Int(a.AllowFail)
	allow, ok := n.(int64)
	if err != nil || !ok {
		return salt.Failed("Passed invalid value for 'allow_fail', must be an int")
	}
	kw := value.M("queue", a.Queue)
	fun := ""
	switch {
	case value.Truth(a.Highstate):
		fun = "state.highstate"
	case value.Truth(a.Top):
		fun = "state.top"
		kw.Set("topfn", value.Str(a.Top))
	case value.Truth(a.SLS):
		fun = "state.sls"
		kw.Set("mods", a.SLS)
	default:
		return salt.Failed("No highstate or sls specified, no execution made")
	}
	if a.Test != nil {
		kw.Set("test", a.Test)
	} else if c.Test {
		kw.Set("test", true)
	}
	if value.Truth(a.Pillar) {
		kw.Set("pillar", a.Pillar)
	}
	for k, v := range map[string]any{"pillarenv": a.Pillarenv, "saltenv": a.SaltEnv, "exclude": a.Exclude} {
		if v != nil {
			kw.Set(k, v)
		}
	}
	if _, ok := a.Concurrent.(bool); !ok {
		return salt.Failed("Must pass in boolean for value of 'concurrent'")
	}
	kw.Set("concurrent", a.Concurrent)
	if a.SSH {
		return salt.Failed("salt.state with ssh: True needs salt-ssh: run it on the master")
	}
	before := c.Run.Retcode()
	v, err := c.CallFunc(c.With(false), fun, nil, kw)
	c.Run.SetRetcode(before)
	if err != nil {
		return salt.Raised(err)
	}
	return judge(c, a, v, allow)
}

// judge makes the step's result of what the run returned.
func judge(c *salt.Ctx, a stateArgs, v any, allow int64) salt.Result {
	id := c.Opts.Str("id")
	may, warnings := failures(a.FailMinions)
	ret, isMap := v.(*value.Map)
	res := salt.Result{Result: salt.True(), Changes: new(value.Map), Warnings: warnings}
	failed := !isMap || !apply.Succeeded(ret, nil)
	changed := failed
	for _, s := range ret.Items() {
		m, _ := s.(*value.Map)
		changed = changed || m.Truth("changes")
	}
	if changed {
		res.Changes = value.M("out", "highstate", "ret", value.M(id, v))
	}
	if failed && !may[id] && allow < 1 {
		res.Result = salt.False()
		res.Comment = "Run failed on minions: " + id
		if d := detail(id, v); d != "" {
			res.Comment += "\n" + d
		}
	} else {
		res.Comment = "States ran successfully."
		if changed {
			res.Comment += fmt.Sprintf(" Updating %s.", id)
		} else {
			res.Comment += fmt.Sprintf(" No changes made to %s.", id)
		}
	}
	if (value.Truth(a.Test) || c.Test) && changed && res.OK() {
		res.Result = nil
	}
	return res
}

// detail says what came instead of results of states.
func detail(id string, v any) string {
	switch v := v.(type) {
	case *value.Map:
		return ""
	case *value.List:
		var parts []string
		for _, it := range v.Items {
			if value.Truth(it) {
				parts = append(parts, value.Str(it))
			}
		}
		if len(parts) == 0 {
			return "Minion " + id + " returned an empty error list."
		}
		return "Minion " + id + " returned errors: " + strings.Join(parts, "; ")
	}
	return "Minion " + id + " returned " + value.Repr(v) + " instead of a state result."
}
