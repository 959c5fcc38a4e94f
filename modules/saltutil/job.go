package saltutil

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"pinch/jobs"
	"pinch/salt"
	"pinch/value"
)

func cachedir(c *salt.Ctx) string { return c.Opts.Str("cachedir") }

// running lists the jobs of other processes: jid, function, process.
//
//	salt-call saltutil.running
func running(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	l := new(value.List)
	for _, m := range jobs.Running(cachedir(c)) {
		l.Append(m)
	}
	return l, nil
}

type isRunningArgs struct {
	Fun string `py:"fun"` // a function, or a glob such as state.*
}

// isRunning lists the jobs that run a function.
//
//	salt-call saltutil.is_running 'state.*'
func isRunning(c *salt.Ctx, a isRunningArgs) (*value.List, error) {
	l := new(value.List)
	for _, m := range jobs.Running(cachedir(c)) {
		if value.Fnmatch(m.Str("fun"), a.Fun) {
			l.Append(m)
		}
	}
	return l, nil
}

type jidArgs struct {
	JID string `py:"jid"` // the ID of the job
}

// findJob gives a job that runs or waits in a queue, an empty mapping if there
// is none.
//
//	salt-call saltutil.find_job 20260102030405678901
func findJob(c *salt.Ctx, a jidArgs) (*value.Map, error) {
	return jobs.Find(cachedir(c), a.JID), nil
}

// findCachedJob gives the return of a job that ended.
//
//	salt-call saltutil.find_cached_job 20260102030405678901
func findCachedJob(c *salt.Ctx, a jidArgs) (any, error) {
	return jobs.Cached(cachedir(c), a.JID, c.Opts.Truth("cache_jobs"))
}

type signalArgs struct {
	JID string `py:"jid"` // the ID of the job
	Sig int    `py:"sig"` // the number of the signal
}

// signalJob sends a signal to a job and all that it started. It gives "" when
// there is no such job.
//
//	salt-call saltutil.signal_job 20260102030405678901 15
func signalJob(c *salt.Ctx, a signalArgs) (string, error) {
	return jobs.Signal(cachedir(c), a.JID, syscall.Signal(a.Sig)), nil
}

// termJob asks a job to end (SIGTERM).
//
//	salt-call saltutil.term_job 20260102030405678901
func termJob(c *salt.Ctx, a jidArgs) (string, error) {
	return jobs.Signal(cachedir(c), a.JID, syscall.SIGTERM), nil
}

// termAllJobs asks all jobs to end (SIGTERM).
//
//	salt-call saltutil.term_all_jobs
func termAllJobs(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	return jobs.SignalAll(cachedir(c), syscall.SIGTERM), nil
}

// killJob ends a job at once (SIGKILL).
//
//	salt-call saltutil.kill_job 20260102030405678901
func killJob(c *salt.Ctx, a jidArgs) (string, error) {
	return jobs.Signal(cachedir(c), a.JID, syscall.SIGKILL), nil
}

// killAllJobs ends all jobs at once (SIGKILL).
//
//	salt-call saltutil.kill_all_jobs
func killAllJobs(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	return jobs.SignalAll(cachedir(c), syscall.SIGKILL), nil
}

// clearCache removes all files below cachedir. It is False when one could not
// be removed. While another job runs it refuses, so that nothing is taken away
// under it.
//
//	salt-call saltutil.clear_cache
func clearCache(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	dir := cachedir(c)
	if dir == "" || filepath.Clean(dir) == "/" {
		return false, salt.CommandError("cachedir is %q: not cleared", dir)
	}
	for _, m := range jobs.Running(dir) {
		return false, salt.CommandError("%s runs as job %s, process %d: the cache is not cleared under it", m.Str("fun"), m.Str("jid"), m.At("pid"))
	}
	ok := true
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if d.IsDir() {
			return nil
		}
		return c.With(false).Sys.Remove(path)
	})
	if err != nil && !os.IsNotExist(err) {
		c.Log.Error("Attempt to clear cache with saltutil.clear_cache FAILED with: " + err.Error())
		ok = false
	}
	forget(c, "modules")
	return ok, nil
}

type clearJobCacheArgs struct {
	Hours any `py:"hours=24"` // the returns of older jobs go
}

// clearJobCache removes the cached returns of jobs that ended so many hours
// ago.
//
//	salt-call saltutil.clear_job_cache hours=12
func clearJobCache(c *salt.Ctx, a clearJobCacheArgs) (bool, error) {
	var hours float64
	switch h := a.Hours.(type) {
	case int64:
		hours = float64(h)
	case float64:
		hours = h
	default:
		return false, value.Errorf("TypeError", "unsupported operand type(s) for -: 'float' and '%s'", value.TypeName(a.Hours))
	}
	if err := jobs.Clear(cachedir(c), time.Duration(hours*float64(time.Hour))); err != nil {
		c.Log.Error("Attempt to clear cache with saltutil.clear_job_cache FAILED with: " + err.Error())
		return false, nil
	}
	return true, nil
}
