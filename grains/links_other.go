//go:build !linux

package grains

import (
	"net"
	"net/netip"
)

// Interfaces asks the system; labels, scopes and parents are Linux's own.
func Interfaces() ([]Interface, error) {
	list, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	out := make([]Interface, 0, len(list))
	for _, i := range list {
		one := Interface{Name: i.Name, Index: i.Index, Up: i.Flags&net.FlagUp != 0, HWAddr: i.HardwareAddr.String()}
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			n, ok := a.(*net.IPNet)
			if !ok {
				continue
			}
			ip, ok := netip.AddrFromSlice(n.IP)
			if !ok {
				continue
			}
			bits, _ := n.Mask.Size()
			one.Addrs = append(one.Addrs, Address{IP: ip.Unmap(), Prefix: bits, Label: i.Name})
		}
		out = append(out, one)
	}
	return out, nil
}

// Routes are read on Linux only.
func Routes(int) ([]Route, error) { return nil, nil }

func defaultRoute(int) (gateway netip.Addr, ok bool) { return gateway, false }
