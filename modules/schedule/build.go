package schedule

import (
	"fmt"

	"pinch/salt"
	"pinch/value"
	"pinch/value/pytime"
)

type buildScheduleItemArgs struct {
	Name   any        `py:"name"`     // the name of the job
	Kwargs *value.Map `py:"**kwargs"` // function and the options of the job; its arguments are job_args and job_kwargs
}

// buildScheduleItem builds a job from the arguments that schedule.add takes, or
// says what is wrong with them.
func buildScheduleItem(c *salt.Ctx, a buildScheduleItemArgs) (*value.Map, error) {
	return build(c, a.Name, a.Kwargs)
}

// no is an answer that says what is wrong.
func no(format string, a ...any) *value.Map {
	return value.M("comment", fmt.Sprintf(format, a...), "result", false)
}

// refused reports whether build answered with what is wrong.
func refused(job *value.Map) bool { return job.Has("result") && !job.Truth("result") }

func build(c *salt.Ctx, name any, kw *value.Map) (*value.Map, error) {
	if !value.Truth(name) {
		return no("Job name is required."), nil
	}
	if !kw.Has("function") {
		return no("The function of job %s is required.", value.Str(name)), nil
	}
	if conflict(kw) {
		return no(`Unable to use "seconds", "minutes", "hours", or "days" with "when" or "cron" options.`), nil
	}
	if kw.Has("when") && kw.Has("cron") {
		return no(`Unable to use "when" and "cron" options together.  Ignoring.`), nil
	}
	job := value.M("function", kw.At("function"))
	take(job, kw, "seconds", "minutes", "hours", "days", "return_job", "metadata")
	if v, ok := kw.Get("job_args"); ok {
		if _, ok := v.(*value.List); !ok {
			return no("job_args is not a list. please correct and try again."), nil
		}
		job.Set("args", v)
	}
	if v, ok := kw.Get("job_kwargs"); ok {
		if _, ok := v.(*value.Map); !ok {
			return no("job_kwargs is not a dict. please correct and try again."), nil
		}
		job.Set("kwargs", v)
	}
	for _, d := range []struct {
		key   string
		value any
	}{{"maxrunning", int64(1)}, {"name", name}, {"enabled", true}, {"jid_include", true}} {
		v, ok := kw.Get(d.key)
		if !ok {
			v = d.value
		}
		job.Set(d.key, v)
	}
	if v, ok := kw.Get("splay"); ok {
		if m, ok := v.(*value.Map); ok {
			v = value.M("start", m.At("start"), "end", m.At("end"))
		}
		job.Set("splay", v)
	}
	if bad, ok := badWhen(c, kw); ok {
		return no(`Schedule item %s for "when" in invalid.`, value.Str(bad)), nil
	}
	take(job, kw, "range", "when", "once", "once_fmt", "cron", "returner", "after", "return_config", "return_kwargs", "until",
		"run_on_start", "skip_during_range", "run_after_skip_range", "dry_run", "missed")
	return job, nil
}

func take(job, kw *value.Map, keys ...string) {
	for _, k := range keys {
		if v, ok := kw.Get(k); ok {
			job.Set(k, v)
		}
	}
}

// conflict reports whether an interval and times on the clock are both asked for.
func conflict(kw *value.Map) bool {
	if !kw.Has("when") && !kw.Has("cron") {
		return false
	}
	return kw.Has("seconds") || kw.Has("minutes") || kw.Has("hours") || kw.Has("days")
}

// badWhen finds a time that cannot be read; a name of whens is none.
func badWhen(c *salt.Ctx, kw *value.Map) (any, bool) {
	v, ok := kw.Get("when")
	if !ok {
		return nil, false
	}
	items := []any{v}
	if l, ok := v.(*value.List); ok {
		items = l.Items
	}
	for _, it := range items {
		text, ok := it.(string)
		if !ok {
			return it, true
		}
		if _, err := pytime.Parse(text, c.Sys.Now()); err == nil {
			continue
		}
		if !c.Pillar.Map("whens").Has(text) && !c.Grains.Map("whens").Has(text) {
			return it, true
		}
	}
	return nil, false
}
