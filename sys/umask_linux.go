package sys

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// WithUmask runs f under another umask. Only f has it, with the commands it
// starts: f runs on a thread of its own that shares no umask with the others,
// and ends with it. A panic of f is passed on.
func WithUmask(mask int, f func()) error {
	return onThread(func() error {
		if err := unix.Unshare(unix.CLONE_FS); err != nil {
			return err
		}
		unix.Umask(mask)
		f()
		return nil
	})
}

// onThread runs f on a thread that ends with it. A panic of f is passed on.
func onThread(f func() error) error {
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
		e.err = f()
	}()
	e := <-done
	if e.panic != nil {
		panic(e.panic)
	}
	return e.err
}
