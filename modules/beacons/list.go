package beacons

import (
	"path/filepath"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type listArgs struct {
	ReturnYaml    bool       `py:"return_yaml=True"`    // answer with YAML instead of data
	IncludePillar any        `py:"include_pillar=True"` // with those of the pillar
	IncludeOpts   any        `py:"include_opts=True"`   // with those of the configuration
	Kwargs        *value.Map `py:"**kwargs"`            // timeout: how many seconds the daemon has
}

// list shows the beacons that are configured.
//
//	salt-call beacons.list
func list(c *salt.Ctx, a listArgs) (any, error) {
	answer, err := ask(c, value.M("func", "list", "include_pillar", a.IncludePillar, "include_opts", a.IncludeOpts), a.Kwargs)
	if err != nil {
		return nil, err
	}
	if !a.ReturnYaml {
		return answer.At("beacons"), nil
	}
	return yaml.Dump(value.M("beacons", answer.At("beacons")), yaml.DumpOptions{Flow: yaml.Block})
}

// current are the configured beacons as data.
func current(c *salt.Ctx, kw *value.Map) (*value.Map, error) {
	v, err := list(c, listArgs{IncludePillar: true, IncludeOpts: true, Kwargs: kw})
	m, _ := v.(*value.Map)
	return m, err
}

type listAvailableArgs struct {
	ReturnYaml bool       `py:"return_yaml=True"` // answer with YAML instead of data
	Kwargs     *value.Map `py:"**kwargs"`         // timeout: how many seconds the daemon has
}

// listAvailable shows the beacons that there are.
func listAvailable(c *salt.Ctx, a listAvailableArgs) (any, error) {
	answer, err := ask(c, value.M("func", "list_available"), a.Kwargs)
	if err != nil {
		return nil, err
	}
	if !a.ReturnYaml {
		return answer.At("beacons"), nil
	}
	return yaml.Dump(value.M("beacons", answer.At("beacons")), yaml.DumpOptions{Flow: yaml.Block})
}

type switchArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // test; timeout: how many seconds the daemon has
}

// save writes the beacons of the configuration into minion.d/beacons.conf.
func save(c *salt.Ctx, a switchArgs) (*value.Map, error) {
	v, err := list(c, listArgs{IncludeOpts: true, IncludePillar: false, Kwargs: a.Kwargs})
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	if write(c, m) != nil {
		return ret(false, "Unable to write to beacons file at %s. Check permissions.", file(c)), nil
	}
	return ret(true, "Beacons saved to %s.", file(c)), nil
}

// file is where the beacons of the configuration are saved.
func file(c *salt.Ctx) string {
	return filepath.Join(filepath.Dir(c.Opts.Str("conf_file")), filepath.Dir(c.Opts.Str("default_include")), "beacons.conf")
}

// write saves the beacons of the configuration.
func write(c *salt.Ctx, m *value.Map) error {
	text := ""
	if m.Len() > 0 {
		var err error
		if text, err = yaml.Dump(value.M("beacons", m), yaml.DumpOptions{Flow: yaml.Block}); err != nil {
			return err
		}
	}
	if err := sys.MkdirAll(c.Sys, filepath.Dir(file(c)), 0o755); err != nil {
		return err
	}
	return sys.WriteFile(c.Sys, file(c), []byte(text), sys.FileAttrs{})
}

// enable switches all beacons on.
func enable(c *salt.Ctx, a switchArgs) (*value.Map, error) { return switchAll(c, a.Kwargs, "enable") }

// disable switches all beacons off.
func disable(c *salt.Ctx, a switchArgs) (*value.Map, error) { return switchAll(c, a.Kwargs, "disable") }

func switchAll(c *salt.Ctx, kw *value.Map, verb string) (*value.Map, error) {
	if kw.Truth("test") {
		return ret(true, "Beacons would be %sd.", verb), nil
	}
	answer, err := ask(c, value.M("func", verb), kw)
	if err != nil {
		return nil, err
	}
	if b := answer.Map("beacons"); !b.Has("enabled") || b.Truth("enabled") != (verb == "enable") {
		return ret(false, "Failed to %s beacons on minion.", verb), nil
	}
	return ret(true, "%s beacons on minion.", did(verb)), nil
}

func did(verb string) string {
	if verb == "enable" {
		return "Enabled"
	}
	return "Disabled"
}

// reset forgets the beacons of the configuration.
func reset(c *salt.Ctx, a switchArgs) (*value.Map, error) {
	if a.Kwargs.Truth("test") {
		return ret(true, "Beacons would be reset."), nil
	}
	answer, err := ask(c, value.M("func", "reset"), a.Kwargs)
	if err != nil {
		return nil, err
	}
	if !answer.Truth("complete") {
		return ret(false, "%s", answer.Str("comment")), nil
	}
	return ret(true, "Beacon configuration reset."), nil
}
