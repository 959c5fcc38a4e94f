package schedule

import (
	"fmt"
	"slices"
	"time"

	"pinch/value"
	"pinch/value/pytime"
)

// A State is what a job remembers from one look at the clock to the next.
type State struct {
	Seen    time.Time // the last look
	Next    time.Time // when it is due; zero: never, or not known yet
	Splay   time.Time // when it is due with its splay; zero: none is drawn
	Last    time.Time // the last run
	Done    time.Time // of when, cron and once: all due times up to here are dealt with
	Done2   time.Time // the same of run_explicit
	After   time.Time // run_after_skip_range: when to make up for a run
	Started bool      // run_on_start is dealt with

	Skip    string    // why the run that was due did not happen
	Skipped time.Time // when that was; zero where Salt notes no time
	Err     string    // why the job cannot run now
}

// Env is what Step needs to know besides the job.
type Env struct {
	Loop    time.Duration                 // how far apart the looks are; 0: a second
	Random  func(lo, hi int64) int64      // for splay; nil: lo
	Running func(name string) (count int) // how many runs of a job are under way; nil: none
}

// A Verdict is what comes out of a look at the clock.
type Verdict struct {
	Run  bool
	Fun  string        // what to run: the job's function, or skip_function
	Due  time.Time     // when it was due
	Late time.Duration // how long ago that was
}

// longJump is how far the clock must go back before due times that were dealt
// with count again: below it is taken for a correction, above it for a clock
// that was wrong before.
const longJump = 3 * time.Hour

// Step looks at the clock: it says whether the job is to run at now, and what
// to remember. It is a pure function; now has the zone of the machine.
func Step(j *Job, st State, now time.Time, e Env) (State, Verdict) {
	if e.Loop <= 0 {
		e.Loop = time.Second
	}
	now = now.Round(0) // what the clock shows counts, not how long we ran
	st.Skip, st.Skipped, st.Err = "", time.Time{}, j.Err
	if j.Err != "" {
		return st, Verdict{}
	}
	if now.Before(st.Seen) {
		st = j.wentBack(st, now)
	}
	s := &look{j: j, State: st, now: now, e: e}
	s.decide()
	s.Seen = now
	v := Verdict{Run: s.run, Fun: j.Fun, Due: s.due}
	if s.fun != "" {
		v.Fun = s.fun
	}
	if !s.due.IsZero() && s.due.Before(now) {
		v.Late = now.Sub(s.due)
	}
	return s.State, v
}

// wentBack is what to remember when the clock went back.
func (j *Job) wentBack(st State, now time.Time) State {
	switch far := st.Seen.Sub(now) > longJump; {
	case j.kind == interval && st.Next.Sub(now) > j.every:
		st.Next, st.Splay = now.Add(j.every), time.Time{}
	case far && (j.kind == onCron || j.kind == onWhen && j.recurring(now)):
		st.Next, st.Splay, st.Done = time.Time{}, time.Time{}, time.Time{}
	}
	return st
}

// A look is one Step under way.
type look struct {
	State
	j   *Job
	now time.Time
	e   Env

	run bool
	due time.Time
	fun string // instead of the job's, by skip_function
}

func (s *look) decide() {
	explicit := s.runExplicit()
	dueNow := false
	switch s.j.kind {
	case interval:
		dueNow = s.interval(explicit)
	case onCron:
		dueNow = s.onCron(explicit)
	case onWhen:
		dueNow = s.onWhen()
	case once:
		dueNow = s.atOnce()
	default:
		return
	}
	if s.Err != "" {
		return
	}
	s.run = dueNow || explicit
	switch {
	case s.j.start && !s.Started && !s.past():
		s.run = true
		s.due = s.now
	case s.run:
		s.run = s.allowed()
		if s.Err != "" {
			return
		}
	}
	s.Started = true
	if s.j.disabled {
		s.skip("disabled")
	}
	if s.run && s.j.maxRunning > 0 && s.e.Running != nil && int64(s.e.Running(s.j.Name)) >= s.j.maxRunning {
		s.skip("maxrunning")
	}
	s.settle()
}

// past reports whether a job for certain times has none left, so that it does
// not run at start either.
func (s *look) past() bool { return (s.j.kind == onWhen || s.j.kind == once) && s.Next.IsZero() }

// skip notes why a run does not happen.
func (s *look) skip(reason string) {
	s.run, s.Skip, s.Skipped = false, reason, s.now
}

// settle moves the due times on.
func (s *look) settle() {
	if s.run {
		s.Last, s.Splay = s.now, time.Time{}
		if s.j.kind == once && s.due.Equal(s.Next) {
			s.Done = s.Next
		}
	}
	if s.j.kind == interval && (s.run || !s.Skipped.IsZero() && !s.Next.After(s.now)) {
		s.Next = s.now.Add(s.j.every)
	}
}

// grace is how late a run with missed: skip may be.
func (s *look) grace() time.Duration { return max(time.Minute, s.e.Loop) }

// interval is due when the whole seconds until Next are used up.
func (s *look) interval(explicit bool) bool {
	if s.Next.IsZero() {
		s.Next = s.now.Add(s.j.every)
	}
	if explicit {
		s.Next = s.due
	}
	if s.j.missed == "skip" && s.now.Sub(s.Next) > s.grace() {
		s.Next, s.Splay = s.now.Add(s.j.every), time.Time{}
		s.Skip, s.Skipped = "missed", s.now
		return false
	}
	return s.drawn(s.Next)
}

// drawn reports whether a job is due whose own time is at, with its splay.
func (s *look) drawn(at time.Time) bool {
	if s.j.splay[1] > 0 && s.Splay.IsZero() {
		if with := at.Add(s.draw()); s.now.Before(with) {
			s.Splay = with
		} else {
			s.due = at
			return true
		}
	}
	if !s.Splay.IsZero() {
		s.due = s.Splay
		return !s.Splay.After(s.now)
	}
	s.due = at
	return !at.Truncate(time.Second).After(s.now)
}

func (s *look) draw() time.Duration {
	n := s.j.splay[0]
	if s.e.Random != nil {
		n = s.e.Random(s.j.splay[0], s.j.splay[1])
	}
	return time.Duration(n) * time.Second
}

// onCron is due when the next time of the expression has come; several that
// were missed are one run.
func (s *look) onCron(explicit bool) bool {
	if s.Next.IsZero() && !explicit {
		from := s.now
		if s.Seen.Before(s.now) && !s.Seen.IsZero() {
			from = s.Seen // what became due since the last look is no less due for a run in it
		}
		next, ok := s.j.cron.Next(later(from, s.Done))
		if !ok {
			s.Err = fmt.Sprintf("Invalid cron string. Ignoring job %s.", s.j.Name)
			return false
		}
		s.Next = next
	}
	if explicit {
		s.Next = time.Time{}
		return true
	}
	if s.j.missed == "skip" && s.now.Sub(s.Next) > s.grace() {
		s.Done, s.Next, s.Splay = s.Next, time.Time{}, time.Time{}
		s.Skip, s.Skipped = "missed", s.now
		return false
	}
	if s.drawn(s.Next) {
		s.Done, s.Next = later(s.Done, s.Next), time.Time{}
		return true
	}
	return false
}

// atOnce is due once, in the looks up to Loop after its time.
func (s *look) atOnce() bool {
	if s.Next.IsZero() {
		at, ok := moment(s.j.once, s.j.onceFmt, s.now)
		if !ok {
			s.Err = fmt.Sprintf("Date string could not be parsed: %s, %s. Ignoring job %s.", value.Str(s.j.once), s.j.onceFmt, s.j.Name)
			return false
		}
		if !at.After(s.Done) || at.Before(s.now.Add(-s.e.Loop)) && !s.makeUp(at) {
			return false
		}
		s.Next = at
	}
	s.due = s.Next
	if !s.Next.After(s.Done) || s.Next.After(s.now) {
		return false
	}
	return !s.Next.Before(s.now.Add(-s.e.Loop)) || s.makeUp(s.Next)
}

// makeUp reports whether a time that was missed is to be made up for: one that
// came since the last look.
func (s *look) makeUp(at time.Time) bool {
	return s.j.missed == "run" && !s.Seen.IsZero() && at.After(s.Seen) && !at.After(s.now)
}

// runExplicit is due at the times of run_explicit, and after a skip range.
func (s *look) runExplicit() bool {
	if !s.After.IsZero() && !s.After.After(s.now) {
		s.due, s.After = s.After, time.Time{}
		return true
	}
	for _, v := range s.j.explicit {
		at, ok := explicitTime(v, s.now)
		if !ok {
			s.Err = fmt.Sprintf("Date string could not be parsed: %s. Ignoring job %s.", value.Str(v), s.j.Name)
			return false
		}
		if at.After(s.Done2) && !at.After(s.now) && s.now.Sub(at) < s.e.Loop {
			s.Done2, s.due = at, at
			return true
		}
	}
	return false
}

// explicitTime reads an item of run_explicit and skip_explicit.
func explicitTime(v any, now time.Time) (time.Time, bool) {
	if m, ok := v.(*value.Map); ok {
		format := DefaultFormat
		if m.Has("time_fmt") {
			format = m.Str("time_fmt")
		}
		return moment(m.At("time"), format, now)
	}
	return moment(v, DefaultFormat, now)
}

// moment reads a time in a format, of the zone of now.
func moment(v any, format string, now time.Time) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return local(v, now), true
	case string:
		none := time.FixedZone("", 0) // told from a zone of the text by its address
		t, ok := pytime.Strptime(v, format, none)
		if ok && t.Location() == none {
			t = instant(naive(t), now.Location())
		}
		return t, ok
	}
	return time.Time{}, false
}

// local takes a time without a zone (YAML's) for one of the machine's clock.
func local(t, now time.Time) time.Time {
	if t.Location() == time.UTC {
		return instant(t, now.Location())
	}
	return t
}

// onWhen is due at each of its times once.
func (s *look) onWhen() bool {
	dues, ok := s.dues(s.now)
	if !ok {
		return false
	}
	if !s.Splay.IsZero() { // Next is the time itself
		s.due = s.Splay
		switch {
		case s.Splay.After(s.now):
			return false
		case !s.Splay.Before(s.now.Add(-s.e.Loop)):
			s.Done = later(s.Done, s.Next)
			return true
		}
		s.Done, s.Splay = later(s.Done, s.Next), time.Time{}
	}
	s.Next = time.Time{}
	for _, d := range dues {
		if d.After(s.Done) && (!d.Before(s.now.Add(-s.e.Loop)) || s.makeUp(d)) {
			s.Next = d
			break
		}
	}
	if s.Next.IsZero() {
		return false
	}
	if s.j.splay[1] > 0 {
		if with := s.Next.Add(s.draw()); s.now.Before(with) {
			s.Splay = with
			return false
		}
	}
	s.due = s.Next
	if s.Next.After(s.now) {
		return false
	}
	s.Done = later(s.Done, s.Next)
	if s.makeUp(s.Next) { // several that were missed are one run
		for _, d := range dues {
			if d.Before(s.now.Add(-s.e.Loop)) {
				s.Done = later(s.Done, d)
			}
		}
	}
	return true
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// dues are the times of when, sorted, as they are read on the day of now; with
// missed: run also as they were read at the last look.
func (s *look) dues(now time.Time) ([]time.Time, bool) {
	out, err := s.j.read(now)
	if err == "" && s.j.missed == "run" && !s.Seen.IsZero() && naive(s.Seen).YearDay() != naive(now).YearDay() {
		var old []time.Time
		if old, err = s.j.read(s.Seen.In(now.Location())); err == "" {
			out = append(out, old...)
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	s.Err = err
	return out, err == ""
}
