package saltutil

import (
	"pinch/jobs"
	"pinch/salt"
	"pinch/value"
)

// jobRunners are the runners jobs.*, over the returns that are cached here.
var jobRunners = map[string]func(c *salt.Ctx, arg func(int, string) any) (any, error){
	"list_jobs": func(c *salt.Ctx, _ func(int, string) any) (any, error) { return listJobs(c) },
	"list_job": func(c *salt.Ctx, arg func(int, string) any) (any, error) {
		jid := value.Str(arg(0, "jid"))
		m, err := jobs.Load(cachedir(c), jid)
		if err != nil || m == nil {
			return value.M("jid", jid, "Error", "Cannot contact returner or no job with this jid"), err
		}
		out := summary(c, m)
		out.Set("Result", value.M(c.Opts.Str("id"), value.M("return", m.At("return"))))
		out.Set("Minions", value.L(c.Opts.Str("id")))
		out.Set("jid", jid)
		return out, nil
	},
	"lookup_jid": func(c *salt.Ctx, arg func(int, string) any) (any, error) {
		m, err := jobs.Load(cachedir(c), value.Str(arg(0, "jid")))
		if err != nil || m == nil {
			return new(value.Map), err
		}
		return value.M(c.Opts.Str("id"), m.At("return")), nil
	},
	"print_job": func(c *salt.Ctx, arg func(int, string) any) (any, error) {
		jid := value.Str(arg(0, "jid"))
		m, err := jobs.Load(cachedir(c), jid)
		if err != nil || m == nil {
			return value.M(jid, value.M("Error", "Cannot contact returner or no job with this jid")), err
		}
		s := summary(c, m)
		s.Set("Result", value.M(c.Opts.Str("id"), value.M("return", m.At("return"))))
		return value.M(jid, s), nil
	},
	"exit_success": func(c *salt.Ctx, arg func(int, string) any) (any, error) {
		m, err := jobs.Load(cachedir(c), value.Str(arg(0, "jid")))
		if err != nil || m == nil {
			return new(value.Map), err
		}
		code, _ := m.At("retcode").(int64)
		return value.M(c.Opts.Str("id"), code == 0), nil
	},
	"last_run": func(c *salt.Ctx, arg func(int, string) any) (any, error) {
		ids := jobs.List(cachedir(c))
		for i := len(ids) - 1; i >= 0; i-- {
			m, err := jobs.Load(cachedir(c), ids[i])
			if err != nil || m == nil {
				continue
			}
			if fun := arg(2, "function"); fun == nil || value.Fnmatch(m.Str("fun"), value.Str(fun)) {
				return value.M(ids[i], summary(c, m)), nil
			}
		}
		return false, nil
	},
	"active": func(c *salt.Ctx, _ func(int, string) any) (any, error) {
		out := new(value.Map)
		for _, m := range jobs.Running(cachedir(c)) {
			jid := m.Str("jid")
			out.Set(jid, value.M("Function", m.At("fun"), "Arguments", listOf(m.At("arg")), "Target", m.At("tgt"), "Target-type", m.Str("tgt_type"),
				"User", userOf(c, m), "StartTime", jobs.Shown(jid), "Returned", new(value.List),
				"Running", value.L(value.M(c.Opts.Str("id"), m.At("pid")))))
		}
		return out, nil
	},
	"list_jobs_filter": func(c *salt.Ctx, arg func(int, string) any) (any, error) {
		all, err := listJobs(c)
		n, _ := arg(0, "count").(int64)
		keys := all.Keys()
		out := new(value.Map)
		for _, k := range keys[max(0, len(keys)-int(n)):] {
			v, _ := all.GetKey(k)
			_ = out.SetKey(k, v)
		}
		return out, err
	},
}

func listJobs(c *salt.Ctx) (*value.Map, error) {
	out := new(value.Map)
	for _, jid := range jobs.List(cachedir(c)) {
		if m, err := jobs.Load(cachedir(c), jid); err == nil && m != nil {
			out.Set(jid, summary(c, m))
		}
	}
	return out, nil
}

// summary is a job as jobs.list_jobs shows it.
func summary(c *salt.Ctx, m *value.Map) *value.Map {
	return value.M("Function", m.At("fun"), "Arguments", listOf(m.At("fun_args")), "Target", m.At("id"), "Target-type", "glob",
		"User", userOf(c, m), "StartTime", jobs.Shown(m.Str("jid")))
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
