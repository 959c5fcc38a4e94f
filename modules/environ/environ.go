// Package environ holds Salt's environ module: the environment variables of
// the running program, which commands inherit. Its main variable is Module.
//
//	set the proxy:
//	  environ.setenv:
//	    - name: http_proxy
//	    - value: http://proxy:3128
package environ

import (
	"os"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's environ module.
var Module = salt.Module{
	Name:   "environ",
	States: func() salt.Funcs { return salt.Funcs{"setenv": salt.State(setenvState)} },
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get":       salt.Exec(get),
			"has_value": salt.Exec(hasValue),
			"item":      salt.Exec(item),
			"items":     salt.Exec(items),
			"setenv":    salt.Exec(setenv),
			"setval":    salt.Exec(setval),
		}
	},
}

type setenvStateArgs struct {
	Name         string `py:"name"`                // the variable, or any name when value is a mapping
	Value        any    `py:"value"`               // the text to set, a mapping of several variables, or False to empty the variable
	FalseUnsets  bool   `py:"false_unsets=False"`  // False takes the variable away instead of emptying it
	ClearAll     bool   `py:"clear_all=False"`     // drop all other variables
	UpdateMinion bool   `py:"update_minion=False"` // set them in the daemon too
	Permanent    any    `py:"permanent=False"`     // for Windows only, ignored here
}

// setenvState sets environment variables for the rest of the run.
//
//	build settings:
//	  environ.setenv:
//	    - value:
//	        CC: clang
//	        DEBUG: False
//	    - false_unsets: True
func setenvState(c *salt.Ctx, a setenvStateArgs) salt.Result {
	want, ok := a.Value.(*value.Map)
	if !ok {
		if _, isText := a.Value.(string); !isText && a.Value != false {
			return salt.Failed("Environ value must be string, dict or False")
		}
		want = value.M(a.Name, a.Value)
	}
	changes := difference(want, a.FalseUnsets, a.ClearAll)
	switch {
	case c.Test && changes.Len() > 0:
		r := salt.Changed(changes, "Environ values will be changed")
		return r
	case c.Test:
		return salt.Correct("Environ values are already set with the correct values")
	case changes.Len() == 0:
		return salt.Correct("Environ values were already set with the correct values")
	}
	made, err := setenv(c, setenvArgs{Environ: want, FalseUnsets: a.FalseUnsets, ClearAll: a.ClearAll, UpdateMinion: a.UpdateMinion})
	if err != nil {
		return salt.Raised(err)
	}
	if !value.Truth(made) {
		r := salt.Failed("Failed to set environ variables")
		r.Changes = changes
		return r
	}
	return salt.Changed(made.(*value.Map), "Environ values were set")
}

// difference is what would change.
func difference(want *value.Map, unset, clear bool) *value.Map {
	changes := new(value.Map)
	gone := any("")
	if unset {
		gone = nil
	}
	if clear {
		for _, name := range names() {
			if !want.Has(name) {
				changes.Set(name, gone)
			}
		}
	}
	for k, v := range want.Items() {
		now, set := os.LookupEnv(k)
		switch {
		case v == false && unset:
			if set {
				changes.Set(k, nil)
			}
		case v == false:
			if !set || now != "" {
				changes.Set(k, "")
			}
		case v != now:
			changes.Set(k, v)
		}
	}
	return changes
}

func names() []string {
	var out []string
	for _, kv := range os.Environ() {
		k, _, _ := strings.Cut(kv, "=")
		out = append(out, k)
	}
	return out
}

type setenvArgs struct {
	Environ      any  `py:"environ"`             // a mapping of variables to texts, or to False to empty them
	FalseUnsets  bool `py:"false_unsets=False"`  // False takes the variable away instead of emptying it
	ClearAll     bool `py:"clear_all=False"`     // drop all other variables
	UpdateMinion bool `py:"update_minion=False"` // set them in the daemon too
	Permanent    any  `py:"permanent=False"`     // for Windows only, ignored here
}

// setenv sets several variables and returns what it did, or False when a value
// is neither a text nor False.
func setenv(c *salt.Ctx, a setenvArgs) (any, error) {
	want, ok := a.Environ.(*value.Map)
	if !ok {
		return false, nil
	}
	ret := new(value.Map)
	if a.ClearAll {
		for _, name := range names() {
			if !want.Has(name) {
				ret.Set(name, set(name, false, a.FalseUnsets))
			}
		}
	}
	for k, v := range want.Items() {
		if _, isText := v.(string); !isText && v != false {
			return false, nil
		}
		ret.Set(k, set(k, v, a.FalseUnsets))
	}
	if a.UpdateMinion {
		_, err := c.Call("event.fire", value.M("environ", want, "false_unsets", a.FalseUnsets, "clear_all", a.ClearAll, "permanent", a.Permanent), "environ_setenv")
		if err != nil {
			return nil, err
		}
	}
	return ret, nil
}

type setvalArgs struct {
	Key         any  `py:"key"`                // the variable
	Val         any  `py:"val"`                // the text to set, or False to empty the variable
	FalseUnsets bool `py:"false_unsets=False"` // False takes the variable away instead of emptying it
	Permanent   any  `py:"permanent=False"`    // for Windows only, ignored here
}

// setval sets one variable and returns its value: None when it was taken away,
// False when that is not possible.
func setval(c *salt.Ctx, a setvalArgs) (any, error) {
	key, ok := a.Key.(string)
	if !ok {
		return false, nil
	}
	return set(key, a.Val, a.FalseUnsets), nil
}

func set(key string, v any, unset bool) any {
	if v == false && unset {
		if os.Unsetenv(key) != nil {
			return false
		}
		return nil
	}
	if v == false {
		v = ""
	}
	text, ok := v.(string)
	if !ok || os.Setenv(key, text) != nil {
		return false
	}
	return text
}

type getArgs struct {
	Key     any `py:"key"`        // the variable
	Default any `py:"default=''"` // what to return for a variable that is not set
}

// get returns the value of a variable.
func get(c *salt.Ctx, a getArgs) (any, error) {
	key, ok := a.Key.(string)
	if !ok {
		return false, nil
	}
	if v, ok := os.LookupEnv(key); ok {
		return v, nil
	}
	return a.Default, nil
}

type hasValueArgs struct {
	Key   any `py:"key"`        // the variable
	Value any `py:"value=None"` // the text that it must have; None: any
}

// hasValue says whether a variable is set, or is set to a given value.
func hasValue(c *salt.Ctx, a hasValueArgs) (bool, error) {
	key, ok := a.Key.(string)
	if !ok {
		return false, nil
	}
	v, ok := os.LookupEnv(key)
	return ok && (a.Value == nil || value.Equal(a.Value, v)), nil
}

type itemArgs struct {
	Keys    any `py:"keys"`       // a variable, or a list of them
	Default any `py:"default=''"` // what to return for a variable that is not set
}

// item returns several variables.
func item(c *salt.Ctx, a itemArgs) (*value.Map, error) {
	var keys []any
	switch k := a.Keys.(type) {
	case string:
		keys = []any{k}
	case *value.List:
		keys = k.Items
	}
	ret := new(value.Map)
	for _, k := range keys {
		v, ok := os.LookupEnv(value.Str(k))
		if ok {
			ret.Set(value.Str(k), v)
		} else {
			ret.Set(value.Str(k), a.Default)
		}
	}
	return ret, nil
}

// items returns all variables.
func items(c *salt.Ctx, a salt.NoArgs) (*value.Map, error) {
	ret := new(value.Map)
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok {
			ret.Set(k, v)
		}
	}
	return ret, nil
}
