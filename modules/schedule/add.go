package schedule

import (
	"strings"

	"pinch/salt"
	"pinch/schedule"
	"pinch/value"
)

type addArgs struct {
	Name   any        `py:"name"`     // the name of the job
	Kwargs *value.Map `py:"**kwargs"` // function, job_args, job_kwargs, and the times: seconds, minutes, hours, days, when, cron or once; every option of a job; persist, test, offline
}

// add puts a job into the schedule. One that can never run is refused.
//
//	salt-call schedule.add converge function=state.apply minutes=30 splay=60
//	salt-call schedule.add nightly function=cmd.run job_args="['/usr/local/bin/backup']" cron='15 3 * * *'
func add(c *salt.Ctx, a addArgs) (*value.Map, error) {
	name, kw := value.Str(a.Name), a.Kwargs
	ret := value.M("comment", "Failed to add job "+name+" to schedule.", "result", false, "changes", new(value.Map))
	answer := func(comment string) (*value.Map, error) { ret.Set("comment", comment); return ret, nil }
	now, err := current(c, nil, kw.At("offline"))
	switch {
	case err != nil:
		return nil, err
	case now.Has(name):
		return answer("Job " + name + " already exists in schedule.")
	case conflict(kw):
		return answer(`Error: Unable to use "seconds", "minutes", "hours", or "days" with "when" or "cron" options.`)
	case kw.Has("when") && kw.Has("cron"):
		return answer(`Unable to use "when" and "cron" options together.  Ignoring.`)
	}
	job, err := build(c, a.Name, kw)
	if err != nil || refused(job) {
		return job, err
	}
	if why := cannotRun(c, name, job); why != "" {
		return answer(why)
	}
	if kw.Truth("test") {
		ret.Set("result", true)
		return answer("Job: " + name + " would be added to schedule.")
	}
	if kw.Truth("offline") {
		err = offline(c, now, name, job)
	} else {
		var got *value.Map
		got, err = ask(c, value.M("name", name, "schedule", value.M(name, job), "func", "add", "persist", persist(kw)))
		if err == nil && !got.Map("schedule").Has(name) {
			return ret, nil
		}
	}
	if err != nil {
		return nil, err
	}
	ret.Set("result", true)
	ret.Map("changes").Set(name, "added")
	return answer("Added job: " + name + " to schedule.")
}

// persist is the argument of that name, True by default.
func persist(kw *value.Map) any {
	if v, ok := kw.Get("persist"); ok {
		return v
	}
	return true
}

// offline puts a job into the saved schedule.
func offline(c *salt.Ctx, now *value.Map, name string, job any) error {
	m := now.Shallow()
	m.Set(name, job)
	return writeSaved(c, m, name)
}

// writeSaved writes the saved schedule; fresh jobs keep the order of their keys.
func writeSaved(c *salt.Ctx, m *value.Map, fresh ...string) error {
	t := &schedule.Table{Config: m}
	return t.Save(c.Sys, schedule.File(c.Opts), fresh...)
}

// cannotRun says why a job would never run.
func cannotRun(c *salt.Ctx, name string, job *value.Map) string {
	j := schedule.Read(name, job, schedule.Globals{Whens: [2]any{c.Pillar.At("whens"), nil}})
	if j.Err != "" {
		return j.Err
	}
	if !j.Timed() {
		return "Job " + name + " has no time: it needs seconds, minutes, hours, days, when, cron or once."
	}
	if _, err := c.Registry().Exec(c, j.Fun); err != nil {
		mod, _, _ := strings.Cut(j.Fun, ".")
		if c.Registry().Module(mod) == nil { // it may come with a later sync
			c.Log.Warn("the function " + j.Fun + " of the scheduled job " + name + " is not available")
			return ""
		}
		text := "Job " + name + " cannot run: " + err.Error()
		if hint := c.Registry().Hint(c, "exec", j.Fun); hint != "" {
			text += " (" + hint + ")"
		}
		return text
	}
	return ""
}

type modifyArgs struct {
	Name   any        `py:"name"`     // the job to change
	Kwargs *value.Map `py:"**kwargs"` // as for schedule.add; without function that of the job is kept, nothing else is
}

// modify replaces a job that is there.
//
//	salt-call schedule.modify converge hours=1
func modify(c *salt.Ctx, a modifyArgs) (*value.Map, error) {
	name, kw := value.Str(a.Name), a.Kwargs.Shallow()
	ret := value.M("comment", "", "changes", new(value.Map), "result", true)
	failed := func(comment string) (*value.Map, error) {
		ret.Set("comment", comment)
		ret.Set("result", false)
		return ret, nil
	}
	switch {
	case conflict(kw):
		return failed(`Error: Unable to use "seconds", "minutes", "hours", or "days" with "when" option.`)
	case kw.Has("when") && kw.Has("cron"):
		return failed(`Unable to use "when" and "cron" options together.  Ignoring.`)
	}
	now, err := current(c, nil, kw.At("offline"))
	if err != nil {
		return nil, err
	}
	if !now.Has(name) {
		return failed("Job " + name + " does not exist in schedule.")
	}
	old := now.Map(name)
	if !kw.Has("function") {
		kw.Set("function", old.At("function"))
	}
	job, err := build(c, a.Name, kw)
	if err != nil || refused(job) {
		return job, err
	}
	if value.Equal(job, old) {
		ret.Set("comment", "Job "+name+" in correct state")
		return ret, nil
	}
	if why := cannotRun(c, name, job); why != "" {
		return failed(why)
	}
	ret.Map("changes").Set(name, value.M("old", value.Copy(old), "new", value.Copy(job)))
	switch {
	case kw.Truth("test"):
		ret.Set("comment", "Job: "+name+" would be modified in schedule.")
		return ret, nil
	case kw.Truth("offline"):
		old.Update(job)
		err = writeSaved(c, now)
	default:
		var where string
		if where, err = place(c, name); err == nil {
			request := value.M("name", name, "schedule", job, "func", "modify", "persist", persist(kw))
			if where == "pillar" {
				request.Set("where", where)
				request.Set("persist", false)
			}
			_, err = ask(c, request)
		}
	}
	if err != nil {
		return nil, err
	}
	ret.Set("comment", "Modified job: "+name+" in schedule.")
	return ret, nil
}
