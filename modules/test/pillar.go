package test

import (
	"math/big"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type checkPillarArgs struct {
	Name       string `py:"name"`            // the name of the state, free to choose
	Present    any    `py:"present=None"`    // keys that must be there
	Boolean    any    `py:"boolean=None"`    // keys that must hold a boolean
	Integer    any    `py:"integer=None"`    // keys that must hold an integer
	String     any    `py:"string=None"`     // keys that must hold a text
	Listing    any    `py:"listing=None"`    // keys that must hold a list
	Dictionary any    `py:"dictionary=None"` // keys that must hold a mapping
	Verbose    bool   `py:"verbose=False"`   // also name the keys that passed
}

// checkPillar checks that pillar keys are there and hold values of the right
// type. Keys are paths (a:b).
//
//	settings:
//	  test.check_pillar:
//	    - present: web:root
//	    - integer: [web:port, web:workers]
func checkPillar(c *salt.Ctx, a checkPillarArgs) salt.Result {
	checks := []struct {
		keys any
		kind string // "" is any
		ok   func(any) bool
	}{
		{a.Present, "", func(any) bool { return true }},
		{a.Boolean, "<class 'bool'>", isBool},
		{a.Integer, "<class 'int'>", isInt},
		{a.String, "(<class 'str'>,)", isType[string]},
		{a.Listing, "<class 'list'>", isType[*value.List]},
		{a.Dictionary, "<class 'dict'>", isType[*value.Map]},
	}
	given := false
	for _, ch := range checks {
		given = given || value.Truth(ch.keys)
	}
	if !given {
		return salt.Raised(salt.InvocationError("Missing required argument text."))
	}
	fine, failed := new(value.Map), new(value.Map)
	for _, ch := range checks {
		keys, ok := keyList(ch.keys)
		if !ok {
			return salt.Raised(value.Errorf("TypeError", ""))
		}
		for _, key := range keys {
			v, found := value.Traverse(c.Pillar, key, ":")
			switch {
			case !found || v == nil:
				failed.Set(key, "")
			case !ch.ok(v):
				failed.Set(key, ch.kind)
			default:
				fine.Set(key, ch.kind)
			}
		}
	}
	r := salt.Correct("%s", comment(fine, failed, a.Verbose))
	r.Result = truth(failed.Len() == 0)
	return r
}

func comment(fine, failed *value.Map, verbose bool) string {
	var b strings.Builder
	for key, kind := range failed.Items() {
		b.WriteString(`Pillar key "` + key + `" `)
		if kind == "" {
			b.WriteString("is missing.\n")
		} else {
			b.WriteString("is not " + kind.(string) + ".\n")
		}
	}
	if verbose && fine.Len() > 0 {
		b.WriteString("Those keys passed the check:\n")
		for key, kind := range fine.Items() {
			if kind == "" {
				kind = "None"
			}
			b.WriteString("- " + key + " (" + kind.(string) + ")\n")
		}
	}
	return b.String()
}

// keyList takes one key or a list of them.
func keyList(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		if v == "" {
			return nil, true
		}
		return []string{v}, true
	case *value.List:
		var keys []string
		for _, it := range v.Items {
			keys = append(keys, value.Str(it))
		}
		return keys, true
	}
	return nil, !value.Truth(v)
}

func isType[T any](v any) bool { _, ok := v.(T); return ok }

func isBool(v any) bool { return isType[bool](v) }

// isInt takes booleans too: they are Python ints.
func isInt(v any) bool { return isType[int64](v) || isType[*big.Int](v) || isBool(v) }
