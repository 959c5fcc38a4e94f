package grains

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type existsArgs struct {
	Name      string `py:"name"`          // the path
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
}

// path gives a state's name the delimiter that grains have. Salt's delimiter
// is a pattern: "\|" is a bar.
func path(name, delimiter string) string {
	delimiter = strings.ReplaceAll(delimiter, `\`, "")
	if delimiter == "" {
		return name
	}
	return strings.ReplaceAll(name, delimiter, ":")
}

// under has a result say the name with that delimiter.
func under(r *salt.Result, name string) { r.Extra = value.M("name", name) }

// existsState makes sure that a grain is there.
func existsState(c *salt.Ctx, a existsArgs) (r salt.Result) {
	name := path(a.Name, a.Delimiter)
	defer under(&r, name)
	if _, ok := value.Traverse(c.Grains, name, ":"); !ok {
		return salt.Failed("Grain does not exist")
	}
	return salt.Correct("Grain exists")
}

type presentArgs struct {
	Name      string `py:"name"`          // the path
	Value     any    `py:"value"`         // the value
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
	Force     any    `py:"force=False"`   // replace a map or list, or a value by one
}

// presentState makes sure that a static grain has a value.
//
//	cheese:
//	  grains.present:
//	    - value: edam
func presentState(c *salt.Ctx, a presentArgs) (r salt.Result) {
	name := path(a.Name, a.Delimiter)
	defer under(&r, name)
	old, ok := value.Traverse(c.Grains, name, ":")
	switch {
	case ok && value.Equal(old, a.Value):
		return salt.Correct("Grain is already set")
	case c.Test && !ok:
		return salt.Would(value.M("new", name), "Grain %s is set to be added", name)
	case c.Test:
		return salt.Would(value.M("changed", value.M(name, a.Value)), "Grain %s is set to be changed", name)
	}
	r = setFor(c, setArgs{Key: name, Val: a.Value, Force: a.Force, Delimiter: ":"})
	if r.OK() && r.Changes.Len() > 0 {
		r.Comment = fmt.Sprintf("Set grain %s to %s", name, value.Str(a.Value))
	}
	return r
}

// setFor is set as the result of a state.
func setFor(c *salt.Ctx, a setArgs) salt.Result {
	v, err := set(c, a)
	if err != nil {
		return salt.Failed("%s", err)
	}
	m := v.(*value.Map)
	r := salt.Result{Result: salt.True(), Comment: m.Str("comment"), Changes: m.Map("changes")}
	if !m.Truth("result") {
		r.Result = salt.False()
	}
	return r
}

type absentArgs struct {
	Name        string `py:"name"`              // the path
	Destructive any    `py:"destructive=False"` // True: take the grain itself out, not only its value
	Delimiter   string `py:"delimiter=':'"`     // what stands between the parts of the path
	Force       any    `py:"force=False"`       // also a map or a list
}

// absentState takes a static grain's value away, or the grain itself.
//
//	cheese:
//	  grains.absent:
//	    - destructive: True
func absentState(c *salt.Ctx, a absentArgs) (r salt.Result) {
	name := path(a.Name, a.Delimiter)
	defer under(&r, name)
	old, ok := value.Traverse(c.Grains, name, ":")
	destructive := a.Destructive == true
	if !ok {
		return salt.Correct("Grain %s does not exist", name)
	}
	if c.Test {
		switch {
		case destructive:
			return salt.Would(value.M("deleted", name), "Grain %s is set to be deleted", name)
		case old == nil:
			return salt.Would(nil, "")
		}
		return salt.Would(value.M("grain", name, "value", nil), "Value for grain %s is set to be deleted (None)", name)
	}
	r = setFor(c, setArgs{Key: name, Destructive: a.Destructive, Force: a.Force, Delimiter: ":"})
	switch {
	case !r.OK():
	case destructive:
		r.Comment, r.Changes = fmt.Sprintf("Grain %s was deleted", name), value.M("deleted", name)
	case old != nil:
		r.Comment, r.Changes = fmt.Sprintf("Value for grain %s was set to None", name), value.M("grain", name, "value", nil)
	}
	return r
}

type appendStateArgs struct {
	Name      string `py:"name"`          // the path of a list
	Value     any    `py:"value"`         // the item
	Convert   any    `py:"convert=False"` // True: make a list of a single value
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
}

// appendState makes sure that a grain that is a list has an item; the grain
// has to be there.
//
//	grains:
//	  grains.append:
//	    - name: roles
//	    - value: web
func appendState(c *salt.Ctx, a appendStateArgs) (r salt.Result) {
	name, val := path(a.Name, a.Delimiter), value.Str(a.Value)
	defer under(&r, name)
	grain, _ := value.Traverse(c.Grains, name, ":")
	if !value.Truth(grain) && !c.Grains.Has(name) {
		return salt.Failed("Grain %s does not exist", name)
	}
	added := value.M("added", a.Value)
	list, ok := grain.(*value.List)
	switch {
	case ok && has(list, a.Value):
		return salt.Correct("Value %s is already in the list for grain %s", val, name)
	case ok && c.Test:
		return salt.Would(added, "Value %s in grain %s is set to be added", val, name)
	case !ok && a.Convert != true:
		return salt.Failed("Grain %s is not a valid list", name)
	case !ok && c.Test:
		return salt.Would(added, "Grain %s is set to be converted to list and value %s will be added", name, val)
	}
	var err error
	if ok {
		_, err = append_(c, appendArgs{Key: name, Val: a.Value, Delimiter: ":"})
	} else {
		list = new(value.List)
		if grain != nil {
			list.Append(grain)
		}
		list.Append(a.Value)
		_, err = setval(c, setvalArgs{name, list, false, true})
	}
	if err != nil {
		return salt.Failed("%s", err)
	}
	return salt.Changed(added, "Value %s was added to grain %s", val, name)
}
