package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// One run of states at a time: a kernel lock on a file in cachedir, which a
// run that dies gives back. Calls of the same run share it.

type lockKey struct{}

// A held lock is shared by the nested calls of one run.
type held struct {
	lock  *sys.Lock
	depth int
}

// A job is who holds the lock.
type job struct {
	fun, pid, jid string
}

func (j job) String() string { return strings.Join([]string{j.fun, j.pid, j.jid}, "\n") }

func readJob(text string) job {
	f := append(strings.Split(text, "\n"), "", "", "")
	return job{f[0], f[1], f[2]}
}

// conflict is Salt's text for a run that is under way.
func (j job) conflict() string {
	return fmt.Sprintf(`The function "%s" is running as PID %s and was started at %s with jid %s`, j.fun, j.pid, jidTime(j.jid), j.jid)
}

// jidTime reads the time out of a jid as Salt shows it.
func jidTime(jid string) string {
	if len(jid) < 20 {
		return ""
	}
	t, err := time.ParseInLocation("20060102150405.000000", jid[:14]+"."+jid[14:20], time.Local)
	if err != nil {
		return ""
	}
	return t.Format("2006, Jan 02 15:04:05.000000")
}

// lockDir makes the folder of the lock, which only its owner may enter.
func lockDir(c *salt.Ctx) string {
	dir := filepath.Join(c.Opts.Str("cachedir"), "state_run")
	_ = sys.MkdirAll(c.With(false).Sys, dir, 0o700)
	return dir
}

// enter takes the lock. busy is the answer when another run holds it and the
// call does not wait (queue). leave must be called at the end.
func enter(c *salt.Ctx, fun string, queue any, kw *value.Map) (leave func(), busy any) {
	mine, _ := salt.Once(c.Run, lockKey{}, func() (*held, error) { return new(held), nil })
	leave = func() {
		if mine.depth--; mine.depth == 0 {
			mine.lock.Unlock()
			mine.lock = nil
		}
	}
	mine.depth++
	if mine.depth > 1 || c.Opts.Str("cachedir") == "" {
		return leave, nil
	}
	if f := kw.Str("__pub_fun"); strings.HasPrefix(f, "state.") {
		fun = f
	}
	now := c.Sys.Now()
	jid := kw.Str("__pub_jid")
	if jid == "" {
		jid = strings.Replace(now.Format("20060102150405.000000"), ".", "", 1)
	}
	me := job{fun, strconv.Itoa(os.Getpid()), jid}
	path := filepath.Join(lockDir(c), "lock")
	if queue == nil {
		queue = c.Opts.At("state_queue")
	}
	if n, ok := queue.(int64); ok && n > 0 && sys.Holder(path) != "" {
		if int64(waiting(path))+1 >= n {
			queue = false
		}
	}
	wait := value.Truth(queue)
	if wait && sys.Holder(path) != "" {
		c.Log.Info("Waiting for the state run that is under way: " + readJob(sys.Holder(path)).conflict())
		place, err := sys.TryLock(path+".wait."+me.pid+"."+jid, me.String())
		if err == nil {
			defer func() {
				place.Unlock()
				_ = os.Remove(path + ".wait." + me.pid + "." + jid)
			}()
		}
	}
	for {
		lock, err := sys.TryLock(path, me.String())
		switch {
		case err == nil:
			mine.lock = lock
			if other := others(c, me); len(other) > 0 && !kw.Truth("concurrent") {
				if wait {
					mine.lock.Unlock()
					break
				}
				leave()
				c.Run.SetRetcode(codeCompile)
				return nil, value.Strings(other)
			}
			return leave, nil
		case !errors.Is(err, sys.ErrLocked), kw.Truth("concurrent"):
			return leave, nil
		case !wait:
			leave()
			c.Run.SetRetcode(codeCompile)
			return nil, value.L(readJob(sys.Holder(path)).conflict())
		}
		if c.Sys.Sleep(c, 100*time.Millisecond) != nil {
			leave()
			return nil, value.L("interrupted while waiting for another state run")
		}
	}
}

// waiting counts the calls that wait for the lock.
func waiting(path string) int {
	files, _ := filepath.Glob(path + ".wait.*")
	n := 0
	for _, f := range files {
		if sys.Holder(f) != "" {
			n++
		} else {
			_ = os.Remove(f)
		}
	}
	return n
}

// others are the runs of a real Salt on the same cachedir, by their proc files.
func others(c *salt.Ctx, me job) []string {
	if _, err := c.Registry().Exec(c, "saltutil.is_running"); err != nil {
		return nil
	}
	v, err := c.Call("saltutil.is_running", "state.*")
	l, ok := v.(*value.List)
	if err != nil || !ok {
		return nil
	}
	var out []string
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		j := job{m.Str("fun"), m.Str("pid"), m.Str("jid")}
		if ok && j.jid != me.jid && j.pid != me.pid {
			out = append(out, j.conflict())
		}
	}
	return out
}

type runningArgs struct {
	Concurrent bool `py:"concurrent=False"` // answer as if concurrent runs were allowed: nothing is in the way
}

// running tells which runs of states are under way.
//
//	pinch state.running
func running(c *salt.Ctx, a runningArgs) (any, error) {
	out := new(value.List)
	if a.Concurrent {
		return out, nil
	}
	me := job{pid: strconv.Itoa(os.Getpid()), jid: c.Opts.Str("jid")}
	if h := sys.Holder(filepath.Join(c.Opts.Str("cachedir"), "state_run", "lock")); h != "" {
		if j := readJob(h); j.pid != me.pid {
			out.Append(j.conflict())
			return out, nil
		}
	}
	out.Append(anys(others(c, me))...)
	return out, nil
}
