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

// A plan is what an installation has to do.
type plan struct {
	targets, downgrade []string   // as apt-get takes them
	reinstall          *value.Map // name → as apt-get takes it
	errors             []string
}

// install installs packages of repositories, or package files.
func (a apt) install(in installArgs) (*value.Map, error) {
	kw := in.Kwargs
	refresh, err := a.mustRefresh(in)
	if err != nil {
		return nil, err
	}
	if value.Truth(in.Debconf) {
		if _, err := a.c.Call("debconf.set_file", in.Debconf); err != nil {
			return nil, err
		}
	}
	normalize := in.Normalize
	if v, ok := kw.Get("split_arch"); ok {
		normalize = normalize && value.Truth(v)
	}
	saltenv := kw.Str("saltenv")
	if saltenv == "" {
		saltenv = "base"
	}
	params, kind, err := targets(a.c, a, value.Str(orEmpty(in.Name)), in.Pkgs, in.Sources, saltenv, normalize, kw.At("version"))
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	l, err := a.list()
	if err != nil {
		return nil, err
	}
	old := joined(l.current())
	p, err := a.plan(in, params, kind, old)
	if err != nil {
		return nil, err
	}
	cmds := p.commands(in, kind)
	ret := new(value.Map)
	if len(cmds) > 0 {
		if refresh {
			if _, err := a.refresh(refreshOptions{cacheValid: kw.At("cache_valid_time")}); err != nil {
				return nil, err
			}
		}
		failures, err := a.carryOut(cmds, p, kw)
		if err != nil {
			return nil, err
		}
		p.errors = append(p.errors, failures...)
		if l, err = a.list(); err != nil {
			return nil, err
		}
		after := joined(l.current())
		ret = difference(old, after)
		for name := range p.reinstall.Items() {
			if !ret.Has(name) || old.Has(name) {
				ret.Set(name, value.M("old", old.Str(name), "new", after.Str(name)))
			}
		}
	}
	if len(p.errors) > 0 {
		return nil, &problem{"Problem encountered installing package(s)", value.M("errors", value.Strings(p.errors), "changes", ret)}
	}
	return ret, nil
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// mustRefresh says whether the lists have to be refreshed: not when every
// package is wanted in the very version that is the newest known.
func (a apt) mustRefresh(in installArgs) (bool, error) {
	if !isTrue(in.Refresh) {
		return false, nil
	}
	is := func(name string, version any) (bool, error) {
		m, err := a.latest([]string{name}, latestOptions{installed: true})
		return err == nil && value.Equal(m.At(name), version), err
	}
	if l, ok := asList(in.Pkgs); ok && len(l) > 0 {
		for _, it := range l {
			m, ok := it.(*value.Map)
			if !ok {
				return true, nil
			}
			for name, v := range m.Items() {
				if same, err := is(name, v); err != nil || !same {
					return true, err
				}
				break
			}
		}
		return false, nil
	}
	if v := in.Kwargs.At("version"); value.Truth(v) {
		same, err := is(value.Str(orEmpty(in.Name)), v)
		return !same, err
	}
	return true, nil
}

// plan sorts the targets: what is newer than what is there, what is older, and
// what is to be installed again.
func (a apt) plan(in installArgs, params *value.Map, kind string, old *value.Map) (*plan, error) {
	p := &plan{reinstall: new(value.Map)}
	if kind == fromFile {
		for path := range params.Items() {
			info, err := binInfo(a.c, path)
			if err != nil {
				return nil, err
			}
			a.place(p, in, info.name, path, info.version, old)
		}
		return p, nil
	}
	compared := func(v any) bool {
		s, ok := v.(string)
		return ok && (strings.HasPrefix(s, "<") || strings.HasPrefix(s, ">"))
	}
	var names []string
	for name, v := range params.Items() {
		if compared(v) {
			names = append(names, name)
		}
	}
	known := new(value.Map)
	if len(names) > 0 {
		var err error
		if known, err = a.available(names); err != nil {
			return nil, err
		}
	}
	for name, v := range params.Items() {
		wasCompared := compared(v)
		if given := in.Kwargs.At("version"); value.Truth(in.Name) && in.Pkgs == nil && value.Truth(given) && params.Len() == 1 {
			v = value.Str(given)
		}
		if v == nil {
			if in.Reinstall && old.Has(name) {
				p.reinstall.Set(name, name)
			} else {
				p.targets = append(p.targets, name)
			}
			continue
		}
		version := strings.TrimLeft(value.Str(v), "=")
		if wasCompared {
			candidates := versions(known, name)
			found := matchVersion(a, version, candidates, value.Truth(in.IgnoreEpoch))
			if found == "" {
				list := strings.Join(candidates, ", ")
				if list == "" {
					list = "None"
				}
				p.errors = append(p.errors, "No version matching '"+name+version+"' could be found (available: "+list+")")
				continue
			}
			version = found
		}
		a.place(p, in, name, name+"="+version, version, old)
	}
	return p, nil
}

func (a apt) place(p *plan, in installArgs, name, spec, version string, old *value.Map) {
	have := old.Str(name)
	switch {
	case in.Reinstall && have != "" && matches(a, version, "==", have, false):
		p.reinstall.Set(name, spec)
	case have == "" || matches(a, version, ">=", have, false):
		p.targets = append(p.targets, spec)
	default:
		p.downgrade = append(p.downgrade, spec)
	}
}

// commands are the calls of apt-get that carry out a plan.
func (p *plan) commands(in installArgs, kind string) [][]string {
	kw := in.Kwargs
	prefix := []string{"apt-get", "-q", "-y"}
	if kw.Truth("force_yes") {
		prefix = append(prefix, "--force-yes")
	}
	prefix = append(prefix, dpkgOptions(kw)...)
	if v, ok := kw.Get("install_recommends"); ok && !value.Truth(v) {
		prefix = append(prefix, "--no-install-recommends")
	} else if ok {
		prefix = append(prefix, "--install-recommends")
	}
	if kw.Truth("only_upgrade") {
		prefix = append(prefix, "--only-upgrade")
	}
	if in.SkipVerify {
		prefix = append(prefix, "--allow-unauthenticated")
	}
	from := value.Str(orEmpty(in.Fromrepo))
	if from == "" {
		from = kw.Str("repo")
	}
	if from != "" && kind == fromRepository {
		prefix = append(prefix, "-t", from)
	}
	with := func(more ...string) []string { return append(slices.Clone(prefix), more...) }
	var cmds [][]string
	if len(p.targets) > 0 {
		cmds = append(cmds, append(with("install"), p.targets...))
	}
	if len(p.downgrade) > 0 {
		cmd := with("install")
		if kind == fromRepository && !slices.Contains(cmd, "--force-yes") {
			cmd = with("--force-yes", "install")
		}
		cmds = append(cmds, append(cmd, p.downgrade...))
	}
	if in.Downloadonly && len(cmds) > 0 {
		cmds[len(cmds)-1] = append(cmds[len(cmds)-1], "--download-only")
	}
	if p.reinstall.Len() > 0 {
		cmd := with("install")
		if !value.Truth(in.Sources) {
			cmd = append(cmd, "--reinstall")
		}
		for _, spec := range p.reinstall.Items() {
			cmd = append(cmd, value.Str(spec))
		}
		cmds = append(cmds, cmd)
	}
	return cmds
}

// dpkgOptions say what becomes of configuration files that were changed.
func dpkgOptions(kw *value.Map) []string {
	if kw.Truth("force_conf_new") {
		return []string{"-o", "DPkg::Options::=--force-confnew"}
	}
	return []string{"-o", "DPkg::Options::=--force-confold", "-o", "DPkg::Options::=--force-confdef"}
}

// carryOut runs the commands. Holds of the packages that are installed are
// lifted meanwhile.
func (a apt) carryOut(cmds [][]string, p *plan, kw *value.Map) (failures []string, err error) {
	held, err := a.held()
	if err != nil {
		return nil, err
	}
	var lift []any
	for _, spec := range append(slices.Clone(p.targets), keys(p.reinstall)...) {
		name, _, _ := strings.Cut(spec, "=")
		if slices.Contains(held, name) {
			lift = append(lift, name)
		}
	}
	pkgs := value.L(lift...)
	if len(lift) > 0 {
		if _, err := a.hold(holdArgs{Pkgs: pkgs}, false); err != nil {
			return nil, err
		}
	}
	limit, _ := seconds(kw.At("timeout"))
	for _, argv := range cmds {
		out, err := a.run(command{argv: argv, env: kw.At("env"), timeout: limit})
		if err != nil {
			return nil, err
		}
		if out.code != 0 && out.stderr != "" {
			failures = append(failures, out.stderr)
		}
	}
	a.forget()
	if len(lift) > 0 {
		_, err = a.hold(holdArgs{Pkgs: pkgs}, true)
	}
	return failures, err
}

func keys(m *value.Map) []string {
	var out []string
	for k := range m.Items() {
		out = append(out, k)
	}
	return out
}

func sortedKeys(m *value.Map) []string {
	out := keys(m)
	slices.Sort(out)
	return out
}

// A bin is what a package file says about itself.
type bin struct{ name, version, arch string }

// binInfo reads a package file (lowpkg.bin_pkg_info).
func binInfo(c *salt.Ctx, path string) (bin, error) {
	if r, ok := managerOf(c).(interface{ fileInfo(string) (bin, error) }); ok {
		return r.fileInfo(path)
	}
	if !sys.Exists(c.Sys, path) || !filepath.IsAbs(path) {
		return bin{}, salt.CommandError("%s does not exist on minion", path)
	}
	f, err := c.Sys.Open(path)
	if err != nil {
		return bin{}, salt.CommandError("Unable to get info for %s: %s", path, err)
	}
	defer f.Close()
	st, err := deb.ReadControl(f)
	if err != nil {
		return bin{}, salt.CommandError("Unable to get info for %s: dpkg-deb: error: %s", path, err)
	}
	b := bin{st.Field("Package"), st.Field("Version"), st.Field("Architecture")}
	var missing []string
	for _, f := range [][2]string{{"name", b.name}, {"version", b.version}, {"arch", b.arch}} {
		if f[1] == "" {
			missing = append(missing, f[0])
		}
	}
	if len(missing) > 0 {
		return b, salt.CommandError("Unable to get %s for %s", strings.Join(missing, ", "), path)
	}
	if (apt{c}).foreign(b.arch) {
		b.name += ":" + b.arch
	}
	return b, nil
}
