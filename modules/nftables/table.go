package nftables

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type tableArgs struct {
	Table  any    `py:"table=None"`    // the table
	Family string `py:"family='ipv4'"` // ipv4, ipv6, inet, arp, bridge or netdev
}

// checkTable says in result whether there is a table.
func checkTable(c *salt.Ctx, a tableArgs) (*value.Map, error) {
	if !value.Truth(a.Table) {
		return answer(false, "Table needs to be specified"), nil
	}
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	text, err := ask(c, "list", "tables", nft)
	name := value.Str(a.Table)
	if err != nil || !strings.Contains(text+"\n", "table "+nft+" "+name+"\n") {
		return answer(false, "Table ", name, " in family ", a.Family, " does not exist"), err
	}
	return answer(true, "Table ", name, " in family ", a.Family, " exists"), nil
}

type oneTableArgs struct {
	Table  any    `py:"table"`         // the table
	Family string `py:"family='ipv4'"` // ipv4, ipv6, inet, arp, bridge or netdev
}

// newTable makes a table.
func newTable(c *salt.Ctx, a oneTableArgs) (*value.Map, error) {
	m, err := checkTable(c, tableArgs(a))
	if err != nil || m.Truth("result") || !value.Truth(a.Table) {
		return m, err
	}
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	ok, err := do(c, "add", "table", nft, value.Str(a.Table))
	if ok {
		return answer(true, "Table ", value.Str(a.Table), " in family ", a.Family, " created"), err
	}
	return answer(false, "Table ", value.Str(a.Table), " in family ", a.Family, " could not be created"), err
}

// deleteTable removes a table with all that is in it.
func deleteTable(c *salt.Ctx, a oneTableArgs) (*value.Map, error) {
	nft, missing, err := place{a.Table, nil, a.Family}.find(c, false)
	if err != nil || missing != nil {
		return missing, err
	}
	ok, err := do(c, "delete", "table", nft, value.Str(a.Table))
	if ok {
		return answer(true, "Table ", value.Str(a.Table), " in family ", a.Family, " deleted"), err
	}
	return answer(false, "Table ", value.Str(a.Table), " in family ", a.Family, " could not be deleted"), err
}

type familyArgs struct {
	Family string `py:"family='ipv4'"` // ipv4, ipv6, inet, arp, bridge or netdev
}

// listTables returns the tables of a family, as nft describes them.
func listTables(c *salt.Ctx, a familyArgs) (*value.List, error) {
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	items, err := described(c, "--json", "--numeric", "--numeric", "--numeric", "list", "tables", nft)
	tables := value.L()
	for _, it := range items.Items {
		if m, _ := it.(*value.Map); !m.Has("metainfo") {
			tables.Append(m.At("table"))
		}
	}
	return tables, err
}

// described reads what nft writes as JSON.
func described(c *salt.Ctx, words ...string) (*value.List, error) {
	text, err := ask(c, words...)
	if err == nil && text != "" {
		if v, err := value.ParseJSON(text); err == nil {
			if m, _ := v.(*value.Map); m.List("nftables") != nil {
				return m.List("nftables"), nil
			}
		}
	}
	return value.L(), err
}

// getRules returns the rules in the kernel: a text a table.
func getRules(c *salt.Ctx, a familyArgs) (*value.List, error) {
	tables, err := listTables(c, a)
	if err != nil {
		return nil, err
	}
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	rules := value.L()
	for _, it := range tables.Items {
		m, _ := it.(*value.Map)
		text, err := ask(c, "--numeric", "--numeric", "--numeric", "list", "table", nft, m.Str("name"))
		if err != nil {
			return nil, err
		}
		rules.Append(text)
	}
	return rules, nil
}

// getRulesJSON returns all that is in the kernel, as nft describes it.
func getRulesJSON(c *salt.Ctx, a familyArgs) (*value.List, error) {
	nft, err := families(a.Family)
	if err != nil {
		return nil, err
	}
	return described(c, "--numeric", "--numeric", "--numeric", "--json", "list", "ruleset", nft)
}
