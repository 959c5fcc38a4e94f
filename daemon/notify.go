package daemon

import (
	"fmt"
	"net"
	"strings"

	"golang.org/x/sys/unix"
)

// SystemdNotify tells systemd the state of the service, by the socket that it
// names in $NOTIFY_SOCKET (sd_notify(3)); without one it tells nobody.
func SystemdNotify(socket string) func(state string) {
	if socket == "" {
		return nil
	}
	if strings.HasPrefix(socket, "@") {
		socket = "\x00" + socket[1:]
	}
	return func(state string) {
		if strings.HasPrefix(state, "RELOADING=1") {
			var t unix.Timespec
			if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) == nil {
				state += fmt.Sprintf("\nMONOTONIC_USEC=%d", t.Sec*1e6+t.Nsec/1e3)
			}
		}
		c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = c.Write([]byte(state))
	}
}
