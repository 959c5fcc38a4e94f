package schedule

import (
	"maps"
	"slices"
	"strings"
	"time"

	"pinch/value"
)

// A Table is the schedule of a machine: the jobs of the configuration, which
// the API can change, and those of the pillar, with what each remembers. It is
// not safe for several goroutines.
type Table struct {
	Config, Pillar *value.Map // the schedule keys; nil: none
	Whens          [2]any     // named times of the pillar and of the grains

	entries []*entry
	stale   bool
	saved   map[string]State // what an earlier process remembered
}

type entry struct {
	job   *Job
	state State
	print *value.Map // the job without what does not count as a change
	conf  bool       // of the configuration
}

// A Due is a job that is to run now.
type Due struct {
	Job *Job
	Verdict
}

// A Note is what a look at the clock found besides runs, for the log.
type Note struct {
	Job, Text string
	Error     bool
}

// Changed says that Config, Pillar or Whens changed. Jobs that are as they were
// keep what they remember.
func (t *Table) Changed() { t.stale = true }

// jobs are the entries, the pillar's first; the configuration's job of the same
// name wins, at that place.
func (t *Table) jobs() []*entry {
	if t.entries != nil && !t.stale {
		return t.entries
	}
	old := map[string]*entry{}
	for _, e := range t.entries {
		old[e.job.Key] = e
	}
	all := t.All()
	g := t.globals(all)
	t.entries, t.stale = []*entry{}, false
	for key, raw := range all.Items() {
		if global(key) {
			continue
		}
		e := &entry{job: Read(key, raw, g), print: fingerprint(raw), conf: t.Config.Has(key)}
		if o := old[key]; o != nil && value.Equal(o.print, e.print) {
			e.state = o.state
		} else if st, ok := t.saved[e.job.Name]; ok && e.job.Remembered() && o == nil {
			e.state = e.job.resume(st)
		}
		t.entries = append(t.entries, e)
	}
	return t.entries
}

// resume is what a job goes on with after a restart.
func (j *Job) resume(st State) State {
	next := State{Seen: st.Seen, Last: st.Last, Done: st.Done}
	switch last := later(st.Last, st.Seen); {
	case j.kind == interval && !st.Last.IsZero():
		next.Next = st.Last.Add(j.every)
	case j.kind == onCron && !last.IsZero():
		next.Next, _ = j.cron.Next(last)
	}
	return next
}

// All is the whole schedule as Salt's list shows it.
func (t *Table) All() *value.Map {
	all := new(value.Map)
	all.Update(t.Pillar)
	all.Update(t.Config)
	return all
}

func (t *Table) globals(all *value.Map) Globals {
	return Globals{
		Splay: all.At("splay"), SkipRange: all.At("skip_during_range"), SkipFun: all.At("skip_function"),
		Disabled: all.Has("enabled") && !all.Truth("enabled"), Whens: t.Whens,
	}
}

// global reports whether a key of a schedule is no job.
func global(key string) bool {
	return key == "enabled" || key == "skip_function" || key == "skip_during_range" || key == "splay"
}

// fingerprint is a job without the keys that may change while it goes on.
func fingerprint(raw any) *value.Map {
	m, ok := raw.(*value.Map)
	if !ok {
		return value.M("", raw)
	}
	out := new(value.Map)
	for k, v := range m.Items() {
		switch {
		case strings.HasPrefix(k, "_"), k == "enabled", k == "name", k == "skip_explicit", k == "run_explicit", k == "run":
		case k == "splay" && v == nil, k == "jid_include" && v == true, k == "maxrunning" && v == int64(1):
		default:
			out.Set(k, value.Copy(v))
		}
	}
	return out
}

// Tick looks at the clock: the jobs that are to run now, in order. Notes tell
// each problem when it begins.
func (t *Table) Tick(now time.Time, e Env) (due []Due, notes []Note) {
	for _, en := range t.jobs() {
		first := en.state.Seen.IsZero()
		before := en.state
		st, v := Step(en.job, en.state, now, e)
		if st.Seen.IsZero() {
			st.Seen = now
		}
		en.state = st
		if st.Err != "" && (st.Err != before.Err || first) {
			notes = append(notes, Note{en.job.Key, st.Err, true})
		}
		if first && en.job.Warn != "" {
			notes = append(notes, Note{en.job.Key, en.job.Warn, true})
		}
		if st.Skip != "" && st.Skip != before.Skip {
			notes = append(notes, Note{en.job.Key, "job " + en.job.Name + " is not run: " + st.Skip, false})
		}
		if v.Run {
			due = append(due, Due{en.job, v})
		}
	}
	return due, notes
}

// Job finds a job by its key.
func (t *Table) Job(key string) (*Job, State, bool) {
	for _, e := range t.jobs() {
		if e.job.Key == key {
			return e.job, e.state, true
		}
	}
	return nil, State{}, false
}

// Keys are the keys of all jobs, in order.
func (t *Table) Keys() []string {
	var out []string
	for _, e := range t.jobs() {
		out = append(out, e.job.Key)
	}
	return out
}

// States are what the jobs remember, by name, to be kept over a restart.
func (t *Table) States() map[string]State {
	out := map[string]State{}
	for _, e := range t.jobs() {
		out[e.job.Name] = e.state
	}
	return out
}

// Restore gives what an earlier process remembered, before the first Tick.
func (t *Table) Restore(saved map[string]State) { t.saved = maps.Clone(saved) }

// Started says that the jobs were started before: run_on_start does not hold.
func (t *Table) Started() {
	for _, e := range t.jobs() {
		e.state.Started = true
	}
}

// inPillar reports whether a job comes from the pillar, where the API cannot
// change it.
func (t *Table) inPillar(key string) bool { return t.Pillar.Has(key) && !t.Config.Has(key) }

// sortedKeys are the keys of a map, sorted.
func sortedKeys(m *value.Map) []string {
	var keys []string
	for k := range m.Items() {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
