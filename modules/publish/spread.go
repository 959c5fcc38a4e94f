package publish

import (
	"strings"
	"time"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// words are the arguments of a function: a list, or one alone. A text is read
// as YAML.
func words(arg any) *value.List {
	switch v := arg.(type) {
	case nil:
		return new(value.List)
	case *value.List:
		return v
	case string:
		read, err := yaml.Load("", v)
		if err != nil {
			return value.L(v)
		}
		if _, text := read.(string); !text {
			return words(read)
		}
	}
	return value.L(arg)
}

// seconds is a timeout as a whole number.
func seconds(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 5
}

// spread has the master run a function on other minions, waits and collects
// what came: the results alone (form "clean"), or with what goes with them.
func spread(c *salt.Ctx, tgt, fun string, arg any, kind, returner string, timeout any, form string) (any, error) {
	m := c.Run.Master
	if m == nil {
		return nothing(c)
	}
	out := new(value.Map)
	if strings.HasPrefix(fun, "publish.") {
		c.Log.Info("Cannot publish publish calls. Returning {}")
		return out, nil
	}
	wait := seconds(timeout)
	v, err := m.Request(c, "minion_pub", value.M("fun", fun, "arg", words(arg), "tgt", tgt, "tgt_type", kind, "ret", returner,
		"tmo", wait, "form", form))
	if err != nil {
		return nil, err
	}
	job, _ := v.(*value.Map)
	jid := job.Str("jid")
	if jid == "" {
		return out, nil
	}
	if job.List("minions").Len() == 0 {
		return nil, nil // Salt answers None
	}
	for end := time.Now().Add(time.Duration(wait) * time.Second); ; {
		v, err := m.Request(c, "pub_ret", value.M("jid", jid))
		if err != nil {
			return nil, err
		}
		got, _ := v.(*value.Map)
		all := job.List("minions").Len() > 0 && got.Len() >= job.List("minions").Len()
		if all || !time.Now().Before(end) {
			return shape(got, form), nil
		}
		select {
		case <-c.Done():
			return nil, c.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func shape(got *value.Map, form string) *value.Map {
	out := new(value.Map)
	for id, v := range got.Items() {
		if m, ok := v.(*value.Map); ok && form == "clean" {
			if r, ok := m.Get("ret"); ok {
				v = r
			}
		}
		out.Set(id, v)
	}
	return out
}
