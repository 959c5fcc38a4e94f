package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pinch/schedule"
	"pinch/sys"
	"pinch/value"
)

// A Summary is what a run of states came to.
type Summary struct {
	States                      bool // it was a run of states
	Test                        bool
	Total, Changed, Failed, Due int // Due: would change
	OK                          bool
	Text                        string
}

func (s Summary) String() string {
	if !s.States {
		return s.Text
	}
	text := fmt.Sprintf("%d states, %d changed, %d failed", s.Total, s.Changed, s.Failed)
	if s.Test {
		text = fmt.Sprintf("%d states, %d would change, %d failed", s.Total, s.Due, s.Failed)
	}
	return text
}

// summarize counts what a return says.
func summarize(j Job, ret *value.Map) Summary {
	code, _ := ret.At("retcode").(int64)
	s := Summary{OK: ret.Truth("success") && code == 0, Text: "ok"}
	if !s.OK {
		s.Text = fmt.Sprintf("failed (%d)", code)
		if text, ok := ret.At("return").(string); ok {
			s.Text += ": " + text
		}
	}
	if !strings.HasPrefix(j.Fun, "state.") {
		return s
	}
	s.Test = j.Kwargs.Truth("test")
	states, ok := ret.At("return").(*value.Map)
	for key, v := range states.Items() {
		st, isState := v.(*value.Map)
		if !isState || !strings.Contains(key, "_|-") {
			ok = false
			break
		}
		s.Total++
		switch result := st.At("result"); {
		case result == nil:
			s.Due++
			s.Test = true
		case result == false:
			s.Failed++
		case st.Truth("changes"):
			s.Changed++
		}
	}
	s.States = ok
	return s
}

// stats are what the metrics tell.
type stats struct {
	jobs, failures int
	last           run // of states
	success        time.Time
	drift          int
}

// A run is one run of states.
type run struct {
	when   time.Time
	took   time.Duration
	sum    Summary
	jid    string
	commit string // of the state tree, "" when it is in no repository
}

// record keeps what a job came to: the job cache, the drift, the metrics.
func (d *Daemon) record(ctx context.Context, j Job, ret *value.Map, s Summary, start time.Time, took time.Duration) {
	o := d.opts()
	wanted := j.Schedule == "" || !j.Raw.Has("return_job") || j.Raw.Truth("return_job")
	if wanted && j.Raw.At("return_job") != "nocache" {
		if err := cache(o, j, ret); err != nil {
			d.o.Log.Error("the return of job " + j.JID + " cannot be kept: " + err.Error())
		}
	}
	commit := ""
	if s.States {
		commit = d.treeCommit(ctx)
	}
	d.mu.Lock()
	d.stats.jobs++
	if !s.OK {
		d.stats.failures++
	}
	if s.States {
		d.stats.last = run{start, took, s, j.JID, commit}
		if s.OK {
			d.stats.success = start
		}
		if s.Test {
			d.stats.drift = s.Due + s.Failed
		} else if s.OK {
			d.stats.drift = 0
		}
	}
	d.mu.Unlock()
	if s.States {
		d.keepRun(j, ret, s, start, took)
		if s.Test {
			d.writeDrift(j, ret, s, start)
		}
	}
	d.writeMetrics(o)
}

// keptRuns is how many runs of states the daemon keeps for reports.
const keptRuns = 50

// keepRun keeps a run of states for pinch report.
func (d *Daemon) keepRun(j Job, ret *value.Map, s Summary, start time.Time, took time.Duration) {
	dir := d.file("runs")
	text, err := value.JSON(value.M("jid", j.JID, "fun", j.Fun, "args", arguments(j), "why", j.Why, "schedule", j.Schedule,
		"start", start.UTC().Format(time.RFC3339), "seconds", took.Seconds(), "retcode", ret.At("retcode"), "test", s.Test,
		"return", ret.At("return")), value.JSONOptions{Default: func(v any) (any, error) { return value.Str(v), nil }})
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	mode := os.FileMode(0o600)
	if err == nil {
		err = sys.WriteFile(sys.Real{}, filepath.Join(dir, j.JID+".json"), []byte(text), sys.FileAttrs{Mode: &mode})
	}
	if err != nil {
		d.o.Log.Error("the run cannot be kept: " + err.Error())
		return
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	slices.Sort(files)
	for len(files) > keptRuns {
		_ = os.Remove(files[0])
		files = files[1:]
	}
}

// writeDrift writes drift.json: what a test run would have changed.
func (d *Daemon) writeDrift(j Job, ret *value.Map, s Summary, start time.Time) {
	drifted := new(value.List)
	states, _ := ret.At("return").(*value.Map)
	for key, v := range states.Items() {
		st, _ := v.(*value.Map)
		if result := st.At("result"); result == nil || result == false {
			fun := strings.Split(key, "_|-")
			drifted.Append(value.M("id", st.Str("__id__"), "name", st.At("name"), "state", fun[0]+"."+fun[len(fun)-1], "result", result,
				"comment", st.At("comment"), "changes", st.At("changes"), "sls", st.At("__sls__")))
		}
	}
	text, err := value.JSON(value.M("time", start.UTC().Format(time.RFC3339), "jid", j.JID, "fun", j.Fun, "states", int64(s.Total),
		"would_change", int64(s.Due), "failed", int64(s.Failed), "drifted", drifted), value.JSONOptions{Indent: 2, Default: func(v any) (any, error) { return value.Str(v), nil }})
	mode := os.FileMode(0o600)
	if err == nil {
		err = sys.WriteFile(sys.Real{}, filepath.Join(d.opts().Str("cachedir"), "drift.json"), []byte(text+"\n"), sys.FileAttrs{Mode: &mode})
	}
	if err != nil {
		d.o.Log.Error("drift.json cannot be written: " + err.Error())
	}
}

// saveState writes what the jobs of the schedule remember, for missed: run.
func (d *Daemon) saveState() {
	d.mu.Lock()
	if d.table == nil {
		d.mu.Unlock()
		return
	}
	data, err := json.Marshal(d.table.States())
	d.mu.Unlock()
	if err == nil {
		err = sys.WriteFile(sys.Real{}, d.file("schedule.json"), data, sys.FileAttrs{})
	}
	if err != nil {
		d.o.Log.Error("the state of the schedule cannot be saved: " + err.Error())
	}
}

// readState reads what saveState wrote; d.mu is held.
func (d *Daemon) readState() map[string]schedule.State {
	out := map[string]schedule.State{}
	data, err := os.ReadFile(filepath.Join(d.conf.Opts.Str("cachedir"), "daemon", "schedule.json"))
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil && !os.IsNotExist(err) {
		d.o.Log.Warn("what the schedule remembered cannot be read, it starts anew: " + err.Error())
	}
	return out
}
