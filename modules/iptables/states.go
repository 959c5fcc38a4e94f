package iptables

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type stateArgs struct {
	Name   string     `py:"name"`           // a name for the rule
	Table  string     `py:"table='filter'"` // the table
	Family string     `py:"family='ipv4'"`  // ipv4 or ipv6
	Kwargs *value.Map `py:"**kwargs"`       // chain; save: True or a file; the rule as in iptables.build_rule: jump, proto, dport …; position for insert and delete; rules: a list of such arguments
}

// appendState makes sure that a rule is in a chain, at its end if it is new.
//
//	web:
//	  iptables.append:
//	    - chain: INPUT
//	    - jump: ACCEPT
//	    - match: state
//	    - connstate: NEW
//	    - proto: tcp
//	    - dports: [80, 443]
//	    - save: True
func appendState(c *salt.Ctx, a stateArgs) salt.Result { return a.run(c, appendOne) }

// insertState makes sure that a rule is in a chain, at a position if it is new.
func insertState(c *salt.Ctx, a stateArgs) salt.Result { return a.run(c, insertOne) }

// deleteState makes sure that a rule is not in a chain.
func deleteState(c *salt.Ctx, a stateArgs) salt.Result { return a.run(c, deleteOne) }

// A rule is what a state is about.
type rule struct {
	name, table, family string
	kw                  *value.Map
	chain               any
	text                string // the words of the rule
	command             string // as it would be run
}

// newRule builds the rule of a state.
func newRule(c *salt.Ctx, a stateArgs, command string) (*rule, error) {
	r := &rule{name: a.Name, table: a.Table, family: a.Family, kw: a.Kwargs, chain: a.Kwargs.At("chain")}
	if !value.Truth(r.chain) {
		return nil, value.Errorf("KeyError", "'chain'")
	}
	kw := a.Kwargs.Shallow()
	position, _ := kw.Pop("position")
	if position == nil {
		position = ""
	}
	kw.Pop("rules")
	args := buildRuleArgs{Table: a.Table, Chain: r.chain, Position: position, Family: a.Family, Kwargs: kw}
	var err error
	if r.text, err = buildRule(c, args); err != nil {
		return nil, err
	}
	args.Full, args.Command = true, command
	text, err := buildRule(c, args)
	r.command = strings.TrimSpace(text)
	return r, err
}

func (r *rule) args() ruleArgs { return ruleArgs{r.table, r.chain, r.text, r.family} }

// run handles one rule, or a list of them.
func (a *stateArgs) run(c *salt.Ctx, one func(*salt.Ctx, stateArgs) salt.Result) salt.Result {
	rules := a.Kwargs.List("rules")
	if rules == nil {
		return one(c, *a)
	}
	out := salt.Correct("")
	done := value.L()
	var comments []string
	var file any
	for _, it := range rules.Items {
		m, _ := it.(*value.Map)
		kw := m.Shallow()
		kw.Pop("rules")
		if v, ok := kw.Pop("save"); ok && value.Truth(v) {
			file = v
		}
		sub := stateArgs{Name: kw.Str("name"), Table: "filter", Family: "ipv4", Kwargs: kw}
		for key, field := range map[string]*string{"table": &sub.Table, "family": &sub.Family} {
			if v, ok := kw.Pop(key); ok {
				*field = value.Str(v)
			}
		}
		kw.Pop("name")
		r := one(c, sub)
		if err := r.Err(); err != nil {
			return r
		}
		if v, ok := r.Changes.Get("locale"); ok {
			done.Append(v)
		}
		comments = append(comments, r.Comment)
		if r.Bad() || r.Result == nil && out.OK() {
			out.Result = r.Result
		}
	}
	if done.Len() > 0 {
		out.Changes.Set("locale", done)
	}
	if file != nil && !c.Test {
		if _, err := save(c, saveArgs{target(file), a.Family}); err != nil {
			return salt.Raised(err)
		}
	}
	out.Comment = strings.Join(comments, "\n")
	return out
}

// target is the file to save to: True stands for the usual one.
func target(v any) any {
	if v == true {
		return nil
	}
	return v
}

// saving saves the rules where the state asks for it.
func (r *rule) saving(c *salt.Ctx, out salt.Result, comment string) salt.Result {
	if !r.kw.Truth("save") {
		return out
	}
	v, err := save(c, saveArgs{target(r.kw.At("save")), r.family})
	if err != nil {
		return salt.Raised(err)
	}
	out.Comment = strings.Replace(comment, "%", value.Str(v), 1)
	return out
}

// unsaved saves the rules when the file has others than the kernel.
func (r *rule) unsaved(c *salt.Ctx, out salt.Result) salt.Result {
	if !r.kw.Truth("save") || c.Test {
		return out
	}
	now, err := load(c, nil, true, r.family)
	if err != nil {
		return salt.Raised(err)
	}
	if file, err := load(c, target(r.kw.At("save")), false, r.family); err == nil && value.Equal(ruleList(now), ruleList(file)) {
		return out
	}
	return r.saving(c, out, out.Comment+"\nSaved iptables rule "+r.name+" for "+r.family+"\n"+r.command+"\n%")
}

// ruleList are all rules of all chains.
func ruleList(tables *value.Map) *value.List {
	l := value.L()
	for _, table := range tables.Items() {
		for _, chain := range table.(*value.Map).Items() {
			l.Append(chain.(*value.Map).At("rules"))
		}
	}
	return l
}

func appendOne(c *salt.Ctx, a stateArgs) salt.Result {
	r, err := newRule(c, a, "A")
	if err != nil {
		return salt.Raised(err)
	}
	there, err := check(c, r.args())
	switch {
	case err != nil:
		return salt.Raised(err)
	case there == true:
		return r.unsaved(c, salt.Correct("iptables rule for %s already set (%s) for %s", r.name, r.command, r.family))
	case c.Test:
		return salt.Would(nil, "iptables rule for %s needs to be set (%s) for %s", r.name, r.command, r.family)
	}
	done, err := add(c, r.args())
	switch {
	case err != nil:
		return salt.Raised(err)
	case done != true:
		return salt.Failed("Failed to set iptables rule for %s.\nAttempted rule was %s for %s", r.name, r.command, r.family)
	}
	out := salt.Changed(value.M("locale", r.name), "Set iptables rule for %s to: %s for %s", r.name, r.command, r.family)
	return r.saving(c, out, "Set and saved iptables rule "+r.name+" for "+r.family+"\n"+r.command+"\n%")
}

func insertOne(c *salt.Ctx, a stateArgs) salt.Result {
	r, err := newRule(c, a, "I")
	if err != nil {
		return salt.Raised(err)
	}
	there, err := check(c, r.args())
	switch {
	case err != nil:
		return salt.Raised(err)
	case there == true:
		return r.unsaved(c, salt.Correct("iptables rule for %s already set for %s (%s)", r.name, r.family, r.command))
	case c.Test:
		return salt.Would(nil, "iptables rule for %s needs to be set for %s (%s)", r.name, r.family, r.command)
	}
	text, err := insert(c, insertArgs{r.table, r.chain, a.Kwargs.At("position"), r.text, r.family})
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(text):
		c.Log.Error(value.Str(text))
		return salt.Failed("Failed to set iptables rule for %s.\nAttempted rule was %s", r.name, r.command)
	}
	out := salt.Changed(value.M("locale", r.name), "Set iptables rule for %s to: %s for %s", r.name, r.command, r.family)
	return r.saving(c, out, "Set and saved iptables rule "+r.name+" for "+r.family+"\n"+r.command+"\n%")
}

func deleteOne(c *salt.Ctx, a stateArgs) salt.Result {
	r, err := newRule(c, a, "D")
	if err != nil {
		return salt.Raised(err)
	}
	there, err := check(c, r.args())
	position, byNumber := a.Kwargs.Get("position")
	switch {
	case err != nil:
		return salt.Raised(err)
	case there != true && !byNumber:
		return salt.Correct("iptables rule for %s already absent for %s (%s)", r.name, r.family, r.command)
	case c.Test:
		return salt.Would(nil, "iptables rule for %s needs to be deleted for %s (%s)", r.name, r.family, r.command)
	}
	args := removeArgs{Table: r.table, Chain: r.chain, Rule: r.text, Family: r.family}
	if byNumber {
		args.Rule, args.Position = nil, position
	}
	text, err := remove(c, args)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(text):
		c.Log.Error(value.Str(text))
		return salt.Failed("Failed to delete iptables rule for %s.\nAttempted rule was %s", r.name, r.command)
	}
	out := salt.Changed(value.M("locale", r.name), "Delete iptables rule for %s %s", r.name, r.command)
	return r.saving(c, out, "Deleted and saved iptables rule "+r.name+" for "+r.family+"\n"+r.command+"\n%")
}

// aggregate gives the first of several states of the same function the rules
// of all of them.
func aggregate(_ *salt.Ctx, low *value.Map, chunks []*value.Map, running *value.Map) *value.Map {
	fun := low.Str("fun")
	if fun != "append" && fun != "insert" {
		return low
	}
	rules := low.List("rules")
	for _, ch := range chunks {
		tag := ch.Str("state") + "_|-" + ch.Str("__id__") + "_|-" + ch.Str("name") + "_|-" + ch.Str("fun")
		if running.Has(tag) || ch.Str("state") != "iptables" || ch.Has("__agg__") || ch.Str("fun") != fun {
			continue
		}
		if rules == nil {
			rules = value.L()
		}
		rules.Append(value.Copy(ch))
		ch.Set("__agg__", true)
	}
	if rules != nil {
		low.Set("rules", rules)
	}
	return low
}
