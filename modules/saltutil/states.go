package saltutil

import (
	"pinch/salt"
	"pinch/value"
)

// states are the state functions: each calls the execution function of its
// name.
func states() salt.Funcs {
	return salt.Funcs{
		"sync_all":          salt.State(stateSyncAll),
		"sync_beacons":      salt.State(stateSyncBeacons),
		"sync_clouds":       salt.State(stateSyncClouds),
		"sync_engines":      salt.State(stateSyncEngines),
		"sync_executors":    salt.State(stateSyncExecutors),
		"sync_grains":       salt.State(stateSyncGrains),
		"sync_log_handlers": salt.State(stateSyncLogHandlers),
		"sync_matchers":     salt.State(stateSyncMatchers),
		"sync_modules":      salt.State(stateSyncModules),
		"sync_output":       salt.State(stateSyncOutput),
		"sync_outputters":   salt.State(stateSyncOutputters),
		"sync_pillar":       salt.State(stateSyncPillar),
		"sync_proxymodules": salt.State(stateSyncProxymodules),
		"sync_renderers":    salt.State(stateSyncRenderers),
		"sync_resources":    salt.State(stateSyncResources),
		"sync_returners":    salt.State(stateSyncReturners),
		"sync_sdb":          salt.State(stateSyncSdb),
		"sync_serializers":  salt.State(stateSyncSerializers),
		"sync_states":       salt.State(stateSyncStates),
		"sync_thorium":      salt.State(stateSyncThorium),
		"sync_tops":         salt.State(stateSyncTops),
		"sync_utils":        salt.State(stateSyncUtils),
		"sync_wrapper":      salt.State(stateSyncWrapper),
	}
}

type stateArgs struct {
	Name   string     `py:"name"`     // the name of the state, free to choose
	Kwargs *value.Map `py:"**kwargs"` // what the execution function takes
}

// kwargs are the keywords for the execution function.
func (a stateArgs) kwargs() *value.Map {
	kw := new(value.Map)
	for k, v := range a.Kwargs.Items() {
		if len(k) < 2 || k[:2] != "__" {
			kw.Set(k, v)
		}
	}
	return kw
}

// stateSync runs one sync function. Its changes are what it synced.
func stateSync(c *salt.Ctx, a stateArgs, kind string) salt.Result {
	if c.Test {
		return salt.Would(nil, "saltutil.sync_%s would have been run", kind)
	}
	v, err := c.CallKw("saltutil.sync_"+kind, a.kwargs())
	if err != nil {
		c.Log.Error("Failed to run saltutil.sync_" + kind + ": " + err.Error())
		return salt.Failed("Failed to run sync_%s: %s", kind, err)
	}
	if !value.Truth(v) {
		return salt.Correct("No updates to sync")
	}
	return salt.Changed(value.M(kind, v), "Updated %s.", kind)
}

// stateSyncAll syncs custom modules of all kinds.
func stateSyncAll(c *salt.Ctx, a stateArgs) salt.Result {
	if c.Test {
		return salt.Would(nil, "saltutil.sync_all would have been run")
	}
	v, err := c.CallKw("saltutil.sync_all", a.kwargs())
	if err != nil {
		c.Log.Error("Failed to run saltutil.sync_all: " + err.Error())
		return salt.Failed("Failed to run sync_all: %s", err)
	}
	changes := new(value.Map)
	m, _ := v.(*value.Map)
	for kind, done := range m.Items() {
		if value.Truth(done) {
			changes.Set(kind, done)
		}
	}
	if changes.Len() == 0 {
		return salt.Correct("No updates to sync")
	}
	return salt.Changed(changes, "Sync performed")
}

// stateSyncBeacons syncs custom modules, see saltutil.sync_beacons.
func stateSyncBeacons(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "beacons") }

// stateSyncClouds syncs custom modules, see saltutil.sync_clouds.
func stateSyncClouds(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "clouds") }

// stateSyncEngines syncs custom modules, see saltutil.sync_engines.
func stateSyncEngines(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "engines") }

// stateSyncExecutors syncs custom modules, see saltutil.sync_executors.
func stateSyncExecutors(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "executors") }

// stateSyncGrains syncs custom modules, see saltutil.sync_grains.
func stateSyncGrains(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "grains") }

// stateSyncLogHandlers syncs custom modules, see saltutil.sync_log_handlers.
func stateSyncLogHandlers(c *salt.Ctx, a stateArgs) salt.Result {
	return stateSync(c, a, "log_handlers")
}

// stateSyncMatchers syncs custom modules, see saltutil.sync_matchers.
func stateSyncMatchers(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "matchers") }

// stateSyncModules syncs custom modules, see saltutil.sync_modules.
func stateSyncModules(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "modules") }

// stateSyncOutput syncs custom modules, see saltutil.sync_output.
func stateSyncOutput(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "output") }

// stateSyncOutputters syncs custom modules, see saltutil.sync_outputters.
func stateSyncOutputters(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "outputters") }

// stateSyncPillar syncs custom modules, see saltutil.sync_pillar.
func stateSyncPillar(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "pillar") }

// stateSyncProxymodules syncs custom modules, see saltutil.sync_proxymodules.
func stateSyncProxymodules(c *salt.Ctx, a stateArgs) salt.Result {
	return stateSync(c, a, "proxymodules")
}

// stateSyncRenderers syncs custom modules, see saltutil.sync_renderers.
func stateSyncRenderers(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "renderers") }

// stateSyncResources syncs custom modules, see saltutil.sync_resources.
func stateSyncResources(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "resources") }

// stateSyncReturners syncs custom modules, see saltutil.sync_returners.
func stateSyncReturners(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "returners") }

// stateSyncSdb syncs custom modules, see saltutil.sync_sdb.
func stateSyncSdb(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "sdb") }

// stateSyncSerializers syncs custom modules, see saltutil.sync_serializers.
func stateSyncSerializers(c *salt.Ctx, a stateArgs) salt.Result {
	return stateSync(c, a, "serializers")
}

// stateSyncStates syncs custom modules, see saltutil.sync_states.
func stateSyncStates(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "states") }

// stateSyncThorium syncs custom modules, see saltutil.sync_thorium.
func stateSyncThorium(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "thorium") }

// stateSyncTops syncs custom modules, see saltutil.sync_tops.
func stateSyncTops(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "tops") }

// stateSyncUtils syncs custom modules, see saltutil.sync_utils.
func stateSyncUtils(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "utils") }

// stateSyncWrapper syncs custom modules, see saltutil.sync_wrapper.
func stateSyncWrapper(c *salt.Ctx, a stateArgs) salt.Result { return stateSync(c, a, "wrapper") }
