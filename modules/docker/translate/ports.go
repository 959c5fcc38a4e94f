package translate

import (
	"fmt"
	"slices"
	"strings"

	"pinch/value"
)

// portDef is a port as the client takes it: a number, or (number, 'udp').
func portDef(port any, proto string) (any, error) {
	if s, ok := port.(string); ok {
		num, p, _ := strings.Cut(s, "/")
		if p != "" {
			proto = p
		}
		port = num
	}
	n, err := intOf(port)
	if err != nil {
		return nil, err
	}
	if strings.ToLower(proto) == "udp" {
		return value.Tuple{n, "udp"}, nil
	}
	return n, nil
}

// portRange reads a port or a range such as 4505-4506.
func portRange(s string) (start, end int64, err error) {
	bad := invalidf("'%s' is non-numeric or an invalid port range", s)
	parts := split(s, "-")
	if len(parts) > 2 {
		return 0, 0, bad
	}
	var n [2]int64
	for i, p := range parts {
		v, err := intOf(p)
		num, ok := v.(int64)
		if err != nil || !ok {
			return 0, 0, bad
		}
		n[i] = num
	}
	start, end = n[0], n[len(parts)-1]
	switch {
	case start > end:
		return 0, 0, invalidf("Start of port range (%d) cannot be greater than end of port range (%d)", start, end)
	case end-start > 65535: // no memory for ports that there are none of
		return 0, 0, bad
	}
	return start, end, nil
}

// ports reads ports that are exposed: numbers, ranges, with /udp or without.
func ports(v any, _ *args) (any, error) {
	var items []any
	switch v := v.(type) {
	case *value.List:
		items = v.Items
	case string:
		items = value.Strings(split(v, ",")).Items
	default:
		if !isInt(v) {
			return nil, invalidf("'%s' is not a valid port definition", value.Str(v))
		}
		items = []any{v}
	}
	var all portSet
	for _, it := range items {
		if isInt(it) {
			all.add(it)
			continue
		}
		s, ok := it.(string)
		if !ok {
			return nil, invalidf("'%s' is not a valid port definition", value.Str(it))
		}
		rng, proto, _ := strings.Cut(s, "/")
		start, end, err := portRange(rng)
		if err != nil {
			return nil, err
		}
		for n := start; n <= end; n++ {
			def, err := portDef(n, proto)
			if err != nil {
				return nil, err
			}
			all.add(def)
		}
	}
	return all.list(), nil
}

// A portSet holds each port once. Python has it without order; ours is by
// number, tcp first.
type portSet struct{ defs []any }

func (p *portSet) add(def any) {
	if !slices.ContainsFunc(p.defs, func(d any) bool { return value.Equal(d, def) }) {
		p.defs = append(p.defs, def)
	}
}

func (p *portSet) list() *value.List {
	slices.SortStableFunc(p.defs, func(a, b any) int {
		x, xu := portNumber(a)
		y, yu := portNumber(b)
		if xu != yu {
			return xu - yu
		}
		if less, err := value.Less(x, y); err == nil && less {
			return -1
		}
		if less, err := value.Less(y, x); err == nil && less {
			return 1
		}
		return 0
	})
	return value.L(p.defs...)
}

func portNumber(def any) (n any, udp int) {
	if t, ok := def.(value.Tuple); ok {
		return t[0], 1
	}
	return def, 0
}

// portBindings reads published ports, [[IP:]HOST:]CONTAINER[/PROTO] with
// ranges, as a map from container ports to what they are bound to: None, a
// port, (IP,), (IP, port), or a list of these.
func portBindings(v any, a *args) (any, error) {
	if _, ok := v.(*value.Map); ok {
		return v, nil
	}
	out := new(value.Map)
	for _, it := range words(v).Items {
		if err := bindPort(out, it.(string), a.ValidateIP); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func bindPort(out *value.Map, binding string, validate bool) error {
	parts := split(binding, ":")
	container, host, ip := parts[len(parts)-1], "", ""
	switch len(parts) {
	case 1:
		if container == "" {
			return invalidf("Empty port binding definition found")
		}
	case 2:
		host = parts[0]
		if host == "" {
			return invalidf("Empty host port in port binding definition '%s'", binding)
		}
		if container == "" {
			return invalidf("Empty container port in port binding definition '%s'", binding)
		}
	case 3:
		ip, host = parts[0], parts[1]
		if validate {
			if err := checkIP(ip); err != nil {
				return err
			}
		}
	default:
		return invalidf("'%s' is an invalid port binding definition (at most 3 components are allowed, found %d)", binding, len(parts))
	}
	rng, proto, _ := strings.Cut(container, "/")
	start, end, err := portRange(rng)
	if err != nil {
		return err
	}
	hstart := int64(-1)
	if host != "" {
		var hend int64
		if hstart, hend, err = portRange(host); err != nil {
			return err
		}
		if hend-hstart != end-start {
			return invalidf("Host port range (%s) does not have the same number of ports as the container port range (%s)", host, rng)
		}
	}
	for n := start; n <= end; n++ {
		var key, def any = n, nil
		if strings.ToLower(proto) == "udp" {
			key = fmt.Sprintf("%d/udp", n)
		}
		switch at := hstart + n - start; {
		case len(parts) == 3 && host == "":
			def = value.Tuple{ip}
		case len(parts) == 3:
			def = value.Tuple{ip, at}
		case len(parts) == 2:
			def = at
		}
		if err := addBinding(out, key, def, n); err != nil {
			return err
		}
	}
	return nil
}

// addBinding binds a container port once more; then one without a host port
// has the number of the container's.
func addBinding(out *value.Map, key, def any, n int64) error {
	old, ok := out.GetKey(key)
	if !ok {
		return out.SetKey(key, def)
	}
	l, ok := old.(*value.List)
	if !ok {
		l = value.L(old)
	}
	l.Append(def)
	for i, it := range l.Items {
		if it == nil {
			l.Items[i] = n
		}
	}
	return out.SetKey(key, l)
}
