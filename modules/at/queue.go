package at

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A job is what waits in the queue.
type job struct {
	id         int64
	date, time string
	queue      string
	user       string
	tag        string
}

func (j *job) data() *value.Map {
	return value.M("job", j.id, "date", j.date, "time", j.time, "queue", j.queue, "user", j.user, "tag", j.tag)
}

// jobs are all jobs that we may see.
func jobs(c *salt.Ctx) ([]job, error) {
	if c.Sys.Getuid() == 0 {
		for _, dir := range []string{"/var/spool/cron/atjobs", "/var/spool/at", "/var/spool/atjobs"} {
			if sys.IsDir(c.Sys, dir) {
				return spool(c, dir)
			}
		}
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"atq"}, Query: true})
	if err != nil {
		return nil, err
	}
	list := parse(string(r.Stdout))
	for i := range list {
		text, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"at", "-c", strconv.FormatInt(list[i].id, 10)}, Query: true})
		if err != nil {
			return nil, err
		}
		list[i].tag = tagIn(string(text.Stdout))
	}
	return list, nil
}

// spool reads the queue's folder. A file is named for its queue, its number
// and the minute of its time: a0000b01d5c2e1; = stands for a running job.
func spool(c *salt.Ctx, dir string) ([]job, error) {
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return nil, salt.OSError(err)
	}
	var list []job
	for _, e := range entries {
		j, ok := named(e.Name())
		if !ok || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := c.Sys.Lstat(path)
		if err != nil {
			continue // it ran meanwhile
		}
		uid, _ := sys.Owner(info)
		j.user = strconv.Itoa(uid)
		if u, err := c.Sys.UserID(uid); err == nil {
			j.user = u.Name
		}
		text, err := c.Sys.ReadFile(path)
		if err != nil {
			continue
		}
		j.tag = tagIn(string(text))
		list = append(list, j)
	}
	return list, nil
}

func named(name string) (j job, ok bool) {
	if len(name) != 14 || name[0] == '.' {
		return j, false
	}
	id, err := strconv.ParseUint(name[1:6], 16, 32)
	minute, err2 := strconv.ParseUint(name[6:], 16, 32)
	if err != nil || err2 != nil {
		return j, false
	}
	j = job{id: int64(id), queue: name[:1]}
	j.at(time.Unix(int64(minute)*60, 0))
	return j, true
}

func (j *job) at(t time.Time) { j.date, j.time = t.Format("2006-01-02"), t.Format("15:04:05") }

// tagIn is the tag that a job's text has in a comment, the last one if there
// are several.
func tagIn(text string) string {
	tag := ""
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "### SALT: ")
		if !ok {
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 128
		})
		if end > 0 {
			tag = rest[:end]
		}
	}
	return tag
}

// parse reads what atq(1) writes: number, tab, time, queue, user.
func parse(text string) []job {
	var list []job
	for line := range strings.Lines(text) {
		number, spec, ok := strings.Cut(strings.TrimSpace(line), "\t")
		f := strings.Fields(spec)
		id, err := strconv.ParseInt(number, 10, 64)
		if !ok || err != nil || len(f) < 7 {
			continue
		}
		when, err := time.Parse("Mon Jan 2 15:04:05 2006", strings.Join(f[:5], " "))
		if err != nil {
			continue
		}
		j := job{id: id, queue: f[5], user: f[6]}
		j.at(when)
		list = append(list, j)
	}
	return list
}

func data(list []job) *value.Map {
	l := value.L()
	for i := range list {
		l.Append(list[i].data())
	}
	return value.M("jobs", l)
}

type atqArgs struct {
	Tag any `py:"tag=None"` // only the jobs with this tag, or the one with this number
}

// atq returns the jobs that wait: job (its number), date, time, queue, user
// and tag.
func atq(c *salt.Ctx, a atqArgs) (*value.Map, error) {
	list, err := jobs(c)
	if err != nil {
		return nil, err
	}
	if value.Truth(a.Tag) {
		var found []job
		for _, j := range list {
			if a.Tag == j.tag || value.Equal(a.Tag, j.id) {
				found = append(found, j)
			}
		}
		list = found
	}
	return data(list), nil
}

type jobcheckArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // runas, tag, hour, minute, day, month, year: conditions that all must hold
}

// jobcheck returns the jobs that meet conditions.
//
//	salt-call at.jobcheck runas=jam day=13
func jobcheck(c *salt.Ctx, a jobcheckArgs) (*value.Map, error) {
	if a.Kwargs.Len() == 0 {
		return value.M("error", "You have given a condition"), nil
	}
	list, err := jobs(c)
	if err != nil || len(list) == 0 {
		return data(nil), err
	}
	var found []job
	for _, j := range list {
		ok, err := j.meets(a.Kwargs)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, j)
		}
	}
	m := data(found)
	if len(found) == 0 {
		m.Set("note", "No match jobs or time format error")
	}
	return m, nil
}

func (j *job) meets(kw *value.Map) (bool, error) {
	if s := kw.Str("runas"); s != "" && s != j.user {
		return false, nil
	}
	if s := kw.Str("tag"); s != "" && s != j.tag {
		return false, nil
	}
	year := kw.Str("year")
	if len(year) == 2 {
		year = "20" + year
	}
	if year != "" && year != j.date[:4] {
		return false, nil
	}
	for key, have := range map[string]string{"hour": j.time[:2], "minute": j.time[3:5], "day": j.date[8:], "month": j.date[5:7]} {
		if !kw.Truth(key) {
			continue
		}
		n, err := strconv.Atoi(kw.Str(key))
		if err != nil {
			return false, value.Errorf("ValueError", "invalid literal for int() with base 10: %s", value.Repr(kw.At(key)))
		}
		if want := strconv.Itoa(100 + n)[1:]; want != have {
			return false, nil
		}
	}
	return true, nil
}
