package network

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"pinch/value"
)

// neighbours asks the kernel, leaving out what ip neigh does not show.
func neighbours(v4 bool) (any, error) {
	out := new(value.Map)
	b, err := syscall.NetlinkRIB(unix.RTM_GETNEIGH, unix.AF_UNSPEC)
	if err != nil {
		return out, nil
	}
	messages, err := syscall.ParseNetlinkMessage(b)
	if err != nil {
		return out, nil
	}
	for _, m := range messages {
		const header = 12 // struct ndmsg
		if m.Header.Type != unix.RTM_NEWNEIGH || len(m.Data) < header || (m.Data[0] == unix.AF_INET) != v4 || m.Data[0] != unix.AF_INET && m.Data[0] != unix.AF_INET6 {
			continue
		}
		if state := binary.NativeEndian.Uint16(m.Data[8:]); state == 0 || state&unix.NUD_NOARP != 0 {
			continue
		}
		var ip netip.Addr
		mac := ""
		for at := m.Data[header:]; len(at) >= unix.SizeofRtAttr; {
			n := int(binary.NativeEndian.Uint16(at))
			if n < unix.SizeofRtAttr || n > len(at) {
				break
			}
			switch v := at[unix.SizeofRtAttr:n]; binary.NativeEndian.Uint16(at[2:]) {
			case unix.NDA_DST:
				ip, _ = netip.AddrFromSlice(v)
			case unix.NDA_LLADDR:
				mac = macText(v)
			}
			at = at[min((n+3)&^3, len(at)):]
		}
		if ip.IsValid() && mac != "" {
			out.Set(mac, ip.String())
		}
	}
	return out, nil
}

func macText(b []byte) string {
	s := make([]string, len(b))
	for i, x := range b {
		s[i] = fmt.Sprintf("%02x", x)
	}
	return strings.Join(s, ":")
}
