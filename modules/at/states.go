package at

import (
	"slices"

	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name      string `py:"name"`             // the command, if job is not given
	Timespec  string `py:"timespec"`         // when, as at(1) reads it: 9:09 11/09/26, now + 1 hour
	Tag       any    `py:"tag=None"`         // a name for the job
	User      any    `py:"user=None"`        // who runs it
	Job       any    `py:"job=None"`         // the command
	UniqueTag bool   `py:"unique_tag=False"` // do nothing while a job with the tag waits
}

// present puts a job into the queue, each time it runs unless unique_tag is
// given.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	command := a.Name
	if value.Truth(a.Job) {
		command = value.Str(a.Job)
	}
	if c.Test {
		return salt.Would(nil, "job %s added and will run on %s", command, a.Timespec)
	}
	if a.UniqueTag {
		if !value.Truth(a.Tag) {
			return salt.Failed("no tag provided and unique_tag is set to True")
		}
		found, err := jobcheck(c, jobcheckArgs{value.M("tag", a.Tag)})
		if err != nil {
			return salt.Raised(err)
		}
		if found.List("jobs").Len() > 0 {
			return salt.Correct("atleast one job with tag %s exists.", value.Str(a.Tag))
		}
	}
	kw := value.M("tag", a.Tag)
	r := salt.Correct("job %s added and will run on %s", command, a.Timespec)
	if value.Truth(a.User) {
		user := value.Str(a.User)
		if _, err := c.Sys.User(user); err != nil {
			return salt.Failed("user %s does not exists", user)
		}
		kw.Set("runas", user)
		r = salt.Correct("job %s added and will run as %s on %s", command, user, a.Timespec)
	}
	res, err := at(c, atArgs{[]any{a.Timespec, command}, kw})
	if err != nil {
		return salt.Raised(err)
	}
	if l := res.List("jobs"); l.Len() > 0 {
		r.Changes, _ = l.Items[0].(*value.Map)
	}
	if text, ok := res.Get("error"); ok {
		return salt.Failed("%s", value.Str(text))
	}
	return r
}

type absentArgs struct {
	Name   string     `py:"name"`       // only a name for the state
	Jobid  any        `py:"jobid=None"` // the number of a job
	Kwargs *value.Map `py:"**kwargs"`   // without jobid: conditions as in at.jobcheck; without any, all jobs are removed
}

// absent removes jobs from the queue.
//
//	rose:
//	  at.absent:
//	    - tag: love
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	switch {
	case a.Kwargs.Has("limit"):
		return salt.Failed("limit parameter not supported %s", a.Name)
	case c.Test:
		return salt.Would(nil, "removed ? job(s)")
	case value.Truth(a.Jobid):
		return a.one(c)
	}
	args := []any{"all"}
	if a.Kwargs.Len() > 0 {
		found, err := jobcheck(c, jobcheckArgs{a.Kwargs})
		if err != nil {
			return salt.Raised(err)
		}
		args = nil
		for _, it := range found.List("jobs").Items {
			args = append(args, it.(*value.Map).At("job"))
		}
	}
	res, err := atrm(c, atrmArgs{args})
	if err != nil {
		return salt.Raised(err)
	}
	gone := res.Map("jobs").List("removed")
	r := salt.Correct("removed %d job(s)", gone.Len())
	if gone.Len() > 0 {
		r.Changes = value.M("removed", gone)
	}
	return r
}

// one removes the job with a number.
func (a *absentArgs) one(c *salt.Ctx) salt.Result {
	id := value.Str(a.Jobid)
	list, err := jobs(c)
	if err != nil {
		return salt.Raised(err)
	}
	if !slices.ContainsFunc(list, func(j job) bool { return value.Str(j.id) == id }) {
		return salt.Correct("job with id %s not present", id)
	}
	res, err := atrm(c, atrmArgs{[]any{id}})
	if err != nil {
		return salt.Raised(err)
	}
	if gone := res.Map("jobs").List("removed"); gone.Len() > 0 {
		return salt.Changed(value.M("removed", gone), "job with id %s was removed", id)
	}
	return salt.Failed("failed to remove job with id %s", id)
}

type watchArgs struct {
	Name      string `py:"name"`             // the command, if job is not given
	Timespec  any    `py:"timespec"`         // when, as at(1) reads it
	Tag       any    `py:"tag=None"`         // a name for the job
	User      any    `py:"user=None"`        // who runs it
	Job       any    `py:"job=None"`         // the command
	UniqueTag bool   `py:"unique_tag=False"` // do nothing while a job with the tag waits
}

// watch puts a job into the queue when something it watches changed.
//
//	minion_restart:
//	  at.watch:
//	    - job: salt-call --local service.restart salt-minion
//	    - timespec: 'now + 1 min'
//	    - watch: [{pkg: salt-minion}]
func watch(*salt.Ctx, watchArgs) salt.Result { return salt.Correct("") }

type modWatchArgs struct {
	Name   string     `py:"name"`     // the command, if job is not given
	Kwargs *value.Map `py:"**kwargs"` // the arguments of the state
}

// modWatch is what watch does when something changed.
func modWatch(c *salt.Ctx, a modWatchArgs) salt.Result {
	if a.Kwargs.Str("sfun") != "watch" {
		return salt.Failed("")
	}
	return present(c, presentArgs{a.Name, a.Kwargs.Str("timespec"), a.Kwargs.At("tag"), a.Kwargs.At("user"), a.Kwargs.At("job"), a.Kwargs.Truth("unique_tag")})
}
