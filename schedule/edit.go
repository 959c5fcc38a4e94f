package schedule

import (
	"strings"
	"time"

	"pinch/render/yaml"
	"pinch/value"
)

// What the API does to a schedule. Jobs of the pillar stay as they are: those
// functions say so by ok == false.

func (t *Table) config() *value.Map {
	if t.Config == nil {
		t.Config = new(value.Map)
	}
	t.stale = true
	return t.Config
}

// Add puts a job in, or replaces it; one without enabled is enabled. More than
// one at a time are refused.
func (t *Table) Add(jobs *value.Map) (ok bool) {
	if jobs.Len() != 1 {
		return false
	}
	for key, raw := range jobs.Items() {
		if t.inPillar(key) {
			return false
		}
		if m, isMap := raw.(*value.Map); isMap && !m.Has("enabled") {
			m.Set("enabled", true)
		}
		t.config().Set(key, raw)
	}
	return true
}

// Modify replaces a job.
func (t *Table) Modify(key string, job any) (ok bool) {
	if t.inPillar(key) {
		return false
	}
	c := t.config()
	c.Pop(key)
	c.Set(key, job)
	return true
}

// Delete takes a job out.
func (t *Table) Delete(key string) (ok bool) {
	if t.inPillar(key) {
		return false
	}
	t.config().Pop(key)
	return true
}

// DeletePrefix takes out all jobs whose key begins with a text.
func (t *Table) DeletePrefix(prefix string) {
	for _, key := range sortedKeys(t.Config) {
		if strings.HasPrefix(key, prefix) {
			t.Delete(key)
		}
	}
}

// Enable switches a job on or off.
func (t *Table) Enable(key string, on bool) (ok bool) {
	if m := t.Config.Map(key); m != nil {
		m.Set("enabled", on)
		t.stale = true
		return true
	}
	return !t.inPillar(key)
}

// EnableAll switches the whole schedule on or off.
func (t *Table) EnableAll(on bool) { t.config().Set("enabled", on) }

// Postpone skips the run at one time and has one at another.
func (t *Table) Postpone(key string, data *value.Map) (ok bool) {
	if !t.explicit(key, "skip_explicit", data.At("time"), data) {
		return false
	}
	return t.explicit(key, "run_explicit", data.At("new_time"), data)
}

// Skip skips the run at one time.
func (t *Table) Skip(key string, data *value.Map) (ok bool) {
	return t.explicit(key, "skip_explicit", data.At("time"), data)
}

func (t *Table) explicit(key, list string, at any, data *value.Map) bool {
	m := t.Config.Map(key)
	if m == nil {
		return false
	}
	l := m.List(list)
	if l == nil {
		l = new(value.List)
		m.Set(list, l)
	}
	l.Append(value.M("time", at, "time_fmt", or(data.At("time_fmt"), DefaultFormat)))
	t.stale = true
	return true
}

// Reload adds the jobs of a saved schedule.
func (t *Table) Reload(saved *value.Map) {
	if m := saved.Map("schedule"); m != nil {
		saved = m
	}
	t.config().Update(saved)
}

// Reset forgets all jobs of the configuration.
func (t *Table) Reset() { t.config().Clear() }

// Ask is whether a job may be run by hand now, and what to run.
func (t *Table) Ask(key string, running func(string) int) (*Job, bool) {
	j, _, ok := t.Job(key)
	if !ok {
		return nil, false
	}
	if j.maxRunning > 0 && running != nil && int64(running(j.Name)) >= j.maxRunning {
		return j, false
	}
	return j, true
}

// Describe is a job with its bookkeeping, as Salt's job_status shows it.
func (t *Table) Describe(key string) *value.Map {
	j, st, ok := t.Job(key)
	if !ok || j.Raw == nil {
		return new(value.Map)
	}
	m := j.Raw.Shallow()
	m.Set("name", j.Name)
	m.Set("_next_fire_time", dateOf(st.Next))
	m.Set("_splay", dateOf(st.Splay))
	m.Set("_run_on_start", j.start && !st.Started)
	if j.kind == interval {
		m.Set("_seconds", int64(j.every/time.Second))
	}
	if !m.Has("splay") {
		m.Set("splay", nil)
	}
	if !st.Last.IsZero() {
		m.Set("_last_run", dateOf(st.Last))
	}
	if st.Skip != "" {
		m.Set("_skip_reason", st.Skip)
	}
	if !st.Skipped.IsZero() {
		m.Set("_skipped_time", dateOf(st.Skipped))
		m.Set("_skipped", true)
	}
	if st.Err != "" {
		m.Set("_error", st.Err)
	}
	return m
}

func dateOf(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return naive(t)
}

// Visible is a schedule without the keys that begin with an underscore.
func Visible(m *value.Map) *value.Map {
	out := new(value.Map)
	for key, raw := range m.Items() {
		job, ok := raw.(*value.Map)
		if !ok {
			out.Set(key, raw)
			continue
		}
		clean := new(value.Map)
		for k, v := range job.Items() {
			if !strings.HasPrefix(k, "_") {
				clean.Set(k, v)
			}
		}
		out.Set(key, clean)
	}
	return out
}

// Text is the file _schedule.conf of a schedule, as Salt writes it. The keys of
// the jobs in fresh keep their order, all others are sorted.
func Text(m *value.Map, fresh ...string) (string, error) {
	jobs := Visible(m)
	for key, raw := range jobs.Items() {
		keep := false
		for _, f := range fresh {
			keep = keep || f == key
		}
		if !keep {
			jobs.Set(key, sorted(raw))
		}
	}
	out := new(value.Map)
	for _, k := range sortedKeys(jobs) {
		out.Set(k, jobs.At(k))
	}
	return yaml.Dump(value.M("schedule", out), yaml.DumpOptions{KeepOrder: true})
}

// sorted is v with the keys of all maps sorted.
func sorted(v any) any {
	switch v := v.(type) {
	case *value.Map:
		out := new(value.Map)
		for _, k := range sortedKeys(v) {
			out.Set(k, sorted(v.At(k)))
		}
		return out
	case *value.List:
		out := new(value.List)
		for _, it := range v.Items {
			out.Append(sorted(it))
		}
		return out
	}
	return v
}
