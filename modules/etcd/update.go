package etcd

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type updateArgs struct {
	Fields  any        `py:"fields"`       // keys with values, or maps of such: what lies below them
	Path    string     `py:"path=''"`      // a path before all keys
	Profile any        `py:"profile=None"` // settings of the configuration or the pillar
	Kwargs  *value.Map `py:"**kwargs"`     // host, port, username, password, ca, client_cert, client_key
}

// update writes several keys and returns them with their values. An empty map
// is an empty folder.
//
//	salt-call etcd.update '{app: {color: blue, size: 3}}' path=/test
func update(c *salt.Ctx, a updateArgs) (any, error) {
	s, err := connect(c, a.Profile, a.Kwargs)
	if err != nil {
		return nil, err
	}
	fields, ok := a.Fields.(*value.Map)
	if !ok {
		c.Log.Error("etcd.update: fields is not type dict")
		return nil, nil
	}
	flat, out := new(value.Map), new(value.Map)
	flatten(flat, fields, a.Path)
	for key, v := range flat.Items() {
		k := value.Str(key)
		_, folder := v.(*value.Map)
		switch {
		case folder && !s.folders():
			c.Log.Warn("etcd3 has no concept of directories, skipping key " + k)
			continue
		case folder:
			v, err = s.mkdir(k, nil)
		default:
			v, err = s.set(k, v, nil)
		}
		if v, err = quiet(c, v, err); err != nil || v == nil && s.folders() {
			return nil, err
		}
		out.Set(k, v)
	}
	return out, nil
}

// flatten makes keys of maps in maps: {"a": {"b": 1}} is {"/a/b": 1}.
func flatten(flat, fields *value.Map, path string) {
	if fields.Len() == 0 {
		flat.Set(path, new(value.Map))
		return
	}
	path = strings.Trim(path, "/")
	for name, v := range fields.Items() {
		key := "/" + strings.Trim(value.Str(name), "/")
		if path != "" {
			key = "/" + path + key
		}
		if m, ok := v.(*value.Map); ok {
			flatten(flat, m, key)
		} else {
			flat.Set(key, v)
		}
	}
}
