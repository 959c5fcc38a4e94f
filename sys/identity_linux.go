package sys

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// WithIdentity runs f with the file access rights of another user: what it
// makes is theirs, what they may not do fails. Commands that f starts are not
// affected, nor is anything that runs beside it.
func WithIdentity(id Identity, f func()) error {
	if id.UID == os.Geteuid() && id.GID == os.Getegid() {
		f()
		return nil
	}
	return onThread(func() error {
		groups := make([]uint32, len(id.Groups)+1)
		for i, g := range id.Groups {
			groups[i] = uint32(g)
		}
		// The system call itself: the functions of package syscall change all threads.
		if _, _, no := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(id.Groups)), uintptr(unsafe.Pointer(&groups[0])), 0); no != 0 {
			return os.NewSyscallError("setgroups", no)
		}
		// These report no errors, but a second call tells what is in force.
		unix.Setfsgid(id.GID)
		unix.Setfsuid(id.UID)
		if gid, _ := unix.SetfsgidRetGid(-1); gid != id.GID {
			return os.NewSyscallError("setfsgid", syscall.EPERM)
		}
		if uid, _ := unix.SetfsuidRetUid(-1); uid != id.UID {
			return os.NewSyscallError("setfsuid", syscall.EPERM)
		}
		f()
		return nil
	})
}
