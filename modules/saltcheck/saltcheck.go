// Package saltcheck holds Salt's saltcheck module: tests of states, kept in
// .tst files beside them, that call functions and look at what they return.
// Its main variable is Module.
//
//	# salt://web/saltcheck-tests/init.tst
//	the site answers:
//	  module_and_function: http.query
//	  args: ['http://localhost/']
//	  kwargs: {status: True}
//	  assertion: assertEqual
//	  assertion_section: status
//	  expected_return: 200
//
//	salt-call saltcheck.run_state_tests web
package saltcheck

import (
	"maps"
	"math"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's saltcheck module.
var Module = salt.Module{
	Name: "saltcheck",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"parallel_scheck":        salt.Exec(parallelScheck),
			"report_highstate_tests": salt.Exec(reportHighstateTests),
			"run_highstate_tests":    salt.Exec(runHighstateTests),
			"run_state_tests":        salt.Exec(runStateTests),
			"run_state_tests_ssh":    salt.Exec(runStateTests).Named("run_state_tests"),
			"run_test":               salt.Exec(runTest),
			"state_apply":            salt.Exec(stateApply),
		}
	},
}

type runTestArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // test, the test as in a .tst file
}

// runTest runs one test.
//
//	salt-call saltcheck.run_test test='{"module_and_function": "test.echo", "assertion": "assertEqual", "expected_return": "a", "args": ["a"]}'
func runTest(c *salt.Ctx, a runTestArgs) (any, error) {
	t := a.Kwargs.Map("test")
	if t.Len() == 0 {
		return "Test argument must be a dictionary", nil
	}
	return run(c, t), nil
}

type stateApplyArgs struct {
	StateName string     `py:"state_name"` // the SLS
	Kwargs    *value.Map `py:"**kwargs"`   // as of state.apply
}

// stateApply applies an SLS, for tests that need one to be applied first.
func stateApply(c *salt.Ctx, a stateApplyArgs) (any, error) {
	kw := new(value.Map)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") {
			kw.Set(k, v)
		}
	}
	return c.CallKw("state.apply", kw, a.StateName)
}

type parallelArgs struct {
	Data *value.List `py:"data"` // the test's name and the test
}

// parallelScheck runs one test and returns its result under its name.
func parallelScheck(c *salt.Ctx, a parallelArgs) (any, error) {
	if a.Data.Len() != 2 {
		return nil, salt.InvocationError("data must be the name of a test and the test")
	}
	t, ok := a.Data.Items[1].(*value.Map)
	if !ok {
		return nil, salt.InvocationError("data must be the name of a test and the test")
	}
	m := new(value.Map)
	return m, m.SetKey(a.Data.Items[0], run(c, t))
}

type stateTestsArgs struct {
	State     any  `py:"state"`            // the SLS, or several with commas between
	Saltenv   any  `py:"saltenv=None"`     // the environment
	CheckAll  bool `py:"check_all=False"`  // run all tests that lie beside them
	OnlyFails bool `py:"only_fails=False"` // show failed tests only
	Junit     bool `py:"junit=False"`      // return the results as JUnit XML
}

// runStateTests runs the tests of states, those of included ones, too. A failed
// one makes the exit code 1.
func runStateTests(c *salt.Ctx, a stateTestsArgs) (any, error) {
	l := newLoader(c, a.Saltenv)
	var results []suite
	for _, sls := range names(a.State) {
		tests, err := l.load(sls, a.CheckAll)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(results, func(s suite) bool { return s.name == sls }) {
			continue
		}
		s := suite{name: sls, results: new(value.Map)}
		for name, t := range tests.All() {
			m, ok := t.(*value.Map)
			if !ok {
				m = new(value.Map)
			}
			s.results.SetKey(name, run(c, m))
		}
		results = append(results, s)
	}
	if a.Junit {
		return junit(c, results)
	}
	return report(c, results, a.OnlyFails), nil
}

func names(v any) []string {
	var out []string
	add := func(s string) {
		for n := range strings.SplitSeq(s, ",") {
			if n = strings.TrimSpace(n); n != "" {
				out = append(out, n)
			}
		}
	}
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			add(value.Str(it))
		}
		return out
	}
	add(value.Str(v))
	return out
}

// A suite is the results of a state's tests.
type suite struct {
	name    string
	results *value.Map
}

// report is the results by state, sorted, with a summary behind them.
func report(c *salt.Ctx, results []suite, onlyFails bool) *value.List {
	counts := map[string]int64{}
	missing, seconds := int64(0), 0.0
	out := value.L()
	slices.SortStableFunc(results, func(a, b suite) int { return strings.Compare(a.name, b.name) })
	for _, s := range results {
		if s.results.Len() == 0 {
			missing++
		}
		shown := new(value.Map)
		for name, v := range s.results.All() {
			r := v.(*value.Map)
			status := r.Str("status")
			kind := status[:min(4, len(status))]
			counts[kind]++
			d, _ := r.At("duration").(float64)
			seconds += d
			if kind == "Fail" || !onlyFails {
				shown.SetKey(name, r)
			}
		}
		if shown.Len() == 0 && onlyFails {
			out.Append(new(value.Map))
			continue
		}
		out.Append(value.M(s.name, shown))
	}
	out.Append(value.M("TEST RESULTS", value.M("Execution Time", math.Round(seconds*1e4)/1e4, "Passed", counts["Pass"], "Failed", counts["Fail"],
		"Skipped", counts["Skip"], "Missing Tests", missing)))
	c.Run.SetRetcode(int(min(counts["Fail"], 1)))
	return out
}

type highstateArgs struct {
	Saltenv   any  `py:"saltenv=None"`     // the environment
	OnlyFails bool `py:"only_fails=False"` // show failed tests only
	Junit     bool `py:"junit=False"`      // return the results as JUnit XML
}

// top are the states that the top file gives to this minion.
func top(c *salt.Ctx, env string) (*value.List, error) {
	v, err := c.CallKw("state.show_top", value.M("saltenv", env))
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	if l := m.List(env); l != nil {
		return l, nil
	}
	return value.L(), nil
}

// runHighstateTests runs the tests of all states of the top file.
func runHighstateTests(c *salt.Ctx, a highstateArgs) (any, error) {
	states, err := top(c, envOf(c, a.Saltenv))
	if err != nil {
		return nil, err
	}
	return runStateTests(c, stateTestsArgs{State: states, Saltenv: a.Saltenv, OnlyFails: a.OnlyFails, Junit: a.Junit})
}

type reportArgs struct {
	Saltenv any `py:"saltenv=None"` // the environment
}

// reportHighstateTests says which states of the top file have no tests. Their
// number is the exit code.
func reportHighstateTests(c *salt.Ctx, a reportArgs) (any, error) {
	l := newLoader(c, a.Saltenv)
	states, err := top(c, l.env)
	if err != nil {
		return nil, err
	}
	missing := value.L()
	for _, sls := range names(states) {
		if _, err := l.files(sls, false); err != nil {
			return nil, err
		}
		if !l.found[sls] {
			missing.Append(sls)
		}
	}
	c.Run.SetRetcode(missing.Len())
	return value.M("TEST REPORT RESULTS", value.M("Missing Tests", int64(missing.Len()), "States missing tests", missing,
		"States with tests", value.Strings(slices.Sorted(maps.Keys(l.found))))), nil
}
