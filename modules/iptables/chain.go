package iptables

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type chainStateArgs struct {
	Name   string `py:"name"`           // the chain
	Table  string `py:"table='filter'"` // the table
	Family string `py:"family='ipv4'"`  // ipv4 or ipv6
}

func (a *chainStateArgs) args() chainArgs { return chainArgs{a.Table, a.Name, a.Family} }

// chainPresent makes sure that there is a chain.
func chainPresent(c *salt.Ctx, a chainStateArgs) salt.Result {
	there, err := checkChain(c, a.args())
	switch {
	case err != nil:
		return salt.Raised(err)
	case there == true:
		return salt.Correct("iptables %s chain is already exist in %s table for %s", a.Name, a.Table, a.Family)
	case c.Test:
		return salt.Would(nil, "iptables %s chain in %s table needs to be set for %s", a.Name, a.Table, a.Family)
	}
	done, err := newChain(c, a.args())
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to create %s chain in %s table: %s for %s", a.Name, a.Table, strings.TrimSpace(value.Str(done)), a.Family)
	}
	return salt.Changed(value.M("locale", a.Name), "iptables %s chain in %s table create success for %s", a.Name, a.Table, a.Family)
}

// chainAbsent makes sure that there is no such chain: its rules are removed
// with it.
func chainAbsent(c *salt.Ctx, a chainStateArgs) salt.Result {
	there, err := checkChain(c, a.args())
	switch {
	case err != nil:
		return salt.Raised(err)
	case there != true:
		return salt.Correct("iptables %s chain is already absent in %s table for %s", a.Name, a.Table, a.Family)
	case c.Test:
		return salt.Would(nil, "iptables %s chain in %s table needs to be removed %s", a.Name, a.Table, a.Family)
	}
	text, err := flush(c, flushArgs{a.Table, a.Name, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(text):
		return salt.Failed("Failed to flush %s chain in %s table: %s for %s", a.Name, a.Table, strings.TrimSpace(value.Str(text)), a.Family)
	}
	done, err := deleteChain(c, a.args())
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to delete %s chain in %s table: %s for %s", a.Name, a.Table, strings.TrimSpace(value.Str(done)), a.Family)
	}
	return salt.Changed(value.M("locale", a.Name), "iptables %s chain in %s table delete success for %s", a.Name, a.Table, a.Family)
}

type policyStateArgs struct {
	Name   string     `py:"name"`           // a name for the state
	Table  string     `py:"table='filter'"` // the table
	Family string     `py:"family='ipv4'"`  // ipv4 or ipv6
	Kwargs *value.Map `py:"**kwargs"`       // chain; policy: ACCEPT or DROP; save: True or a file
}

// setPolicyState makes sure of what becomes of packets that no rule of a chain
// is for.
//
//	drop-the-rest:
//	  iptables.set_policy:
//	    - chain: INPUT
//	    - policy: DROP
func setPolicyState(c *salt.Ctx, a policyStateArgs) salt.Result {
	for _, key := range []string{"chain", "policy"} {
		if !a.Kwargs.Has(key) {
			return salt.Raised(value.Errorf("KeyError", "'%s'", key))
		}
	}
	chain, policy := a.Kwargs.Str("chain"), a.Kwargs.Str("policy")
	now, err := getPolicy(c, chainArgs{a.Table, chain, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case now == policy:
		return salt.Correct("iptables default policy for chain %s on table %s for %s already set to %s", chain, a.Table, a.Family, policy)
	case c.Test:
		return salt.Would(nil, "iptables default policy for chain %s on table %s for %s needs to be set to %s", chain, a.Table, a.Family, policy)
	}
	text, err := setPolicy(c, policyArgs{a.Table, chain, policy, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(text):
		c.Log.Error(value.Str(text))
		return salt.Failed("Failed to set iptables default policy")
	}
	verb := "Set"
	if a.Kwargs.Truth("save") {
		verb = "Set and saved"
		if _, err := save(c, saveArgs{target(a.Kwargs.At("save")), a.Family}); err != nil {
			return salt.Raised(err)
		}
	}
	return salt.Changed(value.M("locale", a.Name), "%s default policy for %s to %s family %s", verb, chain, policy, a.Family)
}

type flushStateArgs struct {
	Name   string     `py:"name"`           // a name for the state
	Table  string     `py:"table='filter'"` // the table
	Family string     `py:"family='ipv4'"`  // ipv4 or ipv6
	Kwargs *value.Map `py:"**kwargs"`       // chain; the default is all
}

// flushState removes all rules, each time it runs.
func flushState(c *salt.Ctx, a flushStateArgs) salt.Result {
	chain := a.Kwargs.Str("chain")
	if c.Test {
		return salt.Would(nil, "iptables rules in %s table %s chain %s family needs to be flushed", a.Name, a.Table, a.Family)
	}
	text, err := flush(c, flushArgs{a.Table, chain, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(text):
		c.Log.Error(value.Str(text))
		return salt.Failed("Failed to flush iptables rules")
	}
	return salt.Changed(value.M("locale", a.Name), "Flush iptables rules in %s table %s chain %s family", a.Table, chain, a.Family)
}
