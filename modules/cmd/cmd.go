// Package cmd holds Salt's cmd module: it runs commands and scripts, with a
// shell or without, as any user. Its main variable is Module.
//
//	make:
//	  cmd.run:
//	    - cwd: /srv/app
//	    - runas: app
//	    - creates: /srv/app/bin/app
package cmd

import "pinch/salt"

// Module is Salt's cmd module.
var Module = salt.Module{
	Name: "cmd",
	States: func() salt.Funcs {
		return salt.Funcs{
			"run":         salt.State(runState),
			"wait":        salt.State(wait),
			"watch":       salt.State(waitWatch).Named("wait"),
			"script":      salt.State(scriptState),
			"wait_script": salt.State(waitScript),
			"call":        salt.State(call),
			"wait_call":   salt.State(waitCall),
			"mod_watch":   watch,
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"run":            salt.Exec(run),
			"run_stdout":     salt.Exec(runStdout),
			"run_stderr":     salt.Exec(runStderr),
			"run_all":        runAllFunc,
			"run_bg":         salt.Exec(runBg),
			"run_chroot":     runChrootFunc,
			"retcode":        salt.Exec(retcode),
			"shell":          salt.Exec(shell),
			"script":         scriptFunc,
			"script_retcode": salt.Exec(scriptRetcode),
			"exec_code":      salt.Exec(execCode),
			"exec_code_all":  salt.Exec(execCodeAll),
			"which":          salt.Exec(which),
			"which_bin":      salt.Exec(whichBin),
			"has_exec":       salt.Exec(hasExec),
			"shells":         salt.Exec(shells),
			"shell_info":     salt.Exec(shellInfo),
			"tty":            salt.Exec(tty),
			"powershell":     salt.Exec(powershell),
			"powershell_all": salt.Exec(powershellAll),
		}
	},
	Watch: watch,
}

var (
	watch         = salt.State(modWatch)
	runAllFunc    = salt.Exec(runAll)
	runChrootFunc = salt.Exec(runChroot)
	scriptFunc    = salt.Exec(script)
)
