package schedule

import (
	"fmt"
	"time"

	"pinch/value"
)

// allowed asks the filters whether a run that is due may happen: all must
// agree. The first that refuses gives the reason, and the last word is Salt's
// order: range, skip_during_range, skip_explicit, until, after.
func (s *look) allowed() bool {
	for _, ask := range []func() bool{s.inRange, s.outsideSkipRange, s.notSkipped, s.before, s.afterwards} {
		if !ask() || s.Err != "" {
			return false
		}
	}
	return true
}

// instead runs skip_function in the place of a run that is skipped.
func (s *look) instead() bool {
	s.fun = s.j.skipFun
	return s.fun != ""
}

// span reads the start and end of a range; words are Salt's for what is wrong.
func (s *look) span(v any, notDict, badStart, badEnd string) (m *value.Map, from, to time.Time, ok bool) {
	m, ok = v.(*value.Map)
	if !ok {
		s.Err = fmt.Sprintf(notDict, s.j.Name)
		return
	}
	if from, ok = clockTime(m.At("start"), s.now); !ok {
		s.Err = fmt.Sprintf(badStart, s.j.Name)
		return
	}
	if to, ok = clockTime(m.At("end"), s.now); !ok {
		s.Err = fmt.Sprintf(badEnd, s.j.Name)
		return
	}
	if ok = to.After(from); !ok {
		s.Err = fmt.Sprintf("schedule.handle_func: Invalid range, end must be larger than start. Ignoring job %s.", s.j.Name)
	}
	return
}

func (s *look) inRange() bool {
	if !s.j.Raw.Has("range") {
		return true
	}
	m, from, to, ok := s.span(s.j.Raw.At("range"), "schedule.handle_func: Invalid, range must be specified as a dictionary.Ignoring job %s.",
		"Invalid date string for start. Ignoring job %s.", "Invalid date string for end. Ignoring job %s.")
	switch {
	case !ok:
		return false
	case m.Truth("invert"):
		if !s.now.After(from) || !s.now.Before(to) {
			return true
		}
		s.Skip = "in_skip_range"
		return false
	case !s.now.Before(from) && !s.now.After(to), s.instead():
		return true
	}
	s.Skip = "not_in_range"
	return false
}

func (s *look) outsideSkipRange() bool {
	if !value.Truth(s.j.skipRange) {
		return true
	}
	_, from, to, ok := s.span(s.j.skipRange, "schedule.handle_func: Invalid, range must be specified as a dictionary. Ignoring job %s.",
		"Invalid date string for start in skip_during_range. Ignoring job %s.", "Invalid date string for end in skip_during_range. Ignoring job %s.")
	if !ok {
		return false
	}
	if s.now.Before(from) || s.now.After(to) || s.instead() {
		return true
	}
	s.skip("in_skip_range")
	if s.j.after {
		s.After = to.Add(s.e.Loop)
	}
	return false
}

func (s *look) notSkipped() bool {
	for _, v := range s.j.skips {
		at, ok := explicitTime(v, s.now)
		if !ok {
			s.Err = fmt.Sprintf("Date string could not be parsed: %s. Ignoring job %s.", value.Str(v), s.j.Name)
			return false
		}
		if !within(at, s.now, s.e.Loop) && !within(at, s.due, s.e.Loop) || s.instead() {
			continue
		}
		s.skip("skip_explicit")
		return false
	}
	return true
}

// within reports whether t is at, or up to d after it.
func within(at, t time.Time, d time.Duration) bool {
	return !t.Before(at) && !t.After(at.Add(d))
}

func (s *look) before() bool {
	if !s.j.Raw.Has("until") {
		return true
	}
	until, ok := s.limit("until")
	if ok && !until.After(s.now) {
		s.skip("until_passed")
		return false
	}
	return ok
}

func (s *look) afterwards() bool {
	if !s.j.Raw.Has("after") {
		return true
	}
	after, ok := s.limit("after")
	if ok && !after.Before(s.now) {
		s.skip("after_not_passed")
		return false
	}
	return ok
}

func (s *look) limit(key string) (time.Time, bool) {
	t, ok := clockTime(s.j.Raw.At(key), s.now)
	if !ok {
		s.Err = fmt.Sprintf("Invalid date string for %s. Ignoring job %s.", key, s.j.Name)
	}
	return t, ok
}
