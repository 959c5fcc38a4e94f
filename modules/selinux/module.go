package selinux

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type moduleStateArgs struct {
	Name        string     `py:"name"`                   // the policy module
	ModuleState any        `py:"module_state='Enabled'"` // enabled or disabled
	Version     any        `py:"version='any'"`          // the version it must have; current versions of semodule tell none
	Opts        *value.Map `py:"**opts"`                 // install: True with source: a file or a salt:// URL; remove: True
}

// module makes sure that a policy module is enabled or disabled.
func module(c *salt.Ctx, a moduleStateArgs) salt.Result {
	install := a.Opts.Truth("install")
	switch {
	case install && a.Opts.Truth("remove"):
		return salt.Failed("Cannot install and remove at the same time")
	case a.Opts.Truth("remove"):
		return moduleRemove(c, nameArgs{a.Name})
	case install:
		source := a.Name
		if a.Opts.Has("source") {
			source = a.Opts.Str("source")
		}
		if r := moduleInstall(c, nameArgs{source}); !r.OK() {
			return r
		}
	}
	known, err := listSemod(c, salt.NoArgs{})
	if err != nil {
		return salt.Raised(err)
	}
	m := known.Map(a.Name)
	if m == nil {
		return salt.Failed("Module %s is not available", a.Name)
	}
	want, now := "", "disabled"
	if m.Truth("Enabled") {
		now = "enabled"
	}
	switch strings.ToLower(value.Str(a.ModuleState)) {
	case "1", "on", "yes", "true", "enabled":
		want = "enabled"
	case "0", "off", "no", "false", "disabled":
		want = "disabled"
	default:
		return salt.Failed("%s is not a valid state for the %s module.", value.Str(a.ModuleState), a.Name)
	}
	switch version := value.Str(m.At("Version")); {
	case value.Str(a.Version) != "any" && version != value.Str(a.Version):
		return salt.Failed("Module version is %s and does not match the desired version of %s or you are using semodule >= 2.4", value.Str(m.At("Version")), value.Str(a.Version))
	case want == now:
		return salt.Correct("Module %s is in the desired state", a.Name)
	case c.Test:
		return salt.Would(nil, "Module %s is set to be toggled to %s", a.Name, value.Str(a.ModuleState))
	}
	ok, err := setsemod(c, setModuleArgs{a.Name, want})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Failed to set the Module %s to %s", a.Name, value.Str(a.ModuleState))
	}
	return salt.Correct("Module %s has been set to %s", a.Name, value.Str(a.ModuleState))
}

type nameArgs struct {
	Name string `py:"name"` // the policy module; to install one, its file or salt:// URL
}

// moduleInstall installs a policy module, each time it runs.
func moduleInstall(c *salt.Ctx, a nameArgs) salt.Result {
	if c.Test {
		return salt.Would(nil, "Module %s is set to be installed", a.Name)
	}
	ok, err := installSemod(c, installModuleArgs{a.Name})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Failed to install module %s", a.Name)
	}
	return salt.Correct("Module %s has been installed", a.Name)
}

// moduleRemove removes a policy module.
func moduleRemove(c *salt.Ctx, a nameArgs) salt.Result {
	known, err := listSemod(c, salt.NoArgs{})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !known.Has(a.Name):
		return salt.Failed("Module %s is not available", a.Name)
	case c.Test:
		return salt.Would(nil, "Module %s is set to be removed", a.Name)
	}
	ok, err := removeSemod(c, moduleArgs{a.Name})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Failed to remove module %s", a.Name)
	}
	return salt.Correct("Module %s has been removed", a.Name)
}
