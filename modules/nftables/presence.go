package nftables

import (
	"pinch/salt"
	"pinch/value"
)

type tableStateArgs struct {
	Name   string     `py:"name"`          // the table
	Family string     `py:"family='ipv4'"` // ipv4, ipv6, inet, arp, bridge or netdev
	Kwargs *value.Map `py:"**kwargs"`      // Salt takes and ignores any other
}

// tablePresent makes sure that there is a table.
func tablePresent(c *salt.Ctx, a tableStateArgs) salt.Result {
	m, err := checkTable(c, tableArgs{a.Name, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("result"):
		return salt.Correct("nftables table %s already exists in family %s", a.Name, a.Family)
	case c.Test:
		return salt.Would(nil, "nftables table %s would be created in family %s", a.Name, a.Family)
	}
	if m, err = newTable(c, oneTableArgs{a.Name, a.Family}); err != nil {
		return salt.Raised(err)
	}
	if !m.Truth("result") {
		return salt.Failed("Failed to create table %s for family %s", a.Name, a.Family)
	}
	return salt.Changed(value.M("locale", a.Name), "nftables table %s successfully created in family %s", a.Name, a.Family)
}

// tableAbsent makes sure that there is no such table: what is in it is removed
// with it.
func tableAbsent(c *salt.Ctx, a tableStateArgs) salt.Result {
	m, err := checkTable(c, tableArgs{a.Name, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !m.Truth("result"):
		return salt.Correct("nftables table %s is already absent from family %s", a.Name, a.Family)
	case c.Test:
		return salt.Would(nil, "nftables table %s would be deleted from family %s", a.Name, a.Family)
	}
	if m, err = deleteTable(c, oneTableArgs{a.Name, a.Family}); err != nil {
		return salt.Raised(err)
	}
	if !m.Truth("result") {
		return salt.Failed("Failed to delete table %s from family %s", a.Name, a.Family)
	}
	return salt.Changed(value.M("locale", a.Name), "nftables table %s successfully deleted from family %s", a.Name, a.Family)
}

type chainPresentArgs struct {
	Name      string `py:"name"`            // the chain
	Table     string `py:"table='filter'"`  // the table
	TableType any    `py:"table_type=None"` // of a base chain: filter, route or nat
	Hook      any    `py:"hook=None"`       // of a base chain: where packets meet it
	Priority  any    `py:"priority=None"`   // of a base chain: its place among others
	Family    string `py:"family='ipv4'"`   // ipv4, ipv6, inet, arp, bridge or netdev
}

// chainPresent makes sure that there is a chain.
func chainPresent(c *salt.Ctx, a chainPresentArgs) salt.Result {
	m, err := checkChain(c, chainArgs{a.Table, a.Name, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("result"):
		return salt.Correct("nftables %s chain is already exist in %s table for %s", a.Name, a.Table, a.Family)
	case c.Test:
		return salt.Would(nil, "nftables chain %s would be created in table %s for family %s", a.Name, a.Table, a.Family)
	}
	if m, err = newChain(c, newChainArgs{a.Table, a.Name, a.TableType, a.Hook, a.Priority, a.Family}); err != nil {
		return salt.Raised(err)
	}
	if !m.Truth("result") {
		return salt.Failed("Failed to create %s chain in %s table: %s for %s", a.Name, a.Table, m.Str("comment"), a.Family)
	}
	return salt.Changed(value.M("locale", a.Name), "nftables %s chain in %s table create success for %s", a.Name, a.Table, a.Family)
}

type chainAbsentArgs struct {
	Name   string `py:"name"`           // the chain
	Table  string `py:"table='filter'"` // the table
	Family string `py:"family='ipv4'"`  // ipv4, ipv6, inet, arp, bridge or netdev
}

// chainAbsent makes sure that there is no such chain: its rules are removed
// with it.
func chainAbsent(c *salt.Ctx, a chainAbsentArgs) salt.Result {
	args := chainArgs{a.Table, a.Name, a.Family}
	m, err := checkChain(c, args)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !m.Truth("result"):
		return salt.Correct("nftables %s chain is already absent in %s table for %s", a.Name, a.Table, a.Family)
	case c.Test:
		return salt.Would(nil, "nftables %s chain in %s table needs to be removed for %s", a.Name, a.Table, a.Family)
	}
	if m, err = flush(c, flushArgs{a.Table, a.Name, a.Family}); err != nil {
		return salt.Raised(err)
	}
	if !m.Truth("result") {
		return salt.Failed("Failed to flush %s chain in %s table: %s for %s", a.Name, a.Table, m.Str("comment"), a.Family)
	}
	if m, err = deleteChain(c, args); err != nil {
		return salt.Raised(err)
	}
	if !m.Truth("result") {
		return salt.Failed("Failed to delete %s chain in %s table: %s for %s", a.Name, a.Table, m.Str("comment"), a.Family)
	}
	return salt.Changed(value.M("locale", a.Name), "nftables %s chain in %s table delete success for %s", a.Name, a.Table, a.Family)
}
