package translate

import (
	"math/big"
	"net/netip"
	"strconv"
	"strings"

	"pinch/value"
)

// checkIP refuses what is no IPv4 or IPv6 address. Python takes numbers, too.
func checkIP(v any) error {
	if !isIP(v) {
		return invalidf("'%s' is not a valid IP address", value.Str(v))
	}
	return nil
}

func isIP(v any) bool {
	switch v := v.(type) {
	case string:
		_, err := netip.ParseAddr(v)
		return err == nil
	case bool:
		return true
	case int64:
		return v >= 0
	case *big.Int:
		return v.Sign() >= 0 && v.BitLen() <= 128
	case []byte:
		return len(v) == 4 || len(v) == 16
	}
	return false
}

// checkSubnet refuses what is no network with its size, as in 10.0.0.0/8.
func checkSubnet(s string) error {
	if !isSubnet(s) {
		return invalidf("'%s' is not a valid subnet", s)
	}
	return nil
}

func isSubnet(s string) bool {
	host, size, ok := strings.Cut(s, "/")
	a, err := netip.ParseAddr(host)
	if !ok || err != nil || a.Zone() != "" {
		return false
	}
	bits, ok := prefixLen(size, a)
	if !ok {
		return false
	}
	p, err := a.Prefix(bits)
	return err == nil && p.Masked().Addr() == a
}

// prefixLen reads the part after the slash: a number, or an IPv4 mask.
func prefixLen(s string, a netip.Addr) (int, bool) {
	if s != "" && strings.Trim(s, "0123456789") == "" {
		n, err := strconv.Atoi(s)
		return n, err == nil && n <= a.BitLen()
	}
	mask, err := netip.ParseAddr(s)
	if err != nil || !mask.Is4() || !a.Is4() {
		return 0, false
	}
	b := mask.As4()
	m := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	for n := 0; n <= 32; n++ {
		if net := ^uint32(0) << (32 - n); m == net || m == ^net {
			return n, true
		}
	}
	return 0, false
}
