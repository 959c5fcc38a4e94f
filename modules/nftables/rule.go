package nftables

import (
	"slices"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
	"pinch/value/pyre"
)

type ruleArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  any    `py:"chain=None"`     // the chain
	Rule   any    `py:"rule=None"`      // the rule in the words of nft(8)
	Family string `py:"family='ipv4'"`  // ipv4, ipv6, inet, arp, bridge or netdev
}

func (a *ruleArgs) place() place { return place{a.Table, a.Chain, a.Family} }

// find looks for the chain; missing is what to return when something is not
// given or not there.
func (a *ruleArgs) find(c *salt.Ctx) (nft string, missing *value.Map, err error) {
	switch {
	case !value.Truth(a.Chain):
		return "", answer(false, noChain), nil
	case !value.Truth(a.Rule):
		return "", answer(false, "Rule needs to be specified"), nil
	}
	return a.place().find(c, true)
}

// handle is that of the rule, "" if it is not there. The rule may be a pattern,
// where sets of one element show without braces; else it is compared in the
// form that nft gives it.
func (a *ruleArgs) handle(c *salt.Ctx, nft string) (string, error) {
	text, err := ask(c, "--handle", "list", "chain", nft, a.Table, value.Str(a.Chain))
	if err != nil {
		return "", err
	}
	rule := value.Str(a.Rule)
	re, err := pyre.Compile(strings.NewReplacer("{ ", "{? ?", " }", " ?}?").Replace(rule)+` # handle (\d+)`, 0)
	if err != nil {
		return "", nil //nolint:nilerr // a rule that is no pattern is not found, as in Salt
	}
	if m := re.Search(text); m != nil {
		n, _ := m.Group(1)
		return n, nil
	}
	want := normal(rule)
	for line := range strings.SplitSeq(text, "\n") {
		if is, n, ok := strings.Cut(line, " # handle "); ok && normal(is) == want {
			return strings.TrimSpace(n), nil
		}
	}
	return "", nil
}

// normal writes a rule in one form: the elements of sets sorted, one of them
// without braces, counters without what they counted.
func normal(rule string) string {
	rule = strings.NewReplacer("{", " { ", "}", " } ", ", ", ",", " ,", ",").Replace(rule)
	var out []string
	words := strings.Fields(rule)
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "{" {
			end := i + 1
			for end < len(words) && words[end] != "}" {
				end++
			}
			w = strings.Join(words[i+1:end], ",")
			i = end
		}
		if strings.Contains(w, ",") && !strings.Contains(w, `"`) {
			elements := strings.FieldsFunc(w, func(r rune) bool { return r == ',' })
			slices.Sort(elements)
			w = strings.Join(elements, ",")
		}
		out = append(out, w)
		if w == "counter" && i+4 < len(words) && words[i+1] == "packets" && words[i+3] == "bytes" {
			i += 4
		}
	}
	return strings.Join(out, " ")
}

// check says in result whether a rule is in a chain.
func check(c *salt.Ctx, a ruleArgs) (*value.Map, error) {
	nft, missing, err := a.find(c)
	if err != nil || missing != nil {
		return missing, err
	}
	n, err := a.handle(c, nft)
	at := "Rule " + value.Str(a.Rule) + " in chain " + value.Str(a.Chain) + a.place().String()
	if err != nil || n == "" {
		return answer(false, at, " does not exist"), err
	}
	return answer(true, at, " exists"), nil
}

// getRuleHandle returns the number of a rule under handle.
func getRuleHandle(c *salt.Ctx, a ruleArgs) (*value.Map, error) {
	m, err := check(c, a)
	if err != nil || !m.Truth("result") {
		return m, err
	}
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	n, err := a.handle(c, nft)
	return value.M("result", true, "handle", n), err
}

// put adds a rule that is not there, with the words of nft before it.
func (a *ruleArgs) put(c *salt.Ctx, verb string, position any) (*value.Map, error) {
	nft, missing, err := a.find(c)
	if err != nil || missing != nil {
		return missing, err
	}
	n, err := a.handle(c, nft)
	rule, chain := value.Str(a.Rule), value.Str(a.Chain)
	if err != nil || n != "" {
		return answer(false, "Rule ", rule, " chain ", chain, a.place().String(), " already exists"), err
	}
	words := []string{verb, "rule", nft, a.Table, chain}
	if value.Truth(position) {
		words = append(words, "position", value.Str(position))
	}
	ok, err := do(c, append(words, command.Words(rule)...)...)
	if ok {
		return answer(true, "Added rule \"", rule, "\" chain ", chain, a.place().String(), "."), err
	}
	return answer(false, "Failed to add rule \"", rule, "\" chain ", chain, a.place().String(), "."), err
}

// add adds a rule at the end of a chain.
func add(c *salt.Ctx, a ruleArgs) (*value.Map, error) { return a.put(c, "add", nil) }

type insertArgs struct {
	Table    string `py:"table='filter'"` // the table
	Chain    any    `py:"chain=None"`     // the chain
	Position any    `py:"position=None"`  // the handle of the rule to stand before; the default is the begin of the chain
	Rule     any    `py:"rule=None"`      // the rule in the words of nft(8)
	Family   string `py:"family='ipv4'"`  // ipv4, ipv6, inet, arp, bridge or netdev
}

// insert adds a rule at the begin of a chain, or before another one.
func insert(c *salt.Ctx, a insertArgs) (*value.Map, error) {
	r := ruleArgs{a.Table, a.Chain, a.Rule, a.Family}
	return r.put(c, "insert", a.Position)
}

type removeArgs struct {
	Table    string `py:"table"`         // the table
	Chain    any    `py:"chain=None"`    // the chain
	Position any    `py:"position=None"` // the handle of the rule
	Rule     any    `py:"rule=None"`     // or the rule in the words of nft(8)
	Family   string `py:"family='ipv4'"` // ipv4, ipv6, inet, arp, bridge or netdev
}

// remove removes a rule from a chain.
func remove(c *salt.Ctx, a removeArgs) (*value.Map, error) {
	if value.Truth(a.Position) && value.Truth(a.Rule) {
		return answer(false, "Only specify a position or a rule, not both"), nil
	}
	r := ruleArgs{a.Table, a.Chain, a.Rule, a.Family}
	p := r.place()
	nft, missing, err := p.find(c, true)
	if err != nil || missing != nil {
		return missing, err
	}
	handle, rule, chain := value.Str(a.Position), value.Str(a.Rule), value.Str(a.Chain)
	if !value.Truth(a.Position) {
		if !value.Truth(a.Rule) {
			return answer(false, "Rule needs to be specified"), nil
		}
		if handle, err = r.handle(c, nft); err != nil || handle == "" {
			return answer(false, "Rule ", rule, " chain ", chain, p.String(), " does not exist"), err
		}
	}
	ok, err := do(c, "delete", "rule", nft, a.Table, chain, "handle", handle)
	if ok {
		return answer(true, "Deleted rule \"", rule, "\" in chain ", chain, p.String(), "."), err
	}
	return answer(false, "Failed to delete rule \"", rule, "\" in chain ", chain, "  table ", a.Table, " in family ", a.Family), err
}
