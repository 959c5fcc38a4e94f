// Package runs reads the runs that are kept of a machine, and makes one
// self-contained HTML page of them: no network, no scripts, all names and
// texts shown as text.
//
//	past, err := runs.Open("/var/cache/salt/minion")
//	last, err := past.Find("")
//	text := runs.HTML("web1", past.Recent(), last)
package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pinch/value"
)

// A Run is one run of states.
type Run struct {
	JID, Fun, Why string
	Args          string
	Start         time.Time
	Seconds       float64
	Test          bool
	States        []State
	Text          string // the return, when it is no states
	Return        any
	Retcode       int64
}

// A State is the result of one state.
type State struct {
	ID, Name, Fun, SLS string
	Comment            string
	Result             string // ok, changed, failed, would
	Changes            *value.Map
	Millis             float64
	num                int64
}

// Counts are how many states have each result.
func (r *Run) Counts() (ok, changed, failed, would int) {
	for _, s := range r.States {
		switch s.Result {
		case "changed":
			changed++
		case "failed":
			failed++
		case "would":
			would++
		default:
			ok++
		}
	}
	return ok, changed, failed, would
}

// Load reads the runs of a folder, the oldest first. Files that cannot be read
// are left out.
func Load(dir string) ([]*Run, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var out []*Run
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		v, err := value.ParseJSON(string(b))
		if m, ok := v.(*value.Map); ok && err == nil {
			out = append(out, Of(m))
		}
	}
	return out, nil
}

// Of reads one kept run.
func Of(m *value.Map) *Run {
	r := &Run{JID: m.Str("jid"), Fun: m.Str("fun"), Why: m.Str("why"), Test: m.Truth("test"), Seconds: float(m.At("seconds")), Return: m.At("return")}
	r.Retcode, _ = m.At("retcode").(int64)
	r.Start, _ = time.Parse(time.RFC3339, m.Str("start"))
	if l := m.List("args"); l.Len() > 0 {
		r.Args = words(l)
	}
	states, ok := m.At("return").(*value.Map)
	for tag, v := range states.Items() {
		st, isState := v.(*value.Map)
		parts := strings.Split(tag, "_|-")
		if !isState || len(parts) < 4 {
			ok = false
			break
		}
		r.States = append(r.States, stateOf(parts, st))
	}
	if !ok {
		r.States = nil
		r.Text = value.Str(m.At("return"))
	}
	slices.SortStableFunc(r.States, func(a, b State) int { return int(a.num - b.num) })
	return r
}

func stateOf(parts []string, st *value.Map) State {
	s := State{ID: st.Str("__id__"), Name: st.Str("name"), Fun: parts[0] + "." + parts[len(parts)-1], SLS: st.Str("__sls__"),
		Comment: st.Str("comment"), Changes: st.Map("changes"), Millis: float(st.At("duration")), Result: "ok"}
	if s.ID == "" {
		s.ID = parts[1]
	}
	s.num, _ = st.At("__run_num__").(int64)
	switch result := st.At("result"); {
	case result == nil:
		s.Result = "would"
	case result == false:
		s.Result = "failed"
	case s.Changes.Len() > 0:
		s.Result = "changed"
	}
	return s
}

func float(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// Failed reports whether a state failed, or the function as a whole.
func (r *Run) Failed() bool {
	_, _, failed, _ := r.Counts()
	return failed > 0 || len(r.States) == 0 && r.Retcode != 0
}

// Took is a time in words.
func Took(seconds float64) string {
	switch {
	case seconds > 0 && seconds < 0.0005:
		return "<1 ms"
	case seconds < 1:
		return fmt.Sprintf("%.0f ms", seconds*1000)
	case seconds < 120:
		return fmt.Sprintf("%.1f s", seconds)
	}
	return fmt.Sprintf("%.0f min", seconds/60)
}

// words are the arguments of a call as a person writes them. What pillar= sets
// may be secret, and is left out.
func words(l *value.List) string {
	var out []string
	add := func(k, v string) {
		if k == "pillar" {
			v = "…"
		}
		out = append(out, k+"="+v)
	}
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		switch {
		case ok && m.Has("__kwarg__"):
			for k, v := range m.Items() {
				if k != "__kwarg__" {
					add(k, value.Str(v))
				}
			}
		case ok:
			out = append(out, value.Repr(m))
		default:
			text := value.Str(it)
			if strings.HasPrefix(text, "pillar=") {
				text = "pillar=…"
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}
