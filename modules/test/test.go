// Package test holds Salt's test module: states that answer what they are
// told, for trying out requisites, and execution functions that show how
// arguments arrive. Its main variable is Module.
//
//	change:
//	  test.succeed_with_changes: []
package test

import "pinch/salt"

// Module is Salt's test module.
var Module = salt.Module{
	Name: "test",
	States: func() salt.Funcs {
		return salt.Funcs{
			"nop":                     salt.State(nop).Touching(salt.TouchesNothing),
			"succeed_without_changes": salt.State(succeedWithoutChanges).Touching(salt.TouchesNothing),
			"fail_without_changes":    salt.State(failWithoutChanges).Touching(salt.TouchesNothing),
			"succeed_with_changes":    salt.State(succeedWithChanges).Touching(salt.TouchesNothing),
			"fail_with_changes":       salt.State(failWithChanges).Touching(salt.TouchesNothing),
			"configurable_test_state": salt.State(configurableTestState).Touching(salt.TouchesNothing),
			"show_notification":       salt.State(showNotification).Touching(salt.TouchesNothing),
			"check_pillar":            salt.State(checkPillar),
			"mod_watch":               watch,
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"arg":                  salt.Exec(arg),
			"arg_clean":            salt.Exec(argClean),
			"arg_repr":             salt.Exec(argRepr),
			"arg_type":             salt.Exec(argType),
			"assertion":            salt.Exec(assertion),
			"attr_call":            salt.Exec(attrCall),
			"collatz":              salt.Exec(collatz),
			"conf_test":            salt.Exec(confTest),
			"cross_test":           salt.Exec(crossTest),
			"deprecation_warning":  salt.Exec(deprecationWarning),
			"echo":                 salt.Exec(echo),
			"exception":            salt.Exec(exception),
			"false":                salt.Exec(false_).Named("false_"),
			"fib":                  salt.Exec(fib),
			"get_opts":             salt.Exec(getOpts),
			"kwarg":                salt.Exec(kwarg),
			"module_report":        salt.Exec(moduleReport),
			"not_loaded":           salt.Exec(notLoaded),
			"opts_pkg":             salt.Exec(optsPkg),
			"outputter":            salt.Exec(outputter),
			"ping":                 salt.Exec(ping),
			"provider":             salt.Exec(provider),
			"providers":            salt.Exec(providers),
			"raise_exception":      salt.Exec(raiseException),
			"rand_sleep":           salt.Exec(randSleep),
			"rand_str":             salt.Exec(randStr),
			"random_hash":          salt.Exec(randomHash),
			"retcode":              salt.Exec(retcode),
			"sleep":                salt.Exec(sleep),
			"stack":                salt.Exec(stack),
			"true":                 salt.Exec(true_).Named("true_"),
			"try":                  salt.Exec(try).Named("try_"),
			"tty":                  salt.Exec(tty),
			"version":              salt.Exec(version),
			"versions":             salt.Exec(versionsReport).Named("versions_report"),
			"versions_information": salt.Exec(versionsInformation),
			"versions_report":      salt.Exec(versionsReport),
		}
	},
	Watch: watch,
}

var watch = salt.State(modWatch)
