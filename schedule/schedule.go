// Package schedule decides when jobs run, by the rules of Salt's schedule. It
// knows the options of a job (Job), what a job remembers (State) and one pure
// function that goes from one look at the clock to the next (Step); Next is
// when a job will run, and a Table holds the jobs of the configuration and of
// the pillar. Nothing here runs anything or reads a clock.
//
//	j := schedule.Read("hourly", value.M("function", "state.apply", "cron", "0 * * * *"), schedule.Globals{})
//	st, verdict := schedule.Step(j, st, time.Now(), schedule.Env{Loop: time.Second})
//
// Where Salt loses a run, doubles one, or lets one bad job stop the others,
// this package does not; docs/differences.md lists the cases.
package schedule

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pinch/value"
)

// A kind is what a job's times come from.
type kind uint8

const (
	never kind = iota
	interval
	onWhen
	onCron
	once
)

// A Job is an item of a schedule, read once.
type Job struct {
	Key    string // its key in the schedule
	Name   string // its name field, else the key
	Fun    string // the function to run, "" when none is given
	Raw    *value.Map
	Err    string // why it can never run; Salt's words where it has some
	Warn   string // what the user may not have meant
	DryRun bool

	kind       kind
	every      time.Duration
	cron       *Cron
	when       []any
	once       any
	onceFmt    string
	start      bool // run_on_start
	disabled   bool
	splay      [2]int64
	maxRunning int64 // 0: no limit
	explicit   []any
	skips      []any
	missed     string
	skipRange  any
	skipFun    string
	after      bool // run_after_skip_range
	whens      [2]any
}

// Globals are the keys of a schedule that hold for all of its jobs.
type Globals struct {
	Splay, SkipRange, SkipFun any
	Disabled                  bool
	Whens                     [2]any // named times of the pillar and of the grains
}

// Read reads a job. One that makes no sense has Err set and never runs.
func Read(key string, raw any, g Globals) *Job {
	j := &Job{Key: key, Name: key, whens: g.Whens}
	m, ok := raw.(*value.Map)
	if !ok {
		j.Err = fmt.Sprintf(`Scheduled job "%s" should have a dict value, not <class '%s'>`, key, value.TypeName(raw))
		return j
	}
	j.Raw = m
	if m.Has("name") {
		j.Name = m.Str("name")
	}
	for _, k := range []string{"function", "func", "fun"} {
		if m.Has(k) {
			j.Fun = m.Str(k)
			break
		}
	}
	j.DryRun = m.Truth("dry_run")
	j.disabled = g.Disabled || m.Has("enabled") && !m.Truth("enabled")
	j.explicit, j.skips = items(m.At("run_explicit")), items(m.At("skip_explicit"))
	j.skipFun = value.Str(or(g.SkipFun, ""))
	j.skipRange = or(m.At("skip_during_range"), g.SkipRange)
	j.after = m.Truth("run_after_skip_range")
	for _, read := range []func(*value.Map, Globals) string{j.times, j.readSplay, j.readLimits} {
		if j.Err = read(m, g); j.Err != "" {
			return j
		}
	}
	return j
}

func or(v, def any) any {
	if v == nil {
		return def
	}
	return v
}

func items(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case *value.List:
		return v.Items
	}
	return []any{v}
}

var timeKeys = [...]string{"seconds", "minutes", "hours", "days"}

// times reads what the job's times come from.
func (j *Job) times(m *value.Map, _ Globals) string {
	var others []string
	for _, k := range []string{"when", "cron", "once"} {
		if m.Has(k) {
			others = append(others, k)
		}
	}
	if len(others) > 1 {
		return `Unable to use "when", "cron", "once" options together. Ignoring.`
	}
	for i, k := range timeKeys {
		if !m.Has(k) {
			continue
		}
		n, err := whole(m.At(k))
		if err != nil {
			return fmt.Sprintf("%s of job %s: %s. Ignoring job %s.", k, j.Name, err, j.Name)
		}
		j.kind = interval
		unit := [...]int64{1, 60, 3600, 86400}[i]
		if n > most/unit || n < -most/unit {
			return fmt.Sprintf("%s of job %s: %d is more than a lifetime. Ignoring job %s.", k, j.Name, n, j.Name)
		}
		j.every += time.Duration(n*unit) * time.Second
	}
	j.start = j.kind == interval
	if m.Has("run_on_start") {
		j.start = m.Truth("run_on_start")
	}
	if j.kind == interval {
		if len(others) > 0 {
			j.Warn = fmt.Sprintf("job %s has an interval and %s: the interval counts", j.Name, others[0])
		} else if j.every <= 0 {
			j.Warn = fmt.Sprintf("job %s has an interval of no length: it runs at every look at the clock", j.Name)
		}
		return ""
	}
	return j.clockTimes(m)
}

// clockTimes reads when, cron and once.
func (j *Job) clockTimes(m *value.Map) string {
	switch {
	case m.Has("once"):
		j.kind, j.once, j.onceFmt = once, m.At("once"), DefaultFormat
		if m.Has("once_fmt") {
			j.onceFmt = m.Str("once_fmt")
		}
	case m.Has("when"):
		j.kind, j.when = onWhen, items(m.At("when"))
	case m.Has("cron"):
		j.kind = onCron
		text, ok := m.At("cron").(string)
		if !ok {
			return fmt.Sprintf("Invalid cron string. Ignoring job %s.", j.Name)
		}
		var err error
		if j.cron, err = ParseCron(text); err != nil {
			return fmt.Sprintf("Invalid cron string. Ignoring job %s.", j.Name)
		}
	}
	return ""
}

// most is the longest interval, in seconds.
const most = 70 * 366 * 24 * 3600

// whole is Python's int(v).
func whole(v any) (int64, error) {
	var n int64
	switch v := v.(type) {
	case int64:
		n = v
	case float64:
		n = int64(v)
	case bool:
		if v {
			n = 1
		}
	case string:
		var err error
		if n, err = strconv.ParseInt(strings.TrimSpace(v), 10, 64); err != nil {
			return 0, fmt.Errorf("%s is not a number", value.Repr(v))
		}
	default:
		return 0, fmt.Errorf("%s is not a number", value.Repr(v))
	}
	if n > most || n < -most {
		return 0, fmt.Errorf("%d is more than a lifetime", n)
	}
	return n, nil
}

// readSplay reads splay: a number, or a mapping with start and end.
func (j *Job) readSplay(m *value.Map, g Globals) string {
	v := m.At("splay")
	if !m.Has("splay") {
		v = g.Splay
	}
	if !value.Truth(v) || j.kind == never {
		return ""
	}
	d, ok := v.(*value.Map)
	if !ok {
		n, err := whole(v)
		if err != nil || n < 1 {
			return fmt.Sprintf("splay of job %s is no number of seconds: %s. Ignoring job %s.", j.Name, value.Repr(v), j.Name)
		}
		j.splay = [2]int64{1, n}
		return ""
	}
	from, err1 := whole(d.At("start"))
	to, err2 := whole(d.At("end"))
	if err1 != nil || err2 != nil || to < from || to < 0 {
		return fmt.Sprintf("schedule.handle_func: Invalid Splay, end must be larger than start. Ignoring job %s.", j.Name)
	}
	j.splay = [2]int64{from, to}
	return ""
}

// readLimits reads maxrunning and missed.
func (j *Job) readLimits(m *value.Map, _ Globals) string {
	if !m.Has("jid_include") || m.Truth("jid_include") {
		j.maxRunning = 1
		if m.Has("maxrunning") {
			n, err := whole(m.At("maxrunning"))
			if err != nil {
				return fmt.Sprintf("maxrunning of job %s: %s. Ignoring job %s.", j.Name, err, j.Name)
			}
			j.maxRunning = max(n, 1)
		}
	}
	switch j.missed = m.Str("missed"); j.missed {
	case "", "run", "skip":
		return ""
	}
	return fmt.Sprintf("missed of job %s is run or skip, not %s. Ignoring job %s.", j.Name, j.missed, j.Name)
}

// DefaultFormat is how once, skip_explicit and the API write times.
const DefaultFormat = "%Y-%m-%dT%H:%M:%S"

// Timed reports whether a job has times at all.
func (j *Job) Timed() bool { return j.kind != never }
