package pkg

import (
	"encoding/xml"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// zypper is the manager of SUSE.
type zypper struct{ rpm }

func newZypper(c *salt.Ctx) zypper { return zypper{rpm{tool{c}}} }

// call runs zypper. 100 to 103 are no failures, 6 and 106 to 107 warnings.
func (z zypper) call(query bool, words ...string) (output, error) {
	argv := []string{"zypper", "--non-interactive"}
	if i := slices.Index(words, "--xmlout"); i >= 0 {
		argv = append(argv, "--xmlout")
		words = slices.Delete(slices.Clone(words), i, i+1) // the caller looks at it again
	}
	if !slices.Contains(words, "refresh") && !slices.Contains(words, "--no-refresh") {
		argv = append(argv, "--no-refresh")
	}
	return z.run(query, append(argv, words...)...)
}

func fine(code int) bool {
	return code == 0 || code >= 100 && code <= 103 || code == 6 || code == 106 || code == 107
}

// must runs zypper; what it complains about when it fails is the error.
func (z zypper) must(query bool, words ...string) (output, error) {
	out, err := z.call(query, words...)
	return z.judged(out, err, slices.Contains(words, "--xmlout"))
}

// judged makes an error of a failure, with zypper's words: in XML, or all that
// it printed.
func (z zypper) judged(out output, err error, inXML bool) (output, error) {
	if err == nil && !fine(out.code) {
		text := strings.TrimSpace(out.stderr) + strings.TrimSpace(out.stdout)
		if inXML {
			text = complaint(out)
		}
		if text == "" {
			text = "Check Zypper's logs."
		}
		err = salt.CommandError("Zypper command failure: %s", text)
	}
	return out, err
}

// complaint are the errors in XML.
func complaint(out output) string {
	var doc struct {
		Messages []struct {
			Type string `xml:"type,attr"`
			Text string `xml:",chardata"`
		} `xml:"message"`
	}
	if xml.Unmarshal([]byte(out.stdout), &doc) != nil {
		return strings.TrimSpace(out.stderr)
	}
	var texts []string
	for _, m := range doc.Messages {
		if m.Type == "error" {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func (z zypper) list() (*listing, error) {
	return z.listed(func() (*value.Map, error) {
		m, err := z.query()
		for _, name := range keys(m) {
			if strings.HasPrefix(name, "gpg-pubkey") {
				m.Pop(name)
			}
		}
		return m, err
	})
}

// refresh has zypper read the repositories: True for one that was read, False
// for one that is current.
func (z zypper) refresh(refreshOptions) (*value.Map, error) {
	clearRtag(z.c)
	words := []string{"refresh"}
	force := true
	if v, ok := z.c.Pillar.Map("zypper").Get("refreshdb_force"); ok {
		force = value.Truth(v)
	}
	if force {
		words = append(words, "--force")
	}
	out, err := z.must(true, words...)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for line := range strings.Lines(out.stdout) {
		line = strings.TrimSpace(line)
		_, rest, ok := strings.Cut(line, "'")
		name, _, _ := strings.Cut(rest, "'")
		switch {
		case !ok:
		case strings.HasPrefix(line, "Repository") && strings.Contains(line, "is up to date"):
			ret.Set(strings.TrimSpace(name), false)
		case strings.HasPrefix(line, "Building") && strings.Contains(line, "done"):
			ret.Set(strings.TrimSpace(name), true)
		}
	}
	return ret, nil
}

func (z zypper) latest(names []string, o latestOptions) (*value.Map, error) {
	if o.refresh {
		if _, err := z.refresh(refreshOptions{}); err != nil {
			return nil, err
		}
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(names)))
	out, err := z.must(true, append([]string{"info", "-t", "package"}, sorted...)...)
	if err != nil {
		return nil, err
	}
	infos := map[string]map[string]string{}
	for part := range strings.SplitSeq(out.stdout, "Information for package") {
		info := map[string]string{}
		for line := range strings.Lines(part) {
			if key, val, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "-----") && strings.TrimSpace(val) != "" {
				info[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(val)
			}
		}
		if info["name"] != "" {
			infos[info["name"]] = info
		}
	}
	ret := new(value.Map)
	for _, name := range sorted {
		status := strings.ToLower(infos[name]["status"])
		v := ""
		if strings.Contains(status, "not installed") || strings.Contains(status, "out-of-date") {
			v = infos[name]["version"]
		}
		ret.Set(name, v)
	}
	return ret, nil
}

func (z zypper) available(names []string) (*value.Map, error) {
	out, err := z.must(true, append([]string{"--xmlout", "se", "-s"}, names...)...)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Solvables []struct {
			Kind    string `xml:"kind,attr"`
			Name    string `xml:"name,attr"`
			Edition string `xml:"edition,attr"`
		} `xml:"search-result>solvable-list>solvable"`
	}
	if err := xml.Unmarshal([]byte(out.stdout), &doc); err != nil {
		return nil, salt.CommandError("zypper: %s", err)
	}
	ret := new(value.Map)
	for _, s := range doc.Solvables {
		if s.Kind != "package" || s.Edition == "" || len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return value.Fnmatch(s.Name, n) }) {
			continue
		}
		have := versions(ret, s.Name)
		if !slices.Contains(have, s.Edition) {
			have = append(have, s.Edition)
			z.newestFirst(have)
			ret.Set(s.Name, value.Strings(have))
		}
	}
	return ret, nil
}

func (z zypper) install(in installArgs) (*value.Map, error) {
	kw := in.Kwargs
	if isTrue(in.Refresh) {
		if _, err := z.refresh(refreshOptions{}); err != nil {
			return nil, err
		}
	}
	params, kind, err := targets(z.c, z, value.Str(orEmpty(in.Name)), in.Pkgs, in.Sources, saltenv(kw), in.Normalize, kw.At("version"))
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	words, err := z.words(params, kind)
	if err != nil {
		return nil, err
	}
	cmd := []string{"install", "--auto-agree-with-licenses", "--name"}
	if kw.Truth("resolve_capabilities") {
		cmd[2] = "--capability"
	}
	if !isTrue(in.Refresh) {
		cmd = append([]string{"--no-refresh"}, cmd...)
	}
	if in.SkipVerify {
		cmd = append([]string{"--no-gpg-checks"}, cmd...)
	}
	if in.Downloadonly {
		cmd = append(cmd, "--download-only")
	}
	if from := value.Str(orEmpty(in.Fromrepo)); from != "" {
		cmd = append(cmd, "--force", "--force-resolution", "--from", from)
	}
	if kw.Truth("no_recommends") {
		cmd = append(cmd, "--no-recommends")
	}
	return altered(z, "Problem encountered installing package(s)", func() ([]string, error) {
		out, err := z.mayFail(kw.Truth("ignore_repo_failure"), append(slices.Clone(cmd), words...)...)
		if err != nil {
			return nil, err
		}
		var lower []string
		for line := range strings.Lines(out.stdout) {
			if rest, ok := strings.CutPrefix(line, "The selected package '"); ok && strings.Contains(rest, "has lower version") {
				name, _, _ := strings.Cut(rest, "'")
				lower = append(lower, name)
			}
		}
		if len(lower) > 0 {
			_, err = z.mayFail(kw.Truth("ignore_repo_failure"), append(append(slices.Clone(cmd), "--force"), lower...)...)
		}
		return nil, err
	})
}

func (z zypper) mayFail(ignore bool, words ...string) (output, error) {
	if ignore {
		return z.call(false, words...)
	}
	return z.must(false, words...)
}

// words are packages as zypper takes them: NAME=VERSION, NAME>VERSION.
func (z zypper) words(params *value.Map, kind string) ([]string, error) {
	var out []string
	for name, v := range params.Items() {
		switch {
		case kind == fromFile || v == nil:
			out = append(out, name)
		case strings.Contains(value.Str(v), "*"):
			known, err := z.available([]string{name})
			if err != nil {
				return nil, err
			}
			chosen, problem := choose(z, name, strings.TrimLeft(value.Str(v), "="), versions(known, name), false)
			if problem != "" {
				return nil, salt.CommandError("%s", problem)
			}
			out = append(out, name+"="+chosen)
		default:
			oper, version := splitComparison(value.Str(v))
			if oper == "" {
				oper = "="
			}
			out = append(out, name+oper+version)
		}
	}
	return out, nil
}

// uninstall removes packages; to purge is the same.
func (z zypper) uninstall(_ string, in uninstallArgs) (*value.Map, error) {
	names, err := z.present(z, in)
	if err != nil || len(names) == 0 {
		return new(value.Map), err
	}
	return altered(z, "Problem encountered removing package(s)", func() ([]string, error) {
		_, err := z.must(false, append([]string{"remove"}, names...)...)
		return nil, err
	})
}

func (z zypper) upgrades(_ bool, fromrepo string) (*value.Map, error) {
	words := []string{"--xmlout", "list-updates"}
	if fromrepo != "" {
		words = append(words, "--repo", fromrepo)
	}
	out, err := z.must(true, words...)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Updates []struct {
			Kind    string `xml:"kind,attr"`
			Name    string `xml:"name,attr"`
			Edition string `xml:"edition,attr"`
		} `xml:"update-status>update-list>update"`
	}
	if err := xml.Unmarshal([]byte(out.stdout), &doc); err != nil {
		return nil, salt.CommandError("zypper: %s", err)
	}
	ret := new(value.Map)
	for _, u := range doc.Updates {
		if u.Kind == "package" {
			ret.Set(u.Name, u.Edition)
		}
	}
	return ret, nil
}

func (z zypper) upgrade(in upgradeArgs) (*value.Map, error) {
	kw := plain(in.Kwargs)
	if isTrue(in.Refresh) {
		if _, err := z.refresh(refreshOptions{}); err != nil {
			return nil, err
		}
	}
	words := []string{"update", "--auto-agree-with-licenses"}
	from := "--repo"
	if in.DistUpgrade {
		words[0], from = "dist-upgrade", "--from"
	}
	if kw.Truth("skip_verify") {
		words = append([]string{"--no-gpg-checks"}, words...)
	}
	if kw.Truth("dryrun") {
		words = append(words, "--dry-run")
	}
	if l, ok := asList(kw.At("fromrepo")); ok {
		for _, it := range l {
			words = append(words, from, value.Str(it))
		}
	} else if s := kw.Str("fromrepo"); s != "" {
		words = append(words, from, s)
	}
	if in.DistUpgrade && kw.Truth("novendorchange") {
		words = append(words, "--no-allow-vendor-change")
	}
	if in.DistUpgrade && kw.Truth("no_recommends") {
		words = append(words, "--no-recommends")
	}
	if !in.DistUpgrade && (kw.Truth("name") || kw.Truth("pkgs")) {
		params, _, err := targets(z.c, z, kw.Str("name"), kw.At("pkgs"), nil, "base", true, nil)
		if err != nil {
			return nil, err
		}
		words = append(words, keys(params)...)
	}
	return upgraded(z, func() (output, error) {
		out, err := z.call(false, words...)
		if fine(out.code) {
			out.code = 0
		}
		return out, err
	})
}

func (z zypper) downloaded(root string) (*value.Map, error) {
	return z.cached(strings.TrimSuffix(root, "/") + "/var/cache/zypp/packages")
}
