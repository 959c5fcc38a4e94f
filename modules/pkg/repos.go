package pkg

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/deb"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const (
	sourcesFile = "/etc/apt/sources.list"
	sourcesDir  = "/etc/apt/sources.list.d"
)

// sources are all entries of apt's sources. A file with a mistake is left out.
func (a apt) sources() []*deb.Source {
	files := []string{sourcesFile}
	entries, _ := a.c.Sys.ReadDir(sourcesDir)
	for _, e := range entries {
		if n := e.Name(); strings.HasSuffix(n, ".list") || strings.HasSuffix(n, ".sources") {
			files = append(files, filepath.Join(sourcesDir, n))
		}
	}
	var all []*deb.Source
	for _, f := range files {
		if !sys.IsFile(a.c.Sys, f) {
			continue
		}
		b, err := a.c.Sys.ReadFile(f)
		if err == nil {
			var found []*deb.Source
			if found, err = deb.ParseSources(string(b), f); err == nil {
				all = append(all, found...)
			}
		}
		if err != nil {
			a.c.Log.Error("Could not parse source file '" + f + "': " + err.Error())
		}
	}
	return all
}

const emptySources = `## See sources.list(5) for more information, especialy
# Remember that you can only use http, ftp or file URIs
# CDROMs are managed through the apt-cdrom tool.
`

// save writes the files of the entries; those that need no change stay.
func (a apt) save(all []*deb.Source) error {
	texts := new(value.Map)
	for _, s := range all {
		text, seen := texts.Get(s.File)
		if !seen {
			text = ""
		} else if s.Deb822() {
			text = text.(string) + "\n"
		}
		texts.Set(s.File, text.(string)+s.String()+"\n")
	}
	if len(all) == 0 && sys.IsDir(a.c.Sys, filepath.Dir(sourcesFile)) {
		texts.Set(sourcesFile, emptySources)
	}
	for file, text := range texts.Items() {
		if b, err := a.c.Sys.ReadFile(file); err == nil && string(b) == text {
			continue
		}
		if err := sys.WriteFile(a.c.Sys, file, []byte(text.(string)), sys.FileAttrs{}); err != nil {
			return err
		}
	}
	return nil
}

// repos maps URIs to what is there of them: one for each type and suite.
func (a apt) repos() *value.Map {
	ret := new(value.Map)
	for _, s := range a.sources() {
		if s.Invalid {
			continue
		}
		for _, uri := range s.URIs {
			for _, suite := range s.Suites {
				for _, kind := range s.Types {
					l := ret.List(uri)
					if l == nil {
						l = value.L()
						ret.Set(uri, l)
					}
					l.Append(repoMap(s, uri, suite, kind))
				}
			}
		}
	}
	return ret
}

func repoMap(s *deb.Source, uri, suite, kind string) *value.Map {
	line := strings.TrimSpace(s.Line)
	if s.Deb822() {
		if plain, err := deb.ParseLine(strings.Join(append([]string{kind, uri, suite}, s.Comps...), " "), ""); err == nil {
			plain.Disabled, plain.Arches, plain.SignedBy, plain.Trusted = s.Disabled, s.Arches, s.SignedBy, s.Trusted
			line = plain.String()
		}
	}
	return value.M("file", s.File, "comps", list(s.Comps), "disabled", s.Disabled, "enabled", !s.Disabled, "dist", suite,
		"suites", list(s.Suites), "type", kind, "types", list(s.Types), "uri", uri, "uris", list(s.URIs), "line", line,
		"architectures", list(s.Arches), "signedby", s.SignedBy)
}

func list(items []string) *value.List { return value.Strings(slices.Clone(items)) }

// ppaLine is the entry of a PPA of Launchpad, for the systems that have them.
func (a apt) ppaLine(repo, auth string) (string, bool) {
	if !strings.HasPrefix(repo, "ppa:") || !slices.Contains([]string{"Ubuntu", "Mint", "neon"}, a.c.Grains.Str("os")) {
		return repo, false
	}
	owner, name, _ := strings.Cut(repo[4:], "/")
	base := "deb http://ppa.launchpad.net/"
	if auth != "" {
		base = "deb https://" + auth + "@private-ppa.launchpad.net/"
	}
	return base + owner + "/" + name + "/ubuntu " + a.c.Grains.Str("oscodename") + " main", true
}

// parseRepo reads a repository that a caller names.
func parseRepo(repo string) (*deb.Source, error) {
	s, err := deb.ParseLine(repo, sourcesFile)
	if err != nil {
		return nil, salt.InvocationError("%s", err)
	}
	return s, nil
}

func first(l []string) string {
	if len(l) == 0 {
		return ""
	}
	return l[0]
}

func sameURI(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }

// repo is the entry that has type, URI, suite and one of the components of a
// line; empty when there is none.
func (a apt) repo(line, ppaAuth string) (*value.Map, error) {
	line, _ = a.ppaLine(line, ppaAuth)
	all := a.repos()
	if all.Len() == 0 {
		return new(value.Map), nil
	}
	want, err := parseRepo(line)
	if err != nil {
		return nil, err
	}
	for _, l := range all.Items() {
		for _, it := range l.(*value.List).Items {
			m := it.(*value.Map)
			if m.Str("type") != first(want.Types) || !sameURI(m.Str("uri"), first(want.URIs)) || m.Str("dist") != first(want.Suites) {
				continue
			}
			have := versions(m, "comps")
			if len(want.Comps) == 0 || slices.ContainsFunc(want.Comps, func(c string) bool { return slices.Contains(have, c) }) {
				return m, nil
			}
		}
	}
	return new(value.Map), nil
}

// delRepo takes a repository out of the sources, and tells from which files.
func (a apt) delRepo(repo, ppaAuth string) (string, error) {
	line, isPPA := a.ppaLine(repo, ppaAuth)
	all := a.sources()
	want, err := parseRepo(line)
	if err != nil {
		return "", err
	}
	touched := new(value.Map)
	keep := all[:0:0]
	for _, s := range all {
		fits := !s.Invalid && slices.ContainsFunc(s.URIs, func(u string) bool { return sameURI(u, first(want.URIs)) }) &&
			slices.Contains(s.Suites, first(want.Suites)) &&
			(slices.Contains(s.Types, first(want.Types)) && slices.Equal(s.Arches, want.Arches) ||
				isPPA && slices.Contains(s.Types, "deb-src"))
		if !fits || !cut(s, want, touched) {
			keep = append(keep, s)
		}
	}
	if touched.Len() == 0 {
		return "", salt.CommandError("Repo %s doesn't exist in the sources.list(s)", line)
	}
	if err := a.save(keep); err != nil {
		return "", err
	}
	text := ""
	for file := range touched.Items() {
		left := slices.ContainsFunc(keep, func(s *deb.Source) bool { return !s.Invalid && s.File == file })
		if !left && strings.Contains(file, "sources.list.d/") {
			text += "File " + file + " containing repo '" + line + "' has been removed."
			_ = a.c.Sys.Remove(file)
			continue
		}
		text += "Repo '" + line + "' has been removed from " + file + ".\n"
	}
	_, err = a.refresh(refreshOptions{})
	return text, err
}

// cut takes out of an entry what a repository names, and says whether nothing
// of it is left.
func cut(s, want *deb.Source, touched *value.Map) bool {
	rest := slices.DeleteFunc(slices.Clone(s.Comps), func(c string) bool { return slices.Contains(want.Comps, c) })
	same := len(rest) == 0 && len(s.Comps) == len(want.Comps)
	switch {
	case same:
		touched.Set(s.File, true)
		s.SetSuites(slices.DeleteFunc(slices.Clone(s.Suites), func(x string) bool { return x == first(want.Suites) }))
		return len(s.Suites) == 0
	case len(rest) < len(s.Comps):
		touched.Set(s.File, true)
		s.SetComps(rest)
		return len(rest) == 0
	}
	return false
}
