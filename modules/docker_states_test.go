package modules

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"testing"

	"pinch/modules/docker/dockertest"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// dockerStatesHost is a machine whose functions are ours.
type dockerStatesHost struct {
	sys.Sys
	salt.Host
	reg *salt.Registry
}

func (h *dockerStatesHost) Registry() *salt.Registry        { return h.reg }
func (h *dockerStatesHost) ReadFile(string) ([]byte, error) { return nil, os.ErrNotExist }

func (h *dockerStatesHost) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	f, err := h.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	if kw == nil {
		kw = new(value.Map)
	}
	return f.Call(c, args, kw)
}

// dockerDifferences are steps whose returns differ from Salt's on purpose, by
// scenario and number.
var dockerDifferences = map[string]string{
	"rename refused 2":         "Salt writes '{0}' for the name of the container",
	"rename refused, forced 2": "Salt writes '{0}' for the name of the container",
	"run, network refused 2":   "Salt writes the information twice",
	"run, network refused 3":   "Salt writes the information twice",
	"reconnected 3":            "links of the old network make Salt lose the address and the aliases, too",
	"reconnected 4":            "as before",
	"reconnected 5":            "as before",
	"bridge name, replaced 1":  "Salt gives the new network the name of the temporary bridge",
	"disconnecting refused 3":  "Salt writes each letter of the error on a line of its own",
}

// TestDockerStates has Salt 3007.17's returns, and what it asked of the
// daemon to change, for the same steps before the same daemon (package
// dockertest).
func TestDockerStates(t *testing.T) {
	reg := Registry()
	for _, file := range []string{"docker_container", "docker_network"} {
		b, err := os.ReadFile(file + "/testdata/salt.json")
		if err != nil {
			t.Fatal(err)
		}
		v, err := value.ParseJSON(string(b))
		if err != nil {
			t.Fatal(err)
		}
		scenarios, steps := 0, 0
		for _, it := range v.(*value.List).Items {
			s := it.(*value.Map)
			scenarios++
			t.Run(s.Str("name"), func(t *testing.T) { steps += dockerScenario(t, reg, s) })
		}
		t.Logf("%s: %d steps of %d scenarios", file, steps, scenarios)
	}
}

func dockerScenario(t *testing.T, reg *salt.Registry, s *value.Map) (same int) {
	d := dockertest.New(s.Str("version"), s.Str("api"))
	srv := httptest.NewServer(d)
	defer srv.Close()
	t.Setenv("DOCKER_HOST", "tcp://"+srv.Listener.Addr().String())
	h := &dockerStatesHost{reg: reg, Sys: sys.Real{}}
	run := salt.NewRun()
	for i, it := range s.List("steps").Items {
		step := it.(*value.Map)
		if f := step.Map("fail"); f != nil {
			n, _ := f.At("times").(int64)
			status, _ := f.At("status").(int64)
			d.Fail(dockertest.Failure{Path: f.Str("path"), Status: int(status), Message: f.Str("message"), Times: int(n)})
			continue
		}
		c := &salt.Ctx{Context: context.Background(), Sys: h, Host: h, Run: run, Log: slog.New(slog.DiscardHandler), Grains: new(value.Map), Pillar: new(value.Map),
			Opts: value.M("docker.update_mine", false), Test: step.Truth("test")}
		got, err := dockerStep(c, step)
		calls := callsOf(t, d)
		key := s.Str("name") + " " + value.Str(int64(i))
		diff := dockerDiff(step, got, err, calls)
		switch reason := dockerDifferences[key]; {
		case diff == "" && reason != "":
			t.Errorf("step %d is as in Salt now: remove it from dockerDifferences", i)
		case diff == "":
			same++
		case reason == "":
			t.Errorf("step %d %s%s %s %s test=%v%s", i, step.Str("state"), step.Str("exec"), value.Repr(step.At("args")), value.Repr(step.At("kwargs")), c.Test, diff)
		}
	}
	return same
}

func dockerStep(c *salt.Ctx, step *value.Map) (any, error) {
	kw, _ := value.Copy(step.At("kwargs")).(*value.Map)
	if kw == nil {
		kw = new(value.Map)
	}
	if !step.Has("state") {
		var args []any
		if l := step.List("args"); l != nil {
			args = l.Items
		}
		return c.CallFunc(c, step.Str("exec"), args, kw)
	}
	f, _, err := c.Registry().State(c, step.Str("state"))
	if err != nil {
		return nil, err
	}
	name := kw.At("name")
	got, err := f.Call(c, nil, kw)
	if err != nil {
		return nil, err
	}
	r := got.(salt.Result)
	if r.Err() != nil {
		return nil, r.Err()
	}
	m := r.Map("")
	m.Set("name", name)
	return m, nil
}

func dockerDiff(step *value.Map, got any, err error, calls any) string {
	var x *value.Exception
	switch {
	case step.Has("error") && (!errors.As(err, &x) || x.Class != step.Str("class") || err.Error() != step.Str("error")):
		return "\n got " + value.Repr(got) + " " + errText(err) + "\nwant error " + step.Str("error")
	case step.Has("error"):
	case err != nil:
		return "\n got error " + errText(err) + "\nwant " + value.Repr(step.At("ret"))
	case !value.Equal(plainData(got), step.At("ret")):
		return "\n got " + value.Repr(plainData(got)) + "\nwant " + value.Repr(step.At("ret"))
	}
	if !value.Equal(calls, step.At("calls")) {
		return "\n asked " + value.Repr(calls) + "\n  Salt " + value.Repr(step.At("calls"))
	}
	return ""
}

func errText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

func callsOf(t *testing.T, d *dockertest.Daemon) any {
	t.Helper()
	b, err := json.Marshal(d.Calls())
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// plainData is data as JSON has it, without the time that something took.
func plainData(v any) any {
	switch v := v.(type) {
	case *value.Map:
		out := new(value.Map)
		for k, it := range v.Items() {
			if k == "Time_Elapsed" {
				it = "TIME"
			}
			out.Set(k, plainData(it))
		}
		return out
	case *value.List:
		out := value.L()
		for _, it := range v.Items {
			out.Append(plainData(it))
		}
		return out
	case value.Tuple:
		return plainData(value.L(v...))
	}
	return v
}
