package grains

import (
	"fmt"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type appendArgs struct {
	Key       string `py:"key"`           // the path of a list
	Val       any    `py:"val"`           // what to add; the items of a list one by one
	Convert   bool   `py:"convert=False"` // make a list of a single value
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
}

// append_ adds to a grain that is a list, or starts one.
func append_(c *salt.Ctx, a appendArgs) (any, error) {
	grain := lookup(c, a.Key, new(value.List), a.Delimiter)
	list, ok := grain.(*value.List)
	if !ok && a.Convert {
		list, ok = new(value.List), true
		if grain != nil {
			list.Append(grain)
		}
	}
	if !ok {
		return fmt.Sprintf("The key %s is not a valid list", a.Key), nil
	}
	if has(list, a.Val) {
		return fmt.Sprintf("The val %s was already in the list %s", value.Str(a.Val), a.Key), nil
	}
	if more, ok := a.Val.(*value.List); ok {
		list.Append(more.Items...)
	} else {
		list.Append(a.Val)
	}
	return store(c, a.Key, list, a.Delimiter, new(value.Map))
}

type removeArgs struct {
	Key       string `py:"key"`           // the path of a list
	Val       any    `py:"val"`           // what to take out
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
}

// remove takes an item out of a grain that is a list.
func remove(c *salt.Ctx, a removeArgs) (any, error) {
	list, ok := lookup(c, a.Key, new(value.List), a.Delimiter).(*value.List)
	if !ok {
		return fmt.Sprintf("The key %s is not a valid list", a.Key), nil
	}
	i := slices.IndexFunc(list.Items, func(it any) bool { return value.Equal(it, a.Val) })
	if i < 0 {
		return fmt.Sprintf("The val %s was not in the list %s", value.Str(a.Val), a.Key), nil
	}
	list.Items = slices.Delete(list.Items, i, i+1)
	return store(c, a.Key, list, a.Delimiter, nil)
}

// store writes a changed value back: the whole grain that it is a part of.
func store(c *salt.Ctx, key string, val any, delimiter string, def any) (any, error) {
	for delimiter != "" {
		i := strings.LastIndex(key, delimiter)
		if i < 0 {
			break
		}
		rest := key[i+len(delimiter):]
		key = key[:i]
		above := lookup(c, key, def, delimiter)
		if m, ok := above.(*value.Map); ok {
			m.Set(rest, val)
		}
		val = above
	}
	return setval(c, setvalArgs{key, val, false, true})
}

func has(l *value.List, v any) bool {
	return slices.ContainsFunc(l.Items, func(it any) bool { return value.Equal(it, v) })
}

type delkeyArgs struct {
	Key   string `py:"key"`         // the path
	Force any    `py:"force=False"` // also a map or a list
}

// delkey takes a static grain out.
func delkey(c *salt.Ctx, a delkeyArgs) (any, error) {
	return delval(c, delvalArgs{a.Key, true, a.Force})
}

type delvalArgs struct {
	Key         string `py:"key"`               // the path
	Destructive any    `py:"destructive=False"` // True: take the grain itself out
	Force       any    `py:"force=False"`       // also a map or a list
}

// delval sets a static grain to None.
func delval(c *salt.Ctx, a delvalArgs) (any, error) {
	return set(c, setArgs{Key: a.Key, Force: a.Force, Destructive: a.Destructive, Delimiter: ":"})
}
