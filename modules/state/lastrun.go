package state

import (
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// lastRunFile keeps the results of the last run for pinch why, readable for its
// owner only; a test has a file of its own. The pillar's secrets are hidden in
// results already.
func lastRunFile(c *salt.Ctx, test bool) string {
	name := "last.p"
	if test {
		name = "last-test.p"
	}
	return filepath.Join(c.Opts.Str("cachedir"), "state_run", name)
}

// remember keeps the results of a run.
func (s *session) remember(ret *value.Map) {
	file := lastRunFile(s.c, s.c.Test)
	if s.c.Opts.Str("cachedir") == "" || !sys.IsDir(s.c.Sys, filepath.Dir(file)) {
		return
	}
	writePrivate(s.c, file, value.M("time", s.c.Sys.Now().Format("2006-01-02 15:04:05"), "test", s.c.Test, "fun", s.kw.Str("__pub_fun"), "return", ret))
}

// LastRun are the results of the last run of states, of a test when there was
// no other: a map with time, test, fun and return; nil when there was none.
func LastRun(c *salt.Ctx) *value.Map {
	b, err := c.Sys.ReadFile(lastRunFile(c, false))
	if err != nil {
		b, err = c.Sys.ReadFile(lastRunFile(c, true))
	}
	if err != nil {
		return nil
	}
	v, _ := value.ParseMsgpack(b)
	m, _ := v.(*value.Map)
	return m
}
