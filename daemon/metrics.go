package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pinch/sys"
	"pinch/value"
)

// Metrics are the daemon's numbers in Prometheus's text form.
func (d *Daemon) Metrics() string {
	d.mu.Lock()
	s, jobs, running := d.stats, len(d.table.Keys()), len(d.running)
	d.mu.Unlock()
	var b strings.Builder
	line := func(name, kind, help string, v float64) {
		fmt.Fprintf(&b, "# HELP pinch_%s %s\n# TYPE pinch_%s %s\npinch_%s %s\n", name, help, name, kind, name, number(v))
	}
	line("scheduled_jobs", "gauge", "Jobs in the schedule.", float64(jobs))
	line("running_jobs", "gauge", "Jobs under way.", float64(running))
	line("jobs_total", "counter", "Jobs that ended.", float64(s.jobs))
	line("job_failures_total", "counter", "Jobs that failed.", float64(s.failures))
	line("last_success_timestamp_seconds", "gauge", "Start of the last run of states that succeeded, 0 if none did.", stamp(s.success))
	line("last_run_timestamp_seconds", "gauge", "Start of the last run of states, 0 if there was none.", stamp(s.last.when))
	line("last_run_duration_seconds", "gauge", "How long the last run of states took.", s.last.took.Seconds())
	line("last_run_states", "gauge", "States of the last run.", float64(s.last.sum.Total))
	line("last_run_changed", "gauge", "States that changed something in the last run.", float64(s.last.sum.Changed))
	line("last_run_failed", "gauge", "States that failed in the last run.", float64(s.last.sum.Failed))
	line("drift_states", "gauge", "States that a test run found different, 0 after a run that succeeded.", float64(s.drift))
	if s.last.commit != "" {
		fmt.Fprintf(&b, "# HELP pinch_tree_info The commit of the state tree in the last run of states.\n# TYPE pinch_tree_info gauge\npinch_tree_info{commit=%q} 1\n",
			s.last.commit)
	}
	return b.String()
}

func number(v float64) string {
	if v == float64(int64(v)) {
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprintf("%.3f", v)
}

func stamp(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.Unix())
}

// writeMetrics writes the file of the option metrics_textfile, for the textfile
// collector of Prometheus's node_exporter.
func (d *Daemon) writeMetrics(o *value.Map) {
	path := o.Str("metrics_textfile")
	if path == "" {
		return
	}
	mode := os.FileMode(0o644)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = sys.WriteFile(sys.Real{}, path, []byte(d.Metrics()), sys.FileAttrs{Mode: &mode})
	}
	if err != nil {
		d.o.Log.Error("the metrics cannot be written: " + err.Error())
	}
}
