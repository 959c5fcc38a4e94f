// Package data holds Salt's data module: a small store of named values on the
// minion, the file datastore of cachedir. Its main variable is Module.
//
//	salt-call data.update release 2024-05
package data

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// Module is Salt's data module.
var Module = salt.Module{
	Name: "data",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"cas":     salt.Exec(cas),
			"clear":   salt.Exec(clearStore),
			"dump":    salt.Exec(dump),
			"get":     salt.Exec(get),
			"has_key": salt.Exec(hasKey),
			"items":   salt.Exec(items),
			"keys":    salt.Exec(keys),
			"load":    salt.Exec(load),
			"pop":     salt.Exec(pop),
			"update":  salt.Exec(update),
			"values":  salt.Exec(values),
		}
	},
}

func path(c *salt.Ctx) string { return filepath.Join(c.Opts.Str("cachedir"), "datastore") }

// read is the whole store; a missing file is an empty one.
func read(c *salt.Ctx) (*value.Map, error) {
	b, err := c.Sys.ReadFile(path(c))
	if errors.Is(err, fs.ErrNotExist) {
		return new(value.Map), nil
	}
	if err != nil {
		return nil, err
	}
	v, err := value.ParseMsgpack(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path(c), err)
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, fmt.Errorf("%s: want a mapping, not %s", path(c), value.TypeName(v))
	}
	return m, nil
}

func write(c *salt.Ctx, store *value.Map) error {
	b, err := value.Msgpack(store)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	return sys.WriteFile(c.Sys, path(c), b, sys.FileAttrs{Mode: &mode})
}

// clearStore removes the whole store.
func clearStore(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	err := c.Sys.Remove(path(c))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err == nil, err
}

// load returns the whole store.
func load(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) { return read(c) }

// items returns the whole store.
func items(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) { return read(c) }

// keys returns the names in the store.
func keys(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	m, err := read(c)
	return value.L(m.Keys()...), err
}

// values returns the values in the store.
func values(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	m, err := read(c)
	l := value.L()
	for _, v := range m.All() {
		l.Append(v)
	}
	return l, err
}

type dumpArgs struct {
	NewData any `py:"new_data"` // the new content, a mapping or the Python text of one
}

// dump replaces the whole store. It says whether the data were a mapping.
//
//	salt-call data.dump '{"a": 1}'
func dump(c *salt.Ctx, a dumpArgs) (bool, error) {
	m, ok := a.NewData.(*value.Map)
	if s, text := a.NewData.(string); text {
		v, err := salt.Literal(s)
		if err != nil {
			return false, value.Errorf("ValueError", "malformed node or string: %s", err)
		}
		m, ok = v.(*value.Map)
	}
	if !ok {
		return false, nil
	}
	return true, write(c, m)
}

type updateArgs struct {
	Key   any `py:"key"`   // the name
	Value any `py:"value"` // the new value
}

// update sets one value.
func update(c *salt.Ctx, a updateArgs) (bool, error) {
	m, err := read(c)
	if err != nil {
		return false, err
	}
	if err := m.SetKey(a.Key, a.Value); err != nil {
		return false, err
	}
	return true, write(c, m)
}

type casArgs struct {
	Key      any `py:"key"`       // the name
	Value    any `py:"value"`     // the new value
	OldValue any `py:"old_value"` // what must be there now
}

// cas sets a value only if the one that is there is the expected one, and says
// whether it did.
//
//	salt-call data.cas release 2024-06 2024-05
func cas(c *salt.Ctx, a casArgs) (bool, error) {
	m, err := read(c)
	if err != nil {
		return false, err
	}
	if old, ok := m.GetKey(a.Key); !ok || !value.Equal(old, a.OldValue) {
		return false, nil
	}
	if err := m.SetKey(a.Key, a.Value); err != nil {
		return false, err
	}
	return true, write(c, m)
}

type getArgs struct {
	Key     any `py:"key"`          // the name, or a list of names
	Default any `py:"default=None"` // when it is not there; None leaves it out of a list
}

// get returns a value, or a list of values for a list of names.
func get(c *salt.Ctx, a getArgs) (any, error) {
	m, err := read(c)
	if err != nil {
		return nil, err
	}
	if _, ok := a.Key.(string); ok {
		if v, ok := m.GetKey(a.Key); ok {
			return v, nil
		}
		return a.Default, nil
	}
	names, err := py.Items(a.Key)
	if err != nil {
		return nil, err
	}
	l := value.L()
	for _, k := range names {
		v, ok := m.GetKey(k)
		if ok {
			l.Append(v)
		} else if a.Default != nil {
			l.Append(a.Default)
		}
	}
	return l, nil
}

type popArgs struct {
	Key     any `py:"key"`          // the name
	Default any `py:"default=None"` // when it is not there
}

// pop removes a value and returns it.
func pop(c *salt.Ctx, a popArgs) (any, error) {
	m, err := read(c)
	if err != nil {
		return nil, err
	}
	v, ok := m.PopKey(a.Key)
	if !ok {
		return a.Default, nil
	}
	return v, write(c, m)
}

type keyArgs struct {
	Key any `py:"key"` // the name
}

// hasKey says whether the store has a name.
func hasKey(c *salt.Ctx, a keyArgs) (bool, error) {
	m, err := read(c)
	return m.HasKey(a.Key), err
}
