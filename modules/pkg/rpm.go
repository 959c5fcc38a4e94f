package pkg

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pinch/rpmdb"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// rpm is what dnf and zypper have in common: the database of packages.
type rpm struct{ tool }

const queryFormat = "%{NAME}_|-%{EPOCH}_|-%{VERSION}_|-%{RELEASE}_|-%{ARCH}_|-(none)_|-%{INSTALLTIME}"

// architectures that a package of rpm can be for; noarch besides.
const architectures = " x86_64 x86_64_v2 athlon amd64 ia32e ia64 geode i386 i486 i586 i686 ppc ppc64 ppc64le ppc64iseries ppc64pseries s390 s390x " +
	"alpha alphaev4 alphaev45 alphaev5 alphaev56 alphapca56 alphaev6 alphaev67 alphaev68 alphaev7 armv5tel armv5tejl armv6l armv6hl armv7l armv7hl armv7hnl aarch64 sh3 sh4 sh4a "

const (
	intel32 = " i386 i486 i586 i686 "
	arm32   = " armv5tel armv5tejl armv6l armv6hl armv7l armv7hl armv7hnl "
	intel64 = " x86_64 x86_64_v2 "
)

func among(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// native says that a package for an architecture goes without its mention.
func (r rpm) native(arch string) bool {
	own := r.c.Grains.Str("osarch")
	return arch == own || arch == "noarch" || among(intel32, arch) && among(intel32, own) || among(arm32, arch) && among(arm32, own) ||
		among(intel64, arch) && among(intel64, own)
}

// name is what a package is called here: another architecture is part of it.
func (r rpm) name(name, arch string) string {
	if r.native(arch) {
		return name
	}
	return name + "." + arch
}

// split takes the architecture off a name.
func splitArch(name string) (base, arch string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || !among(architectures+"noarch ", name[i+1:]) {
		return name, ""
	}
	return name[:i], name[i+1:]
}

func (r rpm) normalize(name string) string {
	if base, arch := splitArch(name); arch != "" && r.native(arch) {
		return base
	}
	return name
}

// parse reads a line of the query.
func (r rpm) parse(line string) (name, version, arch string, ok bool) {
	f := strings.Split(line, "_|-")
	if len(f) != 7 {
		return "", "", "", false
	}
	return r.name(f[0], f[4]), evrText(f[1], f[2], f[3]), f[4], true
}

// evrText is a version with its release, and its epoch if it has one.
func evrText(epoch, version, release string) string {
	if release != "" {
		version += "-" + release
	}
	if epoch != "(none)" && epoch != "0" {
		version = epoch + ":" + version
	}
	return version
}

// query lists the packages of the database, by rpm if need be.
func (r rpm) query(options ...string) (*value.Map, error) {
	read := new(value.Map)
	if r.installed(func(p rpmdb.Package) {
		addVersion(read, r.name(p.Name, p.Arch), evrText(p.Epoch, p.Version, p.Release))
	}) {
		return read, nil
	}
	argv := append([]string{"rpm", "-qa"}, options...)
	out, err := r.run(true, append(argv, "--queryformat", queryFormat+"\n")...)
	if err != nil {
		return nil, err
	}
	m := new(value.Map)
	for line := range strings.Lines(out.stdout) {
		if name, version, _, ok := r.parse(strings.TrimSuffix(line, "\n")); ok {
			addVersion(m, name, version)
		}
	}
	return m, nil
}

// fileInfo reads a package file.
func (r rpm) fileInfo(path string) (bin, error) {
	if !sys.Exists(r.c.Sys, path) || !filepath.IsAbs(path) {
		return bin{}, salt.CommandError("%s does not exist on minion", path)
	}
	if f, err := r.c.Sys.Open(path); err == nil {
		defer f.Close()
		if at := readerAt(f); at != nil {
			if p, err := rpmdb.ReadFile(at); err == nil {
				return bin{r.name(p.Name, p.Arch), evrText(p.Epoch, p.Version, p.Release), p.Arch}, nil
			}
		}
	}
	out, err := r.run(true, "rpm", "-qp", "--queryformat", queryFormat, path)
	if err != nil {
		return bin{}, err
	}
	name, version, arch, ok := r.parse(out.stdout)
	if !ok {
		return bin{}, salt.CommandError("Unable to get info for %s: %s", path, strings.TrimSpace(out.stderr))
	}
	return bin{name, version, arch}, nil
}

// cached lists the package files below a folder: by name and version with path,
// size and creation_date_time.
func (r rpm) cached(dir string) (*value.Map, error) {
	ret := new(value.Map)
	all, err := r.c.Sys.ReadDir(dir)
	if err != nil {
		return ret, nil
	}
	for _, e := range all {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			below, err := r.cached(path)
			if err != nil {
				return nil, err
			}
			for name, vs := range below.Items() {
				if !ret.Has(name) {
					ret.Set(name, new(value.Map))
				}
				ret.Map(name).Update(vs.(*value.Map))
			}
		case strings.HasSuffix(e.Name(), ".rpm"):
			b, err := r.fileInfo(path)
			if err != nil {
				return nil, err
			}
			info, err := e.Info()
			if err != nil {
				return nil, salt.OSError(err)
			}
			if !ret.Has(b.name) {
				ret.Set(b.name, new(value.Map))
			}
			ret.Map(b.name).Set(b.version, described(path, info))
		}
	}
	return ret, nil
}

func described(path string, info fs.FileInfo) *value.Map {
	t := changed(info)
	return value.M("path", path, "size", info.Size(), "creation_date_time_t", t.Unix(), "creation_date_time", t.UTC().Format("2006-01-02T15:04:05"))
}

// evrSpec is a package in a version as the programs of rpm take it: NAME-VERSION.ARCH.
func evrSpec(name, version string) string {
	base, arch := splitArch(name)
	if arch != "" {
		arch = "." + arch
	}
	return base + "-" + dropEpoch(version) + arch
}

// A wanted is a package to install, and how the program takes it.
type wanted struct{ name, spec string }

// An rpmPlan is what an installation has to do.
type rpmPlan struct {
	install, downgrade, reinstall []wanted
	errors                        []string
}

// plan sorts what is wanted: what is newer than what is there, what is older,
// and what is to be installed again.
func (r rpm) plan(m manager, in installArgs, params *value.Map, kind string) (*rpmPlan, error) {
	p := new(rpmPlan)
	l, err := m.list()
	if err != nil {
		return nil, err
	}
	have := l.current()
	var names []string
	for name, v := range params.Items() {
		if several(v) {
			names = append(names, name)
		}
	}
	known := new(value.Map)
	if len(names) > 0 {
		if known, err = m.available(names); err != nil {
			return nil, err
		}
	}
	ignore := value.Truth(in.IgnoreEpoch)
	for name, v := range params.Items() {
		path := name
		if kind == fromFile {
			b, err := r.fileInfo(path)
			if err != nil {
				return nil, err
			}
			name, v = b.name, b.version
		}
		if v == nil {
			if in.Reinstall && have.Has(name) {
				p.reinstall = append(p.reinstall, wanted{name, name})
			} else {
				p.install = append(p.install, wanted{name, name})
			}
			continue
		}
		version, problem := strings.TrimLeft(value.Str(v), "="), ""
		if several(version) {
			if version, problem = choose(m, name, version, versions(known, name), ignore); problem != "" {
				p.errors = append(p.errors, problem)
				continue
			}
		}
		w := wanted{name, evrSpec(name, version)}
		if kind == fromFile {
			w.spec = path
		}
		p.place(m, in.Reinstall, w, version, versions(have, name), ignore)
	}
	return p, nil
}

// place puts a version where it belongs. Kernels stand side by side.
func (p *rpmPlan) place(m manager, again bool, w wanted, version string, have []string, ignoreEpoch bool) {
	as := func(operator string) bool {
		return slices.ContainsFunc(have, func(v string) bool { return matches(m, version, operator, v, ignoreEpoch) })
	}
	switch {
	case again && len(have) > 0:
		if as("==") {
			p.reinstall = append(p.reinstall, w)
		}
	case len(have) == 0 || as(">=") || w.name == "kernel" || w.name == "kernel-devel":
		p.install = append(p.install, w)
	default:
		p.downgrade = append(p.downgrade, w)
	}
}

func specs(ws []wanted) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.spec
	}
	return out
}
