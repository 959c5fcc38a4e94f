package service

import (
	"fmt"
	"strings"
)

// unitTypes are the kinds of units that count as services.
var unitTypes = []string{"service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer"}

// canonical is Salt's name of a unit: a name that ends in a kind of unit, even
// without a dot, is one already.
func canonical(name string) string {
	for _, t := range unitTypes {
		if strings.HasSuffix(name, t) {
			return name
		}
	}
	return name + ".service"
}

// unitName is the name that systemctl makes of what it is given: bad characters
// are escaped, and a kind is added.
func unitName(name string) string {
	name = canonical(name)
	_, kind, dotted := cutLast(name)
	dotted = dotted && (kind == "slice" || kind == "scope" || isType(kind))
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c == '/':
			b.WriteByte('-')
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte(`:-_.\@`, c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	if !dotted {
		b.WriteString(".service")
	}
	return b.String()
}

func isType(s string) bool {
	for _, t := range unitTypes {
		if s == t {
			return true
		}
	}
	return false
}

// cutLast splits a unit's name from its kind.
func cutLast(full string) (name, kind string, ok bool) {
	i := strings.LastIndexByte(full, '.')
	if i < 0 {
		return full, "", false
	}
	return full[:i], full[i+1:], true
}

// serviceName is a unit as Salt lists it: services without their kind. It is
// false for units that are not listed.
func serviceName(full string) (string, bool) {
	name, kind, ok := cutLast(full)
	if !ok || !isType(kind) {
		return "", false
	}
	if kind == "service" {
		return name, true
	}
	return full, true
}
