package nftables

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type buildRuleArgs struct {
	Table    any        `py:"table=None"`    // the table; needed with full
	Chain    any        `py:"chain=None"`    // the chain; needed with full
	Command  any        `py:"command=None"`  // insert, add or delete; needed with full
	Position any        `py:"position=''"`   // where to insert; used with full
	Full     any        `py:"full=None"`     // the whole command
	Family   string     `py:"family='ipv4'"` // ipv4, ipv6, inet, arp, bridge or netdev
	Kwargs   *value.Map `py:"**kwargs"`      // if, of, proto, connstate, icmp-type, icmpv6-type, pkttype, counter, saddr (source), daddr (destination), dport, sport, dports, sports, jump (target, j), redirect-to (to-port), to-ports, to-source, to-destination, reject-with
}

// buildRule returns a rule in the words of nft(8), or with full the whole
// command: a map of rule, comment and result.
//
//	salt-call nftables.build_rule proto=tcp dport=22 connstate=new jump=accept
func buildRule(_ *salt.Ctx, a buildRuleArgs) (*value.Map, error) {
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	rule, err := ruleOf(nft, a.Kwargs)
	if err != nil {
		return nil, err
	}
	ret := value.M("comment", "", "rule", rule, "result", false)
	if a.Full == true || a.Full == "True" || a.Full == "true" {
		for _, need := range []struct {
			v    any
			name string
		}{{a.Table, "Table"}, {a.Chain, "Chain"}, {a.Command, "Command"}} {
			if !value.Truth(need.v) {
				ret.Set("comment", need.name+" needs to be specified")
				return ret, nil
			}
		}
		do, at := value.Str(a.Command), ""
		if strings.EqualFold(do, "insert") {
			if do = "insert"; value.Truth(a.Position) {
				at = "position " + value.Str(a.Position) + " "
			}
		}
		rule = "nft " + do + " rule " + nft + " " + value.Str(a.Table) + " " + value.Str(a.Chain) + " " + at + rule
		ret.Set("rule", rule)
	}
	if rule != "" {
		ret.Set("comment", "Successfully built rule")
	}
	ret.Set("result", true)
	return ret, nil
}

// ruleOf turns arguments into a rule: what is matched, then what is done.
func ruleOf(nft string, kw *value.Map) (string, error) {
	var b strings.Builder
	either := func(keys ...string) (string, bool) {
		has := false
		for _, key := range keys {
			if has = has || kw.Has(key); kw.Truth(key) {
				return kw.Str(key), true
			}
		}
		return value.Str(kw.At(keys[len(keys)-1])), has
	}
	add := func(before, after string, keys ...string) {
		if v, ok := either(keys...); ok {
			b.WriteString(before + v + after)
		}
	}
	add("meta iifname ", " ", "if")
	add("meta oifname ", " ", "of")
	add("ct state { ", " } ", "connstate")
	add("icmp type { ", " } ", "icmp-type")
	add("icmpv6 type { ", " } ", "icmpv6-type")
	add("meta pkttype { ", " } ", "pkttype")
	if kw.Has("counter") {
		b.WriteString("counter ")
	}
	add(nft+" saddr ", " ", "saddr", "source")
	add(nft+" daddr ", " ", "daddr", "destination")
	proto := kw.Str("proto")
	for _, side := range []string{"dport", "sport"} {
		if v, ok := kw.Get(side); ok {
			b.WriteString(proto + " " + side + " { " + strings.ReplaceAll(value.Str(v), ":", "-") + " } ")
		}
	}
	for _, side := range []string{"dport", "sport"} {
		v, ok := kw.Get(side + "s")
		if !ok {
			continue
		}
		list, err := descending(v)
		if err != nil {
			return "", err
		}
		b.WriteString(proto + " " + side + " { " + list + " } ")
	}
	add("", " ", "target")
	if !kw.Has("target") {
		add("", " ", "jump")
	}
	add("", " ", "j")
	add("redirect to ", " ", "redirect-to", "to-port")
	add("--to-ports ", " ", "to-ports")
	add("", " ", "to-source")
	add("", " ", "to-destination")
	add("reject with ", " ", "reject-with")
	return strings.TrimSpace(b.String()), nil
}

// descending are ports in the order that nft shows.
func descending(v any) (string, error) {
	words := strings.Split(value.Str(v), ",")
	if l, ok := v.(*value.List); ok {
		words = nil
		for _, it := range l.Items {
			words = append(words, value.Str(it))
		}
	}
	ports := make([]int, len(words))
	for i, w := range words {
		n, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil {
			return "", value.Errorf("ValueError", "invalid literal for int() with base 10: %s", value.Quote(w))
		}
		ports[i] = n
	}
	slices.SortFunc(ports, func(a, b int) int { return b - a })
	for i, n := range ports {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", "), nil
}
