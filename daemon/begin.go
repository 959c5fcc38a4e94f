package daemon

import (
	"context"

	"pinch/jobs"
	"pinch/value"
)

// begin fires the events of the start and runs what is to run then
// (startup_states).
func (d *Daemon) begin(ctx context.Context) {
	o := d.opts()
	id := o.Str("id")
	data := value.M("cmd", "_minion_event", "pretag", nil, "id", id,
		"data", "Minion "+id+" started at "+d.o.Clock.Now().Format("Mon Jan _2 15:04:05 2006"))
	d.bus.Fire("salt/minion/"+id+"/start", data)
	if o.Truth("enable_legacy_startup_events") {
		d.bus.Fire("minion_start", data)
	}
	if j, ok := startup(o); ok {
		d.start(ctx, j)
	}
}

// tellCutOff logs the jobs that a daemon before this one could not bring to
// their end, or not tell of, as it was killed: each run has its line in the log.
func (d *Daemon) tellCutOff() {
	for _, m := range jobs.CutOff(d.opts().Str("cachedir")) {
		j := Job{Fun: m.Str("fun"), Schedule: m.Str("schedule"), Why: "job"}
		if j.Schedule != "" {
			j.Why = "schedule"
		}
		d.o.Log.Error(j.Why+" "+name(j)+": cut off, its process is gone", "jid", m.Str("jid"), "fun", j.Fun, "schedule", j.Schedule)
	}
}

// startup is the job of startup_states: highstate, sls (with sls_list) or top
// (with top_file).
func startup(o *value.Map) (Job, bool) {
	j := Job{Why: "startup"} // it waits for its turn, as all state runs of a daemon do
	switch o.Str("startup_states") {
	case "highstate":
		j.Fun = "state.highstate"
	case "sls":
		j.Fun, j.Args = "state.sls", []any{o.At("sls_list")}
	case "top":
		j.Fun, j.Args = "state.top", []any{o.At("top_file")}
	default:
		return j, false
	}
	return j, true
}
