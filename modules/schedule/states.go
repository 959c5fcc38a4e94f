package schedule

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name   string     `py:"name"`     // the name of the job
	Kwargs *value.Map `py:"**kwargs"` // function, job_args, job_kwargs, times and options of the job as for schedule.add; persist, offline
}

// present makes sure that a job is scheduled as described.
//
//	converge:
//	  schedule.present:
//	    - function: state.apply
//	    - hours: 1
//	    - splay: {start: 10, end: 300}
func present(c *salt.Ctx, a presentArgs) salt.Result {
	kw := a.Kwargs.Shallow()
	now, err := current(c, nil, kw.At("offline"))
	if err != nil {
		return salt.Raised(err)
	}
	if c.Test {
		kw.Set("test", true)
	}
	if !now.Has(a.Name) {
		got, err := add(c, addArgs{a.Name, kw})
		switch {
		case err != nil:
			return salt.Raised(err)
		case !got.Truth("result"):
			return salt.Failed("%s", got.Str("comment"))
		case c.Test:
			return salt.Would(value.M(a.Name, "added"), "%s", got.Str("comment"))
		}
		return salt.Changed(got.Map("changes"), "Adding new job %s to schedule", a.Name)
	}
	job, err := build(c, a.Name, kw)
	switch {
	case err != nil:
		return salt.Raised(err)
	case refused(job):
		return salt.Failed("%s", job.Str("comment"))
	case value.Equal(job, now.At(a.Name)):
		return salt.Correct("Job %s in correct state", a.Name)
	}
	got, err := modify(c, modifyArgs{a.Name, kw})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !got.Truth("result"):
		return salt.Failed("%s", got.Str("comment"))
	case c.Test:
		return salt.Would(got.Map("changes"), "%s", got.Str("comment"))
	}
	return salt.Changed(got.Map("changes"), "Modifying job %s in schedule", a.Name)
}

type stateArgs struct {
	Name   string     `py:"name"`     // the name of the job
	Kwargs *value.Map `py:"**kwargs"` // persist, offline
}

// absent makes sure that a job is not scheduled.
func absent(c *salt.Ctx, a stateArgs) salt.Result {
	return change(c, a, a.Kwargs.At("offline"), func(kw *value.Map) (*value.Map, error) { return delete_(c, deleteArgs{a.Name, kw}) },
		"Removed job %s from schedule", value.M(a.Name, "removed"), func(*value.Map) bool { return false })
}

// enabled makes sure that a job is switched on.
func enabled(c *salt.Ctx, a stateArgs) salt.Result {
	return change(c, a, nil, func(kw *value.Map) (*value.Map, error) { return enableJob(c, jobArgs{a.Name, kw}) },
		"Enabled job %s from schedule", new(value.Map), func(job *value.Map) bool { return job.Truth("enabled") })
}

// disabled makes sure that a job is switched off.
func disabled(c *salt.Ctx, a stateArgs) salt.Result {
	return change(c, a, a.Kwargs.At("offline"), func(kw *value.Map) (*value.Map, error) { return disableJob(c, jobArgs{a.Name, kw}) },
		"Disabled job %s from schedule", new(value.Map), func(job *value.Map) bool { return !job.Truth("enabled") })
}

// change is what the three have in common: nothing to do without the job, else
// the function. Done says that a test run has nothing to announce.
func change(c *salt.Ctx, a stateArgs, offline any, do func(*value.Map) (*value.Map, error), did string, changes *value.Map, done func(job *value.Map) bool) salt.Result {
	kw := a.Kwargs.Shallow()
	now, err := current(c, nil, offline)
	if err != nil {
		return salt.Raised(err)
	}
	if !now.Has(a.Name) {
		return salt.Correct("Job %s not present in schedule", a.Name)
	}
	if c.Test {
		kw.Set("test", true)
	}
	got, err := do(kw)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !got.Truth("result"):
		return salt.Failed("%s", got.Str("comment"))
	case c.Test && done(now.Map(a.Name)):
		return salt.Correct("%s", got.Str("comment"))
	case c.Test:
		return salt.Would(changes, "%s", got.Str("comment"))
	}
	return salt.Changed(changes, "%s", strings.Replace(did, "%s", a.Name, 1))
}
