package schedule

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"pinch/value"
)

// A plan is a random job, and what says without Step whether it is due at a
// minute, or at which distance.
type plan struct {
	job   *value.Map
	every time.Duration
	due   func(t time.Time) bool // t is a whole minute
}

func randomPlan(rnd *rand.Rand) plan {
	switch rnd.IntN(4) {
	case 0:
		n := 10 * (1 + rnd.Int64N(400))
		return plan{job: value.M("seconds", n), every: time.Duration(n) * time.Second}
	case 1:
		n := 1 + rnd.Int64N(59)
		return plan{job: value.M("minutes", n), every: time.Duration(n) * time.Minute}
	case 2:
		hour, minute, other := rnd.IntN(24), rnd.IntN(60), rnd.IntN(24)
		return plan{job: value.M("when", value.L(fmt.Sprintf("%d:%02d", hour, minute), fmt.Sprintf("%d:%02d", other, minute))), due: func(t time.Time) bool {
			return t.Minute() == minute && (t.Hour() == hour || t.Hour() == other)
		}}
	}
	step, from, day := 1+rnd.IntN(30), rnd.IntN(24), rnd.IntN(7)
	to := from + rnd.IntN(24-from)
	return plan{job: value.M("cron", fmt.Sprintf("*/%d %d-%d * * *", step, from, to)), due: func(t time.Time) bool {
		return t.Minute()%step == 0 && t.Hour() >= from && t.Hour() <= to
	}}.orWeekly(rnd, day, from)
}

// orWeekly makes some cron plans weekly ones.
func (p plan) orWeekly(rnd *rand.Rand, day, hour int) plan {
	if rnd.IntN(3) > 0 {
		return p
	}
	return plan{job: value.M("cron", fmt.Sprintf("7,37 %d * * %d", hour, day)), due: func(t time.Time) bool {
		return (t.Minute() == 7 || t.Minute() == 37) && t.Hour() == hour && int(t.Weekday()) == day
	}}
}

// Random jobs on a clock that is put back, sleeps and wakes: what is due while
// somebody looks runs once, then and there, and nothing else runs but one run
// for what was missed. $PINCH_STEPS is how many looks to make.
func TestRandomSteps(t *testing.T) {
	looks := 40000
	if n, err := strconv.Atoi(os.Getenv("PINCH_STEPS")); err == nil {
		looks = n
	}
	const loop, each = 10 * time.Second, 2000
	e := Env{Loop: loop}
	runs := 0
	for seed := range uint64((looks + each - 1) / each) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		p := randomPlan(rnd)
		j := Read("j", p.job, Globals{})
		if j.Err != "" {
			t.Fatal(j.Err)
		}
		w := &witness{plan: p, now: time.Date(2026, time.Month(1+rnd.IntN(12)), 1+rnd.IntN(28), rnd.IntN(24), rnd.IntN(60), rnd.IntN(60)/10*10, 0, time.UTC)}
		st, v := Step(j, State{}, w.now, e)
		w.begin(v)
		for range each {
			var forth time.Duration
			switch n := rnd.IntN(1000); {
			case n < 2:
				forth = -time.Duration(rnd.IntN(7200)/10*10) * time.Second
			case n < 8:
				forth = time.Duration(rnd.IntN(86400)/10*10) * time.Second
			default:
				forth = loop
			}
			st, v = Step(j, st, w.now.Add(forth), e)
			if err := w.look(forth, v); err != nil {
				t.Fatalf("seed %d, %s, %s: %s", seed, value.Repr(p.job), w.now, err)
			}
		}
		runs += w.runs
	}
	t.Logf("%d looks, %d runs", looks, runs)
}

// A witness knows what a plan must do.
type witness struct {
	plan
	now, high time.Time     // the clock, and the latest time it ever showed
	passed    time.Duration // since the last run, on a clock that nobody sets
	wait      time.Duration // how long a clock that was put back may hold up the next run
	done      map[time.Time]bool
	runs      int
}

func (w *witness) begin(v Verdict) {
	w.high, w.done = w.now, map[time.Time]bool{}
	if v.Run {
		w.runs++
	}
}

func (w *witness) look(forth time.Duration, v Verdict) error {
	before := w.now
	w.now = w.now.Add(forth)
	w.passed += max(0, forth)
	fresh := w.high
	if w.now.After(w.high) {
		w.high = w.now
	}
	ran := v.Run
	if ran {
		w.runs++
	}
	if w.every > 0 {
		want := w.passed >= w.every
		w.wait += min(w.every, max(0, -forth)) // a clock that goes back holds up for an interval at most
		if ran && !want || !ran && forth > 0 && w.passed >= w.every+w.wait+time.Minute {
			return fmt.Errorf("ran: %v, due: %v", ran, want)
		}
		if ran {
			w.passed, w.wait = 0, 0
		}
		return nil
	}
	may, must := 0, 0
	for m := before.Truncate(time.Minute).Add(time.Minute); !m.After(w.now); m = m.Add(time.Minute) {
		if w.due(m) && !w.done[m] {
			may++
			if m.After(fresh) {
				must++
			}
			w.done[m] = ran
		}
	}
	switch slept := forth > 3*time.Minute; {
	case ran && may == 0:
		return fmt.Errorf("ran for %s, nothing is due, or it ran before", v.Due)
	case !ran && must > 0 && !slept:
		return fmt.Errorf("a due time is lost")
	}
	return nil
}
