package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"

	evr "github.com/knqyf263/go-rpm-version"
)

// tool is what managers have in common whose programs keep the database: rpm's,
// pacman's, apk's and brew's.
type tool struct{ c *salt.Ctx }

type toolKey struct{}

// run runs a program that speaks English.
func (t tool) run(query bool, argv ...string) (output, error) {
	r, err := t.c.Sys.Run(t.c, sys.Cmd{Argv: argv, Query: query, Env: environ(nil)})
	return output{stdout: rstrip(r.Stdout), stderr: rstrip(r.Stderr), code: r.Code, pid: r.PID}, err
}

// listed reads the database once a run; read asks the program.
func (t tool) listed(read func() (*value.Map, error)) (*listing, error) {
	return salt.Once(t.c.Run, toolKey{}, func() (*listing, error) {
		m, err := read()
		return &listing{m, new(value.Map), new(value.Map)}, err
	})
}

func (t tool) forget() { t.c.Run.Forget(toolKey{}) }

// addVersion notes a version of a package, in their order.
func addVersion(m *value.Map, name, v string) {
	have := versions(m, name)
	if !slices.Contains(have, v) {
		have = append(have, v)
		slices.Sort(have)
	}
	m.Set(name, value.Strings(have))
}

// compare orders versions as rpm does, and pacman, which has it from there. A
// release that only one of them has does not count.
func (t tool) compare(a, b string, ignoreEpoch bool) (int, bool) {
	if ignoreEpoch {
		a, b = dropEpoch(a), dropEpoch(b)
	}
	if strings.Contains(a, "-") != strings.Contains(b, "-") {
		a, _, _ = strings.Cut(a, "-")
		b, _, _ = strings.Cut(b, "-")
	}
	return evr.NewVersion(a).Compare(evr.NewVersion(b)), true
}

// newestFirst sorts versions.
func (t tool) newestFirst(vs []string) {
	slices.SortStableFunc(vs, func(a, b string) int {
		n, _ := t.compare(b, a, false)
		return n
	})
}

// across runs something that changes packages, and returns what it changed.
func across(m manager, do func() error) (*value.Map, error) {
	before, err := m.list()
	if err != nil {
		return nil, err
	}
	old := joined(before.current())
	err = do()
	m.forget()
	if err != nil {
		return nil, err
	}
	after, err := m.list()
	if err != nil {
		return nil, err
	}
	return difference(old, joined(after.current())), nil
}

// altered is what a command changed; the texts it returns are what went wrong.
func altered(m manager, title string, do func() ([]string, error)) (*value.Map, error) {
	var errs []string
	ret, err := across(m, func() (err error) { errs, err = do(); return err })
	if err == nil && len(errs) > 0 {
		return nil, &problem{title, value.M("errors", value.Strings(errs), "changes", ret)}
	}
	return ret, err
}

// upgraded is what an upgrade changed.
func upgraded(m manager, do func() (output, error)) (*value.Map, error) {
	var out output
	ret, err := across(m, func() (err error) { out, err = do(); return err })
	if err == nil && out.code != 0 {
		return nil, &problem{"Problem encountered upgrading packages", value.M("changes", ret, "result", ran(out))}
	}
	return ret, err
}

// ran is what cmd.run_all would tell of a command.
func ran(out output) *value.Map {
	return value.M("pid", int64(out.pid), "retcode", int64(out.code), "stdout", out.stdout, "stderr", out.stderr)
}

// choose is the version that a wish with an operator or a wildcard means, of
// those there are (newest first).
func choose(m manager, name, wish string, candidates []string, ignoreEpoch bool) (chosen, problem string) {
	list := func(none string) string {
		if len(candidates) == 0 {
			return none
		}
		return strings.Join(candidates, ", ")
	}
	if strings.Contains(wish, "*") {
		for _, v := range candidates {
			if value.Fnmatch(v, wish) {
				return v, ""
			}
		}
		return "", "No version matching '" + wish + "' found for package '" + name + "' (available: " + list("none") + ")"
	}
	if found := matchVersion(m, wish, candidates, ignoreEpoch); found != "" {
		return found, ""
	}
	return "", "No version matching '" + name + wish + "' could be found (available: " + list("None") + ")"
}

// several says that a wish needs the list of versions.
func several(wish any) bool {
	s, ok := wish.(string)
	return ok && (strings.Contains(s, "*") || strings.HasPrefix(s, "<") || strings.HasPrefix(s, ">"))
}
