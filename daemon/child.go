package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"

	"pinch/jobs"
	"pinch/value"
)

// JobVerb is the word after which the program runs one job of a daemon: the
// job comes in on stdin, its return goes out on file descriptor 3.
const JobVerb = "__job"

// child runs a job in a process of its own.
func (d *Daemon) child(ctx context.Context, j Job) (*value.Map, error) {
	ret, err := jobs.Child(ctx, j.Pack(), JobVerb, "-c", d.config().Dir)
	var failed *jobs.ChildError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("process %d: %w", failed.PID, failed.Err)
	}
	return ret, err
}

// Pack is a job as a value, which Unpack reads.
func (j Job) Pack() *value.Map {
	var raw any
	if j.Raw != nil {
		raw = plain(j.Raw)
	}
	return value.M("jid", j.JID, "fun", j.Fun, "args", value.L(j.Args...), "kwargs", j.Kwargs, "schedule", j.Schedule, "raw", raw,
		"metadata", j.Metadata, "why", j.Why)
}

// plain leaves out of a scheduled job what only the scheduler needs.
func plain(m *value.Map) *value.Map {
	out := new(value.Map)
	for _, k := range []string{"returner", "return_job", "return_config", "return_kwargs", "jid_include"} {
		if v, ok := m.Get(k); ok {
			out.Set(k, v)
		}
	}
	return out
}

// ReadJob reads what a daemon sent to its child.
func ReadJob(r io.Reader) (Job, error) {
	data, err := io.ReadAll(io.LimitReader(r, 64<<20))
	if err != nil {
		return Job{}, err
	}
	v, err := value.ParseMsgpack(data)
	m, ok := v.(*value.Map)
	if err != nil || !ok {
		return Job{}, fmt.Errorf("no job on stdin: %w", err)
	}
	return Unpack(m), nil
}

// Unpack is the job that a value of Pack tells of.
func Unpack(m *value.Map) Job {
	j := Job{JID: m.Str("jid"), Fun: m.Str("fun"), Args: list(m.At("args")), Kwargs: m.Map("kwargs"), Schedule: m.Str("schedule"),
		Raw: m.Map("raw"), Metadata: m.At("metadata"), Why: m.Str("why")}
	if j.Kwargs == nil {
		j.Kwargs = new(value.Map)
	}
	return j
}
