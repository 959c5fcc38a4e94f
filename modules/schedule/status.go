package schedule

import (
	"errors"
	"time"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

type runJobArgs struct {
	Name  any  `py:"name"`        // the job
	Force bool `py:"force=False"` // also when it is switched off
}

// runJob has the daemon run a job now.
func runJob(c *salt.Ctx, a runJobArgs) (*value.Map, error) {
	name := value.Str(a.Name)
	ret := value.M("comment", new(value.List), "result", true)
	now, err := current(c, nil, false)
	if err != nil {
		return nil, err
	}
	job := now.Map(name)
	switch {
	case job == nil:
		ret.Set("comment", "Job "+name+" does not exist.")
		ret.Set("result", false)
	case !job.Truth("enabled") && !a.Force:
		ret.Set("comment", "Job "+name+" is disabled.")
	default:
		_, err := ask(c, value.M("name", name, "func", "run_job"))
		if errors.Is(err, errNotRunning) {
			ret.Set("comment", "Failed to run job "+name+" on minion.")
			ret.Set("result", false)
			return ret, nil
		}
		ret.Set("comment", "Scheduling Job "+name+" on minion.")
		return ret, err
	}
	return ret, nil
}

type showNextFireTimeArgs struct {
	Name   any        `py:"name"`     // the job
	Kwargs *value.Map `py:"**kwargs"` // further arguments are ignored
}

// showNextFireTime tells when a job is due next.
func showNextFireTime(c *salt.Ctx, a showNextFireTimeArgs) (*value.Map, error) {
	ret := value.M("result", true)
	if !value.Truth(a.Name) {
		return value.M("result", false, "comment", "Job name is required."), nil
	}
	answer, err := ask(c, value.M("name", value.Str(a.Name), "func", "get_next_fire_time"))
	if err != nil {
		return nil, err
	}
	if v, ok := answer.Get("next_fire_time"); ok {
		ret.Set("next_fire_time", v)
	} else {
		ret.Set("comment", "next fire time not available.")
	}
	return ret, nil
}

type jobStatusArgs struct {
	Name    any    `py:"name"`                         // the job
	TimeFmt string `py:"time_fmt='%Y-%m-%dT%H:%M:%S'"` // how times are written
}

// jobStatus shows a job with what the daemon remembers of it.
func jobStatus(c *salt.Ctx, a jobStatusArgs) (*value.Map, error) {
	answer, err := ask(c, value.M("func", "job_status", "name", value.Str(a.Name), "fire_event", true))
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for k, v := range answer.Map("data").Items() {
		t, ok := v.(time.Time)
		if !ok && isTime(k) { // over the bus times are text
			if text, isText := v.(string); isText {
				t, err = time.Parse("2006-01-02T15:04:05.999999", text)
				ok = err == nil
			}
		}
		if ok {
			if v, err = py.Strftime(t, a.TimeFmt); err != nil {
				return nil, err
			}
		}
		out.Set(k, v)
	}
	return out, nil
}

func isTime(key string) bool {
	return key == "_next_fire_time" || key == "_splay" || key == "_last_run" || key == "_skipped_time"
}
