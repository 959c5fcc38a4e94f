//go:build !linux

package network

import (
	"errors"
	"net/netip"

	"pinch/grains"
	"pinch/value"
)

var errLinuxOnly = errors.New("the kernel's tables are read on Linux only")

func neighbours(bool) (any, error) { return new(value.Map), nil }

func ipRoutes() []any { return nil }

func routeTo(netip.Addr) (r grains.Route, source netip.Addr, err error) {
	return r, source, errLinuxOnly
}
