package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// dnf is the manager of Fedora, Red Hat and their relatives, called dnf5, dnf,
// tdnf or yum.
type dnf struct{ rpm }

func newDnf(c *salt.Ctx) dnf { return dnf{rpm{tool{c}}} }

// program is what it is called here, "" if it is not here.
func (d dnf) program() string {
	for _, name := range []string{"dnf5", "dnf", "tdnf", "yum"} {
		if d.c.Sys.LookPath(name) != "" {
			return name
		}
	}
	return ""
}

func (d dnf) list() (*listing, error) {
	return d.listed(func() (*value.Map, error) { return d.query("--nodigest", "--nosignature") })
}

// options choose repositories: fromrepo, disablerepo, enablerepo,
// disableexcludes, branch, setopt.
func (d dnf) options(kw *value.Map, fromrepo any) []string {
	var out []string
	each := func(key, option string) {
		switch v := kw.At(key).(type) {
		case nil:
		case *value.List:
			for _, it := range v.Items {
				out = append(out, option+value.Str(it))
			}
		default:
			if value.Truth(v) {
				out = append(out, option+value.Str(v))
			}
		}
	}
	from := value.Str(orEmpty(fromrepo))
	for _, key := range []string{"fromrepo", "repo"} {
		if from == "" {
			from = kw.Str(key)
		}
	}
	if from != "" {
		out = append(out, "--disablerepo=*", "--enablerepo="+from)
	} else {
		each("disablerepo", "--disablerepo=")
		each("enablerepo", "--enablerepo=")
	}
	each("disableexcludes", "--disableexcludes=")
	each("branch", "--branch=")
	if s, ok := kw.At("setopt").(string); ok {
		for part := range strings.SplitSeq(s, ",") {
			out = append(out, "--setopt="+strings.TrimSpace(part))
		}
		return out
	}
	each("setopt", "--setopt=")
	return out
}

// refresh drops what is known of the repositories and asks for updates: True
// when there are some, None when not, False when that failed.
func (d dnf) refresh(o refreshOptions) (*value.Map, error) {
	_, err := d.refreshed(true)
	return new(value.Map), err
}

func (d dnf) refreshed(check bool, options ...string) (any, error) {
	clearRtag(d.c)
	if _, err := d.run(true, append([]string{d.program(), "--quiet", "--assumeyes", "clean", "expire-cache"}, options...)...); err != nil || !check {
		return true, err
	}
	argv := []string{d.program(), "--quiet", "--assumeyes", "check-update"}
	if value.Equal(d.c.Grains.At("osmajorrelease"), int64(7)) && d.c.Grains.Str("os_family") == "RedHat" {
		argv = append(argv, "--setopt=autocheck_running_kernel=false")
	}
	out, err := d.run(true, append(argv, options...)...)
	switch {
	case err != nil:
		return nil, err
	case out.code == 100:
		return true, nil
	case out.code == 0:
		return nil, nil
	}
	return false, nil
}

// An offer is a package that a repository has.
type offer struct{ name, arch, version, repo string }

// offers reads what list prints: name, version and repository, which a narrow
// terminal breaks over lines.
func (d dnf) offers(text string) []offer {
	var words []string
	for line := range strings.Lines(text) {
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "installed packages", "available packages", "available upgrades", "updated packages", "upgraded packages", "updating and loading repositories:", "repositories loaded.":
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	var out []offer
	for i := 0; i+2 < len(words); i += 3 {
		base, arch := words[i], d.c.Grains.Str("osarch")
		if j := strings.LastIndexByte(base, '.'); j > 0 {
			base, arch = base[:j], base[j+1:]
		}
		out = append(out, offer{d.name(base, arch), arch, strings.TrimRight(words[i+1], "-"), words[i+2]})
	}
	return out
}

func (d dnf) latest(names []string, o latestOptions) (*value.Map, error) {
	options := d.options(nil, o.fromrepo)
	if o.refresh {
		if _, err := d.refreshed(true, options...); err != nil {
			return nil, err
		}
	}
	l, err := d.list()
	if err != nil {
		return nil, err
	}
	argv := append(append([]string{d.program(), "--quiet"}, options...), "list", "available")
	out, err := d.run(true, append(argv, names...)...)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for _, name := range names {
		ret.Set(name, "")
		if out.code != 0 {
			continue
		}
		var found []string
		for _, of := range d.offers(out.stdout) {
			if of.name == name {
				found = append(found, of.version)
			}
		}
		d.newestFirst(found)
		if len(found) > 0 && !d.covered(versions(l.current(), name), found[0]) {
			ret.Set(name, found[0])
		}
	}
	return ret, nil
}

// covered says that a version, or a newer one, is installed.
func (d dnf) covered(have []string, version string) bool {
	for _, v := range have {
		if n, _ := d.compare(v, version, false); n >= 0 {
			return true
		}
	}
	return false
}

func (d dnf) available(names []string) (*value.Map, error) {
	out, err := d.run(true, append([]string{d.program(), "--quiet", "--showduplicates", "list", "available"}, names...)...)
	if err != nil {
		return nil, err
	}
	found := map[string][]string{}
	var order []string
	for _, of := range d.offers(out.stdout) {
		if found[of.name] == nil {
			order = append(order, of.name)
		}
		found[of.name] = append(found[of.name], of.version)
	}
	ret := new(value.Map)
	for _, name := range order {
		d.newestFirst(found[name])
		ret.Set(name, value.Strings(found[name]))
	}
	return ret, nil
}

func (d dnf) install(in installArgs) (*value.Map, error) {
	kw := in.Kwargs
	options := d.options(kw, in.Fromrepo)
	if isTrue(in.Refresh) {
		if _, err := d.refreshed(true, options...); err != nil {
			return nil, err
		}
	}
	split := true
	if v, ok := kw.Get("split_arch"); ok {
		split = value.Truth(v)
	}
	params, kind, err := targets(d.c, d, value.Str(orEmpty(in.Name)), in.Pkgs, in.Sources, saltenv(kw), in.Normalize && split, kw.At("version"))
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	p, err := d.plan(d, in, params, kind)
	if err != nil {
		return nil, err
	}
	title := "Error occurred installing package(s)"
	if len(p.reinstall) > 0 {
		title = "Error occurred installing/reinstalling package(s)"
	}
	ret, err := altered(d, title, func() ([]string, error) { return d.carryOut(p, in, options) })
	if err != nil {
		return nil, err
	}
	return ret, d.again(p, ret)
}

// again notes what was installed again in the version it had.
func (d dnf) again(p *rpmPlan, ret *value.Map) error {
	l, err := d.list()
	if err != nil {
		return err
	}
	have := joined(l.current())
	for _, w := range p.reinstall {
		if !ret.Has(w.name) {
			ret.Set(w.name, value.M("old", have.Str(w.name), "new", have.Str(w.name)))
		}
	}
	return nil
}

func (d dnf) carryOut(p *rpmPlan, in installArgs, options []string) ([]string, error) {
	errs, prevented := p.errors, []string(nil)
	program := d.program()
	best := []string{"--best", "--allowerasing"}
	for _, step := range []struct {
		verb string
		pkgs []wanted
	}{{"install", p.install}, {"downgrade", p.downgrade}, {"reinstall", p.reinstall}} {
		if len(step.pkgs) == 0 {
			continue
		}
		kept, back, err := d.free(step.pkgs, in.Kwargs.Truth("update_holds"))
		if err != nil {
			return errs, err
		}
		prevented = append(prevented, kept...)
		pkgs := slices.DeleteFunc(slices.Clone(step.pkgs), func(w wanted) bool { return slices.Contains(kept, w.name) })
		if len(pkgs) == 0 {
			continue
		}
		argv := []string{program, "-y"}
		if program == "dnf" && step.verb == "install" {
			argv = append(argv, best...)
		}
		argv = append(argv, options...)
		if in.SkipVerify {
			argv = append(argv, "--nogpgcheck")
		}
		if in.Downloadonly && program != "dnf5" {
			argv = append(argv, "--downloadonly")
		}
		argv = append(argv, step.verb)
		if program == "dnf5" && step.verb == "install" {
			argv = append(argv, best...)
		}
		out, err := d.run(false, append(argv, specs(pkgs)...)...)
		if again := back(); err == nil {
			err = again
		}
		if err != nil {
			return errs, err
		}
		if out.code != 0 {
			errs = append(errs, strings.Trim(out.stdout+"\n"+out.stderr, "\n"))
		}
	}
	if len(prevented) > 0 {
		errs = append(errs, "The following package(s) could not be updated because they are being held: "+strings.Join(prevented, ", ")+
			". Set 'update_holds' to True to temporarily unhold these packages so that they can be updated.")
	}
	return errs, nil
}

func saltenv(kw *value.Map) string {
	if s := kw.Str("saltenv"); s != "" {
		return s
	}
	return "base"
}

// uninstall removes packages; to purge is the same.
func (d dnf) uninstall(_ string, in uninstallArgs) (*value.Map, error) {
	names, err := d.present(d, in)
	if err != nil || len(names) == 0 {
		return new(value.Map), err
	}
	return altered(d, "Error occurred removing package(s)", func() ([]string, error) {
		out, err := d.run(false, append([]string{d.program(), "-y", "remove"}, names...)...)
		if err == nil && out.code != 0 && out.stderr != "" {
			return []string{out.stderr}, nil
		}
		return nil, err
	})
}

// present are the packages to remove that are installed, in the version that
// is asked for.
func (r rpm) present(m manager, in uninstallArgs) ([]string, error) {
	params, _, err := targets(r.c, m, value.Str(orEmpty(in.Name)), in.Pkgs, nil, "base", true, nil)
	if err != nil || params.Len() == 0 {
		return nil, err
	}
	l, err := m.list()
	if err != nil {
		return nil, err
	}
	have := l.current()
	var names []string
	for _, name := range matched(have, params) {
		v, _ := params.At(name).(string)
		if v == "" {
			names = append(names, name)
			continue
		}
		for _, there := range versions(have, name) {
			if there == v {
				names = append(names, evrSpec(name, v))
			}
		}
	}
	return names, nil
}

func (d dnf) upgrades(_ bool, fromrepo string) (*value.Map, error) {
	what := "--upgrades"
	if p := d.program(); p != "dnf" && p != "dnf5" {
		what = "updates"
	}
	argv := append(append([]string{d.program(), "--quiet"}, d.options(nil, fromrepo)...), "list", what)
	out, err := d.run(true, argv...)
	ret := new(value.Map)
	for _, of := range d.offers(out.stdout) {
		ret.Set(of.name, of.version)
	}
	return ret, err
}

func (d dnf) upgrade(in upgradeArgs) (*value.Map, error) {
	kw := plain(in.Kwargs)
	options := d.options(kw, nil)
	if isTrue(in.Refresh) {
		if _, err := d.refreshed(true, options...); err != nil {
			return nil, err
		}
	}
	argv := append([]string{d.program(), "--quiet", "-y"}, options...)
	verb := "upgrade"
	if p := d.program(); kw.Has("obsoletes") && !kw.Truth("obsoletes") {
		if p == "dnf" || p == "dnf5" {
			argv = append(argv, "--setopt=obsoletes=False")
		} else {
			verb = "update"
		}
	}
	if kw.Truth("skip_verify") {
		argv = append(argv, "--nogpgcheck")
	}
	if kw.Truth("minimal") {
		verb += "-minimal"
	}
	argv = append(argv, verb)
	if kw.Truth("name") || kw.Truth("pkgs") {
		params, _, err := targets(d.c, d, kw.Str("name"), kw.At("pkgs"), nil, "base", true, nil)
		if err != nil {
			return nil, err
		}
		argv = append(argv, keys(params)...)
	}
	return upgraded(d, func() (output, error) { return d.run(false, argv...) })
}

func (d dnf) downloaded(root string) (*value.Map, error) {
	return d.cached(strings.TrimSuffix(root, "/") + "/var/cache/" + d.program())
}
