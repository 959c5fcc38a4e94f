//go:build !linux

package bridge

import "syscall"

// ownGroup makes the worker a process group; it ends when its pipe does.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
