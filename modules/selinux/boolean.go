package selinux

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type booleanStateArgs struct {
	Name     string `py:"name"`          // the boolean
	Value    any    `py:"value=None"`    // on or off
	Booleans any    `py:"booleans=None"` // several ones instead of name: values by boolean, or a list of booleans that get value
	Persist  bool   `py:"persist=False"` // keep them over a start
}

// onOff reads a value, "" if it is none.
func onOff(v any) string {
	switch strings.ToLower(value.Str(v)) {
	case "1", "on", "yes", "true":
		return "on"
	case "0", "off", "no", "false":
		return "off"
	}
	return ""
}

// combine puts what booleans says into m.
func combine(m *value.Map, booleans, v any) {
	switch b := booleans.(type) {
	case *value.Map:
		m.Update(b)
	case *value.List:
		for _, it := range b.Items {
			if sub, ok := it.(*value.Map); ok {
				m.Update(sub)
			} else {
				m.Set(value.Str(it), v)
			}
		}
	}
}

// boolean makes sure that booleans have a value.
//
//	web:
//	  selinux.boolean:
//	    - persist: True
//	    - booleans:
//	        httpd_can_network_connect: on
//	        httpd_enable_cgi: off
func boolean(c *salt.Ctx, a booleanStateArgs) salt.Result {
	want := new(value.Map)
	if value.Truth(a.Booleans) {
		combine(want, a.Booleans, a.Value)
	} else {
		want.Set(a.Name, a.Value)
	}
	known, err := listSebool(c, salt.NoArgs{})
	if err != nil {
		return salt.Raised(err)
	}
	var correct, differ []string
	change, changes := new(value.Map), new(value.Map)
	for name, v := range want.Items() {
		now, set := known.Map(name), onOff(v)
		switch {
		case now == nil:
			return salt.Failed("Boolean %s is not available", name)
		case set == "":
			return salt.Failed("%s is not a valid value for the boolean %s", value.Str(v), name)
		case now.Str("State") == set && (now.Str("Default") == set || !a.Persist):
			correct = append(correct, name)
			continue
		}
		differ = append(differ, name)
		change.Set(name, set)
		if a.Persist {
			changes.Set(name, value.M("old", value.Tuple{now.At("State"), now.At("Default")}, "new", value.Tuple{set, set}))
		} else {
			changes.Set(name, value.M("old", now.At("State"), "new", set))
		}
	}
	slices.Sort(correct)
	slices.Sort(differ)
	comment := ""
	if len(correct) > 0 {
		comment = "The following booleans were in the correct state: " + strings.Join(correct, ", ")
	}
	if change.Len() == 0 {
		return salt.Correct("%s", comment)
	}
	if comment != "" {
		comment += "\n"
	}
	if c.Test {
		return salt.Would(changes, "%sThe following booleans would be changed: %s", comment, strings.Join(differ, ", "))
	}
	ok, err := setsebools(c, setBooleansArgs{change, a.Persist})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Failed to set the following booleans: %s", value.Repr(want))
	}
	return salt.Changed(changes, "%sThe following booleans have been changed: %s", comment, strings.Join(differ, ", "))
}

// aggregate gives the first of several boolean states the booleans of all of
// them: setsebool is slow.
func aggregate(_ *salt.Ctx, low *value.Map, chunks []*value.Map, running *value.Map) *value.Map {
	if low.Str("fun") != "boolean" {
		return low
	}
	more := new(value.Map)
	for _, ch := range chunks {
		tag := ch.Str("state") + "_|-" + ch.Str("__id__") + "_|-" + ch.Str("name") + "_|-" + ch.Str("fun")
		if running.Has(tag) || ch.Str("state") != "selinux" || ch.Has("__agg__") || ch.Str("fun") != "boolean" || !value.Equal(ch.At("persist"), low.At("persist")) {
			continue
		}
		if ch.Has("booleans") {
			combine(more, ch.At("booleans"), ch.At("value"))
		} else {
			more.Set(ch.Str("name"), ch.At("value"))
		}
		ch.Set("__agg__", true)
	}
	if more.Len() == 0 {
		return low
	}
	all := new(value.Map)
	if low.Has("booleans") {
		combine(all, low.At("booleans"), low.At("value"))
	} else {
		all.Set(low.Str("name"), low.At("value"))
	}
	all.Update(more)
	low.Set("booleans", all)
	return low
}
