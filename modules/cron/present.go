package cron

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type presentArgs struct {
	Name       string `py:"name"`             // the command to run
	User       string `py:"user='root'"`      // whose crontab
	Minute     any    `py:"minute='*'"`       // the minute, or random
	Hour       any    `py:"hour='*'"`         // the hour, or random
	Daymonth   any    `py:"daymonth='*'"`     // the day of the month, or random
	Month      any    `py:"month='*'"`        // the month, or random
	Dayweek    any    `py:"dayweek='*'"`      // the day of the week, or random
	Comment    any    `py:"comment=None"`     // a comment to put above the job
	Commented  any    `py:"commented=False"`  // keep the job, but switched off
	Identifier any    `py:"identifier=False"` // what the job is known by when its command or time changes; False takes the command
	Special    any    `py:"special=None"`     // a time such as @daily or @reboot instead of the five fields
}

// present makes sure that a job is in a user's crontab.
//
//	date > /tmp/crontest:
//	  cron.present:
//	    - user: root
//	    - minute: 7
//	    - hour: 2
//
//	/usr/local/bin/once:
//	  cron.present:
//	    - special: '@reboot'
//	    - comment: after each boot
func present(c *salt.Ctx, a presentArgs) salt.Result {
	name := strings.TrimSpace(a.Name)
	identifier := a.Identifier
	if identifier == false {
		identifier = name
	}
	if c.Test {
		j := job{cmd: name, comment: a.Comment, commented: a.Commented == true, identifier: identifier}
		if identifier != nil {
			j.identifier = value.Str(identifier)
		}
		if a.Special != nil {
			j.spec = a.Special
		} else {
			j.minute, j.hour, j.daymonth, j.month, j.dayweek = lower(a.Minute), lower(a.Hour), lower(a.Daymonth), lower(a.Month), lower(a.Dayweek)
		}
		status, err := check(c, a.User, &j, a.Special != nil)
		if err != nil {
			return salt.Raised(err)
		}
		return foresee(status, "Cron "+name)
	}
	var word string
	var err error
	if a.Special != nil {
		word, err = setSpecial(c, setSpecialArgs{User: a.User, Special: value.Str(a.Special), Cmd: name, Comment: a.Comment, Commented: a.Commented, Identifier: identifier})
	} else {
		word, err = setJob(c, setJobArgs{User: a.User, Minute: value.Str(a.Minute), Hour: value.Str(a.Hour), Daymonth: value.Str(a.Daymonth),
			Month: value.Str(a.Month), Dayweek: value.Str(a.Dayweek), Cmd: name, Comment: a.Comment, Commented: a.Commented, Identifier: identifier})
	}
	if err != nil {
		return salt.Raised(err)
	}
	return did(word, "Cron "+name, name, a.User)
}

// check says whether a job is "absent", "present" or has to be "update"d.
func check(c *salt.Ctx, user string, want *job, special bool) (string, error) {
	t, err := load(c, user)
	if err != nil {
		return "", err
	}
	list := t.jobs
	if special {
		list = t.specials
	}
	for i := range list {
		j := &list[i]
		if !j.matches(want.cmd, want.identifier) {
			continue
		}
		for _, p := range [][2]any{
			{j.minute, want.minute}, {j.hour, want.hour}, {j.daymonth, want.daymonth}, {j.month, want.month}, {j.dayweek, want.dayweek},
			{j.spec, want.spec}, {j.identifier, want.identifier}, {j.cmd, want.cmd}, {j.comment, want.comment}, {j.commented, want.commented},
		} {
			if differs(p[0], p[1]) {
				return "update", nil
			}
		}
		return "present", nil
	}
	return "absent", nil
}

// foresee is the answer under test=True for something that shall be there.
func foresee(status, what string) salt.Result {
	switch status {
	case "absent":
		return salt.Would(nil, "%s is set to be added", what)
	case "update":
		return salt.Would(nil, "%s is set to be updated", what)
	}
	return salt.Correct("%s already present", what)
}

// did is the answer for something that was set.
func did(word, what, name, user string) salt.Result {
	changes := value.M(user, name)
	switch word {
	case "present":
		return salt.Correct("%s already present", what)
	case "new":
		return salt.Changed(changes, "%s added to %s's crontab", what, user)
	case "updated":
		return salt.Changed(changes, "%s updated", what)
	}
	return salt.Failed("%s for user %s failed to commit with error \n%s", what, user, word)
}

type absentArgs struct {
	Name       string     `py:"name"`             // the command
	User       string     `py:"user='root'"`      // whose crontab
	Identifier any        `py:"identifier=False"` // what the job is known by when its command or time changes; False takes the command
	Special    any        `py:"special=None"`     // a time such as @daily or @reboot instead of the five fields
	Kwargs     *value.Map `py:"**kwargs"`         // more arguments, which are ignored
}

// absent makes sure that a job is not in a user's crontab.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	name := strings.TrimSpace(a.Name)
	identifier := a.Identifier
	if identifier == false {
		identifier = name
	}
	if c.Test {
		want := job{cmd: name, identifier: identifier}
		if identifier != nil {
			want.identifier = value.Str(identifier)
		}
		status, err := check(c, a.User, &want, false)
		if err != nil {
			return salt.Raised(err)
		}
		return foreseeRemoval(status, "Cron "+name)
	}
	var word string
	var err error
	if a.Special != nil {
		word, err = rmSpecial(c, rmSpecialArgs{User: a.User, Cmd: name, Special: a.Special, Identifier: identifier})
	} else {
		word, err = rmJob(c, rmJobArgs{User: a.User, Cmd: name, Identifier: identifier})
	}
	if err != nil {
		return salt.Raised(err)
	}
	return undid(word, "Cron "+name, name, a.User)
}

func foreseeRemoval(status, what string) salt.Result {
	if status == "absent" {
		return salt.Correct("%s is absent", what)
	}
	return salt.Would(nil, "%s is set to be removed", what)
}

func undid(word, what, name, user string) salt.Result {
	switch word {
	case "absent":
		return salt.Correct("%s already absent", what)
	case "removed":
		return salt.Changed(value.M(user, name), "%s removed from %s's crontab", what, user)
	}
	return salt.Failed("%s for user %s failed to commit with error %s", what, user, word)
}
