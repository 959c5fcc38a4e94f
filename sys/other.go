//go:build !linux

package sys

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

var umaskMu sync.Mutex

var errLinuxOnly = errors.New("sys: not supported on this system")

func umask() os.FileMode {
	umaskMu.Lock()
	defer umaskMu.Unlock()
	old := syscall.Umask(0o22)
	syscall.Umask(old)
	return os.FileMode(old)
}

func (Real) Attrs(string) (string, error)                        { return "", errLinuxOnly }
func (Real) SetAttrs(string, string) error                       { return errLinuxOnly }
func (Real) Getxattr(string, string) ([]byte, error)             { return nil, errLinuxOnly }
func (Real) Setxattr(string, string, []byte) error               { return errLinuxOnly }
func (Real) Removexattr(string, string) error                    { return errLinuxOnly }
func (Real) Mknod(string, uint32, uint64) error                  { return errLinuxOnly }
func (Root) Mknod(string, uint32, uint64) error                  { return errLinuxOnly }
func (Real) Mount(string, string, string, uintptr, string) error { return errLinuxOnly }
func (Real) Unmount(string, int) error                           { return errLinuxOnly }
func (Real) Access(string, uint32) error                         { return errLinuxOnly }
func (Real) Statfs(string) (FileSystem, error)                   { return FileSystem{}, errLinuxOnly }
func (Real) Sethostname(string) error                            { return errLinuxOnly }
func (Real) SetTime(time.Time) error                             { return errLinuxOnly }
func (Real) Ethtool(string, []byte) error                        { return errLinuxOnly }

// WithIdentity is for Linux only: other systems know no user of a thread.
func WithIdentity(Identity, func()) error { return errLinuxOnly }

// WithUmask runs f under another umask, which the whole process has meanwhile.
func WithUmask(mask int, f func()) error {
	umaskMu.Lock()
	defer umaskMu.Unlock()
	old := syscall.Umask(mask)
	defer syscall.Umask(old)
	f()
	return nil
}
