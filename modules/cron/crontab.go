package cron

import (
	"fmt"
	"strings"

	"pinch/value"
)

const (
	// tag is the line below which everything is Salt's.
	tag = "# Lines below here are managed by Salt, do not edit"
	// mark stands before the identifier, in the comment above a job.
	mark = "SALT_CRON_IDENTIFIER"
	// noID stands for an identifier that a job does not have.
	noID     = "NO ID SET"
	disabled = "#DISABLED#"
)

// A crontab is what a user's file says: the lines above the tag, and what is
// below it.
type crontab struct {
	pre      []string
	env      []variable
	jobs     []job
	specials []job
}

type variable struct {
	name  string
	value any // None or "" is written as ""
}

// A job is a line of the crontab with the comment above it. Its time is in
// spec (@daily) or in the five fields. Values of type any are None when they
// are not there.
type job struct {
	spec                                   any
	minute, hour, daymonth, month, dayweek any
	cmd                                    string
	identifier, comment                    any
	commented                              any
}

// parse reads a crontab.
func parse(text string) *crontab {
	t := new(crontab)
	managed := false
	var comment, identifier any
	for _, line := range lines(text) {
		if line == tag {
			managed = true
			continue
		}
		if !managed {
			t.pre = append(t.pre, line)
			continue
		}
		line, off := strings.CutPrefix(line, disabled)
		switch fields := strings.Split(line, " "); {
		case strings.HasPrefix(line, "@"):
			words := strings.Fields(line)
			if len(words) < 2 {
				continue
			}
			t.specials = append(t.specials, job{spec: words[0], cmd: strings.Join(words[1:], " "), identifier: identifier, comment: comment, commented: off})
			comment, identifier = nil, nil
		case strings.HasPrefix(line, "#"):
			text := strings.TrimLeft(line, "# ")
			if before, after, ok := strings.Cut(text, mark); ok {
				text = strings.TrimRight(before, " \t")
				after, _, _ = strings.Cut(after, mark)
				if len(after) > 1 {
					identifier = after[1:]
				}
			}
			if comment != nil {
				text = comment.(string) + "\n" + text
			}
			comment = text
		case strings.IndexByte(fields[0], '=') > 0:
			name, val, _ := strings.Cut(line, "=")
			t.env = append(t.env, variable{name, val})
		case len(fields) > 5:
			t.jobs = append(t.jobs, job{
				minute: fields[0], hour: fields[1], daymonth: fields[2], month: fields[3], dayweek: fields[4],
				cmd: strings.Join(fields[5:], " "), identifier: identifier, comment: comment, commented: off,
			})
			comment, identifier = nil, nil
		}
	}
	return t
}

// lines are the lines without their ends.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// String is the crontab as it is written.
func (t *crontab) String() string {
	var b strings.Builder
	for _, line := range t.pre {
		b.WriteString(line + "\n")
	}
	if len(t.pre) == 0 || t.pre[len(t.pre)-1] != tag {
		b.WriteString(tag + "\n")
	}
	for _, v := range t.env {
		text := `""`
		if v.value != nil && v.value != "" {
			text = value.Str(v.value)
		}
		b.WriteString(v.name + "=" + text + "\n")
	}
	for _, j := range t.jobs {
		j.note(&b)
		fmt.Fprintf(&b, "%s %s %s %s %s %s\n", value.Str(j.minute), value.Str(j.hour), value.Str(j.daymonth), value.Str(j.month), value.Str(j.dayweek), j.cmd)
	}
	for _, j := range t.specials {
		j.note(&b)
		fmt.Fprintf(&b, "%s %s\n", value.Str(j.spec), j.cmd)
	}
	return b.String()
}

// note writes the comment above a job, and what switches it off.
func (j *job) note(b *strings.Builder) {
	if j.comment != nil || j.identifier != nil {
		b.WriteByte('#')
		if value.Truth(j.comment) {
			text := value.Str(j.comment)
			if j.spec != nil {
				text = strings.TrimRight(text, " \t\n")
			}
			b.WriteString(" " + strings.ReplaceAll(text, "\n", "\n# "))
		}
		if value.Truth(j.identifier) {
			b.WriteString(" " + mark + ":" + value.Str(j.identifier))
		}
		b.WriteByte('\n')
	}
	if j.commented == true {
		b.WriteString(disabled)
	}
}

// data is the job as cron.list_tab shows it.
func (j *job) data() *value.Map {
	if j.spec != nil {
		return value.M("spec", j.spec, "cmd", j.cmd, "identifier", j.identifier, "comment", j.comment, "commented", j.commented)
	}
	return value.M("minute", j.minute, "hour", j.hour, "daymonth", j.daymonth, "month", j.month, "dayweek", j.dayweek,
		"identifier", j.identifier, "cmd", j.cmd, "comment", j.comment, "commented", j.commented)
}

func (t *crontab) data() *value.Map {
	jobs, specials, env := value.L(), value.L(), value.L()
	for i := range t.jobs {
		jobs.Append(t.jobs[i].data())
	}
	for i := range t.specials {
		specials.Append(t.specials[i].data())
	}
	for _, v := range t.env {
		env.Append(value.M("name", v.name, "value", v.value))
	}
	return value.M("pre", value.Strings(t.pre), "crons", jobs, "special", specials, "env", env)
}
