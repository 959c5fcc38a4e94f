package apply

import (
	"path/filepath"
	"time"

	"pinch/value"
)

// PauseFile is where state.pause and state.soft_kill note what a run of that
// job must do.
func PauseFile(cachedir, jid string) string {
	return filepath.Join(cachedir, "state_pause", jid)
}

// pauseEvery is how long the news that nobody pauses the run stays true.
// Thousands of states that need nothing done would else look every few
// microseconds. A state that changed something may have paused the run itself:
// after it the news is void (see after).
const pauseEvery = time.Millisecond

// paused waits while the run or the ID of a chunk is paused. It returns
// "kill" when the run must end here.
func (r *runner) paused(ch *Chunk) string {
	if r.o.JID == "" {
		return "run"
	}
	start := r.c.Sys.Now()
	if !r.unpaused.IsZero() && start.Sub(r.unpaused) < pauseEvery {
		return "run"
	}
	path := PauseFile(r.c.Opts.Str("cachedir"), r.o.JID)
	r.unpaused = time.Time{}
	for r.c.Err() == nil {
		b, err := r.c.Sys.ReadFile(path)
		if err != nil {
			r.unpaused = start
			return "run"
		}
		v, _ := value.ParseMsgpack(b)
		data, _ := v.(*value.Map)
		what := data.Map(ch.ID)
		if !data.Has(ch.ID) {
			what = data.Map("__all__")
			if !data.Has("__all__") {
				return "run"
			}
		}
		if d, ok := what.Get("duration"); ok && r.c.Sys.Now().Sub(start).Seconds() > number64(d) {
			return "run"
		}
		if what.Has("kill") {
			return "kill"
		}
		_ = r.c.Sys.Sleep(r.c, time.Second)
	}
	return "kill"
}

// unpause drops the file at the end of the run.
func (r *runner) unpause() {
	if r.o.JID != "" {
		_ = r.c.With(false).Sys.Remove(PauseFile(r.c.Opts.Str("cachedir"), r.o.JID))
	}
}
