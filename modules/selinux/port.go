package selinux

import (
	"regexp"
	"slices"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// portOf is what a name such as tcp/8080 says, else protocol and port.
func portOf(name string, protocol, port any) (string, string, error) {
	re := regexp.MustCompile(`^(tcp|udp|dccp|sctp)/(\d+(-\d+)?)$`)
	m := re.FindStringSubmatch(name)
	if m == nil {
		m = re.FindStringSubmatch(value.Str(protocol) + "/" + value.Str(port))
	}
	if m == nil {
		return "", "", salt.InvocationError(`Invalid name "%s" format and protocol and port not provided or invalid: "%s" "%s".`, name, value.Str(protocol), value.Str(port))
	}
	return m[1], m[2], nil
}

type portArgs struct {
	Name     string `py:"name"`          // PROTOCOL/PORT, or any name
	SelType  any    `py:"sel_type=None"` // the type
	Protocol any    `py:"protocol=None"` // tcp or udp
	Port     any    `py:"port=None"`     // a port or a range of them
}

// portGetPolicy returns the rule for a port: sel_type, protocol and port (all
// ports of the rule); None without one.
func portGetPolicy(c *salt.Ctx, a portArgs) (any, error) { return orNone(portPolicy(c, a)) }

// portPolicy is the rule, nil without one.
func portPolicy(c *salt.Ctx, a portArgs) (*value.Map, error) {
	protocol, port, err := portOf(a.Name, a.Protocol, a.Port)
	if err != nil {
		return nil, err
	}
	all, err := lines(c, "semanage", "port", "--list")
	if err != nil {
		return nil, err
	}
	for _, line := range all {
		f := strings.Fields(line)
		if len(f) < 3 || f[1] != protocol || value.Truth(a.SelType) && f[0] != a.SelType {
			continue
		}
		ports := strings.Join(f[2:], " ")
		if slices.Contains(strings.Split(ports, ", "), port) {
			return value.M("sel_type", f[0], "protocol", protocol, "port", ports), nil
		}
	}
	return nil, nil
}

type portChangeArgs struct {
	Name     string `py:"name"`           // PROTOCOL/PORT, or any name
	SelType  any    `py:"sel_type=None"`  // the type
	Protocol any    `py:"protocol=None"`  // tcp or udp
	Port     any    `py:"port=None"`      // a port or a range of them
	SelRange any    `py:"sel_range=None"` // the MLS range
}

func (a *portChangeArgs) do(c *salt.Ctx, action string) (*value.Map, error) {
	protocol, port, err := portOf(a.Name, a.Protocol, a.Port)
	if err != nil {
		return nil, err
	}
	words := []string{"semanage", "port", "--" + action, "--proto", protocol}
	if value.Truth(a.SelType) {
		words = append(words, "--type", value.Str(a.SelType))
	}
	if value.Truth(a.SelRange) {
		words = append(words, "--range", value.Str(a.SelRange))
	}
	r, err := command.Do(c, append(words, port)...)
	return r.Map(), err
}

// portAddPolicy adds a rule. It returns the answer of semanage, as cmd.run_all
// does.
func portAddPolicy(c *salt.Ctx, a portChangeArgs) (*value.Map, error) {
	if !value.Truth(a.SelType) {
		return nil, salt.InvocationError("SELinux Type is required to add a policy")
	}
	return a.do(c, "add")
}

// portModifyPolicy changes a rule. It returns the answer of semanage, as
// cmd.run_all does.
func portModifyPolicy(c *salt.Ctx, a portChangeArgs) (*value.Map, error) { return a.do(c, "modify") }

type portDeleteArgs struct {
	Name     string `py:"name"`          // PROTOCOL/PORT, or any name
	Protocol any    `py:"protocol=None"` // tcp or udp
	Port     any    `py:"port=None"`     // a port or a range of them
}

// portDeletePolicy removes a rule. It returns the answer of semanage, as
// cmd.run_all does.
func portDeletePolicy(c *salt.Ctx, a portDeleteArgs) (*value.Map, error) {
	return (&portChangeArgs{Name: a.Name, Protocol: a.Protocol, Port: a.Port}).do(c, "delete")
}

type portPresentArgs struct {
	Name     string `py:"name"`           // PROTOCOL/PORT, or any name
	SelType  string `py:"sel_type"`       // the type
	Protocol any    `py:"protocol=None"`  // tcp or udp
	Port     any    `py:"port=None"`      // a port or a range of them
	SelRange any    `py:"sel_range=None"` // the MLS range
}

// portPolicyPresent makes sure that a port has a type.
//
//	tcp/8080:
//	  selinux.port_policy_present:
//	    - sel_type: http_port_t
func portPolicyPresent(c *salt.Ctx, a portPresentArgs) salt.Result {
	now, err := portPolicy(c, portArgs{a.Name, a.SelType, a.Protocol, a.Port})
	switch {
	case err != nil:
		return salt.Raised(err)
	case now != nil:
		return salt.Correct(`SELinux policy for "%s" already present with specified sel_type "%s", protocol "%s" and port "%s".`, a.Name, a.SelType, value.Str(a.Protocol), value.Str(a.Port))
	case c.Test:
		return salt.Would(nil, "")
	}
	if now, err = portPolicy(c, portArgs{a.Name, nil, a.Protocol, a.Port}); err != nil {
		return salt.Raised(err)
	}
	action := "add"
	if now != nil {
		action = "modify"
	}
	m, err := (&portChangeArgs{a.Name, a.SelType, a.Protocol, a.Port, a.SelRange}).do(c, action)
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("retcode"):
		return salt.Failed("Error adding new policy: %s", value.Repr(m))
	}
	return changed(c, now, portArgs{a.Name, a.SelType, a.Protocol, a.Port})
}

// changed says what the rule was and is.
func changed(c *salt.Ctx, old *value.Map, a portArgs) salt.Result {
	now, err := portPolicy(c, a)
	if err != nil {
		return salt.Raised(err)
	}
	is, _ := orNone(now, nil)
	was, _ := orNone(old, nil)
	return salt.Changed(value.M("old", was, "new", is), "")
}

// portPolicyAbsent makes sure that there is no rule for a port.
func portPolicyAbsent(c *salt.Ctx, a portArgs) salt.Result {
	now, err := portPolicy(c, a)
	switch {
	case err != nil:
		return salt.Raised(err)
	case now == nil:
		return salt.Correct(`SELinux policy for "%s" already absent with specified sel_type "%s", protocol "%s" and port "%s".`, a.Name, value.Str(a.SelType), value.Str(a.Protocol), value.Str(a.Port))
	case c.Test:
		return salt.Would(nil, "")
	}
	m, err := portDeletePolicy(c, portDeleteArgs{a.Name, a.Protocol, a.Port})
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("retcode"):
		return salt.Failed("Error deleting policy: %s", value.Repr(m))
	}
	return changed(c, now, a)
}
