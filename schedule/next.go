package schedule

import (
	"slices"
	"time"
)

// Next is when a job will run next if nobody looks away: the first time from
// now on at which Step says run, with splay at its smallest and nothing else
// running. False: never, or not within the horizon that is looked at.
func Next(j *Job, st State, now time.Time, e Env) (time.Time, State, bool) {
	e.Running, e.Random = nil, nil
	if e.Loop <= 0 {
		e.Loop = time.Second
	}
	at := now.Round(0)
	for range 2000 {
		var v Verdict
		if st, v = Step(j, st, at, e); st.Err != "" {
			return time.Time{}, st, false
		}
		if v.Run {
			return at, st, true
		}
		next, ok := j.upcoming(&st, at, e)
		if !ok {
			return time.Time{}, st, false
		}
		at = next
	}
	return time.Time{}, st, false
}

// Upcoming are the next n runs of a job.
func Upcoming(j *Job, st State, now time.Time, e Env, n int) []time.Time {
	var out []time.Time
	for len(out) < n {
		at, after, ok := Next(j, st, now, e)
		if !ok {
			break
		}
		out, st = append(out, at), after
		now = at.Add(max(e.Loop, time.Second))
		if next, ok := j.upcoming(&st, at, e); ok && next.After(now) {
			now = next
		}
	}
	return out
}

// upcoming is the earliest moment after at when a look can bring a run.
func (j *Job) upcoming(st *State, at time.Time, e Env) (time.Time, bool) {
	var times []time.Time
	add := func(t time.Time) {
		if t.After(at) {
			times = append(times, t)
		}
	}
	switch j.kind {
	case interval:
		j.hurry(st, at)
		add(at.Add(max(e.Loop, st.Next.Sub(at))))
	case onCron:
		if st.Next.IsZero() {
			st.Next, _ = j.cron.Next(at)
		}
		add(st.Next)
	case once:
		add(st.Next)
	case onWhen:
		for _, days := range [...]int{0, 1, 2, 3, 4, 5, 6, 7, 31, 62, 366} {
			dues, _ := j.read(at.AddDate(0, 0, days))
			for _, d := range dues {
				add(d)
			}
		}
	}
	add(st.Splay)
	add(st.After)
	for _, v := range j.explicit {
		if t, ok := explicitTime(v, at); ok {
			add(t)
		}
	}
	for _, t := range j.edges(at) {
		if st.Skip != "" {
			add(t)
			add(t.Add(e.Loop))
		}
	}
	if len(times) == 0 {
		return time.Time{}, false
	}
	return slices.MinFunc(times, time.Time.Compare), true
}

// hurry moves an interval job on that a filter stops for long: to its last due
// time before the filter's next edge.
func (j *Job) hurry(st *State, at time.Time) {
	if st.Skipped.IsZero() || j.every <= 0 {
		return
	}
	edges := j.edges(at)
	if len(edges) == 0 {
		st.Next = at.Add(200 * 366 * 24 * time.Hour) // until has passed
		return
	}
	if gap := slices.MinFunc(edges, time.Time.Compare).Sub(st.Next); gap > j.every {
		st.Next = st.Next.Add(gap / j.every * j.every)
	}
}

// edges are the moments after at when a filter may begin to agree.
func (j *Job) edges(at time.Time) []time.Time {
	var out []time.Time
	add := func(v any) {
		for _, days := range [...]int{0, 1} {
			if t, ok := clockTime(v, at.AddDate(0, 0, days)); ok && t.After(at) {
				out = append(out, t)
			}
		}
	}
	for _, v := range []any{j.Raw.At("range"), j.skipRange} {
		if m, ok := v.(interface{ At(string) any }); ok {
			add(m.At("start"))
			add(m.At("end"))
		}
	}
	add(j.Raw.At("after"))
	for _, v := range j.skips {
		if t, ok := explicitTime(v, at); ok && !t.Before(at.Add(-time.Minute)) {
			out = append(out, t.Add(time.Minute))
		}
	}
	return out
}

// Remembered reports whether what the job did counts after a restart.
func (j *Job) Remembered() bool { return j.missed == "run" }

// MissedRule says in words what becomes of runs that are missed.
func (j *Job) MissedRule() string {
	switch {
	case j.missed == "run":
		return "made up for by one run, also after a restart of the daemon (missed: run)"
	case j.missed == "skip":
		return "left out when they are more than a minute late (missed: skip)"
	case j.kind == interval || j.kind == onCron:
		return "made up for by one run while the daemon is there, not after a restart (missed: run or skip changes this)"
	}
	return "left out (missed: run would make up for them)"
}
