package state

import (
	"errors"

	"pinch/apply"
	"pinch/salt"
	"pinch/value"
)

type highstateArgs struct {
	Test        any        `py:"test=None"`         // change nothing, tell what would change
	Queue       any        `py:"queue=None"`        // wait for a run that is under way
	StateEvents any        `py:"state_events=None"` // send an event for each state
	Kwargs      *value.Map `py:"**kwargs"`          // as for state.sls; exclude, whitelist
}

// highstate applies all that the top file gives this minion.
//
//	pinch state.highstate test=True
//	pinch state.highstate exclude='[{"id": "reboot"}, {"sls": "dev"}]'
func highstate(c *salt.Ctx, a highstateArgs) (any, error) {
	if len(disabledSLS(c, []string{"highstate"})) > 0 {
		return value.M("name", "Salt highstate run is disabled. To re-enable, run state.enable highstate", "result", "False", "comment", "Disabled"), nil
	}
	leave, busy := enter(c, "state.highstate", a.Queue, a.Kwargs)
	if busy != nil {
		return busy, nil
	}
	defer leave()
	kw := a.Kwargs.Shallow()
	kw.Set("state_events", a.StateEvents)
	s, err := begin(c, a.Test, kw)
	if err != nil {
		return nil, err
	}
	return s.highstate()
}

type topArgs struct {
	TopFn  string     `py:"topfn"`      // the top file, a path in the trees
	Test   any        `py:"test=None"`  // change nothing, tell what would change
	Queue  any        `py:"queue=None"` // wait for a run that is under way
	Kwargs *value.Map `py:"**kwargs"`   // as for state.highstate
}

// top is a highstate with another top file.
//
//	pinch state.top reverse_top.sls
func top(c *salt.Ctx, a topArgs) (any, error) {
	leave, busy := enter(c, "state.top", a.Queue, a.Kwargs)
	if busy != nil {
		return busy, nil
	}
	defer leave()
	s, err := begin(c, a.Test, a.Kwargs)
	if err != nil {
		return nil, err
	}
	s.c.Opts.Set("state_top", "salt://"+a.TopFn)
	if v, ok := a.Kwargs.Get("saltenv"); ok {
		s.c.Opts.Set("state_top_saltenv", v)
	}
	return s.highstate()
}

// noStates is the return of a highstate that has nothing to do.
func noStates(comment string) *value.Map {
	return value.M("no_|-states_|-states_|-None", value.M("result", false, "comment", comment, "name", "No States", "changes", new(value.Map), "__run_num__", int64(0)))
}

func (s *session) highstate() (any, error) {
	if ret := s.brokenPillar(); ret != nil {
		return ret, nil
	}
	if s.kw.Truth("cache") {
		if data := s.cached(); data != nil {
			return s.run(s.p.NewHigh(data), false), nil
		}
	}
	topData, err := s.p.Top()
	if err != nil {
		var ex *value.Exception
		if errors.As(err, &ex) && ex.Class == "SaltRenderError" {
			return s.finish(noStates("Unable to render top file: "+ex.Msg), nil), nil
		}
		return nil, err
	}
	errs := apply.VerifyTop(topData)
	matches, err := s.p.TopMatches(topData)
	if err != nil {
		return nil, err
	}
	if len(matches) == 0 {
		if d := s.p.NoTop(); d != nil {
			s.c.Run.Report(d)
		}
		return s.finish(noStates("No Top file or master_tops data matches found. Please see master log for details."), nil), nil
	}
	matches = only(matches, s.kw.At("whitelist"))
	s.loadDynamic(matches)
	high, more := s.p.Render(matches)
	if errs = append(errs, more...); len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	if v := s.kw.At("exclude"); value.Truth(v) {
		high.AddExclude(excludes(v)...)
	} else if high.Len() == 0 {
		return s.finish(noStates("No states found for this minion"), nil), nil
	}
	return s.run(high, true), nil
}

// loadDynamic syncs custom modules before a highstate.
func (s *session) loadDynamic(matches apply.Matches) {
	if v, ok := s.c.Opts.Get("autoload_dynamic_modules"); ok && !value.Truth(v) {
		return
	}
	if _, err := s.c.Registry().Exec(s.c, "saltutil.sync_all"); err != nil {
		return
	}
	envs := new(value.List)
	for _, m := range matches {
		envs.Append(m.Env)
	}
	if _, err := s.c.CallFunc(s.c, "saltutil.sync_all", []any{envs}, value.M("refresh", false)); err != nil {
		s.c.Log.Error("saltutil.sync_all: " + err.Error())
	}
}

// only keeps the SLS files of a whitelist.
func only(matches apply.Matches, whitelist any) apply.Matches {
	if !value.Truth(whitelist) {
		return matches
	}
	allowed := map[string]bool{}
	for _, w := range splitInput(whitelist) {
		allowed[w] = true
	}
	var out apply.Matches
	for _, m := range matches {
		n := apply.Match{Env: m.Env}
		for _, sls := range m.SLS {
			if allowed[value.Str(sls)] {
				n.SLS = append(n.SLS, sls)
			}
		}
		if len(n.SLS) > 0 {
			out = append(out, n)
		}
	}
	return out
}
