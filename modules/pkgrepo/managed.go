package pkgrepo

import (
	"errors"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type managedArgs struct {
	Name   string     `py:"name"`        // the entry, as a line of sources.list
	Ppa    any        `py:"ppa=None"`    // OWNER/NAME of a PPA instead, on Ubuntu
	Copr   any        `py:"copr=None"`   // for yum and dnf
	Aptkey bool       `py:"aptkey=True"` // keys go to apt-key, where there is one, instead of a file
	Kwargs *value.Map `py:"**kwargs"`    // file, clean_file, comps, architectures, dist, uri, disabled, enabled, trusted, signedby, comments, key_url, key_text, keyid, keyserver, consolidate, refresh, ppa_auth, allow_insecure_key
}

// managed makes sure that a repository is configured.
func managed(c *salt.Ctx, a managedArgs) salt.Result {
	kw := new(value.Map)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") {
			kw.Set(k, v)
		}
	}
	if kw.Has("repo") {
		return salt.Failed("'repo' is not a supported argument for this state. The 'name' argument is probably what was intended.")
	}
	enabled, _ := kw.Pop("enabled")
	disabled, _ := kw.Pop("disabled")
	if enabled != nil && disabled != nil {
		return salt.Failed("Only one of enabled/disabled is allowed")
	}
	insecure := true
	if v, ok := kw.Pop("allow_insecure_key"); ok {
		insecure = value.Truth(v)
	}
	if !insecure && strings.HasPrefix(strings.TrimSpace(kw.Str("key_url")), "http:") {
		return salt.Failed("Cannot have 'key_url' using http with 'allow_insecure_key' set to True")
	}
	switch family := c.Grains.Str("os_family"); {
	case family == "RedHat" || family == "Suse":
		return managedRPM(c, a, kw, enabled, disabled)
	case family != "Debian":
		return salt.Failed("Repo management not implemented on this platform")
	}
	repo := a.Name
	if a.Ppa != nil {
		repo = "ppa:" + value.Str(a.Ppa)
	}
	kw.Set("name", a.Name)
	kw.Set("disabled", isTrue(disabled))
	if enabled != nil {
		kw.Set("disabled", !isTrue(enabled))
	}
	kw.Set("aptkey", a.Aptkey && c.Sys.LookPath("apt-key") != "")
	before, err := getRepo(c, repo, kw)
	if err != nil {
		if isCommandError(err) {
			return salt.Failed("Failed to examine repo '%s': %s", a.Name, err)
		}
		return salt.Raised(err)
	}
	want, err := expand(c, repo, kw)
	if err != nil {
		return salt.Raised(err)
	}
	if before.Len() > 0 && !unclean(c, a.Name, kw) {
		before = before.Shallow()
		before.Pop("file")
		want.Pop("file")
		if same(want, before, kw) {
			return salt.Correct("Package repo '%s' already configured", a.Name)
		}
	}
	if before.Len() > 0 && !kw.Has("uri") && before.Str("uri") != want.Str("uri") {
		kw.Set("uri", want.At("uri"))
	}
	if l := want.List("uris"); before.Len() > 0 && !kw.Has("uris") && l.Len() > 0 && !slices.Contains(words(before.At("uris")), value.Str(l.Items[0])) {
		kw.Set("uris", l)
	}
	if c.Test {
		return salt.Would(expected(a.Name, before, want), "Package repo '%s' would be configured. This may cause pkg states to behave differently than stated if this action is repeated without test=True, due to the differences in the configured repositories.", a.Name)
	}
	return configure(c, a.Name, repo, before, want, kw)
}

func expected(name string, before, want *value.Map) *value.Map {
	if before.Len() == 0 {
		return value.M("repo", name)
	}
	changes := new(value.Map)
	for k, v := range want.Items() {
		if !value.Equal(v, before.At(k)) {
			changes.Set(k, value.M("new", v, "old", before.At(k)))
		}
	}
	return changes
}

func configure(c *salt.Ctx, name, repo string, before, want, kw *value.Map) salt.Result {
	if kw.Truth("clean_file") {
		if err := sys.WriteFile(c.Sys, kw.Str("file"), nil, sys.FileAttrs{}); err != nil {
			return salt.Raised(err)
		}
	}
	kw.Set("saltenv", c.Env)
	if _, err := c.CallKw("pkg.mod_repo", kw, repo); err != nil {
		return salt.Failed("Failed to configure repo '%s': %s", name, err)
	}
	after, err := getRepo(c, repo, kw)
	if err != nil {
		return salt.Failed("Failed to confirm config of repo '%s': %s", name, err)
	}
	if before.Len() == 0 {
		return salt.Changed(value.M("repo", repo), "Configured package repo '%s'", name)
	}
	changes := new(value.Map)
	for k := range want.Items() {
		if !value.Equal(after.At(k), before.At(k)) {
			changes.Set(k, value.M("new", after.At(k), "old", before.At(k)))
		}
	}
	return salt.Changed(changes, "Configured package repo '%s'", name)
}

func getRepo(c *salt.Ctx, repo string, kw *value.Map) (*value.Map, error) {
	pass := new(value.Map)
	if v, ok := kw.Get("ppa_auth"); ok {
		pass.Set("ppa_auth", v)
	}
	v, err := c.CallKw("pkg.get_repo", pass, repo)
	m, _ := v.(*value.Map)
	return m, err
}

// unclean says that clean_file is asked for, and the file has other lines.
func unclean(c *salt.Ctx, name string, kw *value.Map) bool {
	if !kw.Truth("clean_file") || !sys.IsFile(c.Sys, kw.Str("file")) {
		return false
	}
	b, _ := c.Sys.ReadFile(kw.Str("file"))
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line != strings.TrimSpace(name) {
			return true
		}
	}
	return false
}

// same compares what is to be with what is, as Salt does.
func same(want, have, kw *value.Map) bool {
	for k, v := range want.Items() {
		is, ok := have.Get(k)
		switch {
		case !ok:
			if k == "comps" {
				return false
			}
		case k == "comps" || k == "architectures" && want.List(k).Len() > 0:
			if !slices.Equal(sorted(words(v)), sorted(words(is))) {
				return false
			}
		case k == "line":
			if want.Truth("disabled") {
				continue
			}
			line, comment, _ := strings.Cut(value.Str(is), "#")
			if !slices.Equal(lineWords(value.Str(v)), lineWords(line)) {
				return false
			}
			if given, ok := kw.Get("comments"); ok && strings.TrimSpace(comment) != oneComment(given) {
				return false
			}
		case value.Str(v) != value.Str(is):
			return false
		}
	}
	return true
}

func sorted(l []string) []string {
	slices.Sort(l)
	return l
}

// lineWords are the words of a line, those behind the third sorted.
func lineWords(line string) []string {
	f := strings.Fields(line)
	if len(f) > 3 {
		slices.Sort(f[3:])
	}
	return f
}

func oneComment(v any) string {
	if l, ok := v.(*value.List); ok {
		return strings.TrimSpace(strings.Join(words(l), " "))
	}
	return strings.TrimSpace(value.Str(v))
}

func isTrue(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.EqualFold(v, "true") || v == "1"
	case int64:
		return v > 0
	}
	return value.Truth(v)
}

func isCommandError(err error) bool {
	var e *value.Exception
	return errors.As(err, &e) && (e.Class == "CommandExecutionError" || e.Class == "SaltInvocationError")
}
