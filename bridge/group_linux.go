package bridge

import "syscall"

// ownGroup makes the worker a process group, which ends with this process.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
