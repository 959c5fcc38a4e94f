package state

import (
	"io"
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// requestFile holds the requested runs, in the form of Salt's own.
func requestFile(c *salt.Ctx) string { return filepath.Join(c.Opts.Str("cachedir"), "req_state.p") }

func readRequests(c *salt.Ctx) *value.Map {
	b, err := c.Sys.ReadFile(requestFile(c))
	if err != nil {
		return new(value.Map)
	}
	v, _ := value.ParseMsgpack(b)
	m, ok := v.(*value.Map)
	if !ok {
		return new(value.Map)
	}
	return m
}

// writePrivate writes data into a file that only its owner may read.
func writePrivate(c *salt.Ctx, path string, data any) {
	mode := privateMode
	err := c.With(false).Sys.Replace(path, sys.FileAttrs{Mode: &mode}, func(w io.Writer) error { return value.WriteMsgpack(w, data) })
	if err != nil {
		c.Log.Error("Unable to write " + path + ": " + err.Error())
	}
}

type requestArgs struct {
	Mods   any        `py:"mods=None"` // the SLS files, none: the highstate
	Kwargs *value.Map `py:"**kwargs"`  // name, and what state.apply takes
}

// request tests a run and notes it, so that somebody may look at it
// (state.check_request) and let it go (state.run_request).
//
//	pinch state.request web
func request(c *salt.Ctx, a requestArgs) (any, error) {
	kw := a.Kwargs.Shallow()
	kw.Set("test", true)
	ret, err := applyExec(c, applyArgs{Mods: a.Mods, Kwargs: kw})
	if err != nil {
		return nil, err
	}
	name := kw.Str("name")
	if name == "" {
		name = "default"
	}
	reqs := readRequests(c)
	reqs.Set(name, value.M("test_run", ret, "mods", a.Mods, "kwargs", kw))
	writePrivate(c, requestFile(c), reqs)
	return ret, nil
}

type nameArgs struct {
	Name *string `py:"name=None"` // the name of the request; none: all
}

// checkRequest shows the requested runs.
//
//	pinch state.check_request
func checkRequest(c *salt.Ctx, a nameArgs) (any, error) {
	reqs := readRequests(c)
	if a.Name == nil || *a.Name == "" {
		return reqs, nil
	}
	v, ok := reqs.Get(*a.Name)
	if !ok {
		return nil, value.Errorf("KeyError", "%s", value.Repr(*a.Name))
	}
	return v, nil
}

// clearRequest drops a requested run, or all.
//
//	pinch state.clear_request
func clearRequest(c *salt.Ctx, a nameArgs) (bool, error) {
	path := requestFile(c)
	if !sys.IsFile(c.Sys, path) {
		return true, nil
	}
	if a.Name == nil || *a.Name == "" {
		_ = c.With(false).Sys.Remove(path)
		return true, nil
	}
	reqs := readRequests(c)
	if _, ok := reqs.Pop(*a.Name); !ok {
		return false, nil
	}
	writePrivate(c, path, reqs)
	return true, nil
}

type runRequestArgs struct {
	Name   string     `py:"name='default'"` // the name of the request
	Kwargs *value.Map `py:"**kwargs"`       // arguments on top of those of the request
}

// runRequest runs what was requested.
//
//	pinch state.run_request
func runRequest(c *salt.Ctx, a runRequestArgs) (any, error) {
	req := readRequests(c).Map(a.Name)
	kw := req.Map("kwargs")
	if kw == nil || !req.Has("mods") {
		return new(value.Map), nil
	}
	kw.Update(a.Kwargs)
	kw.Pop("test")
	ret, err := applyExec(c, applyArgs{Mods: req.At("mods"), Kwargs: kw})
	if err != nil {
		return nil, err
	}
	_ = c.With(false).Sys.Remove(requestFile(c))
	return ret, nil
}
