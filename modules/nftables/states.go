package nftables

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type stateArgs struct {
	Name   string     `py:"name"`          // a name for the rule
	Family string     `py:"family='ipv4'"` // ipv4, ipv6, inet, arp, bridge or netdev
	Kwargs *value.Map `py:"**kwargs"`      // table, chain; save: True; the rule as in nftables.build_rule: jump, proto, dport …; position
}

// A rule is what a state is about.
type rule struct {
	name string
	kw   *value.Map
	ruleArgs
}

func (a *stateArgs) rule(c *salt.Ctx) (*rule, error) {
	m, err := buildRule(c, buildRuleArgs{Family: a.Family, Kwargs: a.Kwargs})
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"table", "chain"} {
		if !a.Kwargs.Has(key) {
			return nil, value.Errorf("KeyError", "'%s'", key)
		}
	}
	return &rule{a.Name, a.Kwargs, ruleArgs{a.Kwargs.Str("table"), a.Kwargs.Str("chain"), m.Str("rule"), a.Family}}, nil
}

func (r *rule) text() string { return value.Str(r.Rule) }

// there reports whether the rule is in the kernel.
func (r *rule) there(c *salt.Ctx) (bool, error) {
	m, err := check(c, r.ruleArgs)
	return err == nil && m.Truth("result"), err
}

// done says that something changed, and saves the rules where the state asks
// for it.
func (r *rule) done(c *salt.Ctx, comment, saved string) salt.Result {
	if r.kw.Truth("save") {
		if _, err := save(c, saveArgs{Family: r.Family}); err != nil {
			return salt.Raised(err)
		}
		comment = saved
	}
	return salt.Changed(value.M("locale", r.name), "%s", comment)
}

// appendState makes sure that a rule is in a chain, at its end if it is new.
//
//	web:
//	  nftables.append:
//	    - table: filter
//	    - chain: input
//	    - family: inet
//	    - proto: tcp
//	    - dports: 80,443
//	    - jump: accept
func appendState(c *salt.Ctx, a stateArgs) salt.Result {
	r, err := a.rule(c)
	if err != nil {
		return salt.Raised(err)
	}
	there, err := r.there(c)
	switch {
	case err != nil:
		return salt.Raised(err)
	case there:
		return salt.Correct("nftables rule for %s already set (%s) for %s", r.name, r.text(), r.Family)
	case c.Test:
		return salt.Would(nil, "nftables rule for %s needs to be set (%s) for %s", r.name, r.text(), r.Family)
	}
	m, err := add(c, r.ruleArgs)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !m.Truth("result"):
		return salt.Failed("Failed to set nftables rule for %s.\nAttempted rule was %s for %s.\n%s", r.name, r.text(), r.Family, m.Str("comment"))
	}
	what := r.name + " to: " + r.text() + " for " + r.Family
	return r.done(c, "Set nftables rule for "+what, "Set and Saved nftables rule for "+what)
}

// insertState makes sure that a rule is in a chain, at its begin or before the
// rule with the handle position if it is new.
func insertState(c *salt.Ctx, a stateArgs) salt.Result {
	r, err := a.rule(c)
	if err != nil {
		return salt.Raised(err)
	}
	there, err := r.there(c)
	switch {
	case err != nil:
		return salt.Raised(err)
	case there:
		return salt.Correct("nftables rule for %s already set for %s (%s)", r.name, r.Family, r.text())
	case c.Test:
		return salt.Would(nil, "nftables rule for %s needs to be set for %s (%s)", r.name, r.Family, r.text())
	}
	m, err := insert(c, insertArgs{r.Table, r.Chain, r.kw.At("position"), r.Rule, r.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !m.Truth("result"):
		return salt.Failed("Failed to set nftables rule for %s.\nAttempted rule was %s", r.name, r.text())
	}
	what := r.name + " to: " + r.text() + " for " + r.Family
	return r.done(c, "Set nftables rule for "+what, "Set and Saved nftables rule for "+what)
}

// deleteState makes sure that a rule is not in a chain; with position the rule
// with that handle is removed.
func deleteState(c *salt.Ctx, a stateArgs) salt.Result {
	r, err := a.rule(c)
	if err != nil {
		return salt.Raised(err)
	}
	there, err := r.there(c)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !there:
		return salt.Correct("nftables rule for %s already absent for %s (%s)", r.name, r.Family, r.text())
	case c.Test:
		return salt.Would(nil, "nftables rule for %s needs to be deleted for %s (%s)", r.name, r.Family, r.text())
	}
	args := removeArgs{Table: r.Table, Chain: r.Chain, Rule: r.Rule, Family: r.Family}
	if at, ok := r.kw.Get("position"); ok {
		args.Rule, args.Position = nil, at
	}
	m, err := remove(c, args)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !m.Truth("result"):
		return salt.Failed("Failed to delete nftables rule for %s.\nAttempted rule was %s", r.name, r.text())
	}
	return r.done(c, "Delete nftables rule for "+r.name+" "+r.text(), "Deleted and Saved nftables rule for "+r.name+" for "+r.text()+r.Family)
}

type flushStateArgs struct {
	Name          string     `py:"name"`                 // a name for the state
	Family        string     `py:"family='ipv4'"`        // ipv4, ipv6, inet, arp, bridge or netdev
	IgnoreAbsence bool       `py:"ignore_absence=False"` // a table or chain that is not there is fine
	Kwargs        *value.Map `py:"**kwargs"`             // table (filter), chain (all)
}

// flushState removes all rules of a chain or table, each time it runs.
func flushState(c *salt.Ctx, a flushStateArgs) salt.Result {
	if c.Test {
		return salt.Would(nil, "nftables flush not performed in test mode.")
	}
	table, chain := "filter", a.Kwargs.Str("chain")
	if a.Kwargs.Has("table") {
		table = a.Kwargs.Str("table")
	}
	done := salt.Changed(value.M("locale", a.Name), "Flush nftables rules in %s table %s chain %s family", table, chain, a.Family)
	m, err := checkTable(c, tableArgs{table, a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("result"):
	case a.IgnoreAbsence:
		return done
	default:
		return salt.Failed("Failed to flush table %s in family %s, table does not exist.", table, a.Family)
	}
	if a.Kwargs.Has("chain") {
		m, err := checkChain(c, chainArgs{table, chain, a.Family})
		switch {
		case err != nil:
			return salt.Raised(err)
		case m.Truth("result"):
		case a.IgnoreAbsence:
			return done
		default:
			return salt.Failed("Failed to flush chain %s in table %s in family %s, chain does not exist.", chain, table, a.Family)
		}
	}
	if m, err = flush(c, flushArgs{table, chain, a.Family}); err != nil {
		return salt.Raised(err)
	}
	if !m.Truth("result") {
		return salt.Failed("Failed to flush nftables rules")
	}
	return done
}

type policyStateArgs struct {
	Name   string     `py:"name"`           // a name for the state
	Table  string     `py:"table='filter'"` // the table
	Family string     `py:"family='ipv4'"`  // ipv4, ipv6, inet, arp, bridge or netdev
	Kwargs *value.Map `py:"**kwargs"`       // chain; policy: accept or drop; save: True; save_filename: the file, /etc/nftables
}

// setPolicyState makes sure of what becomes of packets that no rule of a chain
// is for.
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
	case now != nil && strings.EqualFold(value.Str(now), policy):
		return salt.Correct("nftables default policy for chain %s on table %s for %s already set to %s", chain, a.Table, a.Family, policy)
	case c.Test:
		return salt.Would(nil, "nftables default policy for chain %s on table %s for %s needs to be set to %s", chain, a.Table, a.Family, policy)
	}
	done, err := setPolicy(c, policyArgs{a.Table, chain, strings.ToLower(policy), a.Family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to set nftables default policy")
	}
	verb := "Set"
	if a.Kwargs.Truth("save") {
		verb = "Set and saved"
		if _, err := save(c, saveArgs{a.Kwargs.At("save_filename"), a.Family}); err != nil {
			return salt.Raised(err)
		}
	}
	return salt.Changed(value.M("locale", a.Name), "%s default policy for %s to %s family %s", verb, chain, policy, a.Family)
}
