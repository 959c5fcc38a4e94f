package cmd

import (
	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

type callArgs struct {
	Name           string     `py:"name"`                    // the name of the state
	Func           any        `py:"func"`                    // what to call: a Python callable of a renderer
	Args           any        `py:"args=()"`                 // positional arguments
	Kws            any        `py:"kws=None"`                // keyword arguments
	OutputLoglevel any        `py:"output_loglevel='debug'"` // the level to log the output with; quiet logs neither output nor command
	HideOutput     bool       `py:"hide_output=False"`       // leave the output out of the return
	UseVt          bool       `py:"use_vt=False"`            // show the output on the terminal as it comes
	Kwargs         *value.Map `py:"**kwargs"`                // more arguments, which are ignored
}

// call calls a function that a Python renderer put into the state. A mapping
// that it returns becomes the state's return, anything else is the change.
func call(c *salt.Ctx, a callArgs) salt.Result {
	var args []any
	switch l := a.Args.(type) {
	case *value.List:
		args = l.Items
	case value.Tuple:
		args = l
	}
	kws, _ := a.Kws.(*value.Map)
	v, err := py.Call(a.Func, args, kws)
	if err != nil {
		return salt.Raised(err)
	}
	m, ok := v.(*value.Map)
	if !ok {
		r := salt.Changed(value.M("retval", v), "")
		if v != nil && !value.Truth(v) {
			r.Result = salt.False()
		}
		if s, ok := v.(string); ok {
			r.Comment = s
		}
		return r
	}
	r := salt.Failed("%s", m.Str("comment"))
	if ch := m.Map("changes"); ch != nil {
		r.Changes = ch
	}
	if v, ok := m.Get("result"); ok {
		switch {
		case v == nil:
			r.Result = nil
		case value.Truth(v):
			r.Result = salt.True()
		}
	}
	r.Extra = m.Shallow()
	for _, k := range []string{"comment", "changes", "result"} {
		r.Extra.Pop(k)
	}
	return r
}

type waitCallArgs struct {
	Name           string     `py:"name"`                    // the name of the state
	Func           any        `py:"func"`                    // what to call: a Python callable of a renderer
	Args           any        `py:"args=()"`                 // positional arguments
	Kws            any        `py:"kws=None"`                // keyword arguments
	Stateful       any        `py:"stateful=False"`          // True: the output says what changed; [{test_name: command}]: so does that command under test=True
	UseVt          bool       `py:"use_vt=False"`            // show the output on the terminal as it comes
	OutputLoglevel any        `py:"output_loglevel='debug'"` // the level to log the output with; quiet logs neither output nor command
	HideOutput     bool       `py:"hide_output=False"`       // leave the output out of the return
	Kwargs         *value.Map `py:"**kwargs"`                // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// waitCall calls a function only when something that it watches changed.
func waitCall(c *salt.Ctx, a waitCallArgs) salt.Result { return salt.Correct("") }
