package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/jobs"
	"pinch/value"
)

// A Past is the returns that are kept of a machine: those of calls in the job
// cache, those of the daemon beside it.
type Past struct {
	Dir    string   // cachedir
	JIDs   []string // the oldest first
	daemon map[string]*Run
}

// Open finds the returns below a cachedir.
func Open(cachedir string) (*Past, error) {
	h := &Past{Dir: cachedir, daemon: map[string]*Run{}}
	kept, err := Load(filepath.Join(cachedir, "daemon", "runs"))
	if err != nil {
		return nil, err
	}
	h.JIDs = jobs.List(h.Dir)
	for _, r := range kept {
		if h.daemon[r.JID] = r; !slices.Contains(h.JIDs, r.JID) {
			h.JIDs = append(h.JIDs, r.JID)
		}
	}
	slices.Sort(h.JIDs)
	return h, nil
}

// Run is one of them, nil if what was kept cannot be read.
func (h *Past) Run(jid string) *Run {
	if r := h.daemon[jid]; r != nil {
		return r
	}
	m, err := jobs.Load(h.Dir, jid)
	if err != nil || m == nil {
		return nil
	}
	began, _ := jobs.Time(jid)
	kept := value.M("jid", jid, "fun", m.At("fun"), "args", m.At("fun_args"), "return", m.At("return"), "retcode", m.At("retcode"),
		"start", began.Format("2006-01-02T15:04:05Z"))
	// It was written when the job ended.
	if i, err := os.Stat(filepath.Join(h.Dir, "minion_jobs", jid, "return.p")); err == nil && i.ModTime().After(began) {
		kept.Set("seconds", i.ModTime().Sub(began).Seconds())
	}
	if l := m.List("fun_args"); l != nil {
		for _, it := range l.Items {
			kept.Set("test", kept.Truth("test") || strings.EqualFold(value.Str(it), "test=true"))
		}
	}
	return Of(kept)
}

// Find is the one whose ID begins so; no word is the last one.
func (h *Past) Find(word string) (*Run, error) {
	var found []string
	for _, jid := range h.JIDs {
		if strings.HasPrefix(jid, word) {
			found = append(found, jid)
		}
	}
	switch {
	case len(found) == 0 && word == "":
		return nil, fmt.Errorf("no run is kept in %s", h.Dir)
	case len(found) == 0:
		return nil, fmt.Errorf("no run with the job ID %s is kept in %s", word, h.Dir)
	case len(found) > 1 && word != "" && found[0] != word:
		return nil, fmt.Errorf("%d runs have a job ID that begins with %s", len(found), word)
	case word == "":
		found = found[len(found)-1:]
	}
	if r := h.Run(found[0]); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("what is kept of job %s cannot be read", found[0])
}

// recent is how many runs a page lists.
const recent = 50

// Recent are the last runs, the oldest first.
func (h *Past) Recent() []*Run {
	var out []*Run
	for _, jid := range h.JIDs[max(0, len(h.JIDs)-recent):] {
		if r := h.Run(jid); r != nil {
			out = append(out, r)
		}
	}
	return out
}
