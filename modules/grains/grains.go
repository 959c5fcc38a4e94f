// Package grains holds Salt's grains module: functions that read grains and
// set static ones, and states that keep static grains. Its main variable is
// Module.
//
//	roles:
//	  grains.list_present:
//	    - value: web
package grains

import "pinch/salt"

// Module is Salt's grains module.
var Module = salt.Module{
	Name: "grains",
	States: func() salt.Funcs {
		return salt.Funcs{
			"absent":       salt.State(absentState),
			"append":       salt.State(appendState),
			"exists":       salt.State(existsState),
			"list_absent":  salt.State(listAbsent),
			"list_present": salt.State(listPresent),
			"present":      salt.State(presentState),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"append":    salt.Exec(append_),
			"delkey":    salt.Exec(delkey),
			"delval":    salt.Exec(delval),
			"equals":    salt.Exec(equals),
			"fetch":     salt.Exec(get).Named("get"),
			"filter_by": salt.Exec(filterBy),
			"get":       salt.Exec(get),
			"has_value": salt.Exec(hasValue),
			"item":      salt.Exec(item),
			"items":     salt.Exec(items),
			"ls":        salt.Exec(ls),
			"remove":    salt.Exec(remove),
			"set":       salt.Exec(set),
			"setval":    salt.Exec(setval),
			"setvals":   salt.Exec(setvals),
		}
	},
	Outputter: map[string]string{"items": "nested", "item": "nested", "setval": "nested"},
}
