package apply

import (
	"slices"
	"strings"

	"pinch/value"
)

// secrets hide the pillar's secrets in what states answer: a diff of a file
// that holds a password must not print it. What lies under a key that speaks
// of a password, a token or a key is a secret.
type secrets struct {
	of    *value.Map // the pillar they were taken from
	words *strings.Replacer
}

// shortest is the least length of a secret: shorter ones are parts of
// ordinary words.
const shortest = 6

// hide replaces secrets in the comment and the changes of a return. The option
// pillar_mask_output: False, with which Salt shows pillar data, shows them.
func (r *runner) hide(ret *value.Map) {
	if r.secrets.of != r.c.Pillar {
		r.secrets = findSecrets(r.c.Pillar)
		if v, ok := r.c.Opts.Get("pillar_mask_output"); ok && !value.Truth(v) {
			r.secrets.words = nil
		}
	}
	if r.secrets.words == nil {
		return
	}
	for _, k := range [...]string{"comment", "changes"} {
		if v, ok := ret.Get(k); ok {
			ret.Set(k, r.secrets.hide(v))
		}
	}
}

func (s secrets) hide(v any) any {
	switch v := v.(type) {
	case string:
		return s.words.Replace(v)
	case *value.Map:
		out := value.NewMap(v.Len())
		for k, x := range v.All() {
			_ = out.SetKey(k, s.hide(x))
		}
		return out
	case *value.List:
		out := &value.List{Items: make([]any, len(v.Items))}
		for i, x := range v.Items {
			out.Items[i] = s.hide(x)
		}
		return out
	}
	return v
}

func findSecrets(pillar *value.Map) secrets {
	var words []string
	var walk func(v any, secret bool)
	walk = func(v any, secret bool) {
		switch v := v.(type) {
		case string:
			for line := range strings.Lines(v) {
				// A diff shows a text of several lines line by line.
				if line = strings.TrimSpace(line); secret && len(line) >= shortest {
					words = append(words, line)
				}
			}
		case *value.Map:
			for k, x := range v.All() {
				name, _ := k.(string)
				walk(x, secret || isSecret(name))
			}
		case *value.List:
			for _, x := range v.Items {
				walk(x, secret)
			}
		}
	}
	walk(pillar, false)
	out := secrets{of: pillar}
	if len(words) == 0 {
		return out
	}
	// Of secrets that begin alike the longest counts.
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(words))
	for _, w := range words {
		pairs = append(pairs, w, redacted)
	}
	out.words = strings.NewReplacer(pairs...)
	return out
}

// isSecret reports whether a key of the pillar names something secret.
func isSecret(key string) bool {
	key = strings.ToLower(key)
	for _, w := range [...]string{"passw", "passphrase", "secret", "token", "credential", "private_key", "privkey", "api_key", "apikey"} {
		if strings.Contains(key, w) {
			return true
		}
	}
	return key == "pass" || strings.HasSuffix(key, "_pass") || strings.HasSuffix(key, "-pass")
}
