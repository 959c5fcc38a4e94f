package status

import (
	"encoding/hex"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
)

// hostIPs are the addresses of a name.
func hostIPs(c *salt.Ctx, name string) []string {
	ips, _ := net.DefaultResolver.LookupHost(c, name)
	return ips
}

// endpoint reads an address and port as /proc/net/tcp shows them: words of four
// bytes in the order of the machine (little endian).
func endpoint(s string) (ip string, port uint64, ok bool) {
	a, p, found := strings.Cut(s, ":")
	b, err := hex.DecodeString(a)
	if !found || err != nil {
		return "", 0, false
	}
	for i := 0; i+4 <= len(b); i += 4 {
		slices.Reverse(b[i : i+4])
	}
	addr, ok := netip.AddrFromSlice(b)
	port, err = strconv.ParseUint(p, 16, 16)
	return addr.Unmap().String(), port, ok && err == nil
}
