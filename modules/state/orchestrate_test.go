package state_test

import (
	"fmt"
	"testing"

	saltstates "pinch/modules/salt"
	"pinch/modules/saltutil"
	"pinch/salt"
	"pinch/value"
)

// TestOrchestrate runs the salt states; results and comments are those of a
// masterless Salt, but for salt.function, which Salt cannot call there.
func TestOrchestrate(t *testing.T) {
	const sls = `
good:
  salt.state: [{tgt: '*'}, {sls: [common, one]}]
same:
  salt.state: [{tgt: '*'}, {sls: common}]
bad:
  salt.state: [{tgt: '*'}, {sls: db}]
may:
  salt.state: [{tgt: '*'}, {sls: db}, {allow_fail: 1}]
none:
  salt.state: [{tgt: '*'}]
missing:
  salt.state: [{tgt: '*'}, {sls: nosuch}]
conc:
  salt.state: [{tgt: '*'}, {sls: common}, {concurrent: abc}]
function:
  salt.function: [{name: test.echo}, {tgt: '*'}, {arg: [hi]}]
elsewhere:
  salt.function: [{name: test.echo}, {tgt: 'db*'}, {arg: [hi]}]
runner:
  salt.runner: [{name: manage.up}]
runners:
  salt.parallel_runners: [{runners: 5}]
`
	h := newHost(t, map[string]string{
		"root/orch.sls": sls, "root/common.sls": "c: test.nop\n", "root/one.sls": "x: test.succeed_with_changes\n", "root/db.sls": "d: test.fail_without_changes\n",
	}, nil)
	h.extra = []*salt.Module{&saltstates.Module, &saltutil.Module}
	got := map[string]string{}
	for _, v := range h.ret("state.apply", "orch").Items() {
		m := v.(*value.Map)
		got[m.Str("__id__")] = fmt.Sprintf("%s %v %s", value.Str(m.At("result")), m.Truth("changes"), m.Str("comment"))
	}
	for id, want := range map[string]string{
		"good":      "True true States ran successfully. Updating web1.",
		"same":      "True false States ran successfully. No changes made to web1.",
		"bad":       "False true Run failed on minions: web1",
		"may":       "True true States ran successfully. Updating web1.",
		"none":      "False false No highstate or sls specified, no execution made",
		"missing":   "False true Run failed on minions: web1\nMinion web1 returned errors: No matching sls found for 'nosuch' in env 'base'",
		"conc":      "False false Must pass in boolean for value of 'concurrent'",
		"function":  "True true Function ran successfully. Function test.echo ran on web1.",
		"elsewhere": "False false the target db* (glob) does not match this minion, and no other can be reached without a master",
		"runner":    "True true Runner function 'manage.up' executed.",
		"runners":   "False false The runners parameter must be a string or dict.",
	} {
		if got[id] != want {
			t.Errorf("%s:\ngot  %s\nwant %s", id, got[id], want)
		}
	}
	if h.run.Retcode() != 2 {
		t.Errorf("exit code %d, want 2", h.run.Retcode())
	}
}
