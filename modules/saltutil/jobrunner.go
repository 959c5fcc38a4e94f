package saltutil

import (
	"strings"
	"time"

	"pinch/jobs"
	"pinch/salt"
	"pinch/value"
)

// A jobCall is what a runner of jobs.* was given.
type jobCall struct {
	c   *salt.Ctx
	arg func(i int, name string) any
}

// jobRunner is the runner jobs.FUN over the returns that are cached here, nil
// if there is none of that name.
func jobRunner(fun string) func(j jobCall) (any, error) {
	switch fun {
	case "list_jobs":
		return func(j jobCall) (any, error) {
			return j.list(filter{function: j.arg(3, "search_function"), target: j.arg(4, "search_target"), metadata: j.arg(2, "search_metadata"),
				start: j.arg(5, "start_time"), end: j.arg(6, "end_time")})
		}
	case "list_jobs_filter":
		return jobCall.newest
	case "list_job":
		return func(j jobCall) (any, error) {
			jid := value.Str(j.arg(0, "jid"))
			out, err := j.whole(jid)
			all := value.M("jid", jid)
			all.Update(out)
			return all, err
		}
	case "print_job":
		return func(j jobCall) (any, error) {
			jid := value.Str(j.arg(0, "jid"))
			out, err := j.whole(jid)
			return value.M(jid, out), err
		}
	case "lookup_jid":
		return jobCall.lookup
	case "exit_success":
		return func(j jobCall) (any, error) {
			m, err := jobs.Load(cachedir(j.c), value.Str(j.arg(0, "jid")))
			if err != nil || m == nil {
				return new(value.Map), err
			}
			return value.M(j.c.Opts.Str("id"), m.At("retcode") == int64(0)), nil
		}
	case "last_run":
		return jobCall.last
	case "active":
		return jobCall.active
	}
	return nil
}

// whole is a job with its result.
func (j jobCall) whole(jid string) (*value.Map, error) {
	m, err := jobs.Load(cachedir(j.c), jid)
	if err != nil || m == nil {
		return value.M("Error", "Cannot contact returner or no job with this jid", "StartTime", jobs.Shown(jid), "Result", new(value.Map)), err
	}
	ret := value.M("return", m.At("return"))
	for _, k := range []string{"retcode", "success", "out"} {
		if v, ok := m.Get(k); ok {
			ret.Set(k, v)
		}
	}
	out := j.summary(m)
	out.Set("Result", value.M(j.c.Opts.Str("id"), ret))
	return out, nil
}

func (j jobCall) lookup() (any, error) {
	m, err := jobs.Load(cachedir(j.c), value.Str(j.arg(0, "jid")))
	if returned := j.arg(2, "returned"); err != nil || m == nil || returned != nil && !value.Truth(returned) {
		return new(value.Map), err
	}
	return value.M(j.c.Opts.Str("id"), m.At("return")), nil
}

func (j jobCall) last() (any, error) {
	f := filter{metadata: j.arg(2, "metadata"), function: j.arg(3, "function"), target: j.arg(4, "target")}
	ids := jobs.List(cachedir(j.c))
	for i := len(ids) - 1; i >= 0; i-- {
		m, err := jobs.Load(cachedir(j.c), ids[i])
		if err != nil || m == nil {
			continue
		}
		if ok, err := f.matches(m); err != nil {
			return nil, err
		} else if ok {
			out, err := j.whole(ids[i])
			return value.M(ids[i], out), err
		}
	}
	return false, nil
}

func (j jobCall) active() (any, error) {
	out := new(value.Map)
	for _, m := range jobs.Running(cachedir(j.c)) {
		jid := m.Str("jid")
		out.Set(jid, value.M("Function", m.At("fun"), "Arguments", listOf(m.At("arg")), "Target", m.At("tgt"), "Target-type", m.Str("tgt_type"),
			"User", userOf(j.c, m), "StartTime", jobs.Shown(jid), "Running", value.L(value.M(j.c.Opts.Str("id"), m.At("pid"))), "Returned", new(value.List)))
	}
	return out, nil
}

// newest are the last jobs; those that look for jobs are left out, unless
// filter_find_job is False.
func (j jobCall) newest() (any, error) {
	n, ok := j.arg(0, "count").(int64)
	if !ok {
		return nil, value.Errorf("TypeError", "list_jobs_filter() missing 1 required positional argument: 'count'")
	}
	all, err := j.list(filter{})
	if err != nil {
		return nil, err
	}
	looks := j.arg(1, "filter_find_job") == nil || value.Truth(j.arg(1, "filter_find_job"))
	out := new(value.Map)
	for jid, v := range all.Items() {
		if m := v.(*value.Map); !looks || m.Str("Function") != "saltutil.find_job" {
			out.Set(jid, m)
		}
	}
	for out.Len() > int(max(n, 0)) {
		out.Pop(value.Str(out.Keys()[0]))
	}
	return out, nil
}

func (j jobCall) list(f filter) (*value.Map, error) {
	out := new(value.Map)
	for _, jid := range jobs.List(cachedir(j.c)) {
		m, err := jobs.Load(cachedir(j.c), jid)
		if err != nil || m == nil {
			continue
		}
		ok, err := f.matches(m)
		if err != nil {
			return nil, err
		}
		if ok {
			out.Set(jid, j.summary(m))
		}
	}
	return out, nil
}

// A filter chooses jobs: all that is set must hold.
type filter struct {
	function, target any // globs: a list, or joined by commas
	metadata         any // a mapping: one of its pairs is the job's
	start, end       any // times
}

func (f filter) matches(m *value.Map) (bool, error) {
	if meta, ok := f.metadata.(*value.Map); ok && meta.Len() > 0 {
		has, found := m.Map("metadata"), false
		for k, v := range meta.Items() {
			got, ok := has.Get(k)
			found = found || ok && value.Equal(got, v)
		}
		if !found {
			return false, nil
		}
	}
	if !glob(f.function, m.Str("fun")) || !glob(f.target, m.Str("id")) {
		return false, nil
	}
	began, ok := jobs.Time(m.Str("jid"))
	for i, bound := range []any{f.start, f.end} {
		if bound == nil || bound == "" {
			continue
		}
		at, err := moment(value.Str(bound))
		if err != nil {
			return false, err
		}
		if !ok || i == 0 && began.Before(at) || i == 1 && began.After(at) {
			return false, nil
		}
	}
	return true, nil
}

// glob reports whether a name matches one of the patterns; none match all.
func glob(patterns any, name string) bool {
	var all []string
	switch p := patterns.(type) {
	case nil:
		return true
	case *value.List:
		for _, it := range p.Items {
			all = append(all, value.Str(it))
		}
	default:
		all = strings.Split(value.Str(p), ",")
	}
	for _, one := range all {
		if value.Fnmatch(name, strings.TrimSpace(one)) {
			return true
		}
	}
	return len(all) == 1 && all[0] == ""
}

// moment reads a time in one of the usual forms, in UTC as job IDs are.
func moment(text string) (time.Time, error) {
	for _, form := range []string{"2006, Jan 02 15:04:05.000000", "2006, Jan 02 15:04:05", "2006, Jan 02 15:04", "2006, Jan 02",
		"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02", "20060102150405", "20060102"} {
		if t, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return t, nil
		}
	}
	if t, ok := jobs.Time(text); ok {
		return t, nil
	}
	return time.Time{}, salt.InvocationError("%s is no time: write it as 2026-01-31 15:04", value.Repr(text))
}

// summary is a job as jobs.list_jobs shows it.
func (j jobCall) summary(m *value.Map) *value.Map {
	out := value.M("Function", m.At("fun"), "Arguments", listOf(m.At("fun_args")), "Target", m.At("id"), "Target-type", "glob",
		"User", userOf(j.c, m))
	if meta := m.Map("metadata"); meta.Len() > 0 {
		out.Set("Metadata", meta)
	}
	out.Set("StartTime", jobs.Shown(m.Str("jid")))
	return out
}

func listOf(v any) any {
	if v == nil {
		return new(value.List)
	}
	return v
}

func userOf(c *salt.Ctx, m *value.Map) string {
	if u := m.Str("user"); u != "" {
		return u
	}
	return c.Opts.Str("user")
}
