package iptables

import (
	"path/filepath"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

const (
	noChain    = "Error: Chain needs to be specified"
	noRule     = "Error: Rule needs to be specified"
	noPosition = "Error: Position needs to be specified or use append (-A)"
)

type ruleArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  any    `py:"chain=None"`     // the chain
	Rule   any    `py:"rule=None"`      // the words of the rule, as iptables.build_rule makes them
	Family string `py:"family='ipv4'"`  // ipv4 or ipv6
}

// lacks says what is missing.
func (a *ruleArgs) lacks() string {
	switch {
	case !value.Truth(a.Chain):
		return noChain
	case !value.Truth(a.Rule):
		return noRule
	}
	return ""
}

func (a *ruleArgs) words(command string) string {
	return "-t " + a.Table + " " + command + " " + value.Str(a.Chain) + " " + value.Str(a.Rule)
}

// check reports whether a rule is in the kernel.
func check(c *salt.Ctx, a ruleArgs) (any, error) {
	if text := a.lacks(); text != "" {
		return text, nil
	}
	// The command only looks: it may run under test=True.
	v, err := c.With(false).CallKw("cmd.retcode", value.M("python_shell", false, "ignore_retcode", true), tool(c, a.Family)+" "+a.words("-C"))
	return value.Equal(v, int64(0)), err
}

// add adds a rule at the end of a chain. It returns True, False when it is
// there already or iptables refused it.
func add(c *salt.Ctx, a ruleArgs) (any, error) {
	there, err := check(c, a)
	if err != nil || there != false {
		if text, ok := there.(string); ok {
			return text, err
		}
		return false, err
	}
	text, err := change(c, a.Family, a.words("-A"))
	return text == "", err
}

type insertArgs struct {
	Table    string `py:"table='filter'"` // the table
	Chain    any    `py:"chain=None"`     // the chain
	Position any    `py:"position=None"`  // where, from 1; negative numbers count from the end
	Rule     any    `py:"rule=None"`      // the words of the rule
	Family   string `py:"family='ipv4'"`  // ipv4 or ipv6
}

// insert adds a rule somewhere in a chain. It returns what iptables complained
// about, False when the rule is there already.
func insert(c *salt.Ctx, a insertArgs) (any, error) {
	r := ruleArgs{a.Table, a.Chain, a.Rule, a.Family}
	switch {
	case !value.Truth(a.Chain):
		return noChain, nil
	case !value.Truth(a.Position):
		return noPosition, nil
	case !value.Truth(a.Rule):
		return noRule, nil
	}
	at, err := strconv.Atoi(value.Str(a.Position))
	if err != nil {
		return nil, salt.InvocationError("position must be a number: %s", value.Str(a.Position))
	}
	if at < 0 {
		m, err := load(c, nil, true, a.Family)
		if err != nil {
			return nil, err
		}
		if l := m.Map(a.Table).Map(value.Str(a.Chain)).List("rules"); l != nil {
			at = max(l.Len()+at+1, 1)
		}
	}
	there, err := check(c, r)
	if err != nil || there == true {
		return false, err
	}
	return change(c, a.Family, "-t "+a.Table+" -I "+value.Str(a.Chain)+" "+strconv.Itoa(at)+" "+value.Str(a.Rule))
}

type removeArgs struct {
	Table    string `py:"table"`         // the table
	Chain    any    `py:"chain=None"`    // the chain
	Position any    `py:"position=None"` // the number of the rule
	Rule     any    `py:"rule=None"`     // or its words
	Family   string `py:"family='ipv4'"` // ipv4 or ipv6
}

// remove removes a rule from a chain. It returns what iptables complained
// about.
func remove(c *salt.Ctx, a removeArgs) (any, error) {
	if value.Truth(a.Position) && value.Truth(a.Rule) {
		return "Error: Only specify a position or a rule, not both", nil
	}
	rule := a.Rule
	if value.Truth(a.Position) {
		rule = a.Position
	}
	return change(c, a.Family, "-t "+a.Table+" -D "+value.Str(a.Chain)+" "+value.Str(rule))
}

type flushArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  string `py:"chain=''"`       // the chain; the default is all
	Family string `py:"family='ipv4'"`  // ipv4 or ipv6
}

// flush removes all rules. It returns what iptables complained about.
func flush(c *salt.Ctx, a flushArgs) (any, error) {
	return change(c, a.Family, "-t "+a.Table+" -F "+a.Chain)
}

// checkChain reports whether there is a chain.
func checkChain(c *salt.Ctx, a chainArgs) (any, error) {
	if !value.Truth(a.Chain) {
		return noChain, nil
	}
	text, err := dump(c, a.Family, "-t", a.Table)
	return strings.Contains(text, ":"+value.Str(a.Chain)+" "), err
}

func onChain(c *salt.Ctx, a chainArgs, command string) (any, error) {
	if !value.Truth(a.Chain) {
		return noChain, nil
	}
	text, err := change(c, a.Family, "-t "+a.Table+" "+command+" "+value.Str(a.Chain))
	if text == "" {
		return true, err
	}
	return text, err
}

// newChain makes a chain. It returns True, or what iptables complained about.
func newChain(c *salt.Ctx, a chainArgs) (any, error) { return onChain(c, a, "-N") }

// deleteChain removes a chain. It returns True, or what iptables complained
// about.
func deleteChain(c *salt.Ctx, a chainArgs) (any, error) { return onChain(c, a, "-X") }

type policyArgs struct {
	Table  string `py:"table='filter'"` // the table
	Chain  any    `py:"chain=None"`     // the chain
	Policy any    `py:"policy=None"`    // ACCEPT or DROP
	Family string `py:"family='ipv4'"`  // ipv4 or ipv6
}

// setPolicy sets what becomes of packets that no rule of a chain is for. It
// returns what iptables complained about.
func setPolicy(c *salt.Ctx, a policyArgs) (any, error) {
	switch {
	case !value.Truth(a.Chain):
		return noChain, nil
	case !value.Truth(a.Policy):
		return "Error: Policy needs to be specified", nil
	}
	return change(c, a.Family, "-t "+a.Table+" -P "+value.Str(a.Chain)+" "+value.Str(a.Policy))
}

type saveArgs struct {
	Filename any    `py:"filename=None"` // the file; the default is that of the distribution
	Family   string `py:"family='ipv4'"` // ipv4 or ipv6
}

// save writes the rules in the kernel to the file that a start reads, without
// the lines that the option iptables.save_filters names.
func save(c *salt.Ctx, a saveArgs) (any, error) {
	path := value.Str(a.Filename)
	if !value.Truth(a.Filename) {
		var err error
		if path, err = saved(c, a.Family); err != nil {
			return nil, err
		}
	}
	if err := sys.MkdirAll(c.Sys, filepath.Dir(path), 0o755); err != nil {
		return nil, salt.OSError(err)
	}
	text, err := dump(c, a.Family)
	if err != nil {
		return nil, err
	}
	filters, err := c.Call("config.option", "iptables.save_filters", value.L())
	if err != nil {
		return nil, err
	}
	if text, err = filtered(c, text, filters); err != nil {
		return nil, err
	}
	return c.Call("file.write", path, strings.TrimRight(text, "\n"))
}

// filtered drops the lines that match a pattern.
func filtered(c *salt.Ctx, text string, patterns any) (string, error) {
	if !value.Truth(patterns) {
		return text, nil
	}
	var all []*pyre.Regexp
	for _, pattern := range list(patterns, "") {
		re, err := pyre.Compile(pattern, 0)
		if err != nil {
			c.Log.Warn("Skipping regex rule: '" + pattern + "': " + err.Error())
			continue
		}
		all = append(all, re)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		keep := true
		for _, re := range all {
			keep = keep && re.Search(line) == nil
		}
		if keep {
			b.WriteString(line)
		}
	}
	return b.String(), nil
}
