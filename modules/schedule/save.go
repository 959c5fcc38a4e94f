package schedule

import (
	"errors"

	"pinch/events"
	"pinch/salt"
	"pinch/schedule"
	"pinch/value"
)

type saveArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // test
}

// save writes the jobs of the configuration into _schedule.conf.
func save(c *salt.Ctx, a saveArgs) (*value.Map, error) {
	if a.Kwargs.Truth("test") {
		return value.M("comment", "Schedule would be saved.", "result", true), nil
	}
	answer, err := ask(c, value.M("func", "save_schedule"))
	if err != nil {
		return nil, err
	}
	if !answer.Truth("complete") {
		return value.M("comment", "Failed to save schedule.", "result", false), nil
	}
	return value.M("comment", "Schedule (non-pillar items) saved.", "result", true), nil
}

type reloadArgs struct{}

// reload has the daemon read the schedule of the pillar and the saved one anew.
func reload(c *salt.Ctx, _ reloadArgs) (*value.Map, error) {
	comments := new(value.List)
	ret := value.M("comment", comments, "result", true)
	fire := func(tag string, data *value.Map, done, failed string) error {
		err := events.Fire(c, socket(c), tag, data)
		if err != nil && !errors.Is(err, events.ErrNoDaemon) {
			return err
		}
		if err != nil {
			done = failed
			ret.Set("result", false)
		}
		comments.Append(done)
		return nil
	}
	if c.Pillar.Has("schedule") {
		if err := fire("pillar_refresh", new(value.Map), "Reloaded schedule from pillar on minion.", "Failed to reload schedule from pillar on minion."); err != nil {
			return nil, err
		}
	}
	saved, err := readSaved(c)
	if err != nil {
		comments.Append("Unable to read existing schedule file: " + err.Error())
		ret.Set("result", false)
		return ret, nil
	}
	if saved.Len() > 0 {
		err = fire(schedule.ManageTag, value.M("func", "reload", "schedule", value.M("schedule", saved)),
			"Reloaded schedule on minion from schedule.conf.", "Failed to reload schedule on minion from schedule.conf.")
	}
	return ret, err
}
