package saltutil

import "pinch/salt"

// syncBeacons copies custom beacon modules, from salt://_beacons.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_beacons
//	salt-call saltutil.sync_beacons saltenv=base,dev
func syncBeacons(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "beacons", a.options())
}

// syncClouds copies custom cloud modules, which this program never loads, from salt://_clouds.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_clouds
//	salt-call saltutil.sync_clouds saltenv=base,dev
func syncClouds(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "clouds", a.options())
}

// syncEngines copies custom engine modules, from salt://_engines.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_engines
//	salt-call saltutil.sync_engines saltenv=base,dev
func syncEngines(c *salt.Ctx, a syncLaterArgs) ([]string, error) {
	return sync(c, "engines", a.options())
}

// syncExecutors copies custom executor modules, from salt://_executors.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_executors
//	salt-call saltutil.sync_executors saltenv=base,dev
func syncExecutors(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "executors", a.options())
}

// syncLogHandlers copies custom log handlers, which this program never loads, from salt://_log_handlers.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_log_handlers
//	salt-call saltutil.sync_log_handlers saltenv=base,dev
func syncLogHandlers(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "log_handlers", a.options())
}

// syncMatchers copies custom matcher modules, from salt://_matchers.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_matchers
//	salt-call saltutil.sync_matchers saltenv=base,dev
func syncMatchers(c *salt.Ctx, a syncLaterArgs) ([]string, error) {
	return sync(c, "matchers", a.options())
}

// syncModules copies custom execution modules, from salt://_modules.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_modules
//	salt-call saltutil.sync_modules saltenv=base,dev
func syncModules(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "modules", a.options())
}

// syncOutput copies custom outputters, from salt://_output.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_output
//	salt-call saltutil.sync_output saltenv=base,dev
func syncOutput(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "output", a.options())
}

// syncProxymodules copies custom proxy modules, which this program never loads, from salt://_proxy.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_proxymodules
//	salt-call saltutil.sync_proxymodules saltenv=base,dev
func syncProxymodules(c *salt.Ctx, a syncLaterArgs) ([]string, error) {
	return sync(c, "proxy", a.options())
}

// syncRenderers copies custom renderers, from salt://_renderers.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_renderers
//	salt-call saltutil.sync_renderers saltenv=base,dev
func syncRenderers(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "renderers", a.options())
}

// syncResources copies custom resource modules, which this program never loads, from salt://_resources.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_resources
//	salt-call saltutil.sync_resources saltenv=base,dev
func syncResources(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "resources", a.options())
}

// syncReturners copies custom returners, from salt://_returners.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_returners
//	salt-call saltutil.sync_returners saltenv=base,dev
func syncReturners(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "returners", a.options())
}

// syncSerializers copies custom serializers, from salt://_serializers.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_serializers
//	salt-call saltutil.sync_serializers saltenv=base,dev
func syncSerializers(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "serializers", a.options())
}

// syncStates copies custom state modules, from salt://_states.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_states
//	salt-call saltutil.sync_states saltenv=base,dev
func syncStates(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "states", a.options())
}

// syncThorium copies custom thorium modules, which this program never loads, from salt://_thorium.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_thorium
//	salt-call saltutil.sync_thorium saltenv=base,dev
func syncThorium(c *salt.Ctx, a syncLaterArgs) ([]string, error) {
	return sync(c, "thorium", a.options())
}

// syncTops copies custom master tops modules, from salt://_tops.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_tops
//	salt-call saltutil.sync_tops saltenv=base,dev
func syncTops(c *salt.Ctx, a syncArgs) ([]string, error) {
	return syncLocal(c, "tops", a.options())
}

// syncUtils copies custom utility modules, from salt://_utils.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_utils
//	salt-call saltutil.sync_utils saltenv=base,dev
func syncUtils(c *salt.Ctx, a syncArgs) ([]string, error) {
	return sync(c, "utils", a.options())
}

// syncWrapper copies custom salt-ssh wrapper modules, which this program never loads, from salt://_wrapper.
// It tells which are new or changed.
//
//	salt-call saltutil.sync_wrapper
//	salt-call saltutil.sync_wrapper saltenv=base,dev
func syncWrapper(c *salt.Ctx, a syncArgs) ([]string, error) {
	return syncLocal(c, "wrapper", a.options())
}
