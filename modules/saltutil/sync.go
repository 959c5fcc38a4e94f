package saltutil

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pinch/extmods"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type syncArgs struct {
	SaltEnv   any  `py:"saltenv=None"`          // the environments, a list or joined by commas; none: those of the top file
	Refresh   bool `py:"refresh=True"`          // make them known at once
	Whitelist any  `py:"extmod_whitelist=None"` // only these, joined by commas, or a map from kind to names
	Blacklist any  `py:"extmod_blacklist=None"` // not these
}

func (a syncArgs) options() options { return options{a.SaltEnv, a.Refresh, a.Whitelist, a.Blacklist} }

type syncLaterArgs struct {
	SaltEnv   any  `py:"saltenv=None"`          // the environments, a list or joined by commas; none: those of the top file
	Refresh   bool `py:"refresh=False"`         // make them known at once
	Whitelist any  `py:"extmod_whitelist=None"` // only these, joined by commas, or a map from kind to names
	Blacklist any  `py:"extmod_blacklist=None"` // not these
}

func (a syncLaterArgs) options() options {
	return options{a.SaltEnv, a.Refresh, a.Whitelist, a.Blacklist}
}

// options are the arguments that all sync functions share.
type options struct {
	env       any
	refresh   bool
	whitelist any
	blacklist any
}

// sync copies one kind of modules and has this run see them.
func sync(c *salt.Ctx, kind string, o options) ([]string, error) {
	r, err := extmods.Sync(c, extmods.Options{Kind: kind, Envs: envs(c, o.env), Whitelist: o.whitelist, Blacklist: o.blacklist})
	if err != nil {
		c.Log.Error("Failed to sync " + kind + " module: " + err.Error())
	}
	if r.Touched {
		touch(c)
		forget(c, "modules")
	}
	if kind == "grains" {
		clearGrainsCache(c)
		if r.Touched {
			regather(c)
		}
	}
	if r.Changed == nil {
		r.Changed = []string{}
	}
	return r.Changed, nil
}

// syncLocal is sync for what only a masterless minion may have.
func syncLocal(c *salt.Ctx, kind string, o options) ([]string, error) {
	if c.Opts.Str("file_client") != "local" {
		what := map[string]string{"pillar": "Pillar", "tops": "Tops", "wrapper": "Wrapper"}[kind]
		return nil, salt.CommandError("%s modules can only be synced to masterless minions", what)
	}
	return sync(c, kind, o)
}

type envsKey struct{}

// envs are the environments to sync from: the argument, else those of the top
// file, else base.
func envs(c *salt.Ctx, arg any) []string {
	var out []string
	switch v := arg.(type) {
	case nil:
		out, _ = salt.Once(c.Run, envsKey{}, func() ([]string, error) { return topEnvs(c), nil })
	case *value.List:
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
	case value.Tuple:
		for _, it := range v {
			out = append(out, value.Str(it))
		}
	default:
		out = strings.Split(value.Str(v), ",")
	}
	return out
}

func topEnvs(c *salt.Ctx) []string {
	n := *c
	n.Opts = c.Opts.Shallow()
	n.Opts.Set("autoload_dynamic_modules", false) // it would sync
	v, err := n.CallFunc(&n, "state.show_top", nil, nil)
	m, ok := v.(*value.Map)
	if err != nil || !ok || m.Len() == 0 {
		if err != nil {
			c.Log.Error("Unable to render top file: " + err.Error())
		}
		return []string{"base"}
	}
	var out []string
	for env := range m.Items() {
		out = append(out, env)
	}
	return out
}

// touch tells a running minion that there are new modules.
func touch(c *salt.Ctx) {
	mode := fs.FileMode(0o600)
	stamp := filepath.Join(c.Opts.Str("cachedir"), "module_refresh")
	if err := sys.WriteFile(c.With(false).Sys, stamp, nil, sys.FileAttrs{Mode: &mode}); err != nil {
		c.Log.Debug(err.Error())
	}
}

// forget has this run look for modules and values anew.
func forget(c *salt.Ctx, what ...string) {
	if slices.Contains(what, "modules") {
		c.Registry().Forget()
	}
	if c.Run.Custom != nil {
		c.Run.Custom.Forget(what...)
	}
}

// regather has the grains gathered anew.
func regather(c *salt.Ctx) {
	if c.Run.Regather != nil {
		c.Run.Regather()
	}
	forget(c, "grains")
}

// clearGrainsCache removes the grains that grains_cache keeps on the disk.
func clearGrainsCache(c *salt.Ctx) {
	if !c.Opts.Truth("grains_cache") {
		return
	}
	path := filepath.Join(c.Opts.Str("cachedir"), "grains.cache.p")
	s := c.With(false).Sys
	if sys.IsFile(s, path) {
		if err := s.Remove(path); err != nil {
			c.Log.Error("Could not remove grains cache!")
		}
	}
}

type syncCleanArgs struct {
	SaltEnv          any  `py:"saltenv=None"`             // the environments, a list or joined by commas; none: those of the top file
	Refresh          bool `py:"refresh=True"`             // make them known at once
	Whitelist        any  `py:"extmod_whitelist=None"`    // only these, joined by commas, or a map from kind to names
	Blacklist        any  `py:"extmod_blacklist=None"`    // not these
	CleanPillarCache bool `py:"clean_pillar_cache=False"` // with a pillar cache: drop it first
}

func (a syncCleanArgs) options() options {
	return options{a.SaltEnv, a.Refresh, a.Whitelist, a.Blacklist}
}

// syncGrains copies custom grain modules, from salt://_grains, and compiles
// the pillar anew, since it may depend on them. It tells which are new or
// changed.
//
//	salt-call saltutil.sync_grains
func syncGrains(c *salt.Ctx, a syncCleanArgs) ([]string, error) {
	done, err := sync(c, "grains", a.options())
	if err == nil && a.Refresh && len(done) > 0 {
		repillar(c)
	}
	return done, err
}

// syncPillar copies external pillar modules, from salt://_pillar. It tells
// which are new or changed.
//
//	salt-call saltutil.sync_pillar
func syncPillar(c *salt.Ctx, a syncCleanArgs) ([]string, error) {
	done, err := syncLocal(c, "pillar", a.options())
	if err == nil && a.Refresh && len(done) > 0 {
		repillar(c)
	}
	return done, err
}

type syncSdbArgs struct {
	SaltEnv   any `py:"saltenv=None"`          // the environments, a list or joined by commas; none: those of the top file
	Whitelist any `py:"extmod_whitelist=None"` // only these, joined by commas, or a map from kind to names
	Blacklist any `py:"extmod_blacklist=None"` // not these
}

// syncSdb copies sdb modules, from salt://_sdb. It tells which are new or
// changed.
//
//	salt-call saltutil.sync_sdb
func syncSdb(c *salt.Ctx, a syncSdbArgs) ([]string, error) {
	return sync(c, "sdb", options{env: a.SaltEnv, whitelist: a.Whitelist, blacklist: a.Blacklist})
}

// syncAll copies custom modules of all kinds. It gives for each kind which are
// new or changed.
//
//	salt-call saltutil.sync_all
//	salt-call saltutil.sync_all extmod_whitelist='{modules: [agent]}'
func syncAll(c *salt.Ctx, a syncCleanArgs) (*value.Map, error) {
	out := new(value.Map)
	grains := false
	for _, k := range extmods.Kinds {
		local := k.Name == "tops" || k.Name == "pillar" || k.Name == "wrapper"
		if local && c.Opts.Str("file_client") != "local" {
			continue
		}
		done, err := sync(c, k.Folder, a.options())
		if err != nil {
			return nil, err
		}
		grains = grains || len(done) > 0 && (k.Name == "grains" || k.Name == "pillar")
		out.Set(k.Name, value.Strings(done))
	}
	if a.Refresh && grains {
		repillar(c)
	}
	return out, nil
}

// listExtmods lists the custom modules that were synced, by kind.
//
//	salt-call saltutil.list_extmods
func listExtmods(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) { return extmods.List(c.Opts) }
