package grains

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type listArgs struct {
	Name      string `py:"name"`          // the path of a list
	Value     any    `py:"value"`         // an item, or a list of items
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
}

// listPresent makes sure that a grain is a list that has some items.
//
//	roles:
//	  grains.list_present:
//	    - value: [web, db]
func listPresent(c *salt.Ctx, a listArgs) (r salt.Result) {
	name := path(a.Name, a.Delimiter)
	defer under(&r, name)
	grain := lookup(c, name, "", ":")
	list, isList := grain.(*value.List)
	if value.Truth(grain) && !isList {
		return salt.Failed("Grain %s is not a valid list", name)
	}
	p := pendingFor(c, name)
	there := func(v any) bool { return isList && has(list, v) || has(p, v) }
	val, comment := a.Value, ""
	if items, ok := a.Value.(*value.List); ok {
		var known, missing value.List
		for _, it := range items.Items {
			if there(it) {
				known.Append(it)
			} else {
				missing.Append(it)
				p.Append(it)
			}
		}
		if missing.Len() == 0 {
			return already(grain, a.Value, name)
		}
		val = &missing
		if known.Len() > 0 {
			comment = fmt.Sprintf("Removed value %s from update due to value found in \"%s\" (or pending).\n", value.Str(&known), name)
			if !value.Truth(grain) {
				comment = fmt.Sprintf("Removed value %s from update due to value already pending in \"%s\".\n", value.Str(&known), name)
			}
		}
	} else {
		if there(a.Value) {
			return already(grain, a.Value, name)
		}
		p.Append(a.Value)
	}
	switch {
	case c.Test && value.Truth(grain):
		return salt.Would(value.M("new", grain), "Value %s is set to be appended to grain %s", value.Str(val), name)
	case c.Test:
		return salt.Would(value.M("new", grain), "Grain %s is set to be added", name)
	}
	return listAdd(c, name, val, comment)
}

func already(grain, val any, name string) salt.Result {
	if value.Truth(grain) {
		return salt.Correct("Value %s is already in grain %s (or pending)", value.Str(val), name)
	}
	return salt.Correct("Value %s is already pending in grain %s", value.Str(val), name)
}

func listAdd(c *salt.Ctx, name string, val any, comment string) salt.Result {
	// A grain without a value becomes a list; Salt fails with a traceback.
	empty := lookup(c, name, "", ":") == nil
	news, err := append_(c, appendArgs{Key: name, Val: val, Convert: empty, Delimiter: ":"})
	if err != nil {
		return salt.Failed("%s", err)
	}
	got, _ := lookup(c, name, new(value.List), ":").(*value.List)
	want := []any{val}
	if l, ok := val.(*value.List); ok {
		want = l.Items
	}
	for _, v := range want {
		if got == nil || !has(got, v) {
			return salt.Failed("Failed append value %s to grain %s", value.Str(val), name)
		}
	}
	return salt.Changed(value.M("new", news), "%sAppend value %s to grain %s", comment, value.Str(val), name)
}

// pendingFor are the items that list_present added to a grain in this run,
// which a test run would add again otherwise.
func pendingFor(c *salt.Ctx, name string) *value.List {
	all := c.Run.Context.Map("pending_grains")
	if all == nil {
		all = new(value.Map)
		c.Run.Context.Set("pending_grains", all)
	}
	if all.List(name) == nil {
		all.Set(name, new(value.List))
	}
	return all.List(name)
}

// listAbsent makes sure that a grain that is a list lacks some items.
//
//	roles:
//	  grains.list_absent:
//	    - value: [web, db]
func listAbsent(c *salt.Ctx, a listArgs) (r salt.Result) {
	name := path(a.Name, a.Delimiter)
	defer under(&r, name)
	grain, _ := value.Traverse(c.Grains, name, ":")
	list, ok := grain.(*value.List)
	switch {
	case !value.Truth(grain):
		return salt.Correct("Grain %s does not exist", name)
	case !ok:
		return salt.Failed("Grain %s is not a valid list", name)
	}
	items := []any{a.Value}
	if l, ok := a.Value.(*value.List); ok {
		items = l.Items
	}
	r = salt.Correct("")
	deleted := new(value.List)
	var comments []string
	for _, v := range items {
		switch {
		case !has(list, v):
			comments = append(comments, fmt.Sprintf("Value %s is absent from grain %s", value.Str(v), name))
			continue
		case c.Test:
			r.Result = nil
			comments = append(comments, fmt.Sprintf("Value %s in grain %s is set to be deleted", value.Str(v), name))
		default:
			if _, err := remove(c, removeArgs{name, v, ":"}); err != nil {
				return salt.Failed("%s", err)
			}
			comments = append(comments, fmt.Sprintf("Value %s was deleted from grain %s", value.Str(v), name))
		}
		deleted.Append(v)
	}
	if deleted.Len() > 0 {
		r.Changes.Set("deleted", deleted)
	}
	r.Comment = strings.Join(comments, "\n")
	return r
}
