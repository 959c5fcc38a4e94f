package output

import (
	"strings"

	"pinch/value"
)

// A state is one result of a run, for the outputters that Salt does not have.
type state struct {
	id, name, fun, sls string
	comment            string
	outcome            outcome
	changes            *value.Map
	ms                 float64
}

// An outcome is how a state ended.
type outcome int

const (
	unchanged outcome = iota
	changed
	pending // test=True: it would change
	skipped // onlyif, unless, creates, or a requisite without changes
	unmet   // a requisite failed
	failed
)

var outcomeNames = [...]string{"ok", "changed", "would change", "skipped", "unmet", "failed"}

func (o outcome) String() string { return outcomeNames[o] }

// statesOf reads the results of one minion in the order in which they ran; ok
// is false for data that are none.
func statesOf(data any) (all []state, ok bool) {
	m, ok := data.(*value.Map)
	if !ok {
		return nil, false
	}
	tags := m.Keys()
	for _, tag := range tags {
		v, _ := m.GetKey(tag)
		ret, isMap := v.(*value.Map)
		name, isText := tag.(string)
		if !isMap || !isText || !ret.Has("result") || strings.Count(name, "_|-") < 3 {
			return nil, false
		}
	}
	err := sortValues(tags, func(tag any) any {
		if n, ok := m.Map(tag.(string)).Get("__run_num__"); ok {
			return n
		}
		return int64(0)
	})
	if err != nil {
		return nil, false
	}
	for _, tag := range tags {
		parts, ret := strings.Split(tag.(string), "_|-"), m.Map(tag.(string))
		s := state{id: parts[1], name: parts[2], fun: parts[0] + "." + parts[3], sls: ret.Str("__sls__"), comment: strip(value.Str(ret.At("comment")))}
		s.changes, _ = ret.At("changes").(*value.Map)
		s.ms, _ = milliseconds(ret)
		s.outcome = outcomeOf(ret)
		all = append(all, s)
	}
	return all, true
}

func outcomeOf(ret *value.Map) outcome {
	ran := ret.At("__state_ran__") != false
	switch r := ret.At("result"); {
	case r == false && !ran && strings.HasPrefix(value.Str(ret.At("comment")), "One or more requisite failed"):
		return unmet
	case r == false:
		return failed
	case r == nil:
		return pending
	case ret.Truth("skip_watch") || !ran:
		return skipped
	case value.Truth(ret.At("changes")):
		return changed
	}
	return unchanged
}

// title names a state for a reader: the function, the ID, and the name where
// that is another.
func (s *state) title() string {
	if s.name == s.id {
		return s.fun + " " + s.id
	}
	return s.fun + " " + s.id + " (" + s.name + ")"
}

func (s *state) firstLine() string {
	line, _, _ := strings.Cut(s.comment, "\n")
	return line
}

// hostsOf walks over the minions of a return of states. each gets either the
// states or the compile errors; other data are an error.
func hostsOf(data any, each func(host string, states []state, errors []string)) error {
	m, ok := data.(*value.Map)
	if !ok || m.Len() == 0 {
		return attribute(data, "states")
	}
	for host, v := range m.All() {
		if l, ok := v.(*value.List); ok {
			texts := make([]string, l.Len())
			for i, it := range l.Items {
				texts[i] = value.Str(it)
			}
			each(value.Str(host), nil, texts)
			continue
		}
		states, ok := statesOf(v)
		if !ok {
			return attribute(v, "states")
		}
		each(value.Str(host), states, nil)
	}
	return nil
}
