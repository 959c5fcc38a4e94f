package daemon

import (
	"context"
	"fmt"
	"os"
	"time"

	"pinch/jobs"
	"pinch/schedule"
	"pinch/value"
)

// StartupReturn is the tag of the event with the return of startup_states, in
// the form that a master takes.
const StartupReturn = "__startup_return"

// A Job is a function to run.
type Job struct {
	JID      string
	Fun      string
	Args     []any
	Kwargs   *value.Map
	Schedule string     // the name of the scheduled job, "" for others
	Raw      *value.Map // the options of the scheduled job
	Metadata any
	Why      string // what started it, for the log: schedule, startup, reactor …
	// Awaited says that a daemon waits for the return and takes the process
	// file away when it has told of it. If it is killed before, the next one
	// finds the file: no run is without a line in the log.
	Awaited bool
}

// scheduled is the run of a job of the schedule.
func (d *Daemon) scheduled(j *schedule.Job, fun string) Job {
	job := Job{Fun: fun, Schedule: j.Name, Raw: j.Raw, Kwargs: new(value.Map), Why: "schedule"}
	if l := j.Raw.List("args"); l != nil {
		job.Args = value.Copy(l).(*value.List).Items
	}
	if m := j.Raw.Map("kwargs"); m != nil {
		job.Kwargs = value.Copy(m).(*value.Map)
	}
	switch meta := j.Raw.At("metadata").(type) {
	case nil:
	case *value.Map:
		job.Metadata = d.stamped(meta)
	default:
		d.o.Log.Warn("schedule: The metadata parameter must be specified as a dictionary.  Ignoring.", "job", j.Name)
	}
	return job
}

// stamped are a job's metadata with the times that Salt adds to them.
func (d *Daemon) stamped(m *value.Map) *value.Map {
	now := d.o.Clock.Now()
	out := value.Copy(m).(*value.Map)
	out.Set("_TOS", now.Format("-0700"))
	out.Set("_TS", now.Format("Mon Jan _2 15:04:05 2006"))
	out.Set("_TT", now.UTC().Format("2006 January 02 Mon 15 01"))
	return out
}

// newJID is a job id that no other job has; d.mu is held.
func (d *Daemon) newJID() string {
	t := d.o.Clock.Now()
	for {
		jid := jobs.NewJID(t)
		if jid > d.lastJID {
			d.lastJID = jid
			return jid
		}
		t = t.Add(time.Microsecond)
	}
}

// start runs a job beside everything else; it returns its id at once.
func (d *Daemon) start(ctx context.Context, j Job) string {
	d.mu.Lock()
	if j.JID == "" {
		j.JID = d.newJID()
	}
	if j.Kwargs == nil {
		j.Kwargs = new(value.Map)
	}
	// The end of the daemon does not end its jobs, see stop.
	jctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	d.running[j.JID] = &running{j, d.o.Clock.Now(), cancel}
	id := d.conf.Opts.Str("id")
	d.mu.Unlock()
	d.bus.Fire("salt/job/"+j.JID+"/new", value.M("jid", j.JID, "tgt_type", "glob", "tgt", id, "user", user(), "fun", j.Fun,
		"arg", arguments(j), "minions", value.L(id)))
	d.jobs.Add(1)
	go func() {
		defer d.jobs.Done()
		defer cancel()
		d.run(jctx, j)
	}()
	return j.JID
}

func user() string {
	if os.Geteuid() == 0 {
		return "root"
	}
	return fmt.Sprint(os.Geteuid())
}

// arguments are a job's arguments as Salt shows them: the keywords last.
func arguments(j Job) *value.List {
	l := value.L(j.Args...)
	if j.Kwargs.Len() > 0 {
		l.Append(j.Kwargs)
	}
	return l
}

// run runs a job to its end and tells of it.
func (d *Daemon) run(ctx context.Context, j Job) {
	defer d.Stir()
	start := d.o.Clock.Now()
	ret, err := d.o.Work(ctx, j)
	if err != nil {
		ret = failed(j, err)
	}
	took := d.o.Clock.Now().Sub(start)
	if runsStates(j.Fun) {
		set, done := d.take()
		set.StateRunEnded()
		done()
	}
	d.mu.Lock()
	delete(d.running, j.JID)
	o := d.conf.Opts
	d.mu.Unlock()
	d.tell(o, j, ret)
	sum := summarize(j, ret)
	d.record(ctx, j, ret, sum, start, took)
	code, _ := ret.At("retcode").(int64)
	log := d.o.Log.Info
	if code != 0 || !ret.Truth("success") {
		log = d.o.Log.Error
	}
	log(fmt.Sprintf("%s %s: %s", j.Why, name(j), sum), "jid", j.JID, "fun", j.Fun, "schedule", j.Schedule, "retcode", code,
		"duration_ms", took.Milliseconds())
	jobs.Drop(o.Str("cachedir"), j.JID)
}

func name(j Job) string {
	if j.Schedule != "" {
		return j.Schedule + " (" + j.Fun + ")"
	}
	return j.Fun
}

// failed is the return of a job whose process came to nothing.
func failed(j Job, err error) *value.Map {
	return value.M("fun", j.Fun, "fun_args", arguments(j), "return", "The job ended without a return: "+err.Error(), "success", false, "retcode", int64(254))
}

// tell fires the events of a job's end: for scheduled ones __schedule_return,
// for all salt/job/JID/ret/ID.
func (d *Daemon) tell(o *value.Map, j Job, ret *value.Map) {
	id := o.Str("id")
	if j.Schedule != "" && j.Raw.Has("return_job") && !j.Raw.Truth("return_job") {
		return
	}
	if j.Schedule != "" {
		jid := j.JID
		if !returns(o, j) {
			jid = "req"
			if j.Raw.At("return_job") == "nocache" {
				jid = "nocache"
			}
		}
		d.bus.Fire("__schedule_return", scheduleReturn(id, j, jid, ret))
	}
	if j.Why == "startup" { // for a master, which gives it an ID
		load := value.M("cmd", "_return", "id", id, "jid", "req")
		load.Update(ret)
		d.bus.Fire(StartupReturn, load)
	}
	data := value.M("cmd", "_return", "id", id, "jid", j.JID)
	data.Update(ret)
	if j.Schedule != "" {
		data.Pop("fun_args")
		data.Set("arg", arguments(j))
		data.Set("tgt", id)
		data.Set("tgt_type", "glob")
		data.Set("schedule", j.Schedule)
	}
	d.bus.Fire("salt/job/"+j.JID+"/ret/"+id, data)
}

// scheduleReturn is the data of __schedule_return, in Salt's order.
func scheduleReturn(id string, j Job, jid string, ret *value.Map) *value.Map {
	data := value.M("cmd", "_return", "id", id, "fun", j.Fun, "fun_args", arguments(j), "schedule", j.Schedule, "jid", jid)
	if j.Metadata != nil {
		data.Set("metadata", j.Metadata)
	}
	for _, k := range []string{"pid", "return", "retcode", "success"} {
		if v, ok := ret.Get(k); ok {
			data.Set(k, v)
		}
	}
	for from, to := range map[string]string{"return_config": "ret_config", "return_kwargs": "ret_kwargs"} {
		if j.Raw.Has(from) && returns(nil, j) {
			data.Set(to, j.Raw.At(from))
		}
	}
	return data
}

// returns reports whether a scheduled job has a returner.
func returns(o *value.Map, j Job) bool {
	return j.Raw.Truth("returner") || o.Truth("schedule_returner")
}
