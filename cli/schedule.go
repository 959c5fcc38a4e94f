package cli

import (
	"context"
	"fmt"
	"time"

	"pinch/caller"
	"pinch/cli/args"
	"pinch/diag"
	"pinch/events"
	"pinch/modules"
	"pinch/schedule"
	"pinch/value"
)

// runSchedule shows the schedule, or explains one job.
func runSchedule(p *program, ctx context.Context, r *request) int {
	job := r.word(1)
	switch first := r.word(0); {
	case first == "explain" && job == "":
		fmt.Fprintln(p.stderr, "error: pinch schedule explain needs the name of a job")
		return args.UsageCode
	case first != "" && first != "explain":
		fmt.Fprintf(p.stderr, "error: pinch schedule knows no %q\nhint: pinch schedule explain JOB\n", first)
		return args.UsageCode
	}
	line, err := p.configured(r.opts)
	if err != nil {
		return p.exit(err)
	}
	defer line.Close()
	run := caller.New(caller.Options{Config: line.Config, Registry: modules.Registry(), Log: line.Log})
	defer run.Close()
	c := run.Ctx(ctx)
	v := &scheduleView{p: p, table: schedule.Of(c.Opts, c.Pillar, c.Grains), now: time.Now(), env: schedule.Env{Loop: time.Second}}
	v.live(ctx, line.Opts)
	if job == "" {
		return v.list()
	}
	return v.explain(job)
}

// scheduleView shows jobs as they are now.
type scheduleView struct {
	p       *program
	table   *schedule.Table
	now     time.Time
	env     schedule.Env
	running bool                      // a daemon runs
	states  map[string]schedule.State // what it remembers
}

// live takes the jobs from a running daemon.
func (v *scheduleView) live(ctx context.Context, o *value.Map) {
	places := events.Places(o.Str("sock_dir"), o.Str("id"), o.Str("hash_type"))
	answer, err := events.Ask(ctx, places.Lines, schedule.ManageTag, value.M("func", "list"), schedule.AnswerTag("list"), 10*time.Second)
	if err != nil {
		return
	}
	v.running, v.states = true, map[string]schedule.State{}
	jobs := answer.Map("schedule")
	v.table = &schedule.Table{Config: schedule.Visible(jobs), Whens: v.table.Whens}
	at := func(m *value.Map, key string) time.Time {
		t, err := time.ParseInLocation("2006-01-02T15:04:05.999999", m.Str(key), time.Local)
		if err != nil {
			return time.Time{}
		}
		return t
	}
	for key := range jobs.Items() {
		if m := jobs.Map(key); m != nil {
			v.states[key] = schedule.State{Next: at(m, "_next_fire_time"), Splay: at(m, "_splay"), Last: at(m, "_last_run"), Skip: m.Str("_skip_reason"),
				Started: !m.Truth("_run_on_start"), Seen: v.now}
		}
	}
}

func (v *scheduleView) state(key string) schedule.State {
	if st, ok := v.states[key]; ok {
		return st
	}
	return schedule.State{}
}

// list is one line a job.
func (v *scheduleView) list() int {
	w := v.p.stdout
	keys := v.table.Keys()
	if len(keys) == 0 {
		fmt.Fprintln(w, "nothing is scheduled")
		return 0
	}
	for _, key := range keys {
		j, _, _ := v.table.Job(key)
		next := "never"
		switch {
		case j.Err != "":
			next = "error: " + j.Err
		case !j.Timed():
			next = "never: " + noTime(j)
		default:
			if at, _, ok := schedule.Next(j, v.state(key), v.now, v.env); ok {
				next = at.Format("2006-01-02 15:04:05")
			}
		}
		fmt.Fprintf(w, "%-24s %-20s %s\n", key, next, j.Fun)
	}
	if !v.running {
		fmt.Fprintln(v.p.stderr, "no daemon is running: these times count from its start")
	}
	return 0
}

// noTime says of a job without a time which of its keys was probably meant as one.
func noTime(j *schedule.Job) string {
	times := []string{"seconds", "minutes", "hours", "days", "when", "cron", "once", "run_on_start"}
	for key := range j.Raw.Items() {
		if hint := diag.DidYouMean(key, times); hint != "" {
			return fmt.Sprintf("it has no time (%s: %s)", key, hint)
		}
	}
	return "it has no time"
}

// explain tells all about one job.
func (v *scheduleView) explain(key string) int {
	j, _, ok := v.table.Job(key)
	if !ok {
		fmt.Fprintf(v.p.stderr, "error: there is no job %s\n", key)
		if hint := diag.DidYouMean(key, v.table.Keys()); hint != "" {
			fmt.Fprintln(v.p.stderr, "hint: "+hint)
		}
		return exitGeneric
	}
	w := v.p.stdout
	st := v.state(key)
	fmt.Fprintf(w, "%s runs %s\n", key, j.Fun)
	for k, x := range j.Raw.Items() {
		fmt.Fprintf(w, "  %-18s %s\n", k, value.Str(x))
	}
	if j.Err != "" {
		fmt.Fprintln(w, "never: "+j.Err)
		return exitGeneric
	}
	if j.Warn != "" {
		fmt.Fprintln(w, "note: "+j.Warn)
	}
	fmt.Fprintln(w, "missed runs: "+j.MissedRule())
	if !st.Last.IsZero() {
		fmt.Fprintln(w, "last run: "+st.Last.Format("2006-01-02 15:04:05"))
	}
	if st.Skip != "" {
		fmt.Fprintln(w, "the last one was left out: "+st.Skip)
	}
	times := schedule.Upcoming(j, st, v.now, v.env, 10)
	if len(times) == 0 {
		fmt.Fprintln(w, "no run is ahead")
		return 0
	}
	fmt.Fprintln(w, "next runs:")
	for _, t := range times {
		fmt.Fprintln(w, "  "+t.Format("Mon 2006-01-02 15:04:05 MST"))
	}
	return 0
}
