package schedule

import (
	"fmt"
	"strings"
	"time"

	"pinch/value"
	"pinch/value/pytime"
)

// read reads the times of when on the day of now, or says why that fails.
func (j *Job) read(now time.Time) ([]time.Time, string) {
	out := make([]time.Time, 0, len(j.when))
	for _, v := range j.when {
		named, err := j.named(v)
		if err != "" {
			return nil, err
		}
		t, ok := clockTime(named, now)
		if !ok {
			return nil, fmt.Sprintf("Invalid date string %s. Ignoring job %s.", value.Str(v), j.Name)
		}
		out = append(out, t)
	}
	return out, ""
}

// named replaces a name of whens, of the pillar or of the grains, by its time.
func (j *Job) named(v any) (any, string) {
	for i, whens := range j.whens {
		if whens == nil || !contains(whens, v) {
			continue
		}
		m, ok := whens.(*value.Map)
		if !ok {
			return nil, fmt.Sprintf([]string{`Pillar item "whens" must be a dict. Ignoring job %s.`, `Grain "whens" must be a dict. Ignoring job %s.`}[i], j.Name)
		}
		w, _ := m.GetKey(v)
		return w, ""
	}
	return v, ""
}

// contains is Python's "v in whens".
func contains(whens, v any) bool {
	switch w := whens.(type) {
	case *value.Map:
		return w.HasKey(v)
	case *value.List:
		for _, it := range w.Items {
			if value.Equal(it, v) {
				return true
			}
		}
	case string:
		s, ok := v.(string)
		return ok && strings.Contains(w, s)
	}
	return false
}

// clockTime reads a time as dateutil does; a time of day or a weekday is the
// one on, or next to, the day of now.
func clockTime(v any, now time.Time) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return local(v, now), true
	case value.Date:
		return local(v.Time, now), true
	case string:
		none := time.FixedZone("", 0) // told from a zone of the text by its address
		wall := naive(now)
		t, err := pytime.Parse(v, time.Date(wall.Year(), wall.Month(), wall.Day(), 0, 0, 0, 0, none))
		if err == nil && t.Location() == none {
			t = instant(naive(t), now.Location())
		}
		return t, err == nil
	}
	return time.Time{}, false
}

// recurring reports whether a time of when comes again and again.
func (j *Job) recurring(now time.Time) bool {
	a, err1 := j.read(now)
	b, err2 := j.read(now.AddDate(1, 1, 1))
	if err1 != "" || err2 != "" {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return true
		}
	}
	return false
}
