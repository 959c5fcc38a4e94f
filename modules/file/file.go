// Package file manages files, folders and links: Salt's module file. What a
// state and an execution function have in common is one planner: it works out
// the new text or what differs, and the edges write it.
//
//	r := managed(c, managedArgs{Name: "/etc/motd", Contents: "hello", Mode: "0644", …})
package file

import "pinch/salt"

// Module is Salt's file module.
var Module = salt.Module{
	Name:     "file",
	CheckCmd: []string{"managed", "serialize"},
	States: salt.Funcs{
		"absent":            salt.State(absent),
		"accumulated":       salt.State(accumulated),
		"directory":         salt.State(directory),
		"exists":            salt.State(exists),
		"managed":           salt.State(managed),
		"missing":           salt.State(missing),
		"mod_run_check_cmd": salt.State(modRunCheckCmd),
		"recurse":           salt.State(recurse),
		"rename":            salt.State(rename),
		"symlink":           salt.State(symlink),
	},
}
