package firewalld

import (
	"slices"
	"strings"

	"pinch/value"
)

// parts are the sets that a zone is made of, blocked ICMP first.
func (z *zoneState) parts(a presentArgs) []part {
	c, zone := z.c, z.name
	in := zoneArgs{zone, true}
	return []part{
		{
			key: "icmp_types", want: z.knownIcmp(a.BlockIcmp), prune: a.PruneBlockIcmp,
			list:   func() (*value.List, error) { return listIcmpBlock(c, in) },
			add:    func(v string) error { _, err := blockIcmp(c, icmpArgs{zone, v, true}); return err },
			remove: func(v string) error { _, err := allowIcmp(c, icmpArgs{zone, v, true}); return err },
		},
		{
			key: "ports", want: texts(a.Ports), prune: a.PrunePorts,
			list:   func() (*value.List, error) { return listPorts(c, in) },
			add:    func(v string) error { return second(addPort(c, addPortArgs{zone, v, true, false})) },
			remove: func(v string) error { return second(removePort(c, portArgs{zone, v, true})) },
		},
		{
			key: "port_fwd", want: forwards(a.PortFwd), prune: a.PrunePortFwd, show: func(v string) any { return forward(v).shown() },
			list: z.forwards,
			add: func(v string) error {
				f := forward(v)
				return second(addPortFwd(c, addPortFwdArgs{zone, f.src, f.dest, f.proto, f.addr, true, false}))
			},
			remove: func(v string) error {
				f := forward(v)
				return second(removePortFwd(c, portFwdArgs{zone, f.src, f.dest, f.proto, f.addr, true}))
			},
		},
		{
			key: "services", want: texts(a.Services), prune: a.PruneServices,
			list:   func() (*value.List, error) { return listServices(c, anyZone(in)) },
			add:    func(v string) error { return second(addService(c, zoneServiceArgs{v, zone, true})) },
			remove: func(v string) error { return second(removeService(c, zoneServiceArgs{v, zone, true})) },
		},
		{
			key: "interfaces", want: texts(a.Interfaces), prune: a.PruneInterfaces,
			list:   func() (*value.List, error) { return getInterfaces(c, in) },
			add:    func(v string) error { return second(addInterface(c, interfaceArgs{zone, v, true})) },
			remove: func(v string) error { return second(removeInterface(c, interfaceArgs{zone, v, true})) },
		},
		{
			key: "sources", want: texts(a.Sources), prune: a.PruneSources,
			list:   func() (*value.List, error) { return getSources(c, in) },
			add:    func(v string) error { return second(addSource(c, sourceArgs{zone, v, true})) },
			remove: func(v string) error { return second(removeSource(c, sourceArgs{zone, v, true})) },
		},
		{
			key: "rich_rules", want: quoted(texts(a.RichRules)), prune: a.PruneRichRules,
			list:   func() (*value.List, error) { return getRichRules(c, in) },
			add:    func(v string) error { return second(addRichRule(c, richRuleArgs{zone, v, true})) },
			remove: func(v string) error { return second(removeRichRule(c, richRuleArgs{zone, v, true})) },
		},
	}
}

func anyZone(a zoneArgs) someZoneArgs { return someZoneArgs{a.Zone, a.Permanent} }

// knownIcmp leaves out the types that firewalld does not know.
func (z *zoneState) knownIcmp(l *value.List) []string {
	want := texts(l)
	if len(want) == 0 {
		return nil
	}
	known, err := getIcmpTypes(z.c, permanentArgs{true})
	if err != nil {
		return want // the next question fails with the same error
	}
	return slices.DeleteFunc(want, func(v string) bool {
		bad := !slices.Contains(known.Items, any(v))
		if bad {
			z.c.Log.Error(v + " is an invalid ICMP type")
		}
		return bad
	})
}

// A fwd is a forwarded port.
type fwd struct{ src, dest, proto, addr string }

func forward(text string) fwd {
	p := append(strings.SplitN(text, ":", 4), "", "", "")
	return fwd{p[0], p[1], p[2], p[3]}
}

func (f fwd) text() string { return f.src + ":" + f.dest + ":" + f.proto + ":" + f.addr }

func (f fwd) shown() *value.Map {
	return value.M("Source port", f.src, "Destination port", f.dest, "Protocol", f.proto, "Destination address", f.addr)
}

// forwards writes all in the long form.
func forwards(l *value.List) []string {
	out := texts(l)
	for i, text := range out {
		out[i] = forward(text).text()
	}
	return out
}

func (z *zoneState) forwards() (*value.List, error) {
	all, err := listPortFwd(z.c, zoneArgs{z.name, true})
	if err != nil {
		return nil, err
	}
	l := value.L()
	for _, it := range all.Items {
		m := it.(*value.Map)
		l.Append(fwd{m.Str("Source port"), m.Str("Destination port"), m.Str("Protocol"), m.Str("Destination address")}.text())
	}
	return l, nil
}

// quoted writes rules with the double quotes that firewalld shows.
func quoted(rules []string) []string {
	for i, rule := range rules {
		words := strings.Split(rule, " ")
		for j, word := range words {
			key, v, ok := strings.Cut(word, "=")
			if !ok || strings.HasPrefix(v, `"`) || strings.HasSuffix(v, `"`) {
				continue
			}
			if len(v) > 1 && v[0] == '\'' && v[len(v)-1] == '\'' {
				v = v[1 : len(v)-1]
			}
			words[j] = key + `="` + v + `"`
		}
		rules[i] = strings.TrimLeft(strings.Join(words, " "), " ")
	}
	return rules
}
