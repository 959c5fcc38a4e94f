package schedule

import (
	"pinch/salt"
	"pinch/value"
)

type jobArgs struct {
	Name   any        `py:"name"`     // the job
	Kwargs *value.Map `py:"**kwargs"` // persist, test
}

// enableJob switches a job on.
func enableJob(c *salt.Ctx, a jobArgs) (*value.Map, error) { return switchJob(c, a, "enable") }

// disableJob switches a job off.
func disableJob(c *salt.Ctx, a jobArgs) (*value.Map, error) { return switchJob(c, a, "disable") }

func switchJob(c *salt.Ctx, a jobArgs, verb string) (*value.Map, error) {
	name := value.Str(a.Name)
	changes := new(value.Map)
	ret := value.M("comment", new(value.List), "result", true, "changes", changes)
	if !value.Truth(a.Name) {
		ret.Set("comment", "Job name is required.")
		ret.Set("result", false)
	}
	if a.Kwargs.Truth("test") || c.Test && verb == "enable" {
		ret.Set("comment", "Job: "+name+" would be "+verb+"d in schedule.")
		return ret, nil
	}
	where, err := place(c, name)
	if err != nil {
		return nil, err
	}
	request := value.M("name", name, "func", verb+"_job", "persist", persist(a.Kwargs))
	switch where {
	case "":
		ret.Set("comment", "Job "+name+" does not exist.")
		ret.Set("result", false)
		return ret, nil
	case "pillar":
		request = value.M("name", name, "where", "pillar", "func", verb+"_job", "persist", false)
	}
	answer, err := ask(c, request)
	if err != nil {
		return nil, err
	}
	job := answer.Map("schedule").Map(name)
	on := !job.Has("enabled") || job.Truth("enabled")
	if job != nil && on == (verb == "enable") {
		ret.Set("comment", map[string]string{"enable": "Enabled", "disable": "Disabled"}[verb]+" Job "+name+" in schedule.")
		changes.Set(name, verb+"d")
		return ret, nil
	}
	ret.Set("comment", "Failed to "+verb+" job "+name+" in schedule.")
	ret.Set("result", false)
	return ret, nil
}

type switchArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // persist, test
}

// enable switches the schedule on.
func enable(c *salt.Ctx, a switchArgs) (*value.Map, error) { return switchAll(c, a.Kwargs, "enable") }

// disable switches the schedule off: no job runs.
func disable(c *salt.Ctx, a switchArgs) (*value.Map, error) { return switchAll(c, a.Kwargs, "disable") }

func switchAll(c *salt.Ctx, kw *value.Map, verb string) (*value.Map, error) {
	changes := new(value.Map)
	ret := value.M("comment", new(value.List), "changes", changes, "result", true)
	if kw.Truth("test") {
		ret.Set("comment", "Schedule would be "+verb+"d.")
		return ret, nil
	}
	answer, err := ask(c, value.M("func", verb, "persist", persist(kw)))
	if err != nil {
		return nil, err
	}
	if answer.Map("schedule").Truth("enabled") != (verb == "enable") {
		ret.Set("comment", "Failed to "+verb+" schedule on minion.")
		ret.Set("result", false)
		return ret, nil
	}
	ret.Set("comment", map[string]string{"enable": "Enabled", "disable": "Disabled"}[verb]+" schedule on minion.")
	changes.Set("schedule", verb+"d")
	return ret, nil
}
