package salt

import (
	"slices"
	"strings"
	"sync"

	"pinch/value"
)

// Redacted stands for a secret in what a run shows.
const Redacted = "**********"

// shortestSecret is the least length of a secret: shorter ones are parts of
// ordinary words.
const shortestSecret = 6

// secrets are the words that a run must not show: hidden ones not in its logs,
// comments and changes, sealed ones nowhere in what states return.
type secrets struct {
	mu             sync.Mutex
	hidden, sealed words
}

// words are secrets and what replaces them.
type words struct {
	known map[string]bool
	list  []string
	with  *strings.Replacer // nil: to be made
}

// add takes each line of a text for itself: a diff shows them so. Lines shorter
// than six bytes do not count.
func (w *words) add(texts []string) {
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if len(line) >= shortestSecret && !w.known[line] {
				if w.known == nil {
					w.known = map[string]bool{}
				}
				w.known[line] = true
				w.list, w.with = append(w.list, line), nil
			}
		}
	}
}

func (s *secrets) replacer(w *words) *strings.Replacer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.with == nil && len(w.list) > 0 {
		// Of secrets that begin alike the longest counts.
		slices.SortFunc(w.list, func(a, b string) int { return len(b) - len(a) })
		pairs := make([]string, 0, 2*len(w.list))
		for _, x := range w.list {
			pairs = append(pairs, x, Redacted)
		}
		w.with = strings.NewReplacer(pairs...)
	}
	return w.with
}

// Hide notes words that logs, comments and changes must not show.
func (r *Run) Hide(texts ...string) {
	r.secrets.mu.Lock()
	defer r.secrets.mu.Unlock()
	r.secrets.hidden.add(texts)
}

// Seal notes secrets that somebody declared as such (secret_pillar_keys, or by
// encrypting them): they are hidden, and what states return or a cache keeps
// shows them nowhere, not even in a state's name.
func (r *Run) Seal(texts ...string) {
	r.secrets.mu.Lock()
	defer r.secrets.mu.Unlock()
	r.secrets.hidden.add(texts)
	r.secrets.sealed.add(texts)
}

// Redact replaces the hidden words in a text.
func (r *Run) Redact(text string) string {
	if with := r.secrets.replacer(&r.secrets.hidden); with != nil {
		return with.Replace(text)
	}
	return text
}

// RedactValue is a copy of v without hidden words in its texts; v itself when
// the run has none. Keys of maps stay.
func (r *Run) RedactValue(v any) any {
	if with := r.secrets.replacer(&r.secrets.hidden); with != nil {
		return redact(v, with, false)
	}
	return v
}

// Sealed is a copy of v without sealed words, in keys of maps too; v itself
// when the run has none.
func (r *Run) Sealed(v any) any {
	if with := r.secrets.replacer(&r.secrets.sealed); with != nil {
		return redact(v, with, true)
	}
	return v
}

func redact(v any, with *strings.Replacer, keys bool) any {
	switch v := v.(type) {
	case string:
		return with.Replace(v)
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, x := range v.All() {
			if s, ok := k.(string); ok && keys {
				k = with.Replace(s)
				for out.Has(k.(string)) { // two names that differed in a secret only
					k = k.(string) + " "
				}
			}
			_ = out.SetKey(k, redact(x, with, keys))
		}
		return out
	case *value.List:
		out := &value.List{Items: make([]any, len(v.Items))}
		for i, x := range v.Items {
			out.Items[i] = redact(x, with, keys)
		}
		return out
	}
	return v
}
