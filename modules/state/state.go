// Package state holds Salt's state module: it applies, shows and tests state
// trees. Package apply does the work; here are the functions, their arguments
// and answers, the lock that keeps two runs apart, and the exit codes.
//
//	pinch state.apply web test=True
package state

import "pinch/salt"

// Module is Salt's state module.
var Module = salt.Module{
	Name: "state",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"apply":            salt.Exec(applyExec).Named("apply_"),
			"sls":              salt.Exec(slsExec),
			"highstate":        salt.Exec(highstate),
			"sls_id":           salt.Exec(slsID),
			"single":           salt.Exec(single),
			"low":              salt.Exec(low),
			"high":             salt.Exec(high),
			"template":         salt.Exec(template),
			"template_str":     salt.Exec(templateStr),
			"top":              salt.Exec(top),
			"test":             salt.Exec(test),
			"orchestrate":      salt.Exec(orchestrate),
			"pkg":              salt.Exec(pkg),
			"show_top":         salt.Exec(showTop),
			"show_states":      salt.Exec(showStates),
			"show_highstate":   salt.Exec(showHighstate),
			"show_lowstate":    salt.Exec(showLowstate),
			"show_sls":         salt.Exec(showSls),
			"show_low_sls":     salt.Exec(showLowSls),
			"show_state_usage": salt.Exec(showStateUsage),
			"sls_exists":       salt.Exec(slsExists),
			"id_exists":        salt.Exec(idExists),
			"graph":            salt.Exec(graph),
			"graph_highstate":  salt.Exec(graphHighstate),
			"request":          salt.Exec(request),
			"check_request":    salt.Exec(checkRequest),
			"run_request":      salt.Exec(runRequest),
			"clear_request":    salt.Exec(clearRequest),
			"running":          salt.Exec(running),
			"pause":            salt.Exec(pause),
			"resume":           salt.Exec(resume),
			"soft_kill":        salt.Exec(softKill),
			"get_pauses":       salt.Exec(getPauses),
			"disable":          salt.Exec(disable),
			"enable":           salt.Exec(enable),
			"list_disabled":    salt.Exec(listDisabled),
			"clear_cache":      salt.Exec(clearCache),
			"event":            salt.Exec(event),
		}
	},
	Outputter: map[string]string{
		"sls": "highstate", "sls_id": "highstate", "pkg": "highstate", "top": "highstate", "single": "highstate", "highstate": "highstate",
		"template": "highstate", "template_str": "highstate", "apply": "highstate", "test": "highstate", "request": "highstate",
		"check_request": "highstate", "run_request": "highstate",
	},
}
