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

// secrets are the words that a run must not show.
type secrets struct {
	mu    sync.Mutex
	known map[string]bool
	words []string
	with  *strings.Replacer // of words; nil: to be made
}

// Hide notes secrets, each line of a text for itself: a diff shows them so.
// Lines shorter than six bytes do not count.
func (r *Run) Hide(texts ...string) {
	s := &r.secrets
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if len(line) >= shortestSecret && !s.known[line] {
				if s.known == nil {
					s.known = map[string]bool{}
				}
				s.known[line] = true
				s.words, s.with = append(s.words, line), nil
			}
		}
	}
}

// Redact replaces the secrets in a text.
func (r *Run) Redact(text string) string {
	if with := r.secrets.replacer(); with != nil {
		return with.Replace(text)
	}
	return text
}

func (s *secrets) replacer() *strings.Replacer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.with == nil && len(s.words) > 0 {
		// Of secrets that begin alike the longest counts.
		slices.SortFunc(s.words, func(a, b string) int { return len(b) - len(a) })
		pairs := make([]string, 0, 2*len(s.words))
		for _, w := range s.words {
			pairs = append(pairs, w, Redacted)
		}
		s.with = strings.NewReplacer(pairs...)
	}
	return s.with
}

// RedactValue is a copy of v without secrets in its texts; v itself when the
// run has none. Keys of maps stay.
func (r *Run) RedactValue(v any) any {
	with := r.secrets.replacer()
	if with == nil {
		return v
	}
	return redact(v, with)
}

func redact(v any, with *strings.Replacer) any {
	switch v := v.(type) {
	case string:
		return with.Replace(v)
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, x := range v.All() {
			_ = out.SetKey(k, redact(x, with))
		}
		return out
	case *value.List:
		out := &value.List{Items: make([]any, len(v.Items))}
		for i, x := range v.Items {
			out.Items[i] = redact(x, with)
		}
		return out
	}
	return v
}
