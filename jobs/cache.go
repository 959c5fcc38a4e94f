package jobs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pinch/value"
)

// keep is how many cached returns there may be before the oldest go.
const keep = 1000

// Save caches the return of a job: cachedir/minion_jobs/JID/return.p. What was
// there before stays whole if the program dies meanwhile. Of the options it
// reads cachedir, and for how long returns are kept: keep_jobs_seconds, or
// keep_jobs in hours; 0 is for ever. The last 1000 are kept in any case when
// neither is set, and no more.
func Save(opts *value.Map, jid string, ret *value.Map) error {
	cachedir := opts.Str("cachedir")
	if cachedir == "" || !valid(jid) {
		return nil
	}
	data, err := value.Msgpack(Plain(ret))
	if err != nil {
		return err
	}
	dir := filepath.Join(cachedir, "minion_jobs", jid)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "return.p"), data); err != nil {
		return err
	}
	prune(cachedir, opts)
	return nil
}

// Plain makes values that msgpack has no form for into text.
func Plain(v any) any {
	switch v := v.(type) {
	case *value.Map:
		m := value.NewMap(v.Len())
		for k, it := range v.All() {
			if m.SetKey(k, Plain(it)) != nil {
				m.Set(value.Str(k), Plain(it))
			}
		}
		return m
	case *value.List:
		l := &value.List{Items: make([]any, len(v.Items))}
		for i, it := range v.Items {
			l.Items[i] = Plain(it)
		}
		return l
	case value.Tuple:
		t := make(value.Tuple, len(v))
		for i, it := range v {
			t[i] = Plain(it)
		}
		return t
	}
	if _, err := value.Msgpack(v); err != nil {
		return value.Repr(v)
	}
	return v
}

// prune removes returns that are too old, or too many.
func prune(cachedir string, opts *value.Map) {
	all := List(cachedir) // in the order of time
	gone := 0
	if age, ok := kept(opts); !ok {
		gone = max(0, len(all)-keep)
	} else if age > 0 {
		limit := NewJID(time.Now().Add(-age))
		gone, _ = slices.BinarySearch(all, limit)
	}
	for _, jid := range all[:gone] {
		_ = os.RemoveAll(filepath.Join(cachedir, "minion_jobs", jid))
	}
}

// kept is for how long returns are kept, and whether an option says so.
func kept(opts *value.Map) (age time.Duration, ok bool) {
	key, unit := "keep_jobs_seconds", time.Second
	if !opts.Has(key) {
		key, unit = "keep_jobs", time.Hour
	}
	switch n := opts.At(key).(type) {
	case int64:
		return time.Duration(n) * unit, true
	case float64:
		return time.Duration(n * float64(unit)), true
	}
	return 0, false
}

// Cached is saltutil.find_cached_job: the return of a job, or a text that says
// why there is none.
func Cached(cachedir, jid string, on bool) (any, error) {
	dir := filepath.Join(cachedir, "minion_jobs", jid)
	if i, err := os.Stat(dir); !valid(jid) || err != nil || !i.IsDir() {
		if !on {
			return "Local jobs cache directory not found; you may need to enable cache_jobs on this minion", nil
		}
		return fmt.Sprintf("Local jobs cache directory %s not found", dir), nil
	}
	m, err := Load(cachedir, jid)
	if m == nil || err != nil {
		return nil, err
	}
	return m, nil
}

// Load is the cached return of a job, nil if there is none.
func Load(cachedir, jid string) (*value.Map, error) {
	if !valid(jid) {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(cachedir, "minion_jobs", jid, "return.p"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, ok := mustMap(data)
	if !ok {
		return nil, fmt.Errorf("the cached return of job %s cannot be read", jid)
	}
	return m, nil
}

// List are the IDs of the cached jobs, the oldest first.
func List(cachedir string) []string {
	entries, _ := os.ReadDir(filepath.Join(cachedir, "minion_jobs"))
	var out []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return out
}

// Clear removes the cached returns that are older than that.
func Clear(cachedir string, age time.Duration) error {
	dir := filepath.Join(cachedir, "minion_jobs")
	limit := time.Now().Add(-age)
	for _, jid := range List(cachedir) {
		i, err := os.Stat(filepath.Join(dir, jid))
		if err != nil {
			return err
		}
		if i.ModTime().Before(limit) {
			if err := os.RemoveAll(filepath.Join(dir, jid)); err != nil {
				return err
			}
		}
	}
	return nil
}
