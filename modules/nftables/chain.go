package nftables

import (
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

const noChain = "Chain needs to be specified"

type chainArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  any    `py:"chain=None"`     // the chain
	Family string `py:"family='ipv4'"`  // ipv4, ipv6, inet, arp, bridge or netdev
}

// checkChain says in result whether there is a chain.
func checkChain(c *salt.Ctx, a chainArgs) (*value.Map, error) {
	if !value.Truth(a.Chain) {
		return answer(false, noChain), nil
	}
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	text, err := ask(c, "list", "table", nft, a.Table)
	chain, at := value.Str(a.Chain), place{a.Table, a.Chain, a.Family}.String()
	if err != nil || !strings.Contains(text, "chain "+chain+" {") {
		return answer(false, "Chain ", chain, at, " does not exist"), err
	}
	return answer(true, "Chain ", chain, at, " exists"), nil
}

type newChainArgs struct {
	Table     string `py:"table='filter'"`  // the table
	Chain     any    `py:"chain=None"`      // the chain
	TableType any    `py:"table_type=None"` // of a base chain: filter, route or nat
	Hook      any    `py:"hook=None"`       // of a base chain: where packets meet it
	Priority  any    `py:"priority=None"`   // of a base chain: its place among others
	Family    string `py:"family='ipv4'"`   // ipv4, ipv6, inet, arp, bridge or netdev
}

// newChain makes a chain; one with a type, a hook and a priority sees packets
// of the kernel.
func newChain(c *salt.Ctx, a newChainArgs) (*value.Map, error) {
	p := place{a.Table, a.Chain, a.Family}
	if !value.Truth(a.Chain) {
		return answer(false, noChain), nil
	}
	nft, missing, err := p.find(c, false)
	if err != nil || missing != nil {
		return missing, err
	}
	chain := value.Str(a.Chain)
	there, err := checkChain(c, chainArgs{a.Table, a.Chain, a.Family})
	if err != nil || there.Truth("result") {
		return answer(false, "Chain ", chain, p.String(), " already exists"), err
	}
	words := []string{"--", "add", "chain", nft, a.Table, chain}
	if value.Truth(a.TableType) || value.Truth(a.Hook) || value.Truth(a.Priority) {
		if !value.Truth(a.TableType) || !value.Truth(a.Hook) || value.Str(a.Priority) == "" {
			return answer(false, "Table_type, hook, and priority required."), nil
		}
		words = append(words, "{", "type", value.Str(a.TableType), "hook", value.Str(a.Hook), "priority", value.Str(a.Priority)+";", "}")
	}
	ok, err := do(c, words...)
	if ok {
		return answer(true, "Chain ", chain, p.String(), " created"), err
	}
	return answer(false, "Chain ", chain, p.String(), " could not be created"), err
}

// deleteChain removes a chain without rules.
func deleteChain(c *salt.Ctx, a chainArgs) (*value.Map, error) {
	p := place{a.Table, a.Chain, a.Family}
	if !value.Truth(a.Chain) {
		return answer(false, noChain), nil
	}
	nft, missing, err := p.find(c, true)
	if err != nil || missing != nil {
		return missing, err
	}
	ok, err := do(c, "delete", "chain", nft, a.Table, value.Str(a.Chain))
	if ok {
		return answer(true, "Chain ", value.Str(a.Chain), p.String(), " deleted"), err
	}
	return answer(false, "Chain ", value.Str(a.Chain), p.String(), " could not be deleted"), err
}

type flushArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  string `py:"chain=''"`       // the chain; the default is all
	Family string `py:"family='ipv4'"`  // ipv4, ipv6, inet, arp, bridge or netdev
}

// flush removes the rules of a chain, or of all chains of a table.
func flush(c *salt.Ctx, a flushArgs) (*value.Map, error) {
	nft, missing, err := place{a.Table, a.Chain, a.Family}.find(c, a.Chain != "")
	if err != nil || missing != nil {
		return missing, err
	}
	words, from := []string{"flush", "table", nft, a.Table}, "from table "+a.Table+" in family "+a.Family+"."
	if a.Chain != "" {
		words, from = []string{"flush", "chain", nft, a.Table, a.Chain}, "from chain "+a.Chain+" in table "+a.Table+" in family "+a.Family+"."
	}
	ok, err := do(c, words...)
	if ok {
		return answer(true, "Flushed rules ", from), err
	}
	return answer(false, "Failed to flush rules ", from), err
}

// baseChain is a chain with its policy as nft describes it, nil if there is none.
func baseChain(c *salt.Ctx, a chainArgs) (*value.Map, error) {
	items, err := getRulesJSON(c, familyArgs{a.Family})
	if err != nil {
		return nil, err
	}
	for _, it := range items.Items {
		m, _ := it.(*value.Map)
		if ch := m.Map("chain"); ch != nil && ch.Str("table") == a.Table && ch.Str("name") == value.Str(a.Chain) {
			return ch, nil
		}
	}
	return nil, nil
}

// getPolicy returns what becomes of packets that no rule of a chain is for,
// None when there is no such chain.
func getPolicy(c *salt.Ctx, a chainArgs) (any, error) {
	if !value.Truth(a.Chain) {
		return "Error: Chain needs to be specified", nil
	}
	ch, err := baseChain(c, a)
	return ch.At("policy"), err
}

type policyArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  any    `py:"chain=None"`     // the chain, which has a type, a hook and a priority
	Policy any    `py:"policy=None"`    // accept or drop
	Family string `py:"family='ipv4'"`  // ipv4, ipv6, inet, arp, bridge or netdev
}

// setPolicy sets what becomes of packets that no rule of a chain is for.
func setPolicy(c *salt.Ctx, a policyArgs) (any, error) {
	switch {
	case !value.Truth(a.Chain):
		return "Error: Chain needs to be specified", nil
	case !value.Truth(a.Policy):
		return "Error: Policy needs to be specified", nil
	}
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	ch, err := baseChain(c, chainArgs{a.Table, a.Chain, a.Family})
	if err != nil || !ch.Has("type") || !ch.Has("hook") || !ch.Has("prio") {
		return false, err
	}
	spec := "{ type " + ch.Str("type") + " hook " + ch.Str("hook") + " priority " + ch.Str("prio") + "; policy " + value.Str(a.Policy) + "; }"
	r, err := command.Do(c, "nft", "add", "chain", nft, a.Table, value.Str(a.Chain), spec)
	return err == nil && r.Code == 0, err
}
