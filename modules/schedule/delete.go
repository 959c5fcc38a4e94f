package schedule

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type deleteArgs struct {
	Name   any        `py:"name"`     // the job to take out
	Kwargs *value.Map `py:"**kwargs"` // persist, test, offline
}

// delete_ takes a job out of the schedule.
func delete_(c *salt.Ctx, a deleteArgs) (*value.Map, error) {
	name, kw := value.Str(a.Name), a.Kwargs
	ret := value.M("comment", "Failed to delete job "+name+" from schedule.", "result", false, "changes", new(value.Map))
	if !value.Truth(a.Name) {
		ret.Set("comment", "Job name is required.")
	}
	if kw.Truth("test") {
		ret.Set("comment", "Job: "+name+" would be deleted from schedule.")
		ret.Set("result", true)
		return ret, nil
	}
	deleted := func() (*value.Map, error) {
		ret.Set("result", true)
		ret.Set("comment", "Deleted Job "+name+" from schedule.")
		ret.Map("changes").Set(name, "removed")
		return ret, nil
	}
	missing := func() (*value.Map, error) {
		ret.Set("comment", "Job "+name+" does not exist.")
		return ret, nil
	}
	if kw.Truth("offline") {
		now, err := current(c, "opts", true)
		if err != nil {
			return nil, err
		}
		if _, ok := now.Pop(name); !ok {
			return missing()
		}
		if err := writeSaved(c, now); err != nil {
			return nil, err
		}
		return deleted()
	}
	where, err := place(c, name)
	if err != nil {
		return nil, err
	}
	request := value.M("name", name, "func", "delete", "persist", persist(kw))
	switch where {
	case "":
		return missing()
	case "pillar":
		request = value.M("name", name, "where", "pillar", "func", "delete", "persist", false)
	}
	answer, err := ask(c, request)
	if err != nil {
		return nil, err
	}
	if answer.Map("schedule").Has(name) {
		return ret, nil
	}
	return deleted()
}

type purgeArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // persist, test, offline
}

// purge takes all jobs out of the schedule, but for the daemon's own.
func purge(c *salt.Ctx, a purgeArgs) (*value.Map, error) {
	kw := a.Kwargs
	comments, changes := new(value.List), new(value.Map)
	ret := value.M("comment", comments, "changes", changes, "result", true)
	now, err := current(c, nil, kw.At("offline"))
	if err != nil {
		return nil, err
	}
	left := now.Shallow()
	for name := range now.Items() {
		switch {
		case name == "enabled" || strings.HasPrefix(name, "__"):
			continue
		case kw.Truth("test"):
			comments.Append("Job: " + name + " would be deleted from schedule.")
			continue
		case kw.Truth("offline"):
			left.Pop(name)
		default:
			answer, err := ask(c, value.M("name", name, "func", "delete", "persist", persist(kw)))
			if err != nil {
				return nil, err
			}
			if answer.Map("schedule").Has(name) {
				comments.Append("Failed to delete job " + name + " from schedule.")
				continue
			}
		}
		changes.Set(name, "removed")
		comments.Append("Deleted job: " + name + " from schedule.")
	}
	if kw.Truth("offline") && !kw.Truth("test") {
		err = writeSaved(c, left)
	}
	return ret, err
}
