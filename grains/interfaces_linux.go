package grains

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Interfaces asks the kernel by netlink.
func Interfaces() ([]Interface, error) {
	links, err := netlink(unix.RTM_GETLINK, unix.AF_UNSPEC)
	if err != nil {
		return nil, err
	}
	var out []Interface
	place, lower := map[int]int{}, map[int]int{}
	foreign := map[int]bool{}
	for _, m := range links {
		if m.Header.Type != unix.RTM_NEWLINK || len(m.Data) < unix.SizeofIfInfomsg {
			continue
		}
		info := Interface{Index: int(binary.NativeEndian.Uint32(m.Data[4:])),
			Up: binary.NativeEndian.Uint32(m.Data[8:])&unix.IFF_UP != 0}
		attrs, _ := syscall.ParseNetlinkRouteAttr(&m)
		for _, a := range attrs {
			switch a.Attr.Type {
			case unix.IFLA_IFNAME:
				info.Name = text(a.Value)
			case unix.IFLA_ADDRESS:
				info.HWAddr = hwaddr(a.Value)
			case unix.IFLA_LINK:
				lower[info.Index] = int(binary.NativeEndian.Uint32(a.Value))
			case unix.IFLA_LINK_NETNSID:
				foreign[info.Index] = true
			}
		}
		place[info.Index] = len(out)
		out = append(out, info)
	}
	for index, below := range lower {
		i := &out[place[index]]
		if p, ok := place[below]; ok && !foreign[index] && below != index {
			i.Parent = out[p].Name
		} else if below != 0 && below != index {
			i.Parent = fmt.Sprintf("if%d", below)
		} else if below == 0 {
			i.Parent = "NONE"
		}
	}
	return out, addAddresses(out, place)
}

func addAddresses(out []Interface, place map[int]int) error {
	addrs, err := netlink(unix.RTM_GETADDR, unix.AF_UNSPEC)
	if err != nil {
		return err
	}
	for _, m := range addrs {
		if m.Header.Type != unix.RTM_NEWADDR || len(m.Data) < unix.SizeofIfAddrmsg {
			continue
		}
		i, ok := place[int(binary.NativeEndian.Uint32(m.Data[4:]))]
		if !ok {
			continue
		}
		a := Address{Prefix: int(m.Data[1]), Scope: scope(m.Data[3])}
		v4 := m.Data[0] == unix.AF_INET
		a.Secondary = v4 && m.Data[2]&unix.IFA_F_SECONDARY != 0
		attrs, _ := syscall.ParseNetlinkRouteAttr(&m)
		var local, address netip.Addr
		for _, at := range attrs {
			switch at.Attr.Type {
			case unix.IFA_ADDRESS:
				address, _ = netip.AddrFromSlice(at.Value)
			case unix.IFA_LOCAL:
				local, _ = netip.AddrFromSlice(at.Value)
			case unix.IFA_BROADCAST:
				if b, ok := netip.AddrFromSlice(at.Value); ok {
					a.Broadcast = b.String()
				}
			case unix.IFA_LABEL:
				a.Label = text(at.Value)
			}
		}
		switch {
		case !local.IsValid() || local == address:
			a.IP = address
		default: // the other end of a point-to-point link has the prefix
			a.IP, a.Prefix = local, 32
		}
		out[i].Addrs = append(out[i].Addrs, a)
	}
	return nil
}

func netlink(request, family int) ([]syscall.NetlinkMessage, error) {
	b, err := syscall.NetlinkRIB(request, family)
	if err != nil {
		return nil, err
	}
	return syscall.ParseNetlinkMessage(b)
}

func text(b []byte) string { return strings.TrimRight(string(b), "\x00") }

// hwaddr prints a link-layer address as ip(8) does: tunnels have IP addresses.
func hwaddr(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if a, ok := netip.AddrFromSlice(b); ok {
		return a.String()
	}
	s := make([]string, len(b))
	for i, x := range b {
		s[i] = fmt.Sprintf("%02x", x)
	}
	return strings.Join(s, ":")
}

func scope(n byte) string {
	switch n {
	case unix.RT_SCOPE_UNIVERSE:
		return "global"
	case unix.RT_SCOPE_SITE:
		return "site"
	case unix.RT_SCOPE_LINK:
		return "link"
	case unix.RT_SCOPE_HOST:
		return "host"
	}
	return fmt.Sprint(n)
}
