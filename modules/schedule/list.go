package schedule

import (
	"slices"
	"strings"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/schedule"
	"pinch/sys"
	"pinch/value"
)

type listArgs struct {
	ShowAll      any  `py:"show_all=False"`     // also the daemon's own jobs, whose names begin with two underscores
	ShowDisabled bool `py:"show_disabled=True"` // also jobs that are switched off
	Where        any  `py:"where=None"`         // only those of the pillar ("pillar") or of the configuration ("opts")
	ReturnYaml   bool `py:"return_yaml=True"`   // answer with YAML instead of data
	Offline      any  `py:"offline=False"`      // the saved schedule, whatever the daemon has
}

// list shows the jobs that are scheduled.
//
//	salt-call schedule.list
//	salt-call schedule.list return_yaml=False where=pillar
func list(c *salt.Ctx, a listArgs) (any, error) {
	jobs, saved, err := jobs(c, a.Where, value.Truth(a.Offline))
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for name, raw := range jobs.Items() {
		job, ok := raw.(*value.Map)
		if hidden(name) || !ok {
			out.Set(name, raw)
			continue
		}
		if strings.HasPrefix(name, "__") && !value.Truth(a.ShowAll) {
			continue
		}
		shown := trim(job)
		if !a.ShowDisabled && !shown.Truth("enabled") {
			continue
		}
		out.Set(name, shown)
	}
	if !a.ReturnYaml {
		return out, nil
	}
	for name, raw := range out.Items() {
		if m, ok := raw.(*value.Map); ok {
			m.Set("saved", saved.Has(name))
		}
	}
	return yaml.Dump(value.M("schedule", out), yaml.DumpOptions{Flow: yaml.Block})
}

func hidden(name string) bool {
	return name == "enabled" || name == "skip_function" || name == "skip_during_range"
}

// keys are the options of a job that list shows.
func keys() []string {
	return []string{"name", "maxrunning", "function", "splay", "range", "when", "once", "once_fmt", "returner", "jid_include", "args", "kwargs",
		"seconds", "minutes", "hours", "days", "enabled", "return_job", "metadata", "cron", "until", "after", "return_config",
		"return_kwargs", "run_on_start", "skip_during_range", "run_after_skip_range", "dry_run", "missed"}
}

// trim is a job without what is none of its options.
func trim(job *value.Map) *value.Map {
	out := new(value.Map)
	known := keys()
	for k, v := range job.Items() {
		if v == nil || !slices.Contains(known, k) {
			continue
		}
		switch v {
		case "true":
			v = true
		case "false":
			v = false
		}
		out.Set(k, v)
	}
	if !out.Has("enabled") {
		out.Set("enabled", true)
	}
	return out
}

// jobs are the schedule that is in force and the saved one.
func jobs(c *salt.Ctx, where any, offline bool) (now, saved *value.Map, err error) {
	if saved, err = readSaved(c); err != nil || offline {
		return saved, saved, err
	}
	answer, err := ask(c, value.M("func", "list", "where", where))
	return answer.Map("schedule"), saved, err
}

// readSaved reads _schedule.conf; an empty map when there is none.
func readSaved(c *salt.Ctx) (*value.Map, error) {
	file := schedule.File(c.Opts)
	if !sys.Exists(c.Sys, file) {
		return new(value.Map), nil
	}
	b, err := c.Sys.ReadFile(file)
	if err != nil {
		return nil, err
	}
	v, err := yaml.Load(file, string(b))
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	if s := m.Map("schedule"); s != nil {
		return s, nil
	}
	return new(value.Map), nil
}

// current is the schedule as the functions that change it compare with: all
// jobs, as data.
func current(c *salt.Ctx, where any, offline any) (*value.Map, error) {
	v, err := list(c, listArgs{ShowAll: true, ShowDisabled: true, Where: where, Offline: offline})
	m, _ := v.(*value.Map)
	return m, err
}

// place tells where a job comes from: "opts", "pillar" or "" for nowhere.
func place(c *salt.Ctx, name string) (string, error) {
	for _, where := range []string{"opts", "pillar"} {
		m, err := current(c, where, false)
		if err != nil {
			return "", err
		}
		if m.Has(name) {
			return where, nil
		}
	}
	return "", nil
}

type isEnabledArgs struct {
	Name any `py:"name=None"` // a job; None: the schedule as a whole
}

// isEnabled shows a job, or says whether the schedule is switched on.
func isEnabled(c *salt.Ctx, a isEnabledArgs) (any, error) {
	v, err := list(c, listArgs{ShowDisabled: true})
	m, _ := v.(*value.Map)
	if err != nil {
		return nil, err
	}
	if !value.Truth(a.Name) {
		if on, ok := m.Get("enabled"); ok {
			return on, nil
		}
		return true, nil
	}
	if job, ok := m.GetKey(a.Name); ok {
		return job, nil
	}
	return new(value.Map), nil
}
