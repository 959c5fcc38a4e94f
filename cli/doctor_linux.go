package cli

import "syscall"

// adrift is whether the kernel says that nothing keeps the clock right (TIME_ERROR).
func adrift() bool {
	var t syscall.Timex
	state, err := syscall.Adjtimex(&t)
	return err == nil && state == 5
}
