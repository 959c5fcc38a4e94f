package ipset

import (
	"net/netip"
	"strings"
)

// A member is what an entry consists of: an address or network for each part
// of the type that is one, the texts of all others, and its options as one.
type member []any

// parse reads an entry of a set of that type.
func parse(setType, text string) member {
	_, kinds, _ := strings.Cut(setType, ":")
	entry, options, more := strings.Cut(text, " ")
	parts := strings.Split(entry, ",")
	var m member
	for i, kind := range strings.Split(kinds, ",") {
		if i >= len(parts) {
			break
		}
		switch kind {
		case "ip", "net":
			m = append(m, address(parts[i]))
		case "port":
			m = append(m, strings.TrimPrefix(parts[i], "tcp:"))
		default:
			m = append(m, parts[i])
		}
	}
	if more {
		m = append(m, strings.Join(strings.Fields(strings.ReplaceAll(options, `"`, "")), " "))
	}
	return m
}

// A span is all addresses from the first to the last.
type span [2]netip.Addr

// address reads an address, a network or a range; anything else stays a text.
func address(text string) any {
	if p, err := netip.ParsePrefix(text); err == nil {
		p = p.Masked()
		return span{p.Addr(), last(p)}
	}
	if from, to, ok := strings.Cut(text, "-"); ok {
		a, err := netip.ParseAddr(from)
		b, err2 := netip.ParseAddr(to)
		if err == nil && err2 == nil {
			return span{a, b}
		}
	}
	if a, err := netip.ParseAddr(text); err == nil {
		return span{a, a}
	}
	return text
}

// last is the last address of a network.
func last(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 1 << (7 - i%8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func (s span) single() bool { return s[0] == s[1] }

// contains reports whether the member stands for the entry: its parts are the
// same, or an address in a network.
func (m member) contains(entry member) bool {
	if len(m) < len(entry) {
		return false
	}
	for i, part := range entry {
		a, isSpan := m[i].(span)
		b, both := part.(span)
		switch {
		case m[i] == part:
		case !isSpan || !both || a[0].BitLen() != b[0].BitLen():
			return false
		case b.single() && a[0].Compare(b[0]) <= 0 && b[0].Compare(a[1]) <= 0:
		default:
			return false
		}
	}
	return true
}
