// Package cron holds Salt's cron module: the crontabs of users. What Salt
// manages stands below a line of its own; what is above stays as it is. Its
// main variable is Module.
//
//	/usr/local/bin/backup:
//	  cron.present:
//	    - identifier: backup
//	    - minute: random
//	    - hour: 2
package cron

import (
	"errors"

	"pinch/salt"
)

// Module is Salt's cron module.
var Module = salt.Module{
	Name: "cron",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present":     salt.State(present),
			"absent":      salt.State(absent),
			"file":        salt.State(file),
			"env_present": salt.State(envPresent),
			"env_absent":  salt.State(envAbsent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_entry":               salt.Exec(getEntry),
			"list_tab":                salt.Exec(listTab),
			"ls":                      salt.Exec(ls).Named("list_tab"),
			"raw_cron":                salt.Exec(rawCron),
			"rm":                      salt.Exec(rm).Named("rm_job"),
			"rm_env":                  salt.Exec(rmEnv),
			"rm_job":                  salt.Exec(rmJob),
			"rm_special":              salt.Exec(rmSpecial),
			"set_env":                 salt.Exec(setEnv),
			"set_job":                 salt.Exec(setJob),
			"set_special":             salt.Exec(setSpecial),
			"write_cron_file":         salt.Exec(writeCronFile),
			"write_cron_file_verbose": salt.Exec(writeCronFileVerbose),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("crontab") != "":
			return nil
		case kind == "states":
			return errors.New("cron module could not be loaded")
		}
		return errors.New("Cannot load cron module: crontab command not found")
	},
}
