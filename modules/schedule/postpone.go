package schedule

import (
	"fmt"

	"pinch/salt"
	"pinch/schedule"
	"pinch/value"
	"pinch/value/pytime"
)

type postponeJobArgs struct {
	Name        any        `py:"name"`         // the job
	CurrentTime any        `py:"current_time"` // the run to put off, as YYYY-MM-DDTHH:MM:SS
	NewTime     any        `py:"new_time"`     // when it is to be
	Kwargs      *value.Map `py:"**kwargs"`     // time_fmt: the format of both times
}

// postponeJob puts off one run of a job.
func postponeJob(c *salt.Ctx, a postponeJobArgs) (*value.Map, error) {
	p := putOff{c: c, name: value.Str(a.Name), format: format(a.Kwargs)}
	switch {
	case !value.Truth(a.Name):
		return p.no("Job name is required.")
	case !value.Truth(a.CurrentTime):
		return p.no("Job current time is required.")
	case !value.Truth(a.NewTime):
		return p.no("Job new_time is required.")
	case !p.reads(a.CurrentTime), !p.reads(a.NewTime):
		c.Log.Error(fmt.Sprintf("Date string could not be parsed: %s, %s", value.Str(a.NewTime), p.format))
		return p.no("Date string could not be parsed.")
	case c.Test:
		return value.M("comment", "Job: "+p.name+" would be postponed in schedule.", "result", true), nil
	}
	return p.ask(value.M("name", p.name, "time", a.CurrentTime, "new_time", a.NewTime, "time_fmt", p.format, "func", "postpone_job"),
		"Postponed Job "+p.name+" in schedule.", "Failed to postpone job "+p.name+" in schedule.")
}

type skipJobArgs struct {
	Name        any        `py:"name"`         // the job
	CurrentTime any        `py:"current_time"` // the run to leave out, as YYYY-MM-DDTHH:MM:SS
	Kwargs      *value.Map `py:"**kwargs"`     // time_fmt: the format of the time
}

// skipJob leaves out one run of a job.
func skipJob(c *salt.Ctx, a skipJobArgs) (*value.Map, error) {
	p := putOff{c: c, name: value.Str(a.Name), format: format(a.Kwargs)}
	switch {
	case !value.Truth(a.Name):
		return p.no("Job name is required.")
	case !value.Truth(a.CurrentTime):
		return p.no("Job time is required.")
	case !p.reads(a.CurrentTime):
		c.Log.Error(fmt.Sprintf("Date string could not be parsed: %s, %s", value.Str(a.CurrentTime), p.format))
		return p.no("Date string could not be parsed.")
	case c.Test:
		return value.M("comment", "Job: "+p.name+" would be skipped in schedule.", "result", true), nil
	}
	return p.ask(value.M("name", p.name, "time", a.CurrentTime, "time_fmt", p.format, "func", "skip_job"),
		"Added Skip Job "+p.name+" in schedule.", "Failed to skip job "+p.name+" in schedule.")
}

func format(kw *value.Map) string {
	if f := kw.Str("time_fmt"); f != "" {
		return f
	}
	return schedule.DefaultFormat
}

// putOff is a call of one of the two.
type putOff struct {
	c            *salt.Ctx
	name, format string
}

func (p putOff) no(comment string) (*value.Map, error) {
	return value.M("comment", comment, "result", false), nil
}

func (p putOff) reads(v any) bool {
	text, ok := v.(string)
	if ok {
		_, ok = pytime.Strptime(text, p.format, p.c.Sys.Now().Location())
	}
	return ok
}

func (p putOff) ask(request *value.Map, done, failed string) (*value.Map, error) {
	where, err := place(p.c, p.name)
	switch {
	case err != nil:
		return nil, err
	case where == "":
		return p.no("Job " + p.name + " does not exist.")
	case where == "pillar":
		return p.no(failed)
	}
	job, err := current(p.c, nil, false)
	if err != nil {
		return nil, err
	}
	if !job.Map(p.name).Truth("enabled") {
		return p.no(failed)
	}
	answer, err := ask(p.c, request)
	if err != nil {
		return nil, err
	}
	if !answer.Map("schedule").Has(p.name) {
		return p.no(failed)
	}
	return value.M("comment", done, "result", true), nil
}
