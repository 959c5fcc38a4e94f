package pkgrepo

import (
	"slices"
	"strings"

	"pinch/deb"
	"pinch/salt"
	"pinch/value"
)

type absentArgs struct {
	Name   string     `py:"name"`     // the entry, as a line of sources.list
	Kwargs *value.Map `py:"**kwargs"` // ppa, ppa_auth; keyid or keyid_ppa: remove this key too; aptkey, keydir
}

// absent makes sure that a repository is not configured.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	if family := c.Grains.Str("os_family"); family == "RedHat" || family == "Suse" {
		return absentRPM(c, a)
	}
	name := a.Name
	if v, ok := a.Kwargs.Get("ppa"); ok && slices.Contains([]string{"Ubuntu", "Mint"}, c.Grains.Str("os")) {
		name = "ppa:" + strings.TrimPrefix(value.Str(v), "ppa:")
	}
	stripped := stripURI(name)
	repo, err := getRepo(c, stripped, a.Kwargs)
	if err != nil {
		if isCommandError(err) {
			return salt.Failed("Failed to configure repo '%s': %s", name, err)
		}
		return salt.Raised(err)
	}
	if repo.Len() > 0 {
		// An entry for other architectures is another one.
		if s, err := deb.ParseLine(stripped, ""); err == nil && !slices.Equal(sorted(s.Arches), sorted(words(repo.List("architectures")))) {
			repo = nil
		}
	}
	if repo.Len() == 0 {
		return salt.Correct("Package repo %s is absent", name)
	}
	if c.Test {
		return salt.Would(nil, "Package repo '%s' will be removed. This may cause pkg states to behave differently than stated if this action is repeated without test=True, due to the differences in the configured repositories.", name)
	}
	auth := new(value.Map)
	if v, ok := a.Kwargs.Get("ppa_auth"); ok {
		auth.Set("ppa_auth", v)
	}
	if _, err := c.CallKw("pkg.del_repo", auth, stripped); err != nil {
		if isCommandError(err) {
			return salt.Failed("%s", err)
		}
		return salt.Raised(err)
	}
	all, err := c.Call("pkg.list_repos")
	if err != nil {
		return salt.Raised(err)
	}
	if m, ok := all.(*value.Map); ok && m.Has(stripped) {
		return salt.Failed("Failed to remove repo %s", name)
	}
	r := salt.Changed(value.M("repo", name), "Removed repo %s", name)
	if a.Kwargs.At("keyid") == nil && a.Kwargs.At("keyid_ppa") == nil {
		return r
	}
	pass := new(value.Map)
	for _, k := range []string{"keyid", "keyid_ppa", "aptkey", "keydir"} {
		if v, ok := a.Kwargs.Get(k); ok {
			pass.Set(k, v)
		}
	}
	id, err := c.CallKw("pkg.del_repo_key", pass, stripped)
	if err != nil {
		r.Result = salt.False()
		r.Comment += ", but failed to remove key: " + err.Error()
		return r
	}
	r.Changes.Set("keyid", id)
	r.Comment += ", and keyid " + value.Str(id)
	return r
}

// stripURI drops the slashes at the ends of URIs.
func stripURI(repo string) string {
	f := strings.Fields(repo)
	for i, w := range f {
		if strings.HasPrefix(w, "http://") || strings.HasPrefix(w, "https://") || strings.HasPrefix(w, "ftp://") {
			f[i] = strings.TrimRight(w, "/")
		}
	}
	return strings.Join(f, " ")
}
