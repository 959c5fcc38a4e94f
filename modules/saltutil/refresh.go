package saltutil

import (
	"pinch/salt"
	"pinch/value"
)

type refreshPillarArgs struct {
	Wait       bool `py:"wait=False"`       // wait until a running daemon has done it, too
	Timeout    any  `py:"timeout=30"`       // for so many seconds at most
	CleanCache bool `py:"clean_cache=True"` // with a pillar cache: drop it first
}

// refreshPillar compiles the pillar anew.
//
//	salt-call saltutil.refresh_pillar
func refreshPillar(c *salt.Ctx, a refreshPillarArgs) (bool, error) {
	repillar(c)
	fire(c, "pillar_refresh", value.M("clean_cache", a.CleanCache))
	return true, nil
}

// repillar compiles the pillar of this run anew.
func repillar(c *salt.Ctx) {
	forget(c, "pillar")
	pillar := c.Pillar
	opts := salt.PillarOptions{Env: c.Opts.Str("pillarenv"), SaltEnv: c.Opts.Str("saltenv")}
	pillar.Reset(func() *value.Map {
		p, err := c.CompilePillar(c, opts)
		if err != nil {
			c.Log.Error("Pillar failed to compile: " + err.Error())
			return value.M("_errors", value.L(err.Error()))
		}
		return p
	})
}

// fire tells a daemon of this machine, if there is one.
func fire(c *salt.Ctx, tag string, data *value.Map) {
	if _, err := c.Call("event.fire", data, tag); err != nil {
		c.Log.Debug("event.fire " + tag + ": " + err.Error())
	}
}

type kwargs struct {
	Kwargs *value.Map `py:"**kwargs"` // see the description
}

// refreshGrains gathers the grains anew, and then compiles the pillar, unless
// refresh_pillar is False. With clean_pillar_cache=True a pillar cache is
// dropped first.
//
//	salt-call saltutil.refresh_grains
//	salt-call saltutil.refresh_grains refresh_pillar=False
func refreshGrains(c *salt.Ctx, a kwargs) (bool, error) {
	kw := known(a.Kwargs, "refresh_pillar", "clean_pillar_cache")
	if kw.err != nil {
		return false, kw.err
	}
	clearGrainsCache(c)
	regather(c)
	if v, ok := a.Kwargs.Get("refresh_pillar"); !ok || value.Truth(v) {
		_, err := refreshPillar(c, refreshPillarArgs{CleanCache: a.Kwargs.Truth("clean_pillar_cache")})
		return true, err
	}
	fire(c, "module_refresh", new(value.Map))
	return true, nil
}

// checked are keywords that were looked through.
type checked struct{ err error }

// known refuses keywords other than those named.
func known(kw *value.Map, names ...string) checked {
	var bad []string
	for k, v := range kw.Items() {
		if len(k) > 1 && k[:2] == "__" {
			continue
		}
		ok := false
		for _, n := range names {
			ok = ok || n == k
		}
		if !ok {
			bad = append(bad, k+"="+value.Str(v))
		}
	}
	if len(bad) == 0 {
		return checked{}
	}
	text := bad[0]
	for _, b := range bad[1:] {
		text += ", " + b
	}
	return checked{salt.InvocationError("The following keyword arguments are not valid: %s", text)}
}

// refreshModules looks for custom modules anew: those that were put on the
// disk meanwhile are there at once. async is taken and ignored: it is done
// when the function answers.
//
//	salt-call saltutil.refresh_modules
func refreshModules(c *salt.Ctx, a kwargs) (bool, error) {
	forget(c, "modules")
	fire(c, "module_refresh", new(value.Map))
	return true, nil
}

// refreshBeacons has a running daemon read its beacons anew.
//
//	salt-call saltutil.refresh_beacons
func refreshBeacons(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	fire(c, "beacons_refresh", new(value.Map))
	return true, nil
}

// refreshMatchers looks for custom matchers anew.
//
//	salt-call saltutil.refresh_matchers
func refreshMatchers(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	forget(c, "modules")
	fire(c, "matchers_refresh", new(value.Map))
	return true, nil
}

// refreshResources is for the resources that a minion manages for others,
// which this program has none of: it answers False.
//
//	salt-call saltutil.refresh_resources
func refreshResources(c *salt.Ctx, _ salt.NoArgs) (bool, error) { return false, nil }
