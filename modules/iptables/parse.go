package iptables

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// longName is the long name of an option as rules are shown.
func longName(opt string) string {
	switch opt {
	case "-p":
		return "protocol"
	case "-s":
		return "source"
	case "-d":
		return "destination"
	case "-j":
		return "jump"
	case "-g":
		return "goto"
	case "-i":
		return "in-interface"
	case "-o":
		return "out-interface"
	case "-f":
		return "fragment"
	case "-c":
		return "set-counters"
	case "-m":
		return "match"
	case "--sport", "--source-port":
		return "source_port"
	case "--dport", "--destination-port":
		return "destination_port"
	case "--sports":
		return "source-ports"
	case "--dports":
		return "destination-ports"
	case "--src-cc":
		return "source-country"
	case "--dst-cc":
		return "destination-country"
	}
	return strings.TrimLeft(opt, "-")
}

// parse reads what iptables-save(8) prints: by table and chain the policy, the
// counters and the rules, each option with a list of values.
func parse(text string) *value.Map {
	tables := new(value.Map)
	table := new(value.Map)
	chain := func(name string) *value.Map {
		m := table.Map(name)
		if m == nil {
			m = value.M("policy", nil, "packet count", "0", "byte count", "0", "rules", value.L(), "rules_comment", new(value.Map))
			table.Set(name, m)
		}
		return m
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		f := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "*"):
			table = new(value.Map)
			tables.Set(line[1:], table)
		case strings.HasPrefix(line, ":") && len(f) > 1:
			m := chain(f[0][1:])
			m.Set("policy", f[1])
			if len(f) > 2 {
				packets, bytes, _ := strings.Cut(strings.Trim(f[2], "[]"), ":")
				m.Set("packet count", packets)
				m.Set("byte count", bytes)
			}
		case strings.HasPrefix(line, "-A"):
			words := split(line)
			if len(words) < 2 {
				continue
			}
			m, rule := chain(words[1]), options(words[2:])
			if l := rule.List("comment"); l != nil {
				m.Map("rules_comment").Set(strings.Trim(value.Str(l.Items[0]), `"`), rule)
			}
			m.List("rules").Append(rule)
		}
	}
	return tables
}

// options reads the words of a rule. A negation stands before the option, and
// is shown before its value.
func options(words []string) *value.Map {
	rule := new(value.Map)
	negated := ""
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "!" && i+1 < len(words) && strings.HasPrefix(words[i+1], "-") {
			negated = "!"
			continue
		}
		if !strings.HasPrefix(w, "-") {
			continue
		}
		var vals []string
		if negated != "" {
			vals = append(vals, negated)
			negated = ""
		}
		for i+1 < len(words) && words[i+1] != "!" && !strings.HasPrefix(words[i+1], "-") {
			i++
			vals = append(vals, words[i])
		}
		l := rule.List(longName(w))
		if l == nil {
			l = value.L()
			rule.Set(longName(w), l)
		}
		l.Append(strings.Join(vals, " "))
	}
	return rule
}

// split takes a line apart as a shell does.
func split(line string) []string {
	var words []string
	var b strings.Builder
	quote, in := rune(0), false
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			b.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, in = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case r == ' ' || r == '\t':
			if in {
				words = append(words, b.String())
				b.Reset()
				in = false
			}
		default:
			b.WriteRune(r)
			in = true
		}
	}
	if in {
		words = append(words, b.String())
	}
	return words
}

// load reads rules: of a file, of the file that a start reads, or of the kernel.
func load(c *salt.Ctx, file any, kernel bool, family string) (*value.Map, error) {
	if kernel {
		text, err := dump(c, family)
		return parse(text), err
	}
	path := value.Str(file)
	if !value.Truth(file) {
		var err error
		if path, err = saved(c, family); err != nil {
			return nil, err
		}
	}
	b, err := c.Sys.ReadFile(path)
	if err != nil {
		return nil, salt.OSError(err)
	}
	return parse(string(b)), nil
}

type savedRulesArgs struct {
	ConfFile any    `py:"conf_file=None"` // the file; the default is that of the distribution
	Family   string `py:"family='ipv4'"`  // ipv4 or ipv6
}

// getSavedRules returns the rules in the file that a start reads.
func getSavedRules(c *salt.Ctx, a savedRulesArgs) (*value.Map, error) {
	return load(c, a.ConfFile, false, a.Family)
}

// getRules returns the rules in the kernel.
func getRules(c *salt.Ctx, a familyArgs) (*value.Map, error) { return load(c, nil, true, a.Family) }

type savedPolicyArgs struct {
	Table    string `py:"table='filter'"` // the table
	Chain    any    `py:"chain=None"`     // the chain
	ConfFile any    `py:"conf_file=None"` // the file; the default is that of the distribution
	Family   string `py:"family='ipv4'"`  // ipv4 or ipv6
}

// getSavedPolicy returns the policy of a chain in the file that a start reads,
// None when the chain is not there.
func getSavedPolicy(c *salt.Ctx, a savedPolicyArgs) (any, error) {
	if !value.Truth(a.Chain) {
		return noChain, nil
	}
	m, err := load(c, a.ConfFile, false, a.Family)
	if err != nil {
		return nil, err
	}
	return m.Map(a.Table).Map(value.Str(a.Chain)).At("policy"), nil
}

type chainArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  any    `py:"chain=None"`     // the chain
	Family string `py:"family='ipv4'"`  // ipv4 or ipv6
}

// getPolicy returns the policy of a chain, None when the chain is not there.
func getPolicy(c *salt.Ctx, a chainArgs) (any, error) {
	if !value.Truth(a.Chain) {
		return noChain, nil
	}
	m, err := load(c, nil, true, a.Family)
	if err != nil {
		return nil, err
	}
	return m.Map(a.Table).Map(value.Str(a.Chain)).At("policy"), nil
}
