package minion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"syscall"

	"pinch/caller"
	"pinch/config"
	"pinch/daemon"
	"pinch/jobs"
	"pinch/minion/session"
	"pinch/salt"
	"pinch/value"
)

// JobVerb is the word after which the program runs one job of a minion: the job
// comes in on stdin, its return goes out on file descriptor 3.
const JobVerb = "__minion_job"

var errStopped = errors.New("stopped by a signal")

// child runs what a map tells of in a process of its own, which asks the
// master in this one's place: the load of a publication, or a job of the
// schedule.
func (l *link) child(ctx context.Context, what *value.Map) (*value.Map, error) {
	var k session.Keys // none: it has not accepted this minion yet (scheduler_before_connect)
	addr := ""
	if s := l.session(); s != nil {
		k, addr = s.Keys(), s.Addr()
	}
	pillar := l.data()
	if pillar == nil {
		pillar = new(value.Map)
	}
	what.Update(value.M("addr", addr, "shared", k.Shared, "own", k.Own, "version", k.Version, "port", int64(k.PubPort), "pillar", pillar))
	ret, err := jobs.Child(ctx, what, JobVerb, l.m.conf.Dir, l.m.id)
	var failed *jobs.ChildError
	switch {
	case !errors.As(err, &failed):
		return ret, err
	case failed.Signal == syscall.SIGTERM || failed.Signal == syscall.SIGKILL:
		return nil, errStopped
	}
	return nil, fmt.Errorf("its process %d: %w", failed.PID, failed.Err)
}

// Job is what the process of a job does: it reads the job from in and writes
// the return to out.
func Job(ctx context.Context, conf *config.Config, reg *salt.Registry, log *slog.Logger, in io.Reader, out io.Writer) error {
	data, err := io.ReadAll(io.LimitReader(in, 256<<20))
	if err != nil {
		return err
	}
	v, err := value.ParseMsgpack(data)
	if err != nil {
		return err
	}
	m, _ := v.(*value.Map)
	load, job := m.Map("load"), m.Map("job")
	if load == nil && job == nil {
		return errors.New("there is no job on stdin")
	}
	s, err := session.New(Settings(conf.Opts, m.Str("addr"), nil, log))
	if err != nil {
		return err
	}
	defer s.Close()
	version, _ := m.At("version").(int64)
	port, _ := m.At("port").(int64)
	how := caller.Options{Config: conf, Registry: reg, Log: log, Master: master{s, conf.Opts}, Pillar: m.Map("pillar")}
	if m.Str("shared") == "" {
		how.Master = absent{}
	} else if err := s.Resume(session.Keys{Shared: m.Str("shared"), Own: m.Str("own"), Version: version, PubPort: int(port)}); err != nil {
		return err
	}
	var ret *value.Map
	if load != nil {
		ret = perform(ctx, how, load)
	} else {
		ret = scheduled(ctx, how, daemon.Unpack(job))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	data, err = value.Msgpack(sendable(ret))
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// scheduled runs a job of the schedule.
func scheduled(ctx context.Context, how caller.Options, j daemon.Job) *value.Map {
	if strings.HasPrefix(j.Fun, "state.") {
		if err := adopt(ctx, how.Master, how.Config.Opts); err != nil {
			how.Log.Warn("the master did not tell its options: " + err.Error())
		}
		how.Pillar = nil // compiled for this run
	}
	return daemon.Perform(ctx, how, j)
}

// sendable makes values that msgpack has no form for into text.
func sendable(v any) any {
	if _, err := value.Msgpack(v); err == nil {
		return v
	}
	switch v := v.(type) {
	case *value.Map:
		m := value.NewMap(v.Len())
		for k, it := range v.All() {
			if m.SetKey(k, sendable(it)) != nil {
				m.Set(value.Str(k), sendable(it))
			}
		}
		return m
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(sendable(it))
		}
		return l
	case value.Tuple:
		return sendable(value.L(v...))
	}
	return value.Repr(v)
}
