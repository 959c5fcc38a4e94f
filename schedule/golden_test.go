package schedule

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pinch/golden"
	"pinch/value"
)

// TestGolden runs schedules whose firing times were recorded from real Salt
// under a simulated clock. A difference that is meant stands in differences
// with its reason and the runs that are right.
func TestGolden(t *testing.T) {
	good, known := 0, 0
	for _, it := range golden.Value(t, "schedule/cases.json").(*value.Map).List("cases").Items {
		tc := it.(*value.Map)
		t.Run(tc.Str("name"), func(t *testing.T) {
			r := newReplay(t, tc)
			r.ticks()
			want := wanted(tc.Map("expected"))
			d, differs := differences[tc.Str("name")]
			if differs && d.runs == sameRuns {
				known++
			} else if differs {
				if r.text() == want {
					t.Errorf("as in Salt now: remove it from differences (%s)", d.reason)
				}
				want = d.runs
				known++
			} else {
				good++
			}
			if got := r.text(); got != want {
				t.Errorf("runs:\n got %s\nwant %s", got, want)
			}
			if differs {
				return
			}
			if got, want := r.skips, wantedSkips(tc.Map("expected")); !slices.Equal(got, want) {
				t.Errorf("skips:\n got %v\nwant %v", got, want)
			}
			if got, want := r.errors, wantedErrors(tc.Map("expected")); !slices.Equal(got, want) {
				t.Errorf("errors:\n got %q\nwant %q", got, want)
			}
			r.compareFile(tc.Map("expected"))
		})
	}
	t.Logf("%d schedules as in Salt, %d differ on purpose", good, known)
}

func wanted(e *value.Map) string {
	var out []string
	for _, it := range e.List("runs").Items {
		m := it.(*value.Map)
		out = append(out, short(m.Str("at"))+" "+m.Str("job")+" "+m.Str("fun"))
	}
	return strings.Join(out, ", ")
}

// short is a time without what all cases share.
func short(at string) string {
	if i := strings.IndexByte(at, '.'); i > 0 {
		at = strings.TrimRight(at, "0")
	}
	return strings.TrimPrefix(strings.TrimPrefix(at, "2026-"), "03-10T")
}

func wantedSkips(e *value.Map) []string {
	var out []string
	for _, it := range e.List("skips").Items {
		m := it.(*value.Map)
		out = append(out, fmt.Sprintf("%s %s %s %s %v", m.Str("job"), m.Str("reason"), m.Str("from"), m.Str("to"), m.At("count")))
	}
	slices.Sort(out)
	return out
}

func wantedErrors(e *value.Map) []string {
	var out []string
	l := e.List("errors")
	if l == nil {
		return nil
	}
	for _, it := range l.Items {
		out = append(out, it.(*value.Map).Str("job")+": "+it.(*value.Map).Str("error"))
	}
	return out
}

// A replay is one case under way.
type replay struct {
	t      *testing.T
	tc     *value.Map
	table  *Table
	loc    *time.Location
	env    Env
	now    time.Time
	until  map[string][]time.Time // the ends of running jobs
	runs   []string
	skips  []string
	open   map[string]*stretch
	errors []string
	draws  int
}

// A stretch is a row of looks with the same reason to skip.
type stretch struct {
	reason   string
	from, to time.Time
	count    int
}

func newReplay(t *testing.T, tc *value.Map) *replay {
	r := &replay{t: t, tc: tc, loc: time.UTC, until: map[string][]time.Time{}, open: map[string]*stretch{}}
	if tz := tc.Str("tz"); tz != "" {
		var err error
		if r.loc, err = time.LoadLocation(tz); err != nil {
			t.Skip(err)
		}
	}
	r.table = &Table{Config: native(tc.At("schedule")).(*value.Map)}
	r.setPillar(tc.Map("pillar"))
	r.table.Whens[1] = tc.Map("grains").At("whens")
	r.env = Env{Loop: time.Second, Random: r.random, Running: r.running}
	if n, ok := tc.At("loop_interval").(int64); ok {
		r.env.Loop = time.Duration(n) * time.Second
	}
	return r
}

func (r *replay) setPillar(p *value.Map) {
	r.table.Pillar, _ = native(p.At("schedule")).(*value.Map)
	r.table.Whens[0] = p.At("whens")
	r.table.Changed()
}

// native turns {"!dt": …} and {"!date": …} into times.
func native(v any) any {
	switch v := v.(type) {
	case *value.Map:
		if s := v.Str("!dt"); s != "" {
			tm, _ := time.Parse("2006-01-02T15:04:05", s)
			return tm
		}
		if s := v.Str("!date"); s != "" {
			tm, _ := time.Parse("2006-01-02", s)
			return value.Date{Time: tm}
		}
		m := new(value.Map)
		for k, x := range v.Items() {
			m.Set(k, native(x))
		}
		return m
	case *value.List:
		l := new(value.List)
		for _, x := range v.Items {
			l.Append(native(x))
		}
		return l
	}
	return v
}

func (r *replay) random(lo, hi int64) int64 {
	switch v := r.tc.At("randint").(type) {
	case *value.List:
		r.draws++
		return v.Items[(r.draws-1)%v.Len()].(int64)
	case string:
		switch v {
		case "high":
			return hi
		case "mid":
			return (lo + hi) / 2
		}
	}
	return lo
}

func (r *replay) running(name string) int {
	n := 0
	for _, end := range r.until[name] {
		if r.now.Before(end) {
			n++
		}
	}
	return n
}

func (r *replay) started(name, fun string) {
	r.runs = append(r.runs, short(r.now.Format("2006-01-02T15:04:05.999999"))+" "+name+" "+fun)
	d, ok := r.tc.Map("durations").At(name).(int64)
	if !ok {
		return
	}
	r.until[name] = append(r.until[name], r.now.Add(time.Duration(d)*time.Second))
}

func (r *replay) ticks() {
	for _, it := range r.tc.List("ticks").Items {
		m := it.(*value.Map)
		switch {
		case m.Has("set"):
			r.call(m.List("set").Items)
		case m.Has("pillar"):
			r.setPillar(m.Map("pillar"))
		default:
			r.span(m)
		}
	}
	for job := range r.open {
		r.end(job)
	}
	slices.Sort(r.skips)
}

func (r *replay) span(m *value.Map) {
	at, err := time.ParseInLocation("2006-01-02T15:04:05.999999", m.Str("at"), r.loc)
	if m.Has("utc") {
		at, err = time.Parse("2006-01-02T15:04:05.999999", m.Str("utc"))
		at = at.In(r.loc)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	step := 1.0
	switch s := m.At("step").(type) {
	case int64:
		step = float64(s)
	case float64:
		step = s
	}
	n, _ := m.At("n").(int64)
	for i := range n {
		r.now = at.Add(time.Duration(math.Round(float64(i)*step*1e6)) * time.Microsecond)
		r.tick()
	}
}

func (r *replay) tick() {
	due, notes := r.table.Tick(r.now, r.env)
	for _, d := range due {
		r.started(d.Job.Name, d.Fun)
	}
	for _, n := range notes {
		if text := n.Job + ": " + n.Text; n.Error && !strings.Contains(n.Text, " interval ") && !slices.Contains(r.errors, text) {
			r.errors = append(r.errors, text)
		}
	}
	for _, key := range r.table.Keys() {
		_, st, _ := r.table.Job(key)
		s := r.open[key]
		if s != nil && (st.Skip != s.reason) {
			r.end(key)
			s = nil
		}
		if st.Skip == "" {
			continue
		}
		if s == nil {
			s = &stretch{reason: st.Skip, from: r.now}
			r.open[key] = s
		}
		s.to = r.now
		s.count++
	}
}

func (r *replay) end(job string) {
	s := r.open[job]
	const format = "2006-01-02T15:04:05.999999"
	r.skips = append(r.skips, fmt.Sprintf("%s %s %s %s %d", job, s.reason, s.from.Format(format), s.to.Format(format), s.count))
	delete(r.open, job)
}

func (r *replay) call(args []any) {
	key := ""
	if len(args) > 1 {
		key, _ = args[1].(string)
	}
	t := r.table
	switch args[0] {
	case "add_job":
		t.Add(args[1].(*value.Map))
	case "delete_job":
		t.Delete(key)
	case "delete_job_prefix":
		t.DeletePrefix(key)
	case "modify_job":
		t.Modify(key, args[2])
	case "enable_job", "disable_job":
		t.Enable(key, args[0] == "enable_job")
	case "enable_schedule", "disable_schedule":
		t.EnableAll(args[0] == "enable_schedule")
	case "run_job":
		if j, ok := t.Ask(key, r.running); ok {
			r.started(j.Name, j.Fun)
		}
	case "postpone_job":
		t.Postpone(key, args[2].(*value.Map))
	case "skip_job":
		t.Skip(key, args[2].(*value.Map))
	case "reload":
		t.Reload(args[1].(*value.Map))
	case "reset":
		t.Reset()
	default:
		r.t.Fatalf("no call %v", args[0])
	}
}

func (r *replay) text() string { return strings.Join(r.runs, ", ") }

// compareFile compares the saved schedule, but for what Salt's scheduler adds
// to the jobs.
func (r *replay) compareFile(e *value.Map) {
	if !e.Has("schedule_conf") {
		return
	}
	got, err := Text(r.table.Config)
	if err != nil {
		r.t.Fatal(err)
	}
	if a, b := plain(r.t, got), plain(r.t, e.Str("schedule_conf")); a != b {
		r.t.Errorf("_schedule.conf:\n got %s\nwant %s", a, b)
	}
}
