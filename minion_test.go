package main

import (
	"crypto/sha256"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"pinch/minion/mastertest"
	"pinch/minion/wire"
	"pinch/value"
)

// TestMinion runs the program beside a master: testdata/minion/*.txtar. $MASTER
// is its address, $FINGER its fingerprint; job JID FUNCTION ARGUMENT… has it
// publish a job, and writes what came back.
func TestMinion(t *testing.T) {
	m := mastertest.New(t)
	m.Pillar = value.M("who", "ann")
	m.Files = map[string]string{"web.sls": "nop: {test.nop: []}\n"}
	pem, err := wire.PublicPEM(&m.Key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/minion",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("NO_COLOR", "1")
			e.Setenv("MASTER", m.Addr)
			e.Setenv("FINGER", wire.Fingerprint(pem, sha256.New()))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"job": func(ts *testscript.TestScript, _ bool, words []string) {
				var arg []any
				for _, w := range words[2:] {
					arg = append(arg, w)
				}
				m.Publish(t, mastertest.Job(words[0], words[1], arg...))
				ret := m.Return(t, words[0])
				if _, err := ts.Stdout().Write([]byte(value.Str(ret.At("return")) + "\n")); err != nil {
					ts.Fatalf("%v", err)
				}
			},
		},
	})
}
