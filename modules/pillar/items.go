package pillar

import (
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type itemsArgs struct {
	Keys      []any      `py:"*args"`           // only these paths
	Pillar    *value.Map `py:"pillar=None"`     // values on top of the pillar
	PillarEnc *string    `py:"pillar_enc=None"` // how pillar is encrypted: the renderer that decrypts it
	Pillarenv *string    `py:"pillarenv=None"`  // compile the pillar of this environment
	Saltenv   *string    `py:"saltenv=None"`    // compile the pillar for this saltenv
	Unmask    *bool      `py:"unmask=None"`     // show the values
}

// items compiles the pillar anew and returns it.
//
//	pinch pillar.items unmask=True
func items(c *salt.Ctx, a itemsArgs) (any, error) {
	if len(a.Keys) > 0 {
		return item(c, itemArgs{Keys: a.Keys, Pillarenv: a.Pillarenv, Saltenv: a.Saltenv})
	}
	// As in Salt the fresh values go over those in memory.
	data := c.Pillar.Shallow()
	if a.Pillar != nil || a.Pillarenv != nil || a.Saltenv != nil || !c.Mask {
		fresh, err := compile(c, a.Pillar, a.Pillarenv, a.Saltenv)
		if err != nil {
			return nil, err
		}
		data.Update(fresh)
	}
	return shown(c, data, a.Unmask), nil
}

type rawArgs struct {
	Key    any   `py:"key=None"`    // a key of the first level
	Unmask *bool `py:"unmask=None"` // hide the values with False
}

// raw returns the pillar as it is in memory.
//
//	pinch pillar.raw key=roles
func raw(c *salt.Ctx, a rawArgs) (any, error) {
	if a.Unmask == nil {
		a.Unmask = salt.True()
	}
	if !value.Truth(a.Key) {
		return shown(c, c.Pillar, a.Unmask), nil
	}
	v, ok := c.Pillar.GetKey(a.Key)
	if !ok {
		v = new(value.Map)
	}
	return shown(c, v, a.Unmask), nil
}

// ls lists the keys of the first level.
//
//	pinch pillar.ls
func ls(c *salt.Ctx, a itemsArgs) (any, error) {
	v, err := items(c, a)
	if err != nil {
		return nil, err
	}
	return value.L(v.(*value.Map).Keys()...), nil
}

type keysArgs struct {
	Key       string `py:"key"`           // the path of a mapping
	Delimiter string `py:"delimiter=':'"` // what stands between the parts of the path
	Unmask    *bool  `py:"unmask=None"`   // taken and ignored: keys are never hidden
}

// keys lists the keys of a mapping in the pillar.
//
//	pinch pillar.keys users
func keys(c *salt.Ctx, a keysArgs) (any, error) {
	v, ok := value.Traverse(c.Pillar, a.Key, a.Delimiter)
	if !ok {
		return nil, value.Errorf("KeyError", "%s", value.Repr("Pillar key not found: "+a.Key))
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, value.Errorf("ValueError", "Pillar value in key %s is not a dict", a.Key)
	}
	return value.L(m.Keys()...), nil
}

// obfuscate returns the pillar with the type in place of every value.
//
//	pinch pillar.obfuscate
func obfuscate(c *salt.Ctx, a itemsArgs) (any, error) {
	v, err := items(c, a)
	if err != nil {
		return nil, err
	}
	return types(v), nil
}

func types(v any) any {
	switch v := v.(type) {
	case *value.Map:
		m := v.Shallow()
		for k, it := range v.All() {
			m.SetKey(k, types(it))
		}
		return m
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(types(it))
		}
		return l
	}
	return "<" + value.ClassName(v) + ">"
}

type extArgs struct {
	External any        `py:"external"`    // one ext_pillar section, a mapping or its YAML
	Pillar   *value.Map `py:"pillar=None"` // values on top of the pillar
	Unmask   *bool      `py:"unmask=None"` // show the values
}

// ext compiles the pillar with one more external pillar.
//
//	pinch pillar.ext '{cmd_yaml: cat /etc/extra.yaml}'
func ext(c *salt.Ctx, a extArgs) (any, error) {
	if s, ok := a.External.(string); ok {
		d, err := c.RenderData(c, salt.Template{Text: s, Name: "<external>", Engine: "yaml"})
		if err != nil {
			return nil, err
		}
		a.External = d.Value
	}
	run := *c
	run.Opts = c.Opts.Shallow()
	list := new(value.List)
	if l := c.Opts.List("ext_pillar"); l != nil {
		list.Append(l.Items...)
	}
	list.Append(a.External)
	run.Opts.Set("ext_pillar", list)
	data, err := compile(&run, a.Pillar, nil, nil)
	if err != nil {
		return nil, err
	}
	return shown(c, data, a.Unmask), nil
}

type fileExistsArgs struct {
	Path    string  `py:"path"`         // below a pillar root
	Saltenv *string `py:"saltenv=None"` // look in this environment only
}

// fileExists reports whether a file is in the pillar's folders.
//
//	pinch pillar.file_exists top.sls
func fileExists(c *salt.Ctx, a fileExistsArgs) (bool, error) {
	roots := c.Opts.Map("pillar_roots")
	if roots.Len() == 0 {
		return false, salt.CommandError("No pillar_roots found. Are you running this on the master?")
	}
	for env, dirs := range roots.Items() {
		if a.Saltenv != nil && env != *a.Saltenv {
			continue
		}
		for _, d := range dirs.(*value.List).Items {
			if sys.IsFile(c.Sys, filepath.Join(value.Str(d), a.Path)) {
				return true, nil
			}
		}
	}
	return false, nil
}

type filterByArgs struct {
	Lookup  *value.Map `py:"lookup_dict"`       // the choices
	Pillar  string     `py:"pillar"`            // the path whose value chooses
	Merge   any        `py:"merge=None"`        // merged over the choice
	Default string     `py:"default='default'"` // the key used when nothing matches
	Base    any        `py:"base=None"`         // the key under the choice
}

// filterBy chooses from a mapping by a value of the pillar.
//
//	{{ salt['pillar.filter_by']({'web': 80, 'default': 8080}, 'role') }}
func filterBy(c *salt.Ctx, a filterByArgs) (any, error) {
	return value.FilterBy(a.Lookup, a.Pillar, c.Pillar, a.Merge, a.Default, a.Base)
}
