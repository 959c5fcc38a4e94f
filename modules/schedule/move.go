package schedule

import (
	"pinch/salt"
	"pinch/value"
)

type moveArgs struct {
	Name   any        `py:"name"`     // the job
	Target any        `py:"target"`   // the minions that are to have it
	Kwargs *value.Map `py:"**kwargs"` // test
}

// move gives a job to other minions and takes it out here; it needs a master.
func move(c *salt.Ctx, a moveArgs) (*value.Map, error) {
	ret, ok, err := publish(c, a, "moved")
	if err != nil || !ok {
		return ret, err
	}
	if _, err := delete_(c, deleteArgs{Name: a.Name, Kwargs: new(value.Map)}); err != nil {
		return nil, err
	}
	ret.Set("comment", "Moved Job "+value.Str(a.Name)+" from schedule.")
	return ret, nil
}

// copy_ gives a job to other minions; it needs a master.
func copy_(c *salt.Ctx, a moveArgs) (*value.Map, error) {
	ret, ok, err := publish(c, a, "copied")
	if err == nil && ok {
		ret.Set("comment", "Copied Job "+value.Str(a.Name)+" from schedule to minion(s).")
	}
	return ret, err
}

// publish has other minions add a job; ok says that they did.
func publish(c *salt.Ctx, a moveArgs, done string) (ret *value.Map, ok bool, err error) {
	name := value.Str(a.Name)
	ret = value.M("comment", new(value.List), "result", true)
	if !value.Truth(a.Name) {
		ret.Set("comment", "Job name is required.")
		ret.Set("result", false)
	}
	if a.Kwargs.Truth("test") {
		ret.Set("comment", "Job: "+name+" would be "+done+" from schedule.")
		return ret, false, nil
	}
	now, err := current(c, nil, false)
	if err != nil {
		return nil, false, err
	}
	job := now.Map(name)
	if job == nil {
		ret.Set("comment", "Job "+name+" does not exist.")
		ret.Set("result", false)
		return ret, false, nil
	}
	args := new(value.List)
	for k, v := range job.Items() {
		args.Append(k + "=" + value.Str(v))
	}
	var answer any = new(value.Map)
	if _, missing := c.Registry().Exec(c, "publish.publish"); missing == nil {
		if answer, err = c.Call("publish.publish", a.Target, "schedule.add", args); err != nil {
			return nil, false, err
		}
	}
	minions, errors := new(value.List), new(value.List)
	m, _ := answer.(*value.Map)
	for id, v := range m.Items() {
		minions.Append(id)
		if !value.Truth(v) {
			errors.Append(id)
		}
	}
	switch {
	case minions.Len() == 0:
		ret.Set("comment", "no servers answered the published schedule.add command")
		return ret, false, nil
	case errors.Len() > 0:
		ret.Set("comment", "the following minions return False")
		ret.Set("minions", errors)
		return ret, false, nil
	}
	ret.Set("minions", minions)
	return ret, true, nil
}
