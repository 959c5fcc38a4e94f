package pkg

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type packagesArgs struct {
	Packages []any      `py:"*packages"` // packages; all there are without
	Kwargs   *value.Map `py:"**kwargs"`  // Salt takes and ignores any other
}

// fileList lists the files of packages.
func fileList(c *salt.Ctx, a packagesArgs) (any, error) {
	switch m := managerOf(c).(type) {
	case apk: // by package, as in Salt
		return m.files(texts(a.Packages))
	case brew:
		return nil, &salt.LookupError{Name: "pkg.file_list"}
	}
	if byPackage, errs, err := toolFiles(c, texts(a.Packages)); byPackage != nil || err != nil {
		files := value.L()
		for _, l := range byPackage.Items() {
			files.Append(l.(*value.List).Items...)
		}
		return value.M("errors", value.Strings(errs), "files", files), err
	}
	return c.Call("lowpkg.file_list", a.Packages...)
}

// fileDict lists the files of each package.
func fileDict(c *salt.Ctx, a packagesArgs) (any, error) {
	switch m := managerOf(c).(type) {
	case apk:
		return m.files(texts(a.Packages))
	case brew:
		return nil, &salt.LookupError{Name: "pkg.file_dict"}
	}
	if byPackage, errs, err := toolFiles(c, texts(a.Packages)); byPackage != nil || err != nil {
		return value.M("errors", value.Strings(errs), "packages", byPackage), err
	}
	return c.Call("lowpkg.file_dict", a.Packages...)
}

// toolFiles asks rpm or pacman for the files of packages, all without names;
// nil where neither is the manager.
func toolFiles(c *salt.Ctx, names []string) (*value.Map, []string, error) {
	var argv []string
	switch managerOf(c).(type) {
	case dnf, zypper: // a line for each file: the package, and the file
		argv = []string{"rpm", "-q", "--queryformat", "[%{=NAME} %{FILENAMES}\n]"}
		if len(names) == 0 {
			argv[1] = "-qa"
		}
	case pacman:
		argv = []string{"pacman", "-Ql"}
	default:
		return nil, nil, nil
	}
	out, err := tool{c}.run(true, append(argv, names...)...)
	if err != nil {
		return nil, nil, err
	}
	ret, errs := new(value.Map), []string{}
	for line := range strings.Lines(strings.TrimSpace(out.stdout+"\n"+out.stderr) + "\n") {
		line = strings.TrimSuffix(line, "\n")
		name, file, ok := strings.Cut(line, " ")
		if !ok || !strings.HasPrefix(file, "/") {
			if line != "" {
				errs = append(errs, line)
			}
			continue
		}
		l := ret.List(name)
		if l == nil {
			l = value.L()
			ret.Set(name, l)
		}
		l.Append(file)
	}
	return ret, errs, nil
}

type ownerArgs struct {
	Paths  []any      `py:"*paths"`   // files
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// owner is the package that a file belongs to, "" if it is none's; for several
// files a mapping.
func owner(c *salt.Ctx, a ownerArgs) (any, error) {
	switch m := managerOf(c).(type) {
	case apk:
		return m.owners(texts(a.Paths))
	case brew:
		return nil, &salt.LookupError{Name: "pkg.owner"}
	}
	if len(a.Paths) == 0 {
		return "", nil
	}
	ret := new(value.Map)
	for _, p := range texts(a.Paths) {
		name, err := ownerOf(c, p)
		if err != nil {
			return nil, err
		}
		ret.Set(p, name)
	}
	if ret.Len() == 1 {
		return ret.At(keys(ret)[0]), nil
	}
	return ret, nil
}

// ownerOf asks the manager's database.
func ownerOf(c *salt.Ctx, path string) (string, error) {
	var argv []string
	switch managerOf(c).(type) {
	case dnf, zypper:
		argv = []string{"rpm", "-qf", "--queryformat", "%{name}", path}
	case pacman:
		argv = []string{"pacman", "-Qqo", path}
	default:
		out, err := apt{c}.run(command{argv: []string{"dpkg", "-S", path}, query: true})
		name, _, _ := strings.Cut(out.stdout, ":")
		return name, err
	}
	out, err := tool{c}.run(true, argv...)
	if strings.Contains(strings.ToLower(out.stdout), "not owned") {
		return "", err
	}
	return out.stdout, err
}

type whichArgs struct {
	Path string `py:"path"` // an absolute path
}

// which is the package that a file belongs to; False when there is no such file.
func which(c *salt.Ctx, a whichArgs) (any, error) {
	if !filepath.IsAbs(a.Path) || !sys.Exists(c.Sys, a.Path) {
		return false, nil
	}
	v, err := owner(c, ownerArgs{Paths: []any{a.Path}})
	if m, ok := v.(*value.Map); ok {
		return m.At(a.Path), err
	}
	return v, err
}

type showArgs struct {
	Names  []any      `py:"*names"`   // packages
	Kwargs *value.Map `py:"**kwargs"` // filter: the fields to show; refresh
}

// show gives the fields of packages in repositories, by name and version.
func show(c *salt.Ctx, a showArgs) (*value.Map, error) {
	kw := plain(a.Kwargs)
	refresh, _ := kw.Pop("refresh")
	given, _ := kw.Pop("filter")
	if kw.Len() > 0 {
		return nil, invalidKwargs(kw)
	}
	var only []string
	if l, ok := asList(given); ok {
		for _, v := range l {
			only = append(only, strings.ToLower(value.Str(v)))
		}
	} else if value.Truth(given) {
		for _, v := range strings.Split(value.Str(given), ",") {
			only = append(only, strings.ToLower(strings.TrimSpace(v)))
		}
	}
	if value.Truth(refresh) {
		if _, err := managerOf(c).refresh(refreshOptions{}); err != nil {
			return nil, err
		}
	}
	if len(a.Names) == 0 {
		return new(value.Map), nil
	}
	m, err := aptOf(c, "show")
	if err != nil {
		return nil, err
	}
	out, err := m.run(command{argv: append([]string{"apt-cache", "show"}, texts(a.Names)...), query: true})
	if err != nil {
		return nil, err
	}
	return parseShow(out.stdout, only), nil
}

func invalidKwargs(kw *value.Map) error {
	var bad []string
	for k, v := range kw.Items() {
		bad = append(bad, k+"="+value.Str(v))
	}
	return salt.InvocationError("The following keyword arguments are not valid: %s", strings.Join(bad, ", "))
}

// parseShow reads the output of apt-cache show: the first line of each field
// of interest, and what looks like a field in the lines that follow, as Salt does.
func parseShow(text string, only []string) *value.Map {
	ret, info := new(value.Map), new(value.Map)
	end := func() {
		name, _ := info.Pop("Package")
		version, _ := info.Pop("Version")
		if name != nil && version != nil {
			of := ret.Map(value.Str(name))
			if of == nil {
				of = new(value.Map)
				ret.Set(value.Str(name), of)
			}
			if m := of.Map(value.Str(version)); m != nil {
				m.Update(info)
			} else {
				of.Set(value.Str(version), info)
			}
		}
		info = new(value.Map)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			end()
			continue
		}
		key, v, ok := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if ok && (len(only) == 0 || key == "Package" || key == "Version" || contains(only, strings.ToLower(key))) {
			info.Set(key, strings.TrimSpace(v))
		}
	}
	end()
	return ret
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// common are the names that fields have with all package managers.
var common = map[string]string{"package": "name", "origin": "vendor", "section": "group", "maintainer": "packager", "homepage": "url"}

type infoInstalledArgs struct {
	Names  []any      `py:"*names"`   // packages, or globs; all there are without
	Kwargs *value.Map `py:"**kwargs"` // failhard: an unknown name is an error; options of brew
}

// infoInstalled gives what is known about installed packages, by name.
func infoInstalled(c *salt.Ctx, a infoInstalledArgs) (*value.Map, error) {
	kw := plain(a.Kwargs)
	if b, ok := managerOf(c).(brew); ok {
		return b.info(texts(a.Names), kw.At("options"))
	}
	failhard, ok := kw.Pop("failhard")
	if kw.Len() > 0 {
		return nil, invalidKwargs(kw)
	}
	v, err := c.CallKw("lowpkg.info", value.M("failhard", !ok || value.Truth(failhard)), a.Names...)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for name, x := range v.(*value.Map).Items() {
		from, to := x.(*value.Map), new(value.Map)
		if s := from.Str("status"); len(s) > 1 && s[1] != 'i' {
			continue
		}
		for k, v := range from.Items() {
			if k == "status" {
				continue
			}
			if n := common[k]; n != "" {
				k = n
			}
			to.Set(k, v)
		}
		ret.Set(name, to)
	}
	return ret, nil
}

type setSelectionsArgs struct {
	Path      any    `py:"path=None"`      // a file with lines of a package and what is wanted of it
	Selection any    `py:"selection=None"` // a mapping of install, hold, deinstall or purge to lists of packages
	Clear     bool   `py:"clear=False"`    // first forget all that is wanted
	Saltenv   string `py:"saltenv='base'"` // the environment of a salt:// path
}

// setSelections says what is wanted of packages, and returns old and new for
// each that was changed.
func setSelections(c *salt.Ctx, a setSelectionsArgs) (*value.Map, error) {
	if !value.Truth(a.Path) && !value.Truth(a.Selection) {
		return new(value.Map), nil
	}
	if value.Truth(a.Path) && value.Truth(a.Selection) {
		return nil, salt.InvocationError("The 'selection' and 'path' arguments to pkg.set_selections are mutually exclusive, and cannot be specified together")
	}
	sel, _ := a.Selection.(*value.Map)
	if value.Truth(a.Path) {
		path, err := c.Files().Cache(c, value.Str(a.Path), a.Saltenv, salt.GetOptions{})
		if err != nil {
			return nil, err
		}
		b, err := c.Sys.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sel = parseSelections(string(b))
	} else if s, ok := a.Selection.(string); ok {
		v, err := c.RenderData(c, salt.Template{Text: s, Name: "selection", Engine: "yaml"})
		if err != nil {
			return nil, salt.InvocationError("Improperly-formatted selection: %s", err)
		}
		sel, _ = v.Value.(*value.Map)
	}
	if sel.Len() == 0 {
		return new(value.Map), nil
	}
	m, err := aptOf(c, "set_selections")
	if err != nil {
		return nil, err
	}
	return m.setSelections(sel, a.Clear)
}

// parseSelections reads lines of a package and what is wanted of it.
func parseSelections(text string) *value.Map {
	ret := new(value.Map)
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		l := ret.List(f[1])
		if l == nil {
			l = value.L()
			ret.Set(f[1], l)
		}
		l.Append(f[0])
	}
	return ret
}

type servicesNeedRestartArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// servicesNeedRestart lists the services that still use files of packages that
// were upgraded. It needs checkrestart of the package debian-goodies.
func servicesNeedRestart(c *salt.Ctx, _ servicesNeedRestartArgs) ([]string, error) {
	if c.Sys.LookPath("checkrestart") == "" {
		return nil, &value.Exception{Class: "CommandNotFoundError", Msg: "'checkrestart' is needed. It is part of the 'debian-goodies' package which can be installed from official repositories."}
	}
	out, err := apt{c}.run(command{argv: []string{"checkrestart", "--machine", "--package"}, query: true})
	if err != nil {
		return nil, err
	}
	set := new(value.Map)
	for line := range strings.Lines(out.stdout) {
		if rest, ok := strings.CutPrefix(line, "SERVICE:"); ok {
			name, _, _ := strings.Cut(rest, ",")
			set.Set(name, true)
		}
	}
	return keys(set), nil
}
