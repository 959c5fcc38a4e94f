// Package schedule holds Salt's schedule module: functions and states for the
// jobs that the daemon runs at their times. With a daemon they ask it over the
// event bus; without one they change the saved schedule, _schedule.conf, which
// the daemon reads when it starts.
//
//	converge:
//	  schedule.present:
//	    - function: state.apply
//	    - minutes: 30
//	    - splay: 60
package schedule

import (
	"errors"
	"time"

	"pinch/events"
	"pinch/salt"
	"pinch/schedule"
	"pinch/value"
)

// Module is Salt's schedule module.
var Module = salt.Module{
	Name: "schedule",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present":  salt.State(present),
			"absent":   salt.State(absent),
			"enabled":  salt.State(enabled),
			"disabled": salt.State(disabled),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"list":                salt.Exec(list).Named("list_"),
			"is_enabled":          salt.Exec(isEnabled),
			"purge":               salt.Exec(purge),
			"delete":              salt.Exec(delete_),
			"build_schedule_item": salt.Exec(buildScheduleItem),
			"add":                 salt.Exec(add),
			"modify":              salt.Exec(modify),
			"run_job":             salt.Exec(runJob),
			"enable_job":          salt.Exec(enableJob),
			"disable_job":         salt.Exec(disableJob),
			"save":                salt.Exec(save),
			"enable":              salt.Exec(enable),
			"disable":             salt.Exec(disable),
			"reload":              salt.Exec(reload).Named("reload_"),
			"move":                salt.Exec(move),
			"copy":                salt.Exec(copy_),
			"postpone_job":        salt.Exec(postponeJob),
			"skip_job":            salt.Exec(skipJob),
			"show_next_fire_time": salt.Exec(showNextFireTime),
			"job_status":          salt.Exec(jobStatus),
		}
	},
}

// wait is how long the daemon has for an answer.
const wait = 30 * time.Second

// socket is where the daemon of this minion listens.
func socket(c *salt.Ctx) string {
	return events.Places(c.Opts.Str("sock_dir"), c.Opts.Str("id"), c.Opts.Str("hash_type")).Lines
}

// ask has the daemon carry out a request and gives its answer; without a daemon
// the request is carried out on the saved schedule. The answer is nil for
// requests that have none.
func ask(c *salt.Ctx, request *value.Map) (*value.Map, error) {
	tag := schedule.AnswerTag(request.Str("func"))
	var answer *value.Map
	var err error
	if tag == "" {
		err = events.Fire(c, socket(c), schedule.ManageTag, request)
	} else {
		answer, err = events.Ask(c, socket(c), schedule.ManageTag, request, tag, wait)
	}
	if !errors.Is(err, events.ErrNoDaemon) {
		return answer, err
	}
	return askFile(c, request)
}

var errNotRunning = errors.New("no daemon is running")

type tableKey struct{}

// askFile carries a request out on the saved schedule, which the options hold
// as it was when the run began.
func askFile(c *salt.Ctx, request *value.Map) (*value.Map, error) {
	t, err := salt.Once(c.Run, tableKey{}, func() (*schedule.Table, error) {
		return schedule.Of(c.Opts, c.Pillar, c.Grains), nil
	})
	if err != nil {
		return nil, err
	}
	if request.Str("func") == "run_job" {
		return nil, errNotRunning
	}
	a := t.Manage(value.Copy(request).(*value.Map), nil)
	if a.Persist {
		if err := t.Save(c.Sys, schedule.File(c.Opts)); err != nil {
			return nil, err
		}
	}
	return a.Data, nil
}
