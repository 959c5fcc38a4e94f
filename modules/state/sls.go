package state

import (
	"pinch/apply"
	"pinch/salt"
	"pinch/value"
)

type applyArgs struct {
	Mods   any        `py:"mods=None"` // the SLS files, comma-separated or a list; none: the highstate
	Kwargs *value.Map `py:"**kwargs"`  // what state.sls and state.highstate take
}

// applyExec applies the SLS files that are named, or the highstate.
//
//	pinch state.apply
//	pinch state.apply web,db test=True
//	pinch state.apply web pillar='{"port": 8080}'
func applyExec(c *salt.Ctx, a applyArgs) (any, error) {
	kw := a.Kwargs.Shallow()
	test, _ := kw.Pop("test")
	queue, _ := kw.Pop("queue")
	events, _ := kw.Pop("state_events")
	if !value.Truth(a.Mods) {
		return highstate(c, highstateArgs{Test: test, Queue: queue, StateEvents: events, Kwargs: kw})
	}
	exclude, _ := kw.Pop("exclude")
	sync, _ := kw.Pop("sync_mods")
	return slsExec(c, slsArgs{Mods: a.Mods, Test: test, Exclude: exclude, Queue: queue, SyncMods: sync, StateEvents: events, Kwargs: kw})
}

type testArgs struct {
	Args   []any      `py:"*args"`
	Kwargs *value.Map `py:"**kwargs"` // what state.apply takes
}

// test is state.apply with test=True: it tells what would change.
//
//	pinch state.test web
func test(c *salt.Ctx, a testArgs) (any, error) {
	kw := a.Kwargs.Shallow()
	mods, named := kw.Pop("mods")
	switch {
	case len(a.Args) > 1:
		return nil, value.Errorf("TypeError", "apply_() takes from 0 to 1 positional arguments but %d were given", len(a.Args))
	case len(a.Args) == 1 && named:
		return nil, value.Errorf("TypeError", "apply_() got multiple values for argument 'mods'")
	case len(a.Args) == 1:
		mods = a.Args[0]
	}
	kw.Set("test", true)
	return applyExec(c, applyArgs{Mods: mods, Kwargs: kw})
}

type slsArgs struct {
	Mods        any        `py:"mods"`              // the SLS files, comma-separated or a list
	Test        any        `py:"test=None"`         // change nothing, tell what would change
	Exclude     any        `py:"exclude=None"`      // SLS files to leave out, or maps with sls or id
	Queue       any        `py:"queue=None"`        // wait for a run that is under way; a number: if fewer than that wait already
	SyncMods    any        `py:"sync_mods=None"`    // kinds of custom modules to sync first, or True for all
	StateEvents any        `py:"state_events=None"` // send an event for each state
	Kwargs      *value.Map `py:"**kwargs"`          // saltenv, pillarenv, pillar, pillar_enc, localconfig, concurrent, mock, cache, cache_name, terse, force
}

// slsExec applies SLS files.
//
//	pinch state.sls web,db saltenv=dev
func slsExec(c *salt.Ctx, a slsArgs) (any, error) {
	leave, busy := enter(c, "state.sls", a.Queue, a.Kwargs)
	if busy != nil {
		return busy, nil
	}
	defer leave()
	mods := splitInput(a.Mods)
	if off := disabledSLS(c, mods); len(off) > 0 {
		c.Run.SetRetcode(codeCompile)
		return value.Strings(off), nil
	}
	kw := a.Kwargs.Shallow()
	kw.Set("state_events", a.StateEvents)
	s, err := begin(c, a.Test, kw)
	if err != nil {
		return nil, err
	}
	env := s.base()
	s.sync(a.SyncMods, env)
	if ret := s.brokenPillar(); ret != nil {
		return ret, nil
	}
	if kw.Truth("cache") {
		if data := s.cached(); data != nil {
			return s.run(s.p.NewHigh(data), false), nil
		}
	}
	high, errs := s.p.Render(apply.Names(env, mods))
	if len(errs) > 0 {
		return s.mistakes(errs), nil
	}
	if value.Truth(a.Exclude) {
		high.AddExclude(excludes(a.Exclude)...)
	}
	return s.run(high, true), nil
}

// run runs high data and sets the exit code; keep saves it for cache=True. A
// tree with nothing for this machine is a success.
func (s *session) run(high *apply.High, keep bool) any {
	nothing := high.Nothing()
	ret, errs := s.p.Run(high, s.options())
	if keep {
		s.keep(high)
	}
	if len(errs) > 0 {
		return s.mistakes(errs)
	}
	ret, _ = s.c.Run.Sealed(ret).(*value.Map)
	s.remember(ret)
	if s.kw.Truth("terse") || s.c.Opts.Str("state_data") == "terse" {
		ret = apply.Terse(ret)
	}
	s.setCode(ret, high.Map())
	if nothing && ret.Len() == 0 {
		s.c.Run.SetRetcode(0)
	}
	return ret
}

// excludes reads the argument exclude.
func excludes(v any) []any {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	return anys(splitInput(v))
}

// sync syncs custom modules of the kinds that are asked for.
func (s *session) sync(kinds any, env string) {
	if kinds == nil {
		return
	}
	list := splitInput(kinds)
	if kinds == true {
		list = []string{"all"}
	}
	for _, k := range list {
		if k == "all" {
			list = []string{"all"}
			break
		}
	}
	for _, k := range list {
		fun := "saltutil.sync_" + k
		if _, err := s.c.Registry().Exec(s.c, fun); err != nil {
			s.c.Log.Warn("Invalid custom module type '" + k + "', ignoring")
			continue
		}
		if _, err := s.c.CallKw(fun, value.M("saltenv", env)); err != nil {
			s.c.Log.Error(fun + ": " + err.Error())
		}
	}
}

type slsIDArgs struct {
	ID          string     `py:"id_"`               // the ID to run
	Mods        any        `py:"mods"`              // the SLS files it stands in
	Test        any        `py:"test=None"`         // change nothing, tell what would change
	Queue       any        `py:"queue=None"`        // wait for a run that is under way
	StateEvents any        `py:"state_events=None"` // send an event for each state
	Kwargs      *value.Map `py:"**kwargs"`          // as for state.sls
}

// slsID applies the states of one ID out of SLS files, and what they require.
//
//	pinch state.sls_id nginx web
func slsID(c *salt.Ctx, a slsIDArgs) (any, error) {
	leave, busy := enter(c, "state.sls_id", a.Queue, a.Kwargs)
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
	env := s.base()
	if ret := s.brokenPillar(); ret != nil {
		return ret, nil
	}
	high, errs := s.p.Render(apply.Names(env, splitInput(a.Mods)))
	plan, more := s.p.LowOf(high, errs)
	if len(more) > 0 {
		return s.mistakes(more), nil
	}
	ret := s.p.RunID(plan, a.ID, s.options())
	if ret.Len() == 0 {
		return nil, salt.InvocationError("No matches for ID '%s' found in SLS '%s' within saltenv '%s'", a.ID, value.Str(a.Mods), env)
	}
	return s.finish(ret, nil), nil
}
