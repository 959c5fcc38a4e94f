package sys

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// WithUmask runs f under another umask. Only f has it, with the commands it
// starts: f runs on a thread of its own that shares no umask with the others,
// and ends with it. A panic of f is passed on.
func WithUmask(mask int, f func()) error {
	type end struct {
		err   error
		panic any
	}
	done := make(chan end)
	go func() {
		// Never unlocked: the thread must not be used for anything else.
		runtime.LockOSThread()
		var e end
		defer func() {
			e.panic = recover()
			done <- e
		}()
		if e.err = unix.Unshare(unix.CLONE_FS); e.err != nil {
			return
		}
		unix.Umask(mask)
		f()
	}()
	e := <-done
	if e.panic != nil {
		panic(e.panic)
	}
	return e.err
}
