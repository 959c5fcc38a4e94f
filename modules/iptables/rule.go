package iptables

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"pinch/salt"
	"pinch/value"
)

type buildRuleArgs struct {
	Table    string     `py:"table='filter'"` // the table
	Chain    any        `py:"chain=None"`     // the chain
	Command  any        `py:"command=None"`   // A, I, D … or append, insert …
	Position any        `py:"position=''"`    // where in the chain
	Full     any        `py:"full=None"`      // return the whole command
	Family   string     `py:"family='ipv4'"`  // ipv4 or ipv6
	Kwargs   *value.Map `py:"**kwargs"`       // the rule: jump, proto, dport, connstate … and any option of iptables(8) without its dashes; ! or not in front of a value turns it round
}

// targets are options that belong behind the jump.
const targets = " j jump add-set and-mark and-tos checksum-fill clamp-mss-to-pmtu clustermac ctevents ctmask del-set ecn-tcp-remove exist expevents gateway hash-init hashmode helper label local-node " +
	"log-ip-options log-level log-prefix log-tcp-options log-tcp-sequence log-uid map-set mask mss new nfmask nflog-group nflog-prefix nflog-range nflog-threshold nodst notrack on-ip on-port or-mark or-tos " +
	"persistent queue-balance queue-bypass queue-num random random-fully rateest-ewmalog rateest-interval rateest-name reject-with restore restore-mark sack-perm save-mark selctx set-class set-dscp " +
	"set-dscp-class set-mark set-mss set-tos set-xmark strip-options timeout timestamp to to-destination to-ports to-source total-nodes tproxy-mark ttl-dec ttl-inc ttl-set type ulog-cprange ulog-nlgroup " +
	"ulog-prefix ulog-qthreshold wscale xor-mark xor-tos zone zone-orig zone-reply dst-pfx hl-dec hl-inc hl-set hmark-dport-mask hmark-dst-prefix hmark-mod hmark-offset hmark-proto-mask hmark-rnd " +
	"hmark-spi-mask hmark-sport-mask hmark-src-prefix hmark-tuple led-always-blink led-delay led-trigger-id queue-cpu-fanout src-pfx to-port addr and-mask delude honeypot or-mask prefix reset reuse set-mac " +
	"shift static tarpit tname ttl "

// foreign are arguments of every state, and of the functions around the rule.
const foreign = " name state chain save table check_cmd cmd_opts_exclude creates failhard fire_event fun listen listen_in no_log onchanges onchanges_any onchanges_in onfail onfail_all onfail_any onfail_in " +
	"onfail_stop onlyif order parallel prereq prereq_in prerequired reload_grains reload_modules reload_pillar require require_any require_in retry runas runas_password saltenv umask unless use use_in " +
	"watch watch_any watch_in "

// buildRule returns a rule as the words of iptables(8), or with full the whole
// command.
//
//	salt-call iptables.build_rule match=state connstate=RELATED,ESTABLISHED jump=ACCEPT
func buildRule(c *salt.Ctx, a buildRuleArgs) (string, error) {
	b := &builder{left: new(value.Map)}
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") && !strings.Contains(foreign, " "+k+" ") {
			b.left.Set(k, v)
		}
	}
	if mistake := b.build(); mistake != "" {
		return mistake, nil
	}
	rule := strings.Join(b.words, " ")
	if !value.Truth(a.Full) {
		return rule, nil
	}
	command := value.Str(a.Command)
	switch {
	case a.Table == "":
		return "Error: Table needs to be specified", nil
	case !value.Truth(a.Chain):
		return "Error: Chain needs to be specified", nil
	case !value.Truth(a.Command):
		return "Error: Command needs to be specified", nil
	}
	dash := "--"
	if strings.Contains("ACDIRLSFZNXPE", command) {
		dash = "-"
	}
	return fmt.Sprintf("%s %s -t %s %s%s %s %s %s", tool(c, a.Family), waits(c, a.Family), a.Table, dash, command, value.Str(a.Chain), value.Str(a.Position), rule), nil
}

// A builder turns arguments into the words of a rule, in the order that
// iptables(8) wants.
type builder struct {
	left  *value.Map
	words []string
}

// turned takes a negation off a value.
func turned(v any) (neg, text string) {
	text = value.Str(v)
	if rest, ok := strings.CutPrefix(text, "!"); ok {
		return "! ", strings.TrimLeftFunc(rest, unicode.IsSpace)
	}
	if rest, ok := strings.CutPrefix(text, "not "); ok {
		return "! ", strings.TrimLeftFunc(rest, unicode.IsSpace)
	}
	return "", text
}

func (b *builder) add(words ...string) { b.words = append(b.words, words...) }

// option takes an argument as an option.
func (b *builder) option(key, flag string) bool {
	v, ok := b.left.Pop(key)
	if ok {
		neg, text := turned(v)
		b.add(neg + flag + " " + text)
	}
	return ok
}

// once adds a match module that is not there.
func (b *builder) once(module string) bool {
	if slices.Contains(b.words, "-m "+module) {
		return false
	}
	b.add("-m " + module)
	return true
}

func (b *builder) build() (mistake string) {
	if v, ok := b.left.Pop("target"); ok {
		b.left.Set("jump", v)
	}
	b.option("if", "-i")
	b.option("of", "-o")
	policy := b.left.At("match") == "policy"
	if v, ok := b.left.Get("proto"); ok && !policy {
		b.left.Pop("proto")
		b.left.Set("protocol", v)
	}
	protocol := b.option("protocol", "-p")
	b.matches(policy)
	if v, ok := b.left.Pop("match-set"); ok {
		for _, set := range list(v, "") {
			neg, text := turned(set)
			b.add("-m set " + neg + "--match-set " + text)
		}
	}
	if b.left.Has("connstate") {
		b.once("state")
		b.option("connstate", "--state")
	}
	b.option("dport", "--dport")
	b.option("sport", "--sport")
	for _, key := range []string{"dports", "sports"} {
		v, ok := b.left.Pop(key)
		if !ok {
			continue
		}
		if b.once("multiport") && !protocol {
			return "Error: protocol must be specified"
		}
		b.ports(key, v)
	}
	if v, ok := b.left.Pop("comment"); ok {
		b.once("comment")
		b.add(`--comment "` + value.Str(v) + `"`)
	}
	if b.left.Truth("set") {
		b.option("set", "--match-set")
	}
	b.rest()
	return ""
}

// list are the items of a list, or the parts of a text.
func list(v any, sep string) []string {
	if l, ok := v.(*value.List); ok {
		out := make([]string, l.Len())
		for i, it := range l.Items {
			out[i] = value.Str(it)
		}
		return out
	}
	if sep == "" {
		return []string{value.Str(v)}
	}
	return strings.Split(value.Str(v), sep)
}

func (b *builder) matches(policy bool) {
	v, ok := b.left.Pop("match")
	if !ok {
		return
	}
	for _, match := range list(v, ",") {
		b.add("-m " + match)
		if m := strings.TrimSpace(match); m == "pknock" || m == "quota2" || m == "recent" {
			if name, ok := b.left.Pop("name_"); ok {
				b.add("--name " + value.Str(name))
			}
		}
	}
	if policy {
		b.option("proto", "--proto")
	}
}

// ports adds several ports; a negated one turns all round.
func (b *builder) ports(key string, v any) {
	negated := false
	var ports []string
	for _, port := range list(v, "") {
		neg, text := turned(port)
		negated = negated || neg != ""
		ports = append(ports, text)
	}
	if negated {
		b.add("!")
	}
	b.add("--" + key + " " + strings.Join(ports, ","))
}

// rest adds all other options, those of the target last and in their order.
func (b *builder) rest() {
	var behind []string
	for key := range strings.FieldsSeq(targets) {
		v, ok := b.left.Pop(key)
		text := value.Str(v)
		switch {
		case !ok:
		case v == nil || v == "":
			behind = append(behind, "--"+key)
		case strings.ContainsAny(text, " \t\n\r\v\f"):
			behind = append(behind, "--"+key+` "`+text+`"`)
		default:
			behind = append(behind, "--"+key+" "+text)
		}
	}
	for key, v := range b.left.Items() {
		neg, text := turned(v)
		dash := "--"
		if len(key) == 1 {
			dash = "-"
		}
		if v == nil || text == "" {
			b.add(neg + dash + key)
		} else {
			b.add(neg + dash + key + " " + text)
		}
	}
	b.words = append(b.words, behind...)
}
