package cron

import (
	"pinch/value"
)

// id is what the job is known by.
func (j *job) id() string {
	if value.Truth(j.identifier) {
		return value.Str(j.identifier)
	}
	return noID
}

// matches says whether the job is the one with that identifier. A job without
// one is known by its command.
func (j *job) matches(cmd string, identifier any) bool {
	id, want := j.id(), noID
	if value.Truth(identifier) {
		want = value.Str(identifier)
	}
	if j.cmd != cmd && id == noID && want == noID {
		return false
	}
	return id == want || j.cmd == cmd && id == noID
}

// differs says whether a field has to change. None leaves it as it is, random
// replaces only a star.
func differs(now, want any) bool {
	switch {
	case value.Equal(now, want):
		return false
	case want == "random":
		return now == "*"
	}
	return want != nil
}

// keep is what a field becomes.
func keep(now, want any) any {
	if differs(now, want) {
		return want
	}
	return now
}

// set puts a job into the crontab: "new", "updated" or "present". An old form
// of it goes, and the new one stands at the end.
func (t *crontab) set(j job) string {
	j.minute, j.hour, j.daymonth, j.month, j.dayweek = lower(j.minute), lower(j.hour), lower(j.daymonth), lower(j.month), lower(j.dayweek)
	found := -1
	all := t.all()
	for i, old := range all {
		if old.matches(j.cmd, j.identifier) {
			found = i
			break
		}
	}
	if found < 0 {
		if j.spec != nil {
			t.specials = append(t.specials, j)
		} else {
			t.jobs = append(t.jobs, j.at())
		}
		return "new"
	}
	old := all[found]
	if !old.changes(&j) {
		return "present"
	}
	t.drop(found)
	id := any(old.id())
	j.minute, j.hour, j.daymonth = keep(old.minute, j.minute), keep(old.hour, j.hour), keep(old.daymonth, j.daymonth)
	j.month, j.dayweek = keep(old.month, j.month), keep(old.dayweek, j.dayweek)
	j.commented, j.comment = keep(old.commented, j.commented), keep(old.comment, j.comment)
	if j.spec != nil {
		j.spec = keep(old.spec, j.spec)
	}
	if old.cmd == j.cmd && id == noID {
		if value.Truth(j.identifier) {
			id = j.identifier
		} else {
			id = nil
		}
	}
	if id == nil || !differs(id, j.identifier) {
		j.identifier = id
	}
	if again := t.set(j); again != "new" {
		return again
	}
	return "updated"
}

func lower(v any) any {
	if v == nil {
		return nil
	}
	return lowerText(value.Str(v))
}

// changes says whether the old job must be replaced by the new one.
func (j *job) changes(want *job) bool {
	pairs := [][2]any{
		{j.comment, want.comment}, {j.commented, want.commented}, {want.identifier, j.id()},
		{j.minute, want.minute}, {j.hour, want.hour}, {j.daymonth, want.daymonth}, {j.month, want.month},
		{j.dayweek, want.dayweek}, {j.spec, want.spec}, {j.cmd, want.cmd},
	}
	for _, p := range pairs {
		if differs(p[0], p[1]) {
			return true
		}
	}
	return false
}

// all are the jobs, those with special times last.
func (t *crontab) all() []*job {
	var out []*job
	for i := range t.jobs {
		out = append(out, &t.jobs[i])
	}
	for i := range t.specials {
		out = append(out, &t.specials[i])
	}
	return out
}

// drop takes the job at a place of all out.
func (t *crontab) drop(i int) {
	if i < len(t.jobs) {
		t.jobs = append(append([]job(nil), t.jobs[:i]...), t.jobs[i+1:]...)
		return
	}
	i -= len(t.jobs)
	t.specials = append(append([]job(nil), t.specials[:i]...), t.specials[i+1:]...)
}

// removeJob takes the first job out that matches and has the given times.
func (t *crontab) removeJob(cmd string, identifier any, times [5]any) bool {
	for i, j := range t.jobs {
		if !j.matches(cmd, identifier) {
			continue
		}
		ok := true
		for k, now := range [5]any{j.minute, j.hour, j.daymonth, j.month, j.dayweek} {
			want := times[k]
			ok = ok && (want == nil || value.Str(now) == value.Str(want) || lowerText(value.Str(want)) == "random" && now != "*")
		}
		if ok {
			t.drop(i)
			return true
		}
	}
	return false
}

// removeSpecial takes the first job with a special time out that matches.
func (t *crontab) removeSpecial(cmd string, identifier, spec any) bool {
	for i, j := range t.specials {
		if j.matches(cmd, identifier) && (spec == nil || j.spec == spec) {
			t.drop(len(t.jobs) + i)
			return true
		}
	}
	return false
}

// setEnv sets a variable: "new", "updated" or "present".
func (t *crontab) setEnv(name string, v any) string {
	for _, e := range t.env {
		if e.name != name {
			continue
		}
		if value.Equal(e.value, v) {
			return "present"
		}
		t.removeEnv(name)
		t.env = append(t.env, variable{name, v})
		return "updated"
	}
	t.env = append(t.env, variable{name, v})
	return "new"
}

// removeEnv takes the last variable of that name out.
func (t *crontab) removeEnv(name string) bool {
	for i := len(t.env) - 1; i >= 0; i-- {
		if t.env[i].name == name {
			t.env = append(append([]variable(nil), t.env[:i]...), t.env[i+1:]...)
			return true
		}
	}
	return false
}
