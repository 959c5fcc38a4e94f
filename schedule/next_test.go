package schedule

import (
	"math/rand/v2"
	"testing"
	"time"

	"pinch/value"
)

// What Next foresees is what a look a second brings.
func TestNextForesees(t *testing.T) {
	start := time.Date(2026, 3, 10, 11, 58, 0, 0, time.UTC)
	e := Env{Loop: time.Second}
	for name, job := range map[string]*value.Map{
		"interval":   value.M("seconds", int64(40)),
		"quiet":      value.M("minutes", int64(2), "run_on_start", false),
		"cron":       value.M("cron", "*/3 * * * *"),
		"when":       value.M("when", value.L("12:00:20", "12:05pm", "2026-03-10 12:07")),
		"once":       value.M("once", "2026-03-10T12:03:00"),
		"range":      value.M("seconds", int64(50), "range", value.M("start", "12:01", "end", "12:04")),
		"inverted":   value.M("seconds", int64(50), "range", value.M("start", "12:01", "end", "12:04", "invert", true)),
		"after":      value.M("seconds", int64(45), "after", "12:03"),
		"until":      value.M("seconds", int64(45), "until", "12:03"),
		"skip range": value.M("seconds", int64(30), "skip_during_range", value.M("start", "12:01", "end", "12:04"), "run_after_skip_range", true),
		"postponed":  value.M("cron", "*/2 * * * *", "skip_explicit", value.L("2026-03-10T12:02:00"), "run_explicit", value.L("2026-03-10T12:02:30")),
		"disabled":   value.M("seconds", int64(5), "enabled", false),
	} {
		j := Read(name, job, Globals{})
		var runs []time.Time
		st := State{}
		for n := range 720 {
			now := start.Add(time.Duration(n) * time.Second)
			var v Verdict
			if st, v = Step(j, st, now, e); v.Run {
				runs = append(runs, now)
			}
		}
		got := Upcoming(j, State{}, start, e, len(runs))
		if len(got) != len(runs) {
			t.Errorf("%s: foresees %d of %d runs: %v\n%v", name, len(got), len(runs), got, runs)
			continue
		}
		for i := range runs {
			if !got[i].Equal(runs[i]) {
				t.Errorf("%s: run %d is foreseen for %s, came at %s", name, i, got[i], runs[i])
				break
			}
		}
	}
}

// missed: run makes up for a time that passed while the machine slept, once;
// missed: skip does not.
func TestMissed(t *testing.T) {
	day := func(h, m int) time.Time { return time.Date(2026, 3, 10, h, m, 0, 0, time.UTC) }
	for _, tt := range []struct {
		name string
		job  *value.Map
		runs int // after sleeping from 11:00 to 14:00:30, in ten looks
	}{
		{"when", value.M("when", "12:00pm"), 0},
		{"when, run", value.M("when", "12:00pm", "missed", "run"), 1},
		{"three whens, run", value.M("when", value.L("12:00pm", "12:30pm", "1pm"), "missed", "run"), 1},
		{"once", value.M("once", "2026-03-10T12:00:00"), 0},
		{"once, run", value.M("once", "2026-03-10T12:00:00", "missed", "run"), 1},
		{"cron", value.M("cron", "*/10 * * * *"), 1},
		{"cron, run", value.M("cron", "*/10 * * * *", "missed", "run"), 1},
		{"cron, skip", value.M("cron", "*/10 * * * *", "missed", "skip"), 0},
		{"interval", value.M("minutes", int64(10), "run_on_start", false), 1},
		{"interval, skip", value.M("minutes", int64(10), "run_on_start", false, "missed", "skip"), 0},
	} {
		j := Read("j", tt.job, Globals{})
		if j.Err != "" {
			t.Fatal(j.Err)
		}
		st, _ := Step(j, State{}, day(11, 0).Add(time.Second), Env{})
		runs := 0
		for n := range 10 {
			var v Verdict
			if st, v = Step(j, st, day(14, 0).Add(time.Duration(30+n)*time.Second), Env{}); v.Run {
				runs++
			}
		}
		if runs != tt.runs {
			t.Errorf("%s: %d runs, want %d", tt.name, runs, tt.runs)
		}
	}
}

// A restart makes up for what was missed, and doubles nothing.
func TestRestart(t *testing.T) {
	at := func(h, m, s int) time.Time { return time.Date(2026, 3, 10, h, m, s, 0, time.UTC) }
	conf := value.M(
		"daily", value.M("when", "12:00pm", "missed", "run"),
		"cron", value.M("cron", "0 12 * * *", "missed", "run"),
		"done", value.M("when", "10:00am", "missed", "run"),
		"plain", value.M("when", "12:00pm"), "plain cron", value.M("cron", "0 12 * * *"))
	one := &Table{Config: conf}
	for s := range 5 {
		one.Tick(at(9, 59, 58+s), Env{})
	}
	two := &Table{Config: conf}
	two.Restore(one.States())
	got := map[string]int{}
	for s := range 5 {
		due, _ := two.Tick(at(13, 0, s), Env{})
		for _, d := range due {
			got[d.Job.Name]++
		}
	}
	if got["daily"] != 1 || got["cron"] != 1 || got["done"] != 0 || got["plain"] != 0 || got["plain cron"] != 0 {
		t.Errorf("runs after the restart: %v", got)
	}
}

// Whatever the clock does, a look ends, an interval runs no more often than it
// may, and a daily time once a day.
func FuzzStep(f *testing.F) {
	f.Add(uint64(1), int64(1773144020))
	f.Add(uint64(7), int64(1793000000))
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		zone = time.UTC
	}
	jobs := []*value.Map{
		value.M("seconds", int64(30)), value.M("cron", "*/5 * * * *"), value.M("cron", "30 2 * * *"), value.M("when", value.L("2:30am", "11:59pm")),
		value.M("once", "2026-10-25T02:30:00"), value.M("hours", int64(1), "splay", int64(30), "range", value.M("start", "8:00am", "end", "5:00pm")),
		value.M("when", "12:00pm", "missed", "run"), value.M("cron", "0 12 * * *", "missed", "skip"),
	}
	f.Fuzz(func(t *testing.T, seed uint64, from int64) {
		rnd := rand.New(rand.NewPCG(seed, seed))
		e := Env{Loop: time.Second, Random: func(lo, hi int64) int64 { return lo + rnd.Int64N(hi-lo+1) }}
		now := time.Unix(from%4102444800, 0).In(zone)
		states := make([]State, len(jobs))
		dues := make([]map[int64]bool, len(jobs))
		read := make([]*Job, len(jobs))
		for i, m := range jobs {
			read[i], dues[i] = Read("j", m, Globals{}), map[int64]bool{}
		}
		real, ran := now, make([]time.Time, len(jobs)) // on a clock that nobody sets
		for range 1000 {
			before := now
			switch n := rnd.IntN(1000); {
			case n < 3:
				now = now.Add(-time.Duration(rnd.IntN(7200)) * time.Second) // the clock is put back
			case n < 20:
				now = now.Add(time.Duration(rnd.IntN(86400)) * time.Second) // the machine slept
			default:
				now = now.Add(time.Second + time.Duration(rnd.IntN(20))*time.Millisecond)
			}
			real = real.Add(max(0, now.Sub(before)))
			for i, j := range read {
				var v Verdict
				if states[i], v = Step(j, states[i], now, e); !v.Run {
					continue
				}
				if j.kind == interval {
					if d := real.Sub(ran[i]); !ran[i].IsZero() && d < j.every-time.Second {
						t.Fatalf("%s ran after %s", value.Repr(j.Raw), d)
					}
					ran[i] = real
					continue
				}
				if dues[i][v.Due.Unix()] {
					t.Fatalf("%s ran twice for %s", value.Repr(j.Raw), v.Due)
				}
				dues[i][v.Due.Unix()] = true
			}
		}
	})
}
