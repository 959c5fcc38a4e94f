package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// update has brew fetch what is new.
func (b brew) update() error {
	clearRtag(b.c)
	_, err := b.call(true, "update")
	return err
}

func (b brew) refresh(refreshOptions) (*value.Map, error) { return new(value.Map), b.update() }

// tap adds repositories that are not there yet. One that cannot be added is in
// the log; the installation tells the rest.
func (b brew) tap(taps []string) error {
	if len(taps) == 0 {
		return nil
	}
	out, err := b.call(true, "tap")
	if err != nil {
		return err
	}
	have := strings.Split(out.stdout, "\n")
	for _, t := range taps {
		if slices.Contains(have, t) {
			continue
		}
		if out, err := b.try(false, "tap", t); err != nil {
			return err
		} else if out.code != 0 {
			b.c.Log.Error(`Failed to tap "` + t + `": ` + out.stderr)
		}
	}
	return nil
}

// install installs packages; brew has one version of each, so a wish for
// another does not reach it.
func (b brew) install(in installArgs) (*value.Map, error) {
	if value.Truth(in.Sources) {
		b.c.Log.Warn(`Parameter "sources" ignored on MacOS hosts.`)
	}
	params, _, err := targets(b.c, b, value.Str(orEmpty(in.Name)), in.Pkgs, nil, "base", false, nil)
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	return across(b, func() error {
		if err := b.tap(words(in.Kwargs.At("taps"))); err != nil {
			return err
		}
		_, err := b.call(false, slices.Concat([]string{"install"}, keys(params), words(in.Kwargs.At("options")))...)
		return err
	})
}

func (b brew) uninstall(action string, in uninstallArgs) (*value.Map, error) {
	if action == "purge" {
		return nil, &salt.LookupError{Name: "pkg.purge"}
	}
	params, _, err := targets(b.c, b, value.Str(orEmpty(in.Name)), in.Pkgs, nil, "base", false, nil)
	if err != nil {
		return nil, err
	}
	l, err := b.list()
	if err != nil {
		return nil, err
	}
	names := filter(keys(params), l.current().Has)
	if len(names) == 0 {
		return new(value.Map), nil
	}
	return across(b, func() error {
		_, err := b.call(false, slices.Concat([]string{"uninstall"}, words(in.Kwargs.At("options")), names)...)
		return err
	})
}

// outdated are the packages that can be upgraded: formulae, and casks if they
// are asked for.
func (b brew) outdated(kw *value.Map) (*value.Map, error) {
	all, err := b.read(append([]string{"outdated", "--json=v2"}, words(kw.At("options"))...)...)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for _, kind := range []string{"formulae", "casks"} {
		if kind == "casks" && !kw.Truth("include_casks") {
			break
		}
		for p := range objects(all, kind) {
			ret.Set(p.Str("name"), p.Str("current_version"))
		}
	}
	return ret, nil
}

func (b brew) upgrades(bool, string) (*value.Map, error) { return b.outdated(new(value.Map)) }

func (b brew) upgrade(in upgradeArgs) (*value.Map, error) {
	return upgraded(b, func() (output, error) {
		if isTrue(in.Refresh) {
			if err := b.update(); err != nil {
				return output{}, err
			}
		}
		return b.try(false, "upgrade")
	})
}

// downloaded: brew's cache is not looked at, as in Salt.
func (b brew) downloaded(string) (*value.Map, error) { return new(value.Map), nil }

// selections are the pinned formulae, under hold.
func (b brew) selections(string) (*value.Map, error) {
	pinned, err := b.pinned()
	return value.M("hold", value.Strings(pinned)), err
}

func (b brew) pinned() ([]string, error) {
	out, err := b.call(true, "list", "--pinned")
	return strings.Fields(out.stdout), err
}

// hold pins formulae or unpins them.
func (b brew) hold(in holdArgs, on bool) (*value.Map, error) {
	names, err := heldNames(in)
	if err != nil {
		return nil, err
	}
	pinned, err := b.pinned()
	if err != nil {
		return nil, err
	}
	l, err := b.list()
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for _, name := range names {
		one, err := b.pin(name, on, slices.Contains(pinned, name), l.current().Has(name))
		if err != nil {
			return nil, err
		}
		ret.Set(name, one)
	}
	return ret, nil
}

// heldNames are the packages that a hold is about.
func heldNames(in holdArgs) ([]string, error) {
	switch {
	case !value.Truth(in.Name) && !value.Truth(in.Pkgs) && !value.Truth(in.Sources):
		return nil, salt.InvocationError("One of name, pkgs, or sources must be specified.")
	case value.Truth(in.Pkgs) && value.Truth(in.Sources):
		return nil, salt.InvocationError("Only one of pkgs or sources can be specified.")
	case value.Truth(in.Pkgs):
		return firstKeys(in.Pkgs), nil
	case value.Truth(in.Sources):
		return firstKeys(in.Sources), nil
	}
	return []string{value.Str(in.Name)}, nil
}

func (b brew) pin(name string, on, is, installed bool) (*value.Map, error) {
	verb, held, now, already, change := "pin", "held", "now being held", "already set to be held", value.M("old", "install", "new", "hold")
	if !on {
		verb, held, now, already, change = "unpin", "unheld", "no longer being held", "already set not to be held", value.M("old", "hold", "new", "install")
	}
	ret := value.M("name", name, "changes", new(value.Map), "result", false, "comment", "Package "+name+" does not have a state.")
	tell := func(result any, comment string) {
		ret.Set("result", result)
		ret.Set("comment", comment)
	}
	switch {
	case !installed:
	case is == on:
		tell(true, "Package "+name+" is "+already+".")
	case b.c.Test:
		tell(nil, "Package "+name+" is set to be "+held+".")
	default:
		out, err := b.try(false, verb, name)
		if err != nil {
			return nil, err
		}
		if out.code != 0 {
			b.c.Log.Error("Failed to " + verb + ` "` + name + `": ` + out.stderr)
			tell(false, "Unable to "+strings.TrimSuffix(verb, "pin")+"hold package "+name+".")
			break
		}
		ret.Set("changes", change)
		tell(true, "Package "+name+" is "+now+".")
	}
	return ret, nil
}

// homebrewPrefix is the folder that Homebrew lives in.
func homebrewPrefix(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	b, err := brewOf(c, "homebrew_prefix")
	if err != nil {
		return "", err
	}
	return b.prefix(), nil
}

// pinExec is hold by brew's own name.
func pinExec(c *salt.Ctx, a holdArgs) (*value.Map, error) {
	b, err := brewOf(c, "pin")
	if err != nil {
		return nil, err
	}
	return b.hold(a, true)
}

// unpinExec is unhold by brew's own name.
func unpinExec(c *salt.Ctx, a holdArgs) (*value.Map, error) {
	b, err := brewOf(c, "unpin")
	if err != nil {
		return nil, err
	}
	return b.hold(a, false)
}

// compare orders versions by their numbers and words, numbers before words.
func (b brew) compare(x, y string, ignoreEpoch bool) (int, bool) {
	if ignoreEpoch {
		x, y = dropEpoch(x), dropEpoch(y)
	}
	return py.LooseCompare(x, y), true
}
