// Package saltutil holds Salt's saltutil module: it syncs custom modules,
// makes changed facts and modules known, shows and ends jobs, and clears
// caches. What asks a master in Salt does here what it can for this machine.
//
//	pinch saltutil.sync_all
//	pinch saltutil.is_running 'state.*'
package saltutil

import "pinch/salt"

// Module is Salt's saltutil module.
var Module = salt.Module{
	Name: "saltutil",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"sync_all":          salt.Exec(syncAll),
			"sync_beacons":      salt.Exec(syncBeacons),
			"sync_clouds":       salt.Exec(syncClouds),
			"sync_engines":      salt.Exec(syncEngines),
			"sync_executors":    salt.Exec(syncExecutors),
			"sync_grains":       salt.Exec(syncGrains),
			"sync_log_handlers": salt.Exec(syncLogHandlers),
			"sync_matchers":     salt.Exec(syncMatchers),
			"sync_modules":      salt.Exec(syncModules),
			"sync_output":       salt.Exec(syncOutput),
			"sync_outputters":   salt.Exec(syncOutput).Named("sync_output"),
			"sync_pillar":       salt.Exec(syncPillar),
			"sync_proxymodules": salt.Exec(syncProxymodules),
			"sync_renderers":    salt.Exec(syncRenderers),
			"sync_resources":    salt.Exec(syncResources),
			"sync_returners":    salt.Exec(syncReturners),
			"sync_sdb":          salt.Exec(syncSdb),
			"sync_serializers":  salt.Exec(syncSerializers),
			"sync_states":       salt.Exec(syncStates),
			"sync_thorium":      salt.Exec(syncThorium),
			"sync_tops":         salt.Exec(syncTops),
			"sync_utils":        salt.Exec(syncUtils),
			"sync_wrapper":      salt.Exec(syncWrapper),
			"list_extmods":      salt.Exec(listExtmods),
			"refresh_beacons":   salt.Exec(refreshBeacons),
			"refresh_grains":    salt.Exec(refreshGrains),
			"refresh_matchers":  salt.Exec(refreshMatchers),
			"refresh_modules":   salt.Exec(refreshModules),
			"refresh_pillar":    salt.Exec(refreshPillar),
			"pillar_refresh":    salt.Exec(refreshPillar).Named("refresh_pillar"),
			"refresh_resources": salt.Exec(refreshResources),
			"running":           salt.Exec(running),
			"is_running":        salt.Exec(isRunning),
			"find_job":          salt.Exec(findJob),
			"find_cached_job":   salt.Exec(findCachedJob),
			"signal_job":        salt.Exec(signalJob),
			"term_job":          salt.Exec(termJob),
			"term_all_jobs":     salt.Exec(termAllJobs),
			"kill_job":          salt.Exec(killJob),
			"kill_all_jobs":     salt.Exec(killAllJobs),
			"clear_cache":       salt.Exec(clearCache),
			"clear_job_cache":   salt.Exec(clearJobCache),
			"regen_keys":        salt.Exec(regenKeys),
			"revoke_auth":       salt.Exec(revokeAuth),
			"runner":            salt.Exec(runner),
			"wheel":             salt.Exec(wheel),
			"cmd":               salt.Exec(cmd),
			"cmd_iter":          salt.Exec(cmdIter),
			"mmodule":           salt.Exec(mmodule),
			"update":            salt.Exec(update),
		}
	},
	States: states,
}
