package cron

import (
	"pinch/salt"
	"pinch/value"
)

type rawCronArgs struct {
	User string `py:"user"` // whose crontab
}

// rawCron returns the text of a user's crontab.
func rawCron(c *salt.Ctx, a rawCronArgs) (string, error) { return raw(c, a.User) }

type listTabArgs struct {
	User string `py:"user"` // whose crontab
}

// listTab returns what is in a user's crontab: pre (lines that are not
// Salt's), crons, special and env.
func listTab(c *salt.Ctx, a listTabArgs) (*value.Map, error) {
	t, err := load(c, a.User)
	if err != nil {
		return nil, err
	}
	return t.data(), nil
}

type lsArgs struct {
	User string `py:"user"` // whose crontab
}

// ls is another name of cron.list_tab.
func ls(c *salt.Ctx, a lsArgs) (*value.Map, error) { return listTab(c, listTabArgs(a)) }

type getEntryArgs struct {
	User       string `py:"user"`            // whose crontab
	Identifier any    `py:"identifier=None"` // the identifier to look for
	Cmd        any    `py:"cmd=None"`        // the command to look for
}

// getEntry returns the job with an identifier or a command, False when there
// is none.
func getEntry(c *salt.Ctx, a getEntryArgs) (any, error) {
	t, err := load(c, a.User)
	if err != nil {
		return nil, err
	}
	for _, j := range t.all() {
		switch {
		case value.Truth(a.Identifier):
			if value.Equal(j.identifier, a.Identifier) {
				return j.data(), nil
			}
		case value.Truth(a.Cmd) && value.Equal(j.cmd, a.Cmd):
			return j.data(), nil
		}
	}
	return false, nil
}

type setJobArgs struct {
	User       string `py:"user"`            // whose crontab
	Minute     any    `py:"minute"`          // the minute, or random
	Hour       any    `py:"hour"`            // the hour, or random
	Daymonth   any    `py:"daymonth"`        // the day of the month, or random
	Month      any    `py:"month"`           // the month, or random
	Dayweek    any    `py:"dayweek"`         // the day of the week, or random
	Cmd        string `py:"cmd"`             // the command
	Commented  any    `py:"commented=False"` // keep the job, but switched off
	Comment    any    `py:"comment=None"`    // a comment to put above the job
	Identifier any    `py:"identifier=None"` // what the job is known by when its command or time changes
}

// setJob sets a job with the five fields of its time: "new", "updated" or
// "present".
//
//	salt-call cron.set_job root '*' 3 '*' '*' 1 /usr/local/bin/weekly
func setJob(c *salt.Ctx, a setJobArgs) (string, error) {
	return put(c, a.User, job{
		minute: text(a.Minute), hour: text(a.Hour), daymonth: text(a.Daymonth), month: text(a.Month), dayweek: text(a.Dayweek),
		cmd: a.Cmd, commented: a.Commented, comment: a.Comment, identifier: a.Identifier,
	})
}

func text(v any) any { return value.Str(v) }

func put(c *salt.Ctx, user string, j job) (string, error) {
	return edit(c, user, func(t *crontab) (string, bool) {
		word := t.set(j)
		return word, word != "present"
	})
}

type setSpecialArgs struct {
	User       string `py:"user"`            // whose crontab
	Special    string `py:"special"`         // a time such as @daily or @reboot
	Cmd        string `py:"cmd"`             // the command
	Commented  any    `py:"commented=False"` // keep the job, but switched off
	Comment    any    `py:"comment=None"`    // a comment to put above the job
	Identifier any    `py:"identifier=None"` // what the job is known by when its command or time changes; False takes the command
}

// setSpecial sets a job with a special time: "new", "updated" or "present".
//
//	salt-call cron.set_special root @hourly 'echo foobar'
func setSpecial(c *salt.Ctx, a setSpecialArgs) (string, error) {
	return put(c, a.User, job{spec: a.Special, cmd: a.Cmd, commented: a.Commented, comment: a.Comment, identifier: a.Identifier})
}

type rmJobArgs struct {
	User       string `py:"user"`            // whose crontab
	Cmd        string `py:"cmd"`             // the command
	Minute     any    `py:"minute=None"`     // the minute, or random
	Hour       any    `py:"hour=None"`       // the hour, or random
	Daymonth   any    `py:"daymonth=None"`   // the day of the month, or random
	Month      any    `py:"month=None"`      // the month, or random
	Dayweek    any    `py:"dayweek=None"`    // the day of the week, or random
	Identifier any    `py:"identifier=None"` // what the job is known by when its command or time changes; False takes the command
}

// rmJob removes a job: "removed" or "absent". With times only one that has them.
func rmJob(c *salt.Ctx, a rmJobArgs) (string, error) {
	return edit(c, a.User, func(t *crontab) (string, bool) {
		if t.removeJob(a.Cmd, a.Identifier, [5]any{a.Minute, a.Hour, a.Daymonth, a.Month, a.Dayweek}) {
			return "removed", true
		}
		return "absent", false
	})
}

// rm is another name of cron.rm_job.
func rm(c *salt.Ctx, a rmJobArgs) (string, error) { return rmJob(c, a) }

type rmSpecialArgs struct {
	User       string `py:"user"`            // whose crontab
	Cmd        string `py:"cmd"`             // the command
	Special    any    `py:"special=None"`    // a time such as @daily or @reboot instead of the five fields
	Identifier any    `py:"identifier=None"` // what the job is known by when its command or time changes; False takes the command
}

// rmSpecial removes a job with a special time: "removed" or "absent".
func rmSpecial(c *salt.Ctx, a rmSpecialArgs) (string, error) {
	return edit(c, a.User, func(t *crontab) (string, bool) {
		if t.removeSpecial(a.Cmd, a.Identifier, a.Special) {
			return "removed", true
		}
		return "absent", true
	})
}

type setEnvArgs struct {
	User  string `py:"user"`       // whose crontab
	Name  string `py:"name"`       // the variable
	Value any    `py:"value=None"` // the value
}

// setEnv sets a variable of a crontab: "new", "updated" or "present".
func setEnv(c *salt.Ctx, a setEnvArgs) (string, error) {
	return edit(c, a.User, func(t *crontab) (string, bool) {
		word := t.setEnv(a.Name, a.Value)
		return word, word != "present"
	})
}

type rmEnvArgs struct {
	User string `py:"user"` // whose crontab
	Name string `py:"name"` // the variable
}

// rmEnv removes a variable of a crontab: "removed" or "absent".
func rmEnv(c *salt.Ctx, a rmEnvArgs) (string, error) {
	return edit(c, a.User, func(t *crontab) (string, bool) {
		if t.removeEnv(a.Name) {
			return "removed", true
		}
		return "absent", true
	})
}

type writeCronFileArgs struct {
	User string `py:"user"` // whose crontab
	Path string `py:"path"` // a file with the new crontab
}

// writeCronFile installs a file as a user's crontab and says whether that worked.
func writeCronFile(c *salt.Ctx, a writeCronFileArgs) (bool, error) {
	ret, err := install(c, a.User, a.Path)
	return err == nil && !value.Truth(ret.At("retcode")), err
}

type writeCronFileVerboseArgs struct {
	User string `py:"user"` // whose crontab
	Path string `py:"path"` // a file with the new crontab
}

// writeCronFileVerbose installs a file as a user's crontab and returns what
// crontab(1) answered.
func writeCronFileVerbose(c *salt.Ctx, a writeCronFileVerboseArgs) (*value.Map, error) {
	return install(c, a.User, a.Path)
}
