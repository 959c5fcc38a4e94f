package state

import (
	"strings"

	"pinch/apply"
	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

type showArgs struct {
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`   // saltenv, pillarenv, pillar, pillar_enc, localconfig
}

type showSlsArgs struct {
	Mods   any        `py:"mods"`       // the SLS files, comma-separated or a list
	Test   any        `py:"test=None"`  // what templates see as opts.test
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`   // saltenv, pillarenv, pillar, pillar_enc, localconfig
}

// look begins a session that only looks. done is the answer when there is one
// already.
func look(c *salt.Ctx, fun string, test, queue any, kw *value.Map) (s *session, leave func(), done any, err error) {
	leave, busy := enter(c, fun, queue, kw)
	if busy != nil {
		return nil, func() {}, busy, nil
	}
	if s, err = begin(c, test, kw); err == nil {
		err = s.pillarError()
	}
	return s, leave, nil, err
}

// showTop shows the SLS files that the top file gives this minion, by environment.
//
//	pinch state.show_top
func showTop(c *salt.Ctx, a showArgs) (any, error) {
	s, leave, done, err := look(c, "state.show_top", nil, a.Queue, a.Kwargs)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	top, err := s.p.Top()
	if err != nil {
		return nil, err
	}
	if errs := apply.VerifyTop(top); len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	m, err := s.p.TopMatches(top)
	return m.Map(), err
}

// fromTop renders what the top file gives this minion.
func (s *session) fromTop(verify bool) (*apply.High, diag.List, error) {
	top, err := s.p.Top()
	if err != nil {
		return nil, nil, err
	}
	var errs diag.List
	if verify {
		errs = apply.VerifyTop(top)
	}
	m, err := s.p.TopMatches(top)
	if err != nil {
		return nil, nil, err
	}
	high, more := s.p.Render(m)
	return high, append(errs, more...), nil
}

// showHighstate shows the high data of the highstate.
//
//	pinch state.show_highstate
func showHighstate(c *salt.Ctx, a showArgs) (any, error) {
	s, leave, done, err := look(c, "state.show_highstate", nil, a.Queue, a.Kwargs)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	high, errs, err := s.fromTop(true)
	if err != nil {
		return nil, err
	}
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	return s.finish(high.Map(), nil), nil
}

// lowstate compiles the highstate down to its low chunks.
func (s *session) lowstate() (*apply.Plan, diag.List, error) {
	high, errs, err := s.fromTop(false)
	if err != nil {
		return nil, nil, err
	}
	errs = append(errs, s.p.PrepareAll(high)...)
	if len(errs) > 0 {
		return nil, errs, nil
	}
	high.Strict()
	plan, errs := s.p.Low(high)
	return plan, errs, nil
}

// showLowstate shows the low chunks of the highstate, in the order in which
// they would run.
//
//	pinch state.show_lowstate
func showLowstate(c *salt.Ctx, a showArgs) (any, error) {
	s, leave, done, err := look(c, "state.show_lowstate", nil, a.Queue, a.Kwargs)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	plan, errs, err := s.lowstate()
	if err != nil {
		return nil, err
	}
	if len(errs) > 0 {
		// Salt answers 0 here, but for a state without a list, where it crashes.
		ret := s.mistakes(errs)
		if !strings.Contains(errs[0].Text(), "with a trailing colon") {
			s.c.Run.SetRetcode(0)
		}
		return ret, nil
	}
	return plan.Lows(), nil
}

// showStates names the SLS files of the highstate that have states.
//
//	pinch state.show_states
func showStates(c *salt.Ctx, a showArgs) (any, error) {
	s, leave, done, err := look(c, "state.show_states", nil, a.Queue, a.Kwargs)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	plan, errs, err := s.lowstate()
	if err != nil {
		return nil, err
	}
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	seen := map[string]bool{}
	out := new(value.List)
	for _, ch := range plan.Chunks {
		if !seen[ch.SLS] {
			seen[ch.SLS] = true
			out.Append(ch.SLS)
		}
	}
	return out, nil
}

// renderSls renders SLS files for the functions that show them.
func renderSls(c *salt.Ctx, fun string, a showSlsArgs) (s *session, high *apply.High, errs diag.List, leave func(), done any, err error) {
	s, leave, done, err = look(c, fun, a.Test, a.Queue, a.Kwargs)
	if done != nil || err != nil {
		return s, nil, nil, leave, done, err
	}
	high, errs = s.p.Render(apply.Names(s.base(), splitInput(a.Mods)))
	return s, high, append(errs, s.p.Verify(high)...), leave, nil, nil
}

// showSls shows the high data of SLS files.
//
//	pinch state.show_sls web
func showSls(c *salt.Ctx, a showSlsArgs) (any, error) {
	s, high, errs, leave, done, err := renderSls(c, "state.show_sls", a)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	return high.Map(), nil
}

// showLowSls shows the low chunks of SLS files. Extends, the _in requisites
// and excludes are not applied; state.show_lowstate applies them.
//
//	pinch state.show_low_sls web
func showLowSls(c *salt.Ctx, a showSlsArgs) (any, error) { return lowSls(c, a, true) }

func lowSls(c *salt.Ctx, a showSlsArgs, strict bool) (any, error) {
	s, high, errs, leave, done, err := renderSls(c, "state.show_low_sls", a)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	if strict {
		high.Strict()
	}
	plan, errs := s.p.Low(high)
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	return plan.Lows(), nil
}

// slsExists tells whether SLS files are there and render.
//
//	pinch state.sls_exists web
func slsExists(c *salt.Ctx, a showSlsArgs) (any, error) {
	v, err := showSls(c, a)
	_, ok := v.(*value.Map)
	return ok, err
}

type idExistsArgs struct {
	IDs    any        `py:"ids"`        // the IDs, comma-separated or a list
	Mods   any        `py:"mods"`       // the SLS files
	Test   any        `py:"test=None"`  // what templates see as opts.test
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`   // as for state.show_sls
}

// idExists tells whether all IDs stand in SLS files.
//
//	pinch state.id_exists nginx web
func idExists(c *salt.Ctx, a idExistsArgs) (any, error) {
	v, err := lowSls(c, showSlsArgs{Mods: a.Mods, Test: a.Test, Queue: a.Queue, Kwargs: a.Kwargs}, false)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	l, _ := v.(*value.List)
	if l != nil {
		for _, it := range l.Items {
			m, _ := it.(*value.Map)
			have[m.Str("__id__")] = true
		}
	}
	for _, id := range splitInput(a.IDs) {
		if !have[id] {
			return false, nil
		}
	}
	return true, nil
}

// graph shows the dependencies of SLS files in the language of Graphviz.
//
//	pinch state.graph web | dot -Tsvg
func graph(c *salt.Ctx, a showSlsArgs) (any, error) {
	s, high, errs, leave, done, err := renderSls(c, "state.graph", a)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	plan, _ := s.p.Low(high)
	return plan.Dot(), nil
}

// graphHighstate shows the dependencies of the highstate in the language of
// Graphviz.
//
//	pinch state.graph_highstate | dot -Tsvg
func graphHighstate(c *salt.Ctx, a showArgs) (any, error) {
	s, leave, done, err := look(c, "state.graph_highstate", nil, a.Queue, a.Kwargs)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	high, errs, err := s.fromTop(true)
	if err != nil {
		return nil, err
	}
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	plan, _ := s.p.Low(high)
	return plan.Dot(), nil
}

// showStateUsage counts the SLS files of each environment that the highstate
// uses and does not use.
//
//	pinch state.show_state_usage
func showStateUsage(c *salt.Ctx, a showArgs) (any, error) {
	s, leave, done, err := look(c, "state.show_state_usage", nil, a.Queue, a.Kwargs)
	defer leave()
	if done != nil || err != nil {
		return done, err
	}
	top, err := s.p.Top()
	if err != nil {
		return nil, err
	}
	if errs := apply.VerifyTop(top); len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	m, err := s.p.TopMatches(top)
	if err != nil {
		return nil, err
	}
	return s.finish(s.p.Usage(m), nil), nil
}

func isSLS(name string) bool { return strings.HasSuffix(name, ".sls") }
