package apply

import (
	"fmt"
	"math/rand/v2"
	"time"

	"pinch/salt"
	"pinch/value"
)

// A retryRule is the global argument retry.
type retryRule struct {
	until                     any
	attempts, interval, splay int64
}

// retryOf reads the argument; what is invalid is replaced by its default.
func retryOf(c *salt.Ctx, v any) retryRule {
	r := retryRule{until: true, attempts: 2, interval: 30}
	switch v := v.(type) {
	case *value.Map:
		bad := func(key string, def any) {
			c.Log.Warn(fmt.Sprintf("An invalid value was passed for the retry %s, using default value '%s'", key, value.Str(def)))
		}
		if u, ok := v.Get("until"); ok {
			if b, ok := u.(bool); ok {
				r.until = b
			} else {
				bad("until", true)
			}
		}
		for key, to := range map[string]*int64{"attempts": &r.attempts, "interval": &r.interval, "splay": &r.splay} {
			if x, ok := v.Get(key); ok {
				if n := numberOf(x); n.ok && !n.frac {
					*to = int64(n.v)
				} else {
					bad(key, *to)
				}
			}
		}
	case bool:
		if !v {
			r.attempts = 0
		}
	default:
		c.Log.Warn("State is set to retry, but retry: True or a valid dict for retry configuration was not found.  Using retry defaults")
	}
	return r
}

// pause is the time until the next attempt, in seconds.
func (r retryRule) pause() int64 {
	if r.splay > 0 {
		return r.interval + rand.Int64N(r.splay+1)
	}
	return r.interval
}

func (r retryRule) announce() string {
	return fmt.Sprintf("The state would be retried every %d seconds (with a splay of up to %d seconds) a maximum of %d times or until a result of %s is returned",
		r.interval, r.splay, r.attempts, value.Str(r.until))
}

func (r *runner) wait(seconds int64) bool {
	r.c.Log.Info(fmt.Sprintf("State result does not match retry until value, state will be re-run in %d seconds", seconds))
	return r.c.Sys.Sleep(r.c, time.Duration(seconds)*time.Second) == nil
}

// retry calls a state again until its result is the wanted one.
func (r *runner) retry(ch *Chunk, ret *value.Map, v any, attempt int) *value.Map {
	rule := retryOf(r.c, v)
	if r.c.Test {
		ret.Set("comment", ret.Str("comment")+"  "+rule.announce())
		return ret
	}
	if ret.At("result") == rule.until || rule.attempts <= int64(attempt) {
		return ret
	}
	seconds := rule.pause()
	if !r.wait(seconds) {
		return ret
	}
	again := r.call(ch, attempt+1)
	again.Set("comment", attemptText(attempt, ret)+"\n"+again.Str("comment"))
	again.Set("duration", number64(again.At("duration"))+number64(ret.At("duration"))+float64(seconds*1000))
	if attempt == 1 {
		again.Set("start_time", ret.At("start_time"))
	}
	return again
}

func attemptText(n int, ret *value.Map) string {
	return fmt.Sprintf(`Attempt %d: Returned a result of "%s", with the following comment: "%s"`, n, value.Str(ret.At("result")), ret.Str("comment"))
}

func number64(v any) float64 { return numberOf(v).v }
