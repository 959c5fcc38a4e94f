package modules

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// psqlReplay is a host where psql answers what a server of version 15 did.
type psqlReplay struct {
	sys.Sys
	salt.Host
	t     *testing.T
	reg   *salt.Registry
	calls []any // of the step that runs: what psql was asked, and its answer
}

func (r *psqlReplay) LookPath(name string) string            { return "/usr/bin/" + name }
func (r *psqlReplay) Registry() *salt.Registry               { return r.reg }
func (r *psqlReplay) Stat(string) (os.FileInfo, error)       { return nil, os.ErrNotExist }
func (r *psqlReplay) ReadFile(string) ([]byte, error)        { return nil, os.ErrNotExist }
func (r *psqlReplay) Open(string) (io.ReadSeekCloser, error) { return nil, os.ErrNotExist }

func (r *psqlReplay) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	switch fun {
	case "config.option":
		return "", nil
	case "cmd.run_all":
		return r.psql(args[0].(*value.List), kw), nil
	}
	f, err := r.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	if kw == nil {
		kw = new(value.Map)
	}
	return f.Call(c, args, kw)
}

// psql answers from the recording, in its order. A verifier with a random salt
// is another one each time.
func (r *psqlReplay) psql(argv *value.List, kw *value.Map) *value.Map {
	if len(r.calls) == 0 {
		r.t.Fatalf("psql is asked once too often: %s", value.Repr(argv))
	}
	was := r.calls[0].(*value.Map)
	r.calls = r.calls[1:]
	if got := value.L(argv.Items[1:]...); !value.Equal(got, was.List("argv")) {
		r.t.Errorf("psql is asked\n    %s\nnot %s", value.Repr(got), value.Repr(was.List("argv")))
	}
	if in := kw.Str("stdin"); in != was.Str("in") && !strings.Contains(in, "SCRAM-SHA-256$") {
		r.t.Errorf("psql reads %q, not %q", in, was.Str("in"))
	}
	return value.M("pid", int64(1), "retcode", was.At("rc"), "stdout", strings.TrimRight(was.Str("out"), "\n"), "stderr", strings.TrimRight(was.Str("err"), "\n"))
}

// TestPostgresLikeSalt runs the calls that real Salt was asked against a server
// and compares the returns.
func TestPostgresLikeSalt(t *testing.T) {
	b, err := os.ReadFile("postgres/testdata/salt.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	reg := Registry()
	same, differs := 0, 0
	for _, it := range v.(*value.List).Items {
		step := it.(*value.Map)
		t.Run(step.Str("fun"), func(t *testing.T) {
			r := &psqlReplay{t: t, reg: reg, calls: step.List("psql").Items}
			c := &salt.Ctx{Context: context.Background(), Sys: r, Host: r, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler),
				Grains: value.M("os_family", "Debian"), Opts: new(value.Map), Test: step.Truth("test")}
			got, err := replayStep(c, step)
			if err != nil {
				t.Fatal(err)
			}
			switch want := step.At("ret"); {
			case step.Has("differs") && value.Equal(got, want):
				t.Errorf("no longer differs from Salt: %s", step.Str("differs"))
			case step.Has("differs"):
				differs++
			case !value.Equal(got, want):
				t.Errorf("%s %s\n got %s\nwant %s", value.Repr(step.At("args")), value.Repr(step.At("kwargs")), value.Repr(got), value.Repr(want))
			default:
				same++
			}
		})
	}
	t.Logf("%d returns as of Salt, %d differ on purpose", same, differs)
}

func replayStep(c *salt.Ctx, step *value.Map) (any, error) {
	if !step.Truth("state") {
		got, err := c.CallFunc(c, step.Str("fun"), step.List("args").Items, step.Map("kwargs"))
		return withoutTimes(got), err
	}
	f, _, err := c.Registry().State(c, step.Str("fun"))
	if err != nil {
		return nil, err
	}
	got, err := f.Call(c, nil, step.Map("kwargs"))
	if err != nil {
		return nil, err
	}
	return got.(salt.Result).Map(step.Map("kwargs").Str("name")), nil
}

// withoutTimes shows times as JSON outputters do.
func withoutTimes(v any) any {
	switch v := v.(type) {
	case time.Time:
		return value.Repr(v)
	case *value.Map:
		out := new(value.Map)
		for k, x := range v.Items() {
			out.Set(k, withoutTimes(x))
		}
		return out
	}
	return v
}
