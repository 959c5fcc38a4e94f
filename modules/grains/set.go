package grains

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type setvalsArgs struct {
	Grains        any  `py:"grains"`              // names and values
	Destructive   any  `py:"destructive=False"`   // True: a value of None takes the grain out
	RefreshPillar bool `py:"refresh_pillar=True"` // compile the pillar again, in a daemon
}

// setvals writes static grains into the file "grains" beside the
// configuration, and returns them.
func setvals(c *salt.Ctx, a setvalsArgs) (any, error) {
	news, ok := a.Grains.(*value.Map)
	if !ok {
		return nil, value.Errorf("SaltException", "setvals grains must be a dictionary.")
	}
	path := file(c)
	static := new(value.Map)
	if text, err := c.Sys.ReadFile(path); err == nil {
		v, err := yaml.Load(path, string(text))
		if err != nil {
			return fmt.Sprintf("Unable to read existing grains file: %s", err), nil
		}
		if m, ok := v.(*value.Map); ok {
			static = m
		}
	}
	for k, v := range news.All() {
		if v == nil && a.Destructive == true {
			static.PopKey(k)
			c.Grains.PopKey(k)
			continue
		}
		if err := static.SetKey(k, v); err != nil {
			return nil, err
		}
		c.Grains.SetKey(k, v)
	}
	text, err := yaml.Dump(static, yaml.DumpOptions{Flow: yaml.Block})
	if err != nil {
		return nil, err
	}
	if err := sys.WriteFile(c.Sys, path, []byte(text), sys.FileAttrs{}); err != nil {
		c.Log.Error(fmt.Sprintf("Unable to write to grains file at %s. Check permissions.", path))
	}
	refresh(c, a.RefreshPillar)
	return news, nil
}

// file is where static grains lie: the configuration's folder.
func file(c *salt.Ctx) string {
	conf := c.Opts.Str("conf_file")
	if sys.IsDir(c.Sys, conf) {
		return filepath.Join(conf, "grains")
	}
	return filepath.Join(filepath.Dir(conf), "grains")
}

// refresh tells a running minion that its grains changed.
func refresh(c *salt.Ctx, pillar bool) {
	stamp := filepath.Join(c.Opts.Str("cachedir"), "module_refresh")
	mode := fs.FileMode(0o600)
	if err := sys.WriteFile(c.Sys, stamp, nil, sys.FileAttrs{Mode: &mode}); err != nil {
		c.Log.Debug(fmt.Sprintf("Unable to write to cache file %s. Check permissions.", stamp))
	}
	if c.Host == nil || c.Opts.Truth("local") {
		return
	}
	if _, err := c.CallKw("saltutil.refresh_grains", value.M("refresh_pillar", pillar)); err != nil {
		c.Log.Debug("saltutil.refresh_grains", "error", err.Error())
	}
}

type setvalArgs struct {
	Key           any  `py:"key"`                 // the name; no path
	Val           any  `py:"val"`                 // the value
	Destructive   any  `py:"destructive=False"`   // True: a value of None takes the grain out
	RefreshPillar bool `py:"refresh_pillar=True"` // compile the pillar again, in a daemon
}

// setval writes one static grain.
func setval(c *salt.Ctx, a setvalArgs) (any, error) {
	m := new(value.Map)
	if err := m.SetKey(a.Key, a.Val); err != nil {
		return nil, err
	}
	return setvals(c, setvalsArgs{m, a.Destructive, a.RefreshPillar})
}

type setArgs struct {
	Key         string `py:"key"`               // the path
	Val         any    `py:"val=''"`            // the value
	Force       any    `py:"force=False"`       // replace a map or list, or a value by one
	Destructive any    `py:"destructive=False"` // True: a value of None takes the grain out
	Delimiter   string `py:"delimiter=':'"`     // what stands between the parts of the path
}

// set writes a static grain by its path, with the maps on the way to it.
func set(c *salt.Ctx, a setArgs) (any, error) {
	old, exists := value.Traverse(c.Grains, a.Key, a.Delimiter)
	ret := value.M("comment", "", "changes", new(value.Map), "result", true)
	no := func(format string, args ...any) (any, error) {
		ret.Set("comment", fmt.Sprintf(format, args...))
		ret.Set("result", false)
		return ret, nil
	}
	destructive, force := a.Destructive == true, value.Truth(a.Force)
	if exists && value.Equal(old, a.Val) && (a.Val != nil || !destructive) {
		ret.Set("comment", "Grain is already set")
		return ret, nil
	}
	if exists && old != nil && !force {
		switch {
		case complexValue(old):
			return no("The key '%s' exists but is a dict or a list. Use 'force=True' to overwrite.", a.Key)
		case complexValue(a.Val):
			return no("The key '%s' exists and the given value is a dict or a list. Use 'force=True' to overwrite.", a.Key)
		}
	}
	key, val := a.Key, a.Val
	for {
		i := strings.LastIndex(key, a.Delimiter)
		if i < 0 || a.Delimiter == "" {
			break
		}
		rest := key[i+len(a.Delimiter):]
		key = key[:i]
		above := lookup(c, key, new(value.Map), a.Delimiter)
		var ok bool
		if val, ok = put(above, rest, val, destructive, force); !ok {
			return no("The key '%s' value is '%s', which is different from the provided key '%s'. Use 'force=True' to overwrite.",
				key, value.Str(above), rest)
		}
	}
	changes, err := setval(c, setvalArgs{key, val, a.Destructive, true})
	if err != nil {
		return nil, err
	}
	if text, ok := changes.(string); ok {
		return no("%s", text)
	}
	ret.Set("changes", changes)
	return ret, nil
}

func complexValue(v any) bool {
	switch v.(type) {
	case *value.Map, *value.List:
		return true
	}
	return false
}

// put sets a key below what is there, and returns what is there then: in a
// list the item of that name becomes a map, or one is added.
func put(above any, key string, val any, destructive, force bool) (any, bool) {
	switch above := above.(type) {
	case *value.Map:
		if val == nil && destructive {
			above.Pop(key)
		} else {
			above.Set(key, val)
		}
		return above, true
	case *value.List:
		found := false
		for i, it := range above.Items {
			if m, ok := it.(*value.Map); ok && m.Has(key) {
				m.Set(key, val)
				found = true
			} else if value.Equal(it, key) {
				above.Items[i] = value.M(key, val)
				found = true
			}
		}
		if !found {
			above.Append(value.M(key, val))
		}
		return above, true
	}
	if value.Equal(above, key) || force {
		return value.M(key, val), true
	}
	return nil, false
}
