package sysctl

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name   string `py:"name"`        // the parameter
	Value  any    `py:"value"`       // its value, as the kernel shows it: 1-3 instead of 1,2,3
	Config any    `py:"config=None"` // the file to keep it in; the default is that of sysctl.default_config
}

// present makes sure that a parameter has a value, now and after the next start.
//
//	net.ipv4.ip_forward:
//	  sysctl.present:
//	    - value: 1
//	    - config: /etc/sysctl.d/60-router.conf
func present(c *salt.Ctx, a presentArgs) salt.Result {
	config, err := configOf(c, a.Config)
	if err != nil {
		return salt.Raised(err)
	}
	val := value.Str(a.Value)
	if c.Test {
		return preview(c, a.Name, val, config)
	}
	update, err := persist(c, persistArgs{a.Name, a.Value, config})
	switch {
	case err != nil:
		return salt.Failed("Failed to set %s to %s: %s", a.Name, val, err)
	case update == "Updated":
		return salt.Changed(value.M(a.Name, a.Value), "Updated sysctl value %s = %s", a.Name, val)
	}
	return salt.Correct("Sysctl value %s = %s is already set", a.Name, val)
}

var blanks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(" +|\t+") })

// preview compares the running kernel and the file with what is wanted.
func preview(c *salt.Ctx, name, val, config string) salt.Result {
	v, err := show(c, showArgs{config})
	if err != nil {
		return salt.Raised(err)
	}
	if v == nil {
		return salt.Would(nil, "Sysctl option %s might be changed, we failed to check config file at %s. The file is either unreadable, or missing.", name, config)
	}
	configured, _ := v.(*value.Map)
	current, err := get(c, getArgs{name})
	if err != nil {
		return salt.Raised(err)
	}
	switch has := configured.Has(name); {
	case current == "" && has:
		return salt.Would(nil, "Sysctl value %s is present in configuration file but is not present in the running config. The value %s is set to be changed to %s", name, name, val)
	case current == "":
	case has && slices.Equal(strings.Fields(val), strings.Fields(current)):
		return salt.Correct("Sysctl value %s = %s is already set", name, val)
	case has:
	case blanks().ReplaceAllString(current, " ") != blanks().ReplaceAllString(val, " "):
		return salt.Would(nil, "Sysctl option %s set to be changed to %s", name, val)
	default:
		return salt.Would(nil, "Sysctl value is currently set on the running system but not in a config file. Sysctl option %s set to be changed to %s in config file.", name, val)
	}
	return salt.Would(nil, "Sysctl option %s would be changed to %s", name, val)
}
