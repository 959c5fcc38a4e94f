// Package nftables holds Salt's nftables module: tables, chains, rules and
// policies of the packet filter, by the command nft. Its main variable is
// Module.
//
//	ssh:
//	  nftables.append:
//	    - table: filter
//	    - chain: input
//	    - proto: tcp
//	    - dport: 22
//	    - jump: accept
//	    - save: True
package nftables

import (
	"errors"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's nftables module.
var Module = salt.Module{
	Name: "nftables",
	States: func() salt.Funcs {
		return salt.Funcs{
			"append":        salt.State(appendState),
			"chain_absent":  salt.State(chainAbsent),
			"chain_present": salt.State(chainPresent),
			"delete":        salt.State(deleteState),
			"flush":         salt.State(flushState),
			"insert":        salt.State(insertState),
			"set_policy":    salt.State(setPolicyState),
			"table_absent":  salt.State(tableAbsent),
			"table_present": salt.State(tablePresent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"append":          salt.Exec(add),
			"build_rule":      salt.Exec(buildRule),
			"check":           salt.Exec(check),
			"check_chain":     salt.Exec(checkChain),
			"check_table":     salt.Exec(checkTable),
			"delete":          salt.Exec(remove),
			"delete_chain":    salt.Exec(deleteChain),
			"delete_table":    salt.Exec(deleteTable),
			"flush":           salt.Exec(flush),
			"get_policy":      salt.Exec(getPolicy),
			"get_rule_handle": salt.Exec(getRuleHandle),
			"get_rules":       salt.Exec(getRules),
			"get_rules_json":  salt.Exec(getRulesJSON),
			"get_saved_rules": salt.Exec(getSavedRules),
			"insert":          salt.Exec(insert),
			"list_tables":     salt.Exec(listTables),
			"new_chain":       salt.Exec(newChain),
			"new_table":       salt.Exec(newTable),
			"save":            salt.Exec(save),
			"set_policy":      salt.Exec(setPolicy),
			"version":         salt.Exec(version),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("nft") != "":
			return nil
		case kind == "states":
			return errors.New("nftables module could not be loaded")
		}
		return errors.New("The nftables execution module failed to load: nftables is not installed.")
	},
}

// families are nft's names for those that Salt knows.
func families(name string) (string, error) {
	switch name {
	case "ipv4", "ip4", "ip":
		return "ip", nil
	case "ipv6", "ip6":
		return "ip6", nil
	case "inet", "arp", "bridge", "netdev":
		return name, nil
	}
	return "", value.Errorf("KeyError", "'%s'", name)
}

// ask runs nft to look at something and returns its output.
func ask(c *salt.Ctx, words ...string) (string, error) {
	a, err := command.Ask(c, append([]string{"nft"}, words...)...)
	return a.All(), err
}

// do runs nft and reports whether it was silent: it changed what it should.
func do(c *salt.Ctx, words ...string) (bool, error) {
	a, err := command.Do(c, append([]string{"nft"}, words...)...)
	return a.All() == "", err
}

// version returns the version of nft.
func version(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	text, err := ask(c, "--version")
	if f := strings.Fields(text); err == nil && len(f) > 1 {
		return f[1], nil
	}
	return "", err
}

// answer is what most functions return: comment and result.
func answer(ok bool, comment ...string) *value.Map {
	return value.M("comment", strings.Join(comment, ""), "result", ok)
}

// A place is where something is looked for or put.
type place struct {
	table, chain any
	family       string
}

func (p place) String() string {
	return " in table " + value.Str(p.table) + " in family " + p.family
}

// find looks for the table and, if check says so, the chain. Missing is what a
// function returns when one is not there, nil when all is.
func (p place) find(c *salt.Ctx, chain bool) (nft string, missing *value.Map, err error) {
	m, err := checkTable(c, tableArgs{p.table, p.family})
	if err != nil || !m.Truth("result") {
		return "", m, err
	}
	if chain {
		if m, err = checkChain(c, chainArgs{value.Str(p.table), p.chain, p.family}); err != nil || !m.Truth("result") {
			return "", m, err
		}
	}
	nft, err = families(p.family)
	return nft, nil, err
}
