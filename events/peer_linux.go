package events

import (
	"net"

	"golang.org/x/sys/unix"
)

// peer is the user at the other end of a Unix socket.
func peer(c net.Conn) (uid int, ok bool) {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return -1, false
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return -1, false
	}
	uid = -1
	err2 := raw.Control(func(fd uintptr) {
		if cred, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			uid = int(cred.Uid)
		}
	})
	return uid, err2 == nil && uid >= 0
}
