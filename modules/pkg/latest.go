package pkg

import (
	"fmt"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type latestArgs struct {
	Name       string     `py:"name"`              // the package; ignored where pkgs is given
	Refresh    any        `py:"refresh=None"`      // refresh the lists of packages first; None: once a run
	Fromrepo   any        `py:"fromrepo=None"`     // the repository or release to install from
	SkipVerify bool       `py:"skip_verify=False"` // take packages that are not signed
	Pkgs       any        `py:"pkgs=None"`         // several packages
	WatchFlags bool       `py:"watch_flags=True"`  // for Gentoo
	Kwargs     *value.Map `py:"**kwargs"`          // only_upgrade, install_recommends, cache_valid_time, force_yes …
}

// latest makes sure that packages are installed in the newest version there is.
func latest(c *salt.Ctx, a latestArgs) salt.Result {
	m := managerOf(c)
	if a.Kwargs.Truth("sources") {
		return salt.Failed(`The "sources" parameter is not supported.`)
	}
	names := []string{a.Name}
	if value.Truth(a.Pkgs) {
		packed, err := repack(c, m, a.Pkgs, true)
		if err != nil {
			return salt.Raised(err)
		}
		if names = keys(packed); len(names) == 0 {
			return salt.Failed(`Invalidly formatted "pkgs" parameter. See minion log.`)
		}
	} else if l, ok := asList(a.Pkgs); ok && len(l) == 0 {
		return salt.Correct("No packages to install provided")
	}
	avail, err := m.latest(names, latestOptions{refresh: wantsRefresh(c, a.Refresh), fromrepo: value.Str(orEmpty(a.Fromrepo)),
		installed: isTrue(a.Kwargs.At("show_installed")), cacheValid: a.Kwargs.At("cache_valid_time"), options: a.Kwargs.At("options")})
	if err != nil {
		if isCommandError(err) {
			return salt.Failed("An error was encountered while checking the newest available version of package(s): %s", err)
		}
		return salt.Raised(err)
	}
	l, err := m.list()
	if err != nil {
		return salt.Failed("%s", err)
	}
	current := joined(l.current())
	want := new(value.Map)
	var problems []string
	for _, n := range names {
		v := avail.Str(n)
		if _, ok := m.(brew); ok && slices.Contains(versions(l.current(), n), v) {
			v = "" // brew tells the version of what is up to date, too
		}
		switch {
		case v != "":
			want.Set(n, v)
		case current.Str(n) == "":
			problems = append(problems, "No information found for '"+n+"'.")
			c.Log.Error(problems[len(problems)-1])
		}
	}
	if len(problems) > 0 {
		return salt.Failed("%s", strings.Join(problems, " "))
	}
	if want.Len() == 0 {
		return upToDate(names)
	}
	u := &update{c: c, m: m, a: a, want: want, current: current}
	if pkgs, ok := asList(a.Pkgs); ok {
		for _, it := range pkgs {
			if n, isText := it.(string); isText && !want.Has(n) {
				u.same = append(u.same, n)
			}
		}
		slices.Sort(u.same)
	}
	if c.Test {
		return u.announce()
	}
	return u.perform()
}

func upToDate(names []string) salt.Result {
	switch {
	case len(names) > 10:
		return salt.Correct("All %d packages are up-to-date.", len(names))
	case len(names) > 1:
		slices.Sort(names)
		return salt.Correct("All packages are up-to-date (%s).", strings.Join(names, ", "))
	}
	return salt.Correct("Package %s is already up-to-date", names[0])
}

// An update is one pkg.latest in progress.
type update struct {
	c             *salt.Ctx
	m             manager
	a             latestArgs
	want, current *value.Map
	same          []string // those that are up to date
}

func (u *update) announce() salt.Result {
	comments := []string{"The following packages would be installed/upgraded: " + strings.Join(sortedKeys(u.want), ", ")}
	if n := len(u.same); n > 10 {
		comments = append(comments, fmt.Sprintf("%d packages are already up-to-date", n))
	} else if n > 0 {
		var texts []string
		for _, s := range u.same {
			texts = append(texts, s+" ("+u.current.Str(s)+")")
		}
		comments = append(comments, "The following packages are already up-to-date: "+strings.Join(texts, ", "))
	}
	changes, err := installable(u.m, u.want, u.current, false)
	if err != nil {
		return salt.Raised(err)
	}
	return salt.Would(changes, "%s", strings.Join(comments, "\n"))
}

func (u *update) perform() salt.Result {
	kw := u.a.Kwargs.Shallow()
	kw.Set("saltenv", u.c.Env)
	changes, err := u.m.install(installArgs{Refresh: false, Fromrepo: u.a.Fromrepo, SkipVerify: u.a.SkipVerify, Pkgs: value.Strings(keys(u.want)),
		Reinstall: kw.Truth("reinstall"), Normalize: true, IgnoreEpoch: kw.Truth("ignore_epoch"), Downloadonly: kw.Truth("downloadonly"), Debconf: kw.At("debconf"), Kwargs: kw})
	if err != nil {
		if isCommandError(err) {
			return salt.Failed("An error was encountered while installing package(s): %s", err)
		}
		return salt.Raised(err)
	}
	if changes.Len() == 0 {
		return u.nothing()
	}
	var good, bad []string
	for n := range u.want.Items() {
		ch := changes.Map(n)
		if ch == nil || ch.At("new") != nil && !slices.Contains(strings.Split(ch.Str("new"), ","), u.want.Str(n)) && u.want.Str(n) != "latest" {
			bad = append(bad, n)
		} else {
			good = append(good, n)
		}
	}
	slices.Sort(good)
	slices.Sort(bad)
	var comments []string
	if len(bad) > 0 {
		comments = append(comments, "The following packages failed to update: "+strings.Join(bad, ", "))
	}
	if len(good) > 0 {
		comments = append(comments, "The following packages were successfully installed/upgraded: "+strings.Join(good, ", "))
	}
	if n := len(u.same); n > 10 {
		comments = append(comments, fmt.Sprintf("%d packages were already up-to-date ", n))
	} else if n > 0 {
		comments = append(comments, "The following packages were already up-to-date: "+strings.Join(u.same, ", "))
	}
	r := salt.Changed(changes, "%s", strings.Join(comments, " "))
	if len(bad) > 0 {
		r.Result = salt.False()
	}
	return r
}

// nothing is the answer when an update changed nothing.
func (u *update) nothing() salt.Result {
	names := sortedKeys(u.want)
	var comment string
	switch n := len(names); {
	case n > 10:
		comment = fmt.Sprintf("%d targeted packages failed to update. See debug log for details.", n)
	case n > 1:
		comment = "The following targeted packages failed to update. See debug log for details: (" + strings.Join(names, ", ") + ")."
	default:
		comment = "Package " + names[0] + " failed to update."
	}
	if n := len(u.same); n > 10 {
		comment += fmt.Sprintf("%d packages were already up-to-date", n)
	} else if n > 0 {
		comment += " The following packages were already up-to-date: " + strings.Join(u.same, ", ")
	}
	return salt.Failed("%s", comment)
}
