package pip

import (
	"pinch/salt"
	"pinch/value"
)

type removedArgs struct {
	Name         string `py:"name"`              // the package
	Requirements any    `py:"requirements=None"` // requirements files to uninstall too
	BinEnv       any    `py:"bin_env=None"`      // a virtual environment, or a python or pip to run; None is the system's Python
	Log          any    `py:"log=None"`          // a file for pip's log
	Proxy        any    `py:"proxy=None"`        // user:password@host:port; False overrides the minion's own proxy
	Timeout      any    `py:"timeout=None"`      // seconds a connection may take
	User         any    `py:"user=None"`         // the user to run pip as
	Cwd          any    `py:"cwd=None"`          // where to run pip
	UseVt        bool   `py:"use_vt=False"`      // show the output as it comes
}

// removed makes sure that a Python package is not installed.
func removed(c *salt.Ctx, a removedArgs) salt.Result {
	have, err := list(c, listArgs{BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd})
	switch {
	case err != nil:
		return salt.Failed("Error uninstalling '%s': %s", a.Name, err)
	case !have.Has(a.Name):
		return salt.Correct("Package is not installed.")
	}
	return c.Make(salt.Change{
		Will: "Package " + a.Name + " is set to be removed", Did: "Package was successfully removed.",
		Changes: removal(c, a.Name),
		Do: func() error {
			ret, err := uninstall(c, uninstallArgs{Pkgs: a.Name, Requirements: a.Requirements, BinEnv: a.BinEnv, Log: a.Log, Proxy: a.Proxy, Timeout: a.Timeout,
				User: a.User, Cwd: a.Cwd, Saltenv: "base", UseVt: a.UseVt})
			if err == nil && (ret.Len() == 0 || value.Truth(ret.At("retcode"))) {
				return salt.CommandError("Could not remove package.")
			}
			return err
		},
	})
}

// removal is what changes; Salt says nothing of it under test=True.
func removal(c *salt.Ctx, name string) *value.Map {
	if c.Test {
		return new(value.Map)
	}
	return value.M(name, "Removed")
}

type uptodateArgs struct {
	Name   string `py:"name"`         // only a name for the state
	BinEnv any    `py:"bin_env=None"` // a virtual environment, or a python or pip to run; None is the system's Python
	User   any    `py:"user=None"`    // the user to run pip as
	Cwd    any    `py:"cwd=None"`     // where to run pip
	UseVt  bool   `py:"use_vt=False"` // show the output as it comes
}

// uptodate makes sure that all packages are in their newest versions.
func uptodate(c *salt.Ctx, a uptodateArgs) salt.Result {
	newer, err := listUpgrades(c, listUpgradesArgs{a.BinEnv, a.User, a.Cwd})
	switch {
	case err != nil:
		return salt.Failed("%s", err)
	case newer.Len() == 0:
		return salt.Correct("System is already up-to-date.")
	case c.Test:
		return salt.Would(nil, "System update will be performed")
	}
	ret, err := upgrade(c, upgradeArgs(a.where()))
	switch {
	case err != nil:
		return salt.Raised(err)
	case ret.At("result") == false:
		return salt.Result{Result: salt.False(), Changes: ret.Map("changes"), Comment: ret.Str("comment")}
	}
	return salt.Changed(ret, "Upgrade successful.")
}

func (a uptodateArgs) where() upgradeArgs { return upgradeArgs{a.BinEnv, a.User, a.Cwd, a.UseVt} }

type verArgs struct {
	Ver string `py:"ver"` // a version of pip
}

// pipHasInternalExceptionsMod is a helper of Salt's that its loader shows as a
// state; it answers nothing that a state could.
func pipHasInternalExceptionsMod(_ *salt.Ctx, a verArgs) salt.Result { return noState() }

// pipHasExceptionsMod is a helper of Salt's that its loader shows as a state.
func pipHasExceptionsMod(_ *salt.Ctx, a verArgs) salt.Result { return noState() }

// purgePip is a helper of Salt's that its loader shows as a state.
func purgePip(_ *salt.Ctx, _ salt.NoArgs) salt.Result { return noState() }

func noState() salt.Result {
	return salt.Failed("this is a helper of Salt's pip module and no state")
}
