package bridge_test

import (
	"testing"

	"pinch/value"
)

// TestInterrupted has a signal's handler and a bottomless recursion break off
// what waits for pinch: later answers still belong to their questions.
func TestInterrupted(t *testing.T) {
	c := run(t, value.M("custom_salt", "own"), map[string]string{"modules/m.py": `
import signal, time
class Late(Exception): pass
def late(*args): raise Late()
def interrupted():
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        __salt__["n.slow"]("first")
        return "not interrupted"
    except Late:
        return __salt__["test.echo"]("second")
def deep(): return __salt__["test.echo"](1) + deep()
def bottomless():
    try:
        deep()
    except RecursionError:
        return __salt__["test.echo"]("back")
`, "modules/n.py": `
import time
def slow(text):
    end = time.time() + 0.3
    while time.time() < end:
        __salt__["test.echo"](text)
    return text
`})
	for fun, want := range map[string]string{"m.interrupted": "second", "m.bottomless": "back"} {
		for range 5 {
			if v, err := c.Call(fun); err != nil || v != want {
				t.Errorf("%s: %v %v, want %s", fun, v, err, want)
			}
		}
	}
}

// TestLooksForItself has modules ask for functions that nobody has while they
// are loaded: all files are looked through, and their own is not there yet.
func TestLooksForItself(t *testing.T) {
	c := run(t, value.M("custom_salt", "own"), map[string]string{
		"modules/a.py": `
import salt.modules.nosuch
there = hasattr(salt.modules.nosuch, "fun")
def __virtual__():
    return "first" if "nosuch.fun" not in __salt__ and "first.mine" not in __salt__ else False
def mine(): return [there, "first.mine" in __salt__, "second.mine" in __salt__, __utils__["u.mine"]()]
`,
		"modules/b.py": `
def __virtual__():
    return "second" if "first.mine" in __salt__ and "third.x" not in __salt__ else False
def mine(): return 1
`,
		"utils/u.py": `
def __virtual__(): return "nosuch.x" not in __utils__
def mine(): return "util"
`,
	})
	v, err := c.Call("first.mine")
	if want := value.L(false, true, false, "util"); err != nil || !value.Equal(v, want) {
		t.Errorf("%v %v, want %v", v, err, want)
	}
}

// TestDepends has salt.utils.decorators.depends take functions away: what is
// left was seen under Salt 3008.4.
func TestDepends(t *testing.T) {
	c := run(t, value.M("custom_salt", "own"), map[string]string{"modules/m.py": `
import time
from salt.utils.decorators import depends
HAS_NOT = None
class Old: __version__ = "1.8"
def fallback(): return "fallback"
@depends(True)
def always(): return 1
@depends(False)
def never(): return 1
@depends("time")
def has_time(): return 1
@depends("HAS_NOT")
def is_none(): return 1
@depends("time", "nothing")
def one_of_two(): return 1
@depends("nothing", fallback_function=fallback)
def falls(): return 1
@depends("sh -c 'exit 42'", retcode=42)
def code(): return 1
@depends("sh -c 'exit 42'", retcode=0)
def wrong_code(): return 1
@depends("sh -c 'exit 42'", nonzero_retcode=True)
def nonzero(): return 1
@depends("sh -c 'exit 0'", nonzero_retcode=True)
def not_nonzero(): return 1
@depends("/no/such/program", retcode=0)
def no_program(): return 1
@depends("Old", version="1.10")
def too_old(): return 1
@depends("Old", version="1.0")
def new_enough(): return 1
@depends("time", version="1")
def no_version(): return 1
def names(): return sorted(n for n in __salt__ if n.startswith("m."))
`})
	v, err := c.Call("m.names")
	want := value.L("m.always", "m.code", "m.fallback", "m.falls", "m.has_time", "m.names", "m.new_enough", "m.no_version", "m.nonzero")
	if err != nil || !value.Equal(v, want) {
		t.Errorf("%v %v, want %v", v, err, want)
	}
	if v, err := c.Call("m.falls"); err != nil || v != "fallback" {
		t.Errorf("m.falls: %v %v", v, err)
	}
}
