package schedule

import (
	"path/filepath"
	"time"

	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// An Answer is what a request to change or show the schedule leads to.
type Answer struct {
	Tag     string // of the event that answers; "" for none
	Data    *value.Map
	Persist bool // the schedule is to be saved
	Run     *Job // the job to run now
	Reload  bool // the pillar is to be read anew
}

// Tags of requests and answers.
const (
	ManageTag = "manage_schedule"
	answerTag = "/salt/minion/minion_schedule_"
)

// AnswerTag is the tag of the event that answers a request, "" for those that
// nobody waits for.
func AnswerTag(fun string) string {
	names := map[string]string{
		"list": "list_complete", "add": "add_complete", "modify": "delete_complete", "delete": "delete_complete", "enable": "enabled_complete",
		"disable": "disabled_complete", "enable_job": "enabled_job_complete", "disable_job": "disabled_job_complete",
		"postpone_job": "postpone_job_complete", "skip_job": "skip_job_complete", "save_schedule": "saved",
		"get_next_fire_time": "next_fire_time_complete", "job_status": "job_status_complete",
	}
	if names[fun] == "" {
		return ""
	}
	return answerTag + names[fun]
}

// Manage carries out a request, the data of an event manage_schedule.
func (t *Table) Manage(data *value.Map, running func(string) int) Answer {
	fun, name := data.Str("func"), data.Str("name")
	a := Answer{Tag: AnswerTag(fun), Persist: !data.Has("persist") || data.Truth("persist")}
	switch fun {
	case "add":
		t.Add(data.Map("schedule"))
	case "modify":
		t.Modify(name, data.At("schedule"))
	case "delete":
		t.Delete(name)
	case "enable", "disable":
		t.EnableAll(fun == "enable")
	case "enable_job", "disable_job":
		t.Enable(name, fun == "enable_job")
	case "postpone_job":
		t.Postpone(name, data)
	case "skip_job":
		t.Skip(name, data)
	case "save_schedule":
		a.Data = value.M("complete", true)
		return a
	case "reload":
		t.Reload(data.Map("schedule"))
		a.Persist = false
	case "run_job":
		a.Persist = false
		if j, ok := t.Ask(name, running); ok {
			a.Run = j
		}
	case "get_next_fire_time":
		a.Persist = false
		a.Data = value.M("complete", true, "next_fire_time", nil)
		if _, st, ok := t.Job(name); ok && !st.Next.IsZero() {
			text, _ := py.Strftime(st.Next, or(data.At("fmt"), DefaultFormat).(string))
			a.Data.Set("next_fire_time", text)
		}
		return a
	case "job_status":
		a.Persist = false
		a.Data = value.M("complete", true, "data", value.Copy(t.Describe(name)))
		return a
	case "list":
		a.Persist = false
	default:
		return Answer{}
	}
	if a.Tag != "" {
		a.Data = value.M("complete", true, "schedule", t.describe(data.Str("where")))
	}
	return a
}

// describe is the schedule with the bookkeeping of its jobs: of the pillar
// ("pillar"), of the configuration ("opts") or all.
func (t *Table) describe(where string) *value.Map {
	all := t.All()
	switch where {
	case "pillar":
		all = t.Pillar
	case "opts":
		all = t.Config
	}
	out := new(value.Map)
	for key, raw := range all.Items() {
		if _, isJob := raw.(*value.Map); isJob && !global(key) {
			raw = t.Describe(key)
		}
		out.Set(key, value.Copy(raw))
	}
	return out
}

// File is where the schedule of a minion is saved: _schedule.conf in the folder
// of default_include.
func File(opts *value.Map) string {
	dir := opts.Str("conf_dir")
	if dir == "" {
		dir = opts.Str("config_dir")
	}
	if dir == "" {
		dir = filepath.Dir(opts.Str("conf_file"))
	}
	include := opts.Str("default_include")
	if include == "" {
		include = "minion.d/*.conf"
	}
	return filepath.Join(dir, filepath.Dir(include), "_schedule.conf")
}

// Save writes the jobs of the configuration into the file. Fresh names the jobs
// whose keys keep their order.
func (t *Table) Save(s sys.Sys, file string, fresh ...string) error {
	text, err := Text(t.Config, fresh...)
	if err != nil {
		return err
	}
	if err := sys.MkdirAll(s, filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return sys.WriteFile(s, file, []byte(text), sys.FileAttrs{Sync: true})
}

// Of is the schedule of options and pillar.
func Of(opts, pillar, grains *value.Map) *Table {
	t := &Table{Config: new(value.Map)}
	if m := opts.Map("schedule"); m != nil {
		t.Config, _ = value.Copy(m).(*value.Map)
	}
	t.SetPillar(pillar, grains)
	return t
}

// SetPillar takes the pillar's schedule and the named times.
func (t *Table) SetPillar(pillar, grains *value.Map) {
	t.Pillar, _ = value.Copy(pillar.Map("schedule")).(*value.Map)
	t.Whens = [2]any{pillar.At("whens"), nil}
	if grains != nil {
		t.Whens[1] = grains.At("whens")
	}
	t.Changed()
}

// Idle is how long nothing will happen: until the first due time, at most an
// hour.
func (t *Table) Idle(now time.Time) time.Duration {
	idle := time.Hour
	for _, e := range t.jobs() {
		if e.job.kind == never || e.job.Err != "" {
			continue
		}
		idle = min(idle, time.Second)
	}
	return idle
}
