package apply

import (
	"strings"

	"pinch/value"
)

// secrets are the pillar's secrets in what states answer: a diff of a file
// that holds a password must not print it. What lies under a key that speaks
// of a password, a token or a key is a secret, as are those that
// secret_pillar_keys names and all that was decrypted (salt.Run.Hide).
type secrets struct {
	of   *value.Map // the pillar they were taken from
	show bool       // pillar_mask_output: False, with which Salt shows pillar data
}

// hide replaces secrets in the comment and the changes of a return.
func (r *runner) hide(ret *value.Map) {
	if r.secrets.of != r.c.Pillar {
		r.secrets.of = r.c.Pillar
		v, ok := r.c.Opts.Get("pillar_mask_output")
		if r.secrets.show = ok && !value.Truth(v); !r.secrets.show {
			r.c.Run.Hide(secretsIn(r.c.Pillar)...)
		}
	}
	if r.secrets.show {
		return
	}
	for _, k := range [...]string{"comment", "changes"} {
		if v, ok := ret.Get(k); ok {
			ret.Set(k, r.c.Run.RedactValue(v))
		}
	}
}

// secretsIn are the values under keys that name something secret.
func secretsIn(pillar *value.Map) []string {
	var words []string
	var walk func(v any, secret bool)
	walk = func(v any, secret bool) {
		switch v := v.(type) {
		case string:
			if secret {
				words = append(words, v)
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
	return words
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
