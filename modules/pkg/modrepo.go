package pkg

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/deb"
	"pinch/salt"
	"pinch/value"
)

type modRepoArgs struct {
	Repo    string     `py:"repo"`           // the entry, as a line of sources.list, or ppa:OWNER/NAME
	Saltenv string     `py:"saltenv='base'"` // the environment of a salt:// key
	Aptkey  bool       `py:"aptkey=True"`    // keys go to apt-key, where there is one, instead of a file
	Kwargs  *value.Map `py:"**kwargs"`       // file, comps, architectures, dist, uri, disabled, trusted, signedby, comments, consolidate, key_url, key_text, keyid, keyserver, refresh, ppa_auth
}

// modRepo adds a repository, or changes the entry that it has.
func modRepo(c *salt.Ctx, in modRepoArgs) (*value.Map, error) {
	if d, ok := managerOf(c).(repoKeeper); ok {
		return d.modRepo(in.Repo, plain(in.Kwargs))
	}
	a, err := aptOf(c, "mod_repo")
	if err != nil {
		return nil, err
	}
	kw := plain(in.Kwargs)
	refresh := true
	for _, k := range []string{"refresh", "refresh_db"} {
		if v, ok := kw.Get(k); ok {
			refresh = value.Truth(v)
		}
	}
	aptkey := in.Aptkey && c.Sys.LookPath("apt-key") != ""
	repo := in.Repo
	if strings.HasPrefix(repo, "ppa:") {
		line, done, err := a.addPPA(repo, kw, refresh)
		if err != nil || done != nil {
			return done, err
		}
		repo = line
	}
	all := a.sources()
	if kw.Truth("consolidate") {
		all = a.consolidate(all)
	}
	want, err := parseRepo(repo)
	if err != nil {
		return nil, err
	}
	if want.Invalid {
		return nil, salt.InvocationError("Name %s is not valid. This must be the complete repo entry as seen in the sources file", repo)
	}
	kw.Set("signedby", want.SignedBy)
	if err := a.addKeys(kw, in.Saltenv, aptkey); err != nil {
		return nil, err
	}
	comps := slices.Clone(want.Comps)
	if v, ok := kw.Get("comps"); ok {
		given := splitList(v)
		kw.Set("comps", list(given))
		for _, x := range given {
			if !slices.Contains(comps, x) {
				comps = append(comps, x)
			}
		}
	} else {
		kw.Set("comps", list(comps))
	}
	if v, ok := kw.Get("architectures"); ok {
		kw.Set("architectures", list(splitList(v)))
	} else {
		kw.Set("architectures", list(want.Arches))
	}
	if v, ok := kw.Get("disabled"); ok {
		kw.Set("disabled", isTrue(v))
	} else if v, ok := kw.Get("enabled"); ok {
		kw.Set("disabled", !isTrue(v))
	}
	s := matching(all, want, comps, kw)
	if s == nil {
		if s, err = newSource(repo, want, kw, aptkey); err != nil {
			return nil, err
		}
		all = append(all, s)
	} else if !s.Deb822() {
		old := s
		if s, err = deb.ParseLine(repo, old.File); err != nil {
			return nil, salt.InvocationError("%s", err)
		}
		s.Types, s.Comment, s.Disabled = old.Types, old.Comment, old.Disabled
		all[slices.Index(all, old)] = s
	}
	if v, ok := kw.Get("comments"); ok {
		s.SetComment(oneComment(v))
	}
	apply(s, kw)
	if !s.Deb822() {
		s.SetURIs(want.URIs)
	}
	if err := a.save(all); err != nil {
		return nil, err
	}
	if refresh {
		if _, err := a.refresh(refreshOptions{}); err != nil {
			return nil, err
		}
	}
	now, err := a.repo(repo, kw.Str("ppa_auth"))
	return value.M(repo, now), err
}

func splitList(v any) []string {
	if l, ok := v.(*value.List); ok {
		return texts(l.Items)
	}
	var out []string
	for _, s := range strings.Split(value.Str(v), ",") {
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

func oneComment(v any) string {
	if l, ok := v.(*value.List); ok {
		return strings.TrimSpace(strings.Join(texts(l.Items), " "))
	}
	return strings.TrimSpace(value.Str(v))
}

// matching is the entry that is to be changed, nil if there is none.
func matching(all []*deb.Source, want *deb.Source, comps []string, kw *value.Map) *deb.Source {
	for _, s := range all {
		if s.Invalid {
			continue
		}
		same := slices.Contains(s.Types, first(want.Types)) && slices.Contains(s.Suites, first(want.Suites)) &&
			slices.ContainsFunc(s.URIs, func(u string) bool { return sameURI(u, first(want.URIs)) })
		asked := kw.Has("dist") && kw.Has("type") && slices.Contains(s.Suites, kw.Str("dist")) && slices.Contains(s.Types, kw.Str("type"))
		if !same && !asked {
			continue
		}
		if len(s.Comps) == 0 || slices.ContainsFunc(comps, func(c string) bool { return slices.Contains(s.Comps, c) }) ||
			!slices.Equal(versions(kw, "architectures"), s.Arches) {
			return s
		}
	}
	return nil
}

func newSource(repo string, want *deb.Source, kw *value.Map, aptkey bool) (*deb.Source, error) {
	if !aptkey && kw.Str("signedby") == "" && !isYes(kw.At("trusted")) {
		return nil, salt.InvocationError("missing 'signedby' or 'trusted' option when apt-key is missing")
	}
	file := kw.Str("file")
	if file == "" {
		file = sourcesFile
	}
	if !strings.HasSuffix(file, ".sources") {
		s, err := deb.ParseLine(repo, file)
		if err != nil {
			return nil, salt.InvocationError("%s", err)
		}
		return s, nil
	}
	s := deb.ParseStanza("", file)
	s.Invalid = false
	s.SetTypes(want.Types)
	s.SetURIs(want.URIs)
	s.SetSuites(want.Suites)
	s.SetComps(want.Comps)
	if kw.At("trusted") == true || kw.At("Trusted") == true || !kw.Has("trusted") && want.Trusted != nil && *want.Trusted {
		s.SetTrusted(true)
	}
	return s, nil
}

func isYes(v any) bool {
	if s, ok := v.(string); ok {
		return slices.Contains([]string{"yes", "true", "with", "on", "enable", "1"}, strings.ToLower(s))
	}
	return value.Truth(v)
}

// apply sets what the caller says of an entry.
func apply(s *deb.Source, kw *value.Map) {
	for k, v := range kw.Items() {
		switch k {
		case "uri":
			s.SetURIs([]string{value.Str(v)})
		case "uris":
			if s.Deb822() {
				s.SetURIs(splitList(v))
			}
		case "types":
			if s.Deb822() {
				s.SetTypes(splitList(v))
			}
		case "suites":
			if s.Deb822() {
				s.SetSuites(splitList(v))
			}
		case "dist":
			s.SetSuites([]string{value.Str(v)})
		case "comps":
			s.SetComps(versions(kw, k))
		case "architectures":
			if arches := versions(kw, k); len(arches) > 0 || len(s.Arches) > 0 {
				s.SetArches(arches)
			}
		case "disabled":
			s.SetDisabled(value.Truth(v))
		case "file":
			s.File = value.Str(v)
		case "signedby":
			s.SetSignedBy(value.Str(v))
		case "trusted":
			s.SetTrusted(isYes(v))
		}
	}
}

// consolidate puts entries that differ in their components only into one of
// the main file.
func (a apt) consolidate(all []*deb.Source) []*deb.Source {
	byKey := map[string]*deb.Source{}
	var out []*deb.Source
	for _, s := range all {
		if s.Invalid {
			continue
		}
		key := strings.Join(slices.Concat(s.Arches, s.Types, s.URIs, s.Suites), " ")
		if s.Disabled {
			key = "#" + key
		}
		if s.File != sourcesFile {
			_ = a.c.Sys.Remove(s.File)
		}
		if have := byKey[key]; have != nil {
			for _, c := range s.Comps {
				if !slices.Contains(have.Comps, c) {
					have.SetComps(append(have.Comps, c))
				}
			}
			continue
		}
		byKey[key] = s
		s.File = sourcesFile
		out = append(out, s)
	}
	return out
}

// addPPA adds a PPA with apt-add-repository, or gives the line that it has.
func (a apt) addPPA(repo string, kw *value.Map, refresh bool) (line string, done *value.Map, err error) {
	auth := kw.Str("ppa_auth")
	line, ok := a.ppaLine(repo, auth)
	if !ok {
		return "", nil, salt.CommandError(`cannot parse "ppa:" style repo definitions: %s`, repo)
	}
	if a.c.Sys.LookPath("apt-add-repository") != "" && auth == "" {
		if m, err := a.repo(repo, ""); err != nil || m.Len() > 0 {
			return "", value.M(repo, m), err
		}
		out, err := a.run(command{argv: []string{"apt-add-repository", "-y", repo}})
		if err != nil {
			return "", nil, err
		}
		if out.code != 0 {
			return "", nil, salt.CommandError("Unable to add PPA '%s'. '%s' exited with status %d: '%s'", repo[4:], "['apt-add-repository', '-y', '"+repo+"']", out.code, out.stderr)
		}
		if refresh {
			_, err = a.refresh(refreshOptions{})
		}
		return "", value.M(repo, value.M("retcode", int64(0), "stdout", out.stdout, "stderr", out.stderr)), err
	}
	owner, name, ok := strings.Cut(repo[4:], "/")
	if !ok {
		return "", nil, salt.CommandError("Unable to get PPA info from argument. Expected format \"<PPA_OWNER>/<PPA_NAME>\" (e.g. saltstack/salt) not found.  Received '%s' instead.", repo[4:])
	}
	dist := a.c.Grains.Str("oscodename")
	kw.Set("dist", dist)
	if !kw.Has("file") {
		kw.Set("file", filepath.Join(sourcesDir, owner+"-"+name+"-"+dist+".list"))
	}
	if auth != "" {
		if !kw.Has("keyid") {
			return "", nil, salt.CommandError("Private PPAs require a keyid to be specified: %s/%s", owner, name)
		}
	} else {
		info, err := a.launchpad(owner, name)
		if err != nil {
			return "", nil, err
		}
		kw.Set("keyid", info.Str("signing_key_fingerprint"))
	}
	if !kw.Has("keyserver") {
		kw.Set("keyserver", "keyserver.ubuntu.com")
	}
	return line, nil, nil
}

// launchpad asks Launchpad for a PPA.
func (a apt) launchpad(owner, name string) (*value.Map, error) {
	f, err := a.c.Files().Get(a.c, "https://launchpad.net/api/1.0/~"+owner+"/+archive/"+name, a.c.Env, salt.GetOptions{})
	if err != nil {
		return nil, salt.CommandError("Launchpad does not know about %s/%s: %s", owner, name, err)
	}
	b, err := f.Read()
	if err != nil {
		return nil, err
	}
	v, err := value.ParseJSON(string(b))
	m, ok := v.(*value.Map)
	if err != nil || !ok || m.Str("signing_key_fingerprint") == "" {
		return nil, salt.CommandError("Launchpad knows about %s/%s but did not return a fingerprint. Please set keyid manually: %s", owner, name, value.Str(v))
	}
	return m, nil
}
