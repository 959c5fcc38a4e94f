package pkgrepo

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// managedRPM makes sure that a repository of dnf, yum or zypper is configured:
// one section of a file.
func managedRPM(c *salt.Ctx, a managedArgs, kw *value.Map, enabled, disabled any) salt.Result {
	repo := a.Name
	suse := c.Grains.Str("os_family") == "Suse"
	if a.Copr != nil && !suse {
		repo = "copr:" + value.Str(a.Copr)
	}
	kw.Set("name", a.Name)
	if v, ok := kw.Pop("humanname"); ok {
		kw.Set("name", v)
	}
	kw.Set("enabled", enabled == nil || isTrue(enabled))
	if disabled != nil {
		kw.Set("enabled", !isTrue(disabled))
	}
	read := func() (*value.Map, error) {
		v, err := c.CallKw("pkg.get_repo", kw, repo)
		m, _ := v.(*value.Map)
		return m, err
	}
	before, err := read()
	if err != nil {
		if isCommandError(err) {
			return salt.Failed("Failed to examine repo '%s': %s", a.Name, err)
		}
		return salt.Raised(err)
	}
	if before.Len() > 0 && sameRPM(kw, before, suse) {
		return salt.Correct("Package repo '%s' already configured", a.Name)
	}
	if c.Test {
		return salt.Would(expected(a.Name, before, kw), "Package repo '%s' would be configured. This may cause pkg states to behave differently than stated if this action is repeated without test=True, due to the differences in the configured repositories.", a.Name)
	}
	if _, err := c.CallKw("pkg.mod_repo", kw, repo); err != nil {
		return salt.Failed("Failed to configure repo '%s': %s", a.Name, err)
	}
	after, err := read()
	if err != nil {
		return salt.Failed("Failed to confirm config of repo '%s': %s", a.Name, err)
	}
	if before.Len() == 0 {
		return salt.Changed(value.M("repo", repo), "Configured package repo '%s'", a.Name)
	}
	changes := new(value.Map)
	for k := range kw.Items() {
		if !value.Equal(after.At(k), before.At(k)) {
			changes.Set(k, value.M("new", after.At(k), "old", before.At(k)))
		}
	}
	return salt.Changed(changes, "Configured package repo '%s'", a.Name)
}

// sameRPM compares what is to be with what is. What a file does not say counts
// as it is wanted, as in Salt, but for key_url, comps, and a repository that is
// to be off; for zypper also one that is to be on.
func sameRPM(want, have *value.Map, suse bool) bool {
	for k, v := range want.Items() {
		is, ok := have.Get(k)
		_, wantBool := v.(bool)
		_, isBool := is.(bool)
		good := true
		switch {
		case !ok && k == "enabled":
			good = isTrue(v) && !suse
		case !ok:
			good = k != "comps" && k != "key_url"
		case k == "comments" && !suse:
			good = slices.Equal(comments(v), comments(is))
		case wantBool || isBool:
			good = isTrue(v) == isTrue(is)
		default:
			good = value.Str(v) == value.Str(is)
		}
		if !good {
			return false
		}
	}
	return true
}

func comments(v any) []string {
	l, ok := v.(*value.List)
	if !ok {
		l = value.L(v)
	}
	var out []string
	for _, it := range l.Items {
		out = append(out, strings.TrimSpace(strings.TrimLeft(value.Str(it), "#")))
	}
	return out
}

// absentRPM makes sure that a repository of dnf, yum or zypper is not
// configured.
func absentRPM(c *salt.Ctx, a absentArgs) salt.Result {
	name := a.Name
	if v, ok := a.Kwargs.Get("copr"); ok {
		name = "copr:" + strings.TrimPrefix(value.Str(v), "copr:")
	}
	if a.Kwargs.At("keyid") != nil || a.Kwargs.At("keyid_ppa") != nil {
		return salt.Failed("Repo key management is not implemented for this platform")
	}
	kw := new(value.Map)
	if v, ok := a.Kwargs.Get("basedir"); ok {
		kw.Set("basedir", v)
	}
	v, err := c.CallKw("pkg.get_repo", kw, name)
	if err != nil {
		if isCommandError(err) {
			return salt.Failed("Failed to configure repo '%s': %s", name, err)
		}
		return salt.Raised(err)
	}
	if !value.Truth(v) {
		return salt.Correct("Package repo %s is absent", name)
	}
	if c.Test {
		return salt.Would(nil, "Package repo '%s' will be removed. This may cause pkg states to behave differently than stated if this action is repeated without test=True, due to the differences in the configured repositories.", name)
	}
	if _, err := c.CallKw("pkg.del_repo", kw, name); err != nil {
		if isCommandError(err) {
			return salt.Failed("%s", err)
		}
		return salt.Raised(err)
	}
	if v, err = c.CallKw("pkg.get_repo", kw, name); err != nil {
		return salt.Raised(err)
	}
	if value.Truth(v) {
		return salt.Failed("Failed to remove repo %s", name)
	}
	return salt.Changed(value.M("repo", name), "Removed repo %s", name)
}
