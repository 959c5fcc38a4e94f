package sys

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Ethtool makes the request SIOCETHTOOL.
func (Real) Ethtool(device string, request []byte) error {
	if len(device) >= unix.IFNAMSIZ {
		return unix.ENODEV
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var ifreq struct { // as in linux/if.h
		name [unix.IFNAMSIZ]byte
		data unsafe.Pointer
		_    [16]byte
	}
	copy(ifreq.name[:], device)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&request[0])
	ifreq.data = unsafe.Pointer(&request[0])
	if _, _, no := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(&ifreq))); no != 0 {
		return no
	}
	return nil
}
