package pkg

import (
	"encoding/xml"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A repoKeeper is a manager whose repositories are sections of .repo files.
type repoKeeper interface {
	repo(name string, kw *value.Map) (*value.Map, error)
	repos(kw *value.Map) (*value.Map, error)
	delRepo(name string, kw *value.Map) (any, error)
	modRepo(name string, kw *value.Map) (*value.Map, error)
}

const zypperRepos = "/etc/zypp/repos.d"

// rooted is a path below the root that the keyword arguments name.
func rooted(path string, kw *value.Map) string {
	if root := kw.Str("root"); root != "" {
		return filepath.Join(root, path)
	}
	return path
}

// in runs zypper on the root that the keyword arguments name.
func (z zypper) in(kw *value.Map, words ...string) []string {
	if root := kw.Str("root"); root != "" {
		return append([]string{"--root", root}, words...)
	}
	return words
}

// repos are the repositories by alias, with true and false for 1 and 0.
func (z zypper) repos(kw *value.Map) (*value.Map, error) {
	dir, all := rooted(zypperRepos, kw), new(value.Map)
	entries, err := z.c.Sys.ReadDir(dir)
	if err != nil {
		z.c.Log.Warn("Repositories not found in " + dir)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".repo") {
			continue
		}
		b, err := z.c.Sys.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, salt.OSError(err)
		}
		for alias, section := range parseRepos(string(b)).sections.Items() {
			m := section.(*value.Map)
			m.Pop("comments")
			m.Set("alias", alias)
			for key, v := range m.Items() {
				switch v {
				case "0", "1":
					m.Set(key, v == "1")
				case "NONE":
					m.Set(key, nil)
				}
			}
			all.Set(alias, m)
		}
	}
	return all, nil
}

func (z zypper) repo(alias string, kw *value.Map) (*value.Map, error) {
	all, err := z.repos(kw)
	if m := all.Map(alias); m != nil || err != nil {
		return m, err
	}
	return new(value.Map), nil
}

func (z zypper) delRepo(alias string, kw *value.Map) (any, error) {
	all, err := z.repos(kw)
	if err != nil {
		return nil, err
	}
	if all.Has(alias) {
		out, err := z.must(false, z.in(kw, "--xmlout", "rr", "--loose-auth", "--loose-query", alias)...)
		if err != nil {
			return nil, err
		}
		var doc struct {
			Progress []struct{} `xml:"progress"`
			Messages []string   `xml:"message"`
		}
		if xml.Unmarshal([]byte(out.stdout), &doc) == nil && len(doc.Progress) > 0 && len(doc.Messages) > 0 {
			return value.M(alias, true, "message", doc.Messages[0]), nil
		}
	}
	return nil, salt.CommandError("Repository '%s' not found.", alias)
}

// modRepo adds a repository, or changes it; one that moves is removed and
// added again.
func (z zypper) modRepo(alias string, kw *value.Map) (*value.Map, error) {
	all, err := z.repos(kw)
	if err != nil {
		return nil, err
	}
	added := !all.Has(alias)
	if added {
		if err := z.addRepo(alias, all, kw); err != nil {
			return nil, err
		}
	}
	info, err := z.repo(alias, kw)
	if err != nil {
		return nil, err
	}
	if to, ok := kw.Get("baseurl"); ok && !added && !value.Equal(to, info.At("baseurl")) {
		info.Update(kw)
		if !info.Has("cache") {
			info.Set("cache", false)
		}
		if _, err := z.delRepo(alias, kw); err != nil {
			return nil, err
		}
		return z.modRepo(alias, info)
	}
	words := z.repoOptions(kw)
	if len(words) > 0 {
		words = append(append([]string{"--xmlout", "mr"}, words...), alias)
		if _, err := z.refreshable(z.in(kw, words...)...); err != nil {
			return nil, err
		}
	}
	trust := kw.At("gpgautoimport") == true
	if trust {
		if _, err := z.refreshable(z.in(kw, "--gpg-auto-import-keys", "refresh", "--force", alias)...); err != nil {
			return nil, err
		}
	}
	ret, err := z.repo(alias, kw)
	if err == nil && !trust && !added && len(words) == 0 {
		ret.Set("comment", "Specified arguments did not result in modification of repo")
	}
	return ret, err
}

// refreshable runs zypper and lets it read the repositories.
func (z zypper) refreshable(words ...string) (output, error) {
	argv, inXML := []string{"zypper", "--non-interactive"}, slices.Contains(words, "--xmlout")
	if inXML {
		argv = append(argv, "--xmlout")
		words = slices.DeleteFunc(words, func(w string) bool { return w == "--xmlout" })
	}
	out, err := z.run(false, append(argv, words...)...)
	return z.judged(out, err, inXML)
}

func (z zypper) addRepo(alias string, all, kw *value.Map) error {
	var given string
	for _, key := range []string{"url", "mirrorlist", "baseurl"} {
		if v, ok := kw.Get(key); ok {
			given = value.Str(orEmpty(v))
			break
		}
	}
	if given == "" {
		return salt.CommandError("Repository '%s' not found, and neither 'baseurl' nor 'mirrorlist' was specified", alias)
	}
	u, err := url.Parse(given)
	if err != nil || u.Scheme == "" {
		return salt.CommandError("Repository '%s' not found and URL for baseurl/mirrorlist is malformed", alias)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	for other, section := range all.Items() {
		if section.(*value.Map).Str("baseurl") == u.String() {
			return salt.CommandError("Repository '%s' already exists as '%s'.", alias, other)
		}
	}
	if _, err := z.must(false, z.in(kw, "--xmlout", "ar", given, alias)...); err != nil {
		return err
	}
	if all, err = z.repos(kw); err == nil && !all.Has(alias) {
		err = salt.CommandError("Failed add new repository '%s' for unspecified reason. Please check zypper logs.", alias)
	}
	return err
}

// repoOptions are the options of "zypper mr" that the arguments stand for.
func (z zypper) repoOptions(kw *value.Map) []string {
	var words []string
	for _, o := range [...][3]string{
		{"enabled", "--enable", "--disable"}, {"refresh", "--refresh", "--no-refresh"},
		{"cache", "--keep-packages", "--no-keep-packages"}, {"gpgcheck", "--gpgcheck", "--no-gpgcheck"},
	} {
		switch v, ok := kw.Get(o[0]); {
		case ok && value.Truth(v):
			words = append(words, o[1])
		case ok:
			words = append(words, o[2])
		}
	}
	if v, ok := kw.Get("priority"); ok {
		words = append(words, "--priority="+value.Str(v))
	}
	if v, ok := kw.Get("humanname"); ok {
		words = append(words, "--name='"+value.Str(v)+"'")
	}
	if v, ok := kw.Get("name"); ok {
		words = append(words, "--name", value.Str(v))
	}
	return words
}
