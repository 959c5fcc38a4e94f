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
		"absent":             salt.State(absent),
		"accumulated":        salt.State(accumulated),
		"append":             salt.State(append_),
		"blockreplace":       salt.State(blockreplace),
		"cached":             salt.State(cached),
		"comment":            salt.State(comment),
		"copy":               salt.State(copy_),
		"decode":             salt.State(decode_),
		"directory":          salt.State(directory),
		"exists":             salt.State(exists),
		"hardlink":           salt.State(hardlink),
		"keyvalue":           salt.State(keyvalue),
		"line":               salt.State(line),
		"managed":            salt.State(managed),
		"missing":            salt.State(missing),
		"mknod":              salt.State(mknod),
		"mod_beacon":         salt.State(modBeacon),
		"mod_run_check_cmd":  salt.State(modRunCheckCmd),
		"not_cached":         salt.State(notCached),
		"patch":              salt.State(patch),
		"prepend":            salt.State(prepend),
		"pruned":             salt.State(pruned),
		"recurse":            salt.State(recurse),
		"rename":             salt.State(rename),
		"replace":            salt.State(replace),
		"retention_schedule": salt.State(retentionSchedule),
		"serialize":          salt.State(serialize),
		"shortcut":           salt.State(shortcut),
		"symlink":            salt.State(symlink),
		"tidied":             salt.State(tidied),
		"touch":              salt.State(touch),
		"uncomment":          salt.State(uncomment),
	},
}
