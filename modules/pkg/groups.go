package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A grouper is a manager that knows groups of packages.
type grouper interface {
	manager
	// groups are the groups, installed and available.
	groups() (*value.Map, error)
	// group tells a group's packages: sorted lists under the kinds below; for
	// dnf also type, group, id and description. A group of groups is shown as
	// its packages if expand is set; seen are the groups that were visited.
	group(name string, expand bool, seen *[]string, kw *value.Map) (*value.Map, error)
}

var groupKinds = [...]string{"mandatory", "optional", "default", "conditional"}

func grouperOf(c *salt.Ctx, fun string) (grouper, error) {
	if g, ok := managerOf(c).(grouper); ok {
		return g, nil
	}
	return nil, &salt.LookupError{Name: "pkg." + fun}
}

// groupList lists the groups that are installed and those that could be.
func groupList(c *salt.Ctx, _ struct{}) (*value.Map, error) {
	g, err := grouperOf(c, "group_list")
	if err != nil {
		return nil, err
	}
	return g.groups()
}

type groupInfoArgs struct {
	Name   string     `py:"name"`               // the group
	Expand bool       `py:"expand=False"`       // the packages of the groups of an environment
	Ignore any        `py:"ignore_groups=None"` // groups that are not expanded
	Kwargs *value.Map `py:"**kwargs"`           // fromrepo, enablerepo, disablerepo
}

// groupInfo tells which packages a group has.
func groupInfo(c *salt.Ctx, a groupInfoArgs) (*value.Map, error) {
	g, err := grouperOf(c, "group_info")
	if err != nil {
		return nil, err
	}
	var seen []string
	if l, ok := asList(a.Ignore); ok {
		seen = texts(l)
	}
	return g.group(a.Name, a.Expand, &seen, plain(a.Kwargs))
}

type groupDiffArgs struct {
	Name   string     `py:"name"`     // the group
	Kwargs *value.Map `py:"**kwargs"` // fromrepo, enablerepo, disablerepo
}

// groupDiff tells which packages of a group are installed, and which are not.
func groupDiff(c *salt.Ctx, a groupDiffArgs) (*value.Map, error) {
	g, err := grouperOf(c, "group_diff")
	if err != nil {
		return nil, err
	}
	l, err := g.list()
	if err != nil {
		return nil, err
	}
	info, err := g.group(a.Name, true, new([]string), plain(a.Kwargs))
	if err != nil {
		return nil, err
	}
	ret, have := new(value.Map), l.current()
	for _, kind := range groupKinds {
		in, out := value.L(), value.L()
		for _, name := range info.List(kind).Items {
			if have.Has(value.Str(name)) {
				in.Append(name)
			} else {
				out.Append(name)
			}
		}
		ret.Set(kind, value.M("installed", in, "not installed", out))
	}
	return ret, nil
}

type groupInstallArgs struct {
	Name    any        `py:"name"`       // groups, a list or separated by commas
	Skip    any        `py:"skip=()"`    // default packages that are left out
	Include any        `py:"include=()"` // packages besides, such as optional ones
	Kwargs  *value.Map `py:"**kwargs"`   // arguments of pkg.install
}

// groupInstall installs the mandatory and default packages of groups.
func groupInstall(c *salt.Ctx, a groupInstallArgs) (*value.Map, error) {
	g, ok := managerOf(c).(dnf)
	if !ok {
		return nil, &salt.LookupError{Name: "pkg.group_install"}
	}
	groups, err := nameList(a.Name, "groups")
	switch {
	case err != nil:
		return nil, err
	case len(groups) == 0:
		return nil, salt.InvocationError("no groups specified")
	}
	skip, err := nameList(a.Skip, "skip")
	if err != nil {
		return nil, err
	}
	include, err := nameList(a.Include, "include")
	if err != nil {
		return nil, err
	}
	l, err := g.list()
	if err != nil {
		return nil, err
	}
	var pkgs []string
	add := func(names ...string) {
		for _, n := range names {
			if !l.current().Has(n) && !slices.Contains(pkgs, n) {
				pkgs = append(pkgs, n)
			}
		}
	}
	for _, name := range groups {
		info, err := g.group(name, false, new([]string), new(value.Map))
		if err != nil {
			return nil, err
		}
		add(versions(info, "mandatory")...)
		for _, n := range versions(info, "default") {
			if !slices.Contains(skip, n) {
				add(n)
			}
		}
	}
	if add(include...); len(pkgs) == 0 {
		return new(value.Map), nil
	}
	return g.install(installArgs{Pkgs: value.Strings(pkgs), Normalize: true, Kwargs: plain(a.Kwargs)})
}

// nameList are an argument's names: a list, or a text separated by commas.
func nameList(v any, what string) ([]string, error) {
	if s, ok := v.(string); ok {
		return strings.Split(s, ","), nil
	}
	l, ok := asList(v)
	if !ok {
		return nil, salt.InvocationError("'%s' must be a list", what)
	}
	return texts(l), nil
}

type groupInstalledArgs struct {
	Name    string     `py:"name"`         // the group
	Skip    any        `py:"skip=None"`    // packages of the group to leave out
	Include any        `py:"include=None"` // packages to install besides
	Kwargs  *value.Map `py:"**kwargs"`     // arguments of pkg.install
}

// groupInstalled makes sure that a group of packages is installed, for
// managers that have groups. Apt and zypper have none.
func groupInstalled(c *salt.Ctx, a groupInstalledArgs) salt.Result {
	g, err := grouperOf(c, "group_diff")
	if err != nil {
		return salt.Failed("pkg.group_install not available for this platform")
	}
	skip, ok := optionalList(a.Skip)
	if !ok {
		return salt.Failed("skip must be formatted as a list")
	}
	include, ok := optionalList(a.Include)
	if !ok {
		return salt.Failed("include must be formatted as a list")
	}
	kw := plain(a.Kwargs)
	if _, repos := g.(dnf); !repos && kw.Len() > 0 {
		return salt.Failed("Repo options are not supported on this platform")
	}
	diff, err := groupDiff(c, groupDiffArgs{a.Name, kw})
	if err != nil {
		return salt.Failed("An error was encountered while installing/updating group '%s': %s.", a.Name, err)
	}
	var unskippable []string
	mandatory := diff.Map("mandatory")
	for _, name := range append(versions(mandatory, "installed"), versions(mandatory, "not installed")...) {
		if slices.Contains(skip, name) {
			unskippable = append(unskippable, name)
		}
	}
	if len(unskippable) > 0 {
		return salt.Failed("The following mandatory packages cannot be skipped: %s", strings.Join(unskippable, ", "))
	}
	required := append(versions(mandatory, "not installed"), include...)
	targets := versions(mandatory, "not installed")
	for _, name := range versions(diff.Map("default"), "not installed") {
		if !slices.Contains(skip, name) {
			targets = append(targets, name)
		}
	}
	targets = append(targets, include...)
	partly := false
	for _, kind := range []string{"mandatory", "default", "optional"} {
		partly = partly || len(versions(diff.Map(kind), "installed")) > 0
	}
	switch {
	case len(targets) == 0:
		return salt.Correct("Group '%s' is already installed", a.Name)
	case c.Test && partly:
		return salt.Would(nil, "Group '%s' is partially installed and will be updated", a.Name)
	case c.Test:
		return salt.Would(nil, "Group '%s' will be installed", a.Name)
	}
	return installGroup(g, a.Name, targets, required, partly, kw)
}

// installGroup installs packages; of these some must be there then.
func installGroup(g grouper, name string, targets, required []string, partly bool, kw *value.Map) salt.Result {
	changes, err := g.install(installArgs{Pkgs: value.Strings(targets), Fromrepo: kw.At("fromrepo"), Normalize: true, Kwargs: kw})
	if err != nil {
		return commandFailure("An error was encountered while installing/updating group '"+name+"': ", err)
	}
	l, err := g.list()
	if err != nil {
		return salt.Raised(err)
	}
	missing := slices.DeleteFunc(required, l.current().Has)
	if len(missing) > 0 {
		r := salt.Failed("Failed to install the following packages: %s", strings.Join(missing, ", "))
		r.Changes = changes
		return r
	}
	if partly {
		return salt.Changed(changes, "Group '%s' was updated", name)
	}
	return salt.Changed(changes, "Group '%s' was installed", name)
}

// optionalList is an argument that is a list of texts or None.
func optionalList(v any) ([]string, bool) {
	if v == nil {
		return nil, true
	}
	l, ok := asList(v)
	if _, text := v.(string); text || !ok {
		return nil, false
	}
	return texts(l), true
}
