package state_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pinch/value"
)

// Targets by what they do.
var targetFuns = map[string]string{
	"same":   "test.succeed_without_changes",
	"change": "test.succeed_with_changes",
	"fail":   "test.fail_without_changes",
	"broken": "test.fail_with_changes",
}

const (
	runs     = "Success!"
	fires    = "Watch statement fired."
	failed   = "One or more requisite failed: "
	noChange = "State was not run because none of the onchanges reqs changed"
	noFail   = "State was not run because onfail req did not change"
	noPrereq = "No changes detected"
)

// TestRequisites is the truth table of the requisites: what becomes of a state
// by what its targets do.
func TestRequisites(t *testing.T) {
	for _, tt := range []struct{ kind, targets, want string }{
		{"require", "same", runs}, {"require", "change", runs}, {"require", "fail", failed}, {"require", "same change", runs}, {"require", "same fail", failed},
		{"require_any", "same fail", runs}, {"require_any", "fail broken", failed},
		{"watch", "same", runs}, {"watch", "change", fires}, {"watch", "fail", failed}, {"watch", "broken", failed}, {"watch", "same change", fires}, {"watch", "change fail", failed},
		{"watch_any", "same fail", runs}, {"watch_any", "change fail", fires}, {"watch_any", "fail broken", failed},
		{"onchanges", "same", noChange}, {"onchanges", "change", runs}, {"onchanges", "fail", noChange}, {"onchanges", "broken", noChange}, {"onchanges", "same change", runs},
		{"onchanges", "change fail", runs}, {"onchanges_any", "same change", runs}, {"onchanges_any", "same fail", noChange},
		{"onfail", "same", noFail}, {"onfail", "change", noFail}, {"onfail", "fail", runs}, {"onfail", "broken", runs}, {"onfail", "same fail", runs},
		{"onfail_any", "same fail", runs}, {"onfail_any", "same change", noFail}, {"onfail_all", "same fail", noFail}, {"onfail_all", "fail broken", runs},
		{"prereq", "same", noPrereq}, {"prereq", "change", runs}, {"prereq", "same change", runs}, {"prereq", "fail", failed},
	} {
		t.Run(tt.kind+" "+tt.targets, func(t *testing.T) {
			for _, test := range []bool{false, true} {
				if test && (tt.kind != "require" || strings.Contains(tt.targets, "change")) {
					continue
				}
				h := newHost(t, map[string]string{"root/a.sls": requisiteSLS(tt.kind, tt.targets)}, nil)
				ret := h.ret("state.apply", "a", fmt.Sprintf("test=%v", test))
				got := ret.Map("test_|-me_|-me_|-succeed_without_changes").Str("comment")
				if got != tt.want && !(tt.want == failed && strings.HasPrefix(got, failed)) {
					t.Errorf("test=%v: got %q, want %q", test, got, tt.want)
				}
			}
		})
	}
}

func requisiteSLS(kind, targets string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "me:\n  test.succeed_without_changes:\n    - %s:\n", kind)
	for i := range strings.Fields(targets) {
		fmt.Fprintf(&b, "      - test: t%d\n", i)
	}
	for i, f := range strings.Fields(targets) {
		fmt.Fprintf(&b, "t%d:\n  %s: []\n", i, targetFuns[f])
	}
	return b.String()
}

// TestInForms: each _in form does what the form itself does.
func TestInForms(t *testing.T) {
	for kind, want := range map[string]string{"require": runs, "watch": fires, "onchanges": runs, "onfail": noFail, "prereq": runs} {
		h := newHost(t, map[string]string{"root/a.sls": fmt.Sprintf("me: test.succeed_without_changes\nt:\n  test.succeed_with_changes:\n    - %s_in:\n      - test: me\n", kind)}, nil)
		ret := h.ret("state.apply", "a")
		if got := ret.Map("test_|-me_|-me_|-succeed_without_changes").Str("comment"); got != want {
			t.Errorf("%s_in: got %q, want %q", kind, got, want)
		}
	}
}

func TestParallel(t *testing.T) {
	h := newHost(t, map[string]string{"root/a.sls": `
{% for i in range(6) %}
s{{ i }}:
  cmd.run:
    - name: sleep 0.05; echo {{ i }}
    - parallel: true
{% endfor %}
after:
  test.succeed_without_changes:
    - require:
      - cmd: s5
`}, value.M("state_max_parallel", int64(2)))
	ret := h.ret("state.apply", "a")
	for i := range 6 {
		r := ret.Map(fmt.Sprintf("cmd_|-s%d_|-sleep 0.05; echo %d_|-run", i, i))
		if r.At("result") != true || r.At("__parallel__") != true || r.Map("changes").Str("stdout") != fmt.Sprint(i) {
			t.Errorf("s%d: %s", i, value.Repr(r))
		}
	}
	if r := ret.Map("test_|-after_|-after_|-succeed_without_changes"); r.At("result") != true {
		t.Errorf("after: %s", value.Repr(r))
	}
}

// TestUmask: the umask of a state is that of the files it makes.
func TestUmask(t *testing.T) {
	h := newHost(t, nil, nil)
	h.write("root/a.sls", "a:\n  cmd.run:\n    - name: umask\n    - umask: '027'\nb:\n  cmd.run:\n    - name: umask\n    - umask: 9\n")
	ret := h.ret("state.apply", "a")
	if got := ret.Map("cmd_|-a_|-umask_|-run").Map("changes").Str("stdout"); got != "0027" {
		t.Errorf("umask of the command: %q", got)
	}
	if got := ret.Map("cmd_|-b_|-umask_|-run").Str("comment"); got != "Invalid umask: 9\n" {
		t.Errorf("bad umask: %q", got)
	}
}

// TestRequisitesLinear counts what compiling and running takes: four times as
// many states with ten requisites each take four times the memory and the
// allocations, and not sixteen.
func TestRequisitesLinear(t *testing.T) {
	count := func(n int) (allocs, bytes uint64) {
		h := newHost(t, map[string]string{"root/big.sls": webSLS(n)}, nil)
		if _, err := h.call("state.apply", "big"); err != nil { // what is made once
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := h.call("state.apply", "big"); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
	}
	a, b := count(1250)
	c, d := count(5000)
	if c > a*9/2 || d > b*9/2 {
		t.Errorf("1,250 states: %d allocations, %d bytes; 5,000: %d, %d", a, b, c, d)
	}
}
