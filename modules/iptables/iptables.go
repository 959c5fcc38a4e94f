// Package iptables holds Salt's iptables module: rules, chains and policies of
// the packet filter, in the kernel and in the file that a start reads. Its main
// variable is Module.
//
//	ssh:
//	  iptables.append:
//	    - chain: INPUT
//	    - jump: ACCEPT
//	    - proto: tcp
//	    - dport: 22
//	    - save: True
package iptables

import (
	"errors"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's iptables module.
var Module = salt.Module{
	Name: "iptables",
	States: func() salt.Funcs {
		return salt.Funcs{
			"append":        salt.State(appendState),
			"chain_absent":  salt.State(chainAbsent),
			"chain_present": salt.State(chainPresent),
			"delete":        salt.State(deleteState),
			"flush":         salt.State(flushState),
			"insert":        salt.State(insertState),
			"set_policy":    salt.State(setPolicyState),
		}
	},
	Aggregate: aggregate,
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"append":           salt.Exec(add),
			"build_rule":       salt.Exec(buildRule),
			"check":            salt.Exec(check),
			"check_chain":      salt.Exec(checkChain),
			"delete":           salt.Exec(remove),
			"delete_chain":     salt.Exec(deleteChain),
			"flush":            salt.Exec(flush),
			"get_policy":       salt.Exec(getPolicy),
			"get_rules":        salt.Exec(getRules),
			"get_saved_policy": salt.Exec(getSavedPolicy),
			"get_saved_rules":  salt.Exec(getSavedRules),
			"insert":           salt.Exec(insert),
			"new_chain":        salt.Exec(newChain),
			"save":             salt.Exec(save),
			"set_policy":       salt.Exec(setPolicy),
			"version":          salt.Exec(version),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("iptables") != "":
			return nil
		case kind == "states":
			return errors.New("iptables module could not be loaded")
		}
		return errors.New("The iptables execution module cannot be loaded: iptables not installed.")
	},
}

// tool is the command of a family.
func tool(c *salt.Ctx, family string) string {
	if family == "ipv6" {
		return c.Sys.LookPath("ip6tables")
	}
	return c.Sys.LookPath("iptables")
}

type waitKey string

// waits is the option that waits for the lock of another iptables, if there is
// such an option.
func waits(c *salt.Ctx, family string) string {
	text, err := salt.Once(c.Run, waitKey(family), func() (string, error) {
		r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{tool(c, family), "--help"}, Query: true})
		return string(r.Stdout), err
	})
	if err == nil && strings.Contains(text, "--wait") {
		return "--wait"
	}
	return ""
}

// change runs the command and returns what it complains about.
func change(c *salt.Ctx, family, words string) (string, error) {
	v, err := c.CallKw("cmd.run_stderr", value.M("python_shell", false), tool(c, family)+" "+waits(c, family)+" "+words)
	return value.Str(v), err
}

// dump is what iptables-save prints.
func dump(c *salt.Ctx, family string, args ...string) (string, error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: append([]string{tool(c, family) + "-save"}, args...), Query: true})
	return string(r.Stdout), err
}

// saved is the file that is read at the start.
func saved(c *salt.Ctx, family string) (string, error) {
	six := family == "ipv6"
	choose := func(four, v6 string) (string, error) {
		if six {
			return v6, nil
		}
		return four, nil
	}
	switch c.Grains.Str("os_family") {
	case "RedHat":
		return choose("/etc/sysconfig/iptables", "/etc/sysconfig/ip6tables")
	case "Arch", "Void":
		return choose("/etc/iptables/iptables.rules", "/etc/iptables/ip6tables.rules")
	case "Debian":
		return choose("/etc/iptables/rules.v4", "/etc/iptables/rules.v6")
	case "Gentoo":
		return choose("/var/lib/iptables/rules-save", "/var/lib/ip6tables/rules-save")
	case "Suse":
		return "/etc/sysconfig/scripts/SuSEfirewall2-custom", nil
	case "Alpine":
		return choose("/etc/iptables/rules-save", "/etc/iptables/rules6-save")
	}
	return "", value.Errorf("SaltException", "Saving iptables to file is not supported on %s. Please file an issue with SaltStack", c.Grains.Str("os"))
}

type familyArgs struct {
	Family string `py:"family='ipv4'"` // ipv4 or ipv6
}

// version returns the version of iptables.
func version(c *salt.Ctx, a familyArgs) (string, error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{tool(c, a.Family), "--version"}, Query: true})
	if err != nil {
		return "", err
	}
	if f := strings.Fields(string(r.Stdout)); len(f) > 1 {
		return f[1], nil
	}
	return "", salt.CommandError("iptables does not tell its version")
}
