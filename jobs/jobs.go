// Package jobs knows which jobs run on this machine and which have run: the
// process files in cachedir/proc and the cached returns in
// cachedir/minion_jobs, both as Salt writes and reads them.
//
//	done := jobs.Start(cachedir, value.M("jid", jid, "fun", "state.apply", "pid", pid, "tgt", "salt-call"))
//	defer done()
//	jobs.Running(cachedir) // what others are doing
package jobs

import (
	"bytes"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"pinch/sys"
	"pinch/value"
)

// NewJID is the ID of a job that begins now: 20 digits, down to the
// microsecond, in UTC.
func NewJID(now time.Time) string {
	return strings.Replace(now.UTC().Format("20060102150405.000000"), ".", "", 1)
}

// Time is when a job began, by its ID.
func Time(jid string) (time.Time, bool) {
	if len(jid) < 20 {
		return time.Time{}, false
	}
	t, err := time.ParseInLocation("20060102150405.000000", jid[:14]+"."+jid[14:20], time.UTC)
	return t, err == nil
}

// Shown is that time as Salt shows it, "" for what is no job ID.
func Shown(jid string) string {
	t, ok := Time(jid)
	if !ok {
		return ""
	}
	return t.Format("2006, Jan 02 15:04:05.000000")
}

// valid reports whether a job ID can be a file's name.
func valid(jid string) bool {
	return jid != "" && jid != "." && jid != ".." && !strings.ContainsAny(jid, "/\x00")
}

// Start notes that a job runs. done takes the note away. Without a cachedir
// that can be written nothing is noted.
func Start(cachedir string, job *value.Map) (done func()) {
	jid := job.Str("jid")
	data, err := value.Msgpack(job)
	if cachedir == "" || err != nil || !valid(jid) {
		return func() {}
	}
	path := filepath.Join(cachedir, "proc", jid)
	if write(path, data) != nil {
		return func() {}
	}
	return func() { _ = os.Remove(path) }
}

// Queue notes that a job waits for its turn (cachedir/job_queue), so that Find
// tells of it. done takes the note away.
func Queue(cachedir string, job *value.Map) (done func()) {
	jid := job.Str("jid")
	data, err := value.Msgpack(job)
	if cachedir == "" || err != nil || !valid(jid) {
		return func() {}
	}
	path := filepath.Join(cachedir, "job_queue", "queued_"+jid+".p")
	if write(path, data) != nil {
		return func() {}
	}
	return func() { _ = os.Remove(path) }
}

// Drop takes the note of a job away whose process ended without doing so.
func Drop(cachedir, jid string) {
	if valid(jid) {
		_ = os.Remove(filepath.Join(cachedir, "proc", jid))
	}
}

// write fills a file at once: a reader sees the whole or nothing.
func write(path string, data []byte) error {
	mode := os.FileMode(0o600)
	err := sys.WriteFile(sys.Real{}, path, data, sys.FileAttrs{Mode: &mode})
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			err = sys.WriteFile(sys.Real{}, path, data, sys.FileAttrs{Mode: &mode})
		}
	}
	return err
}

// Running are the jobs of other processes, in the order of their IDs. Notes of
// processes that are gone are removed.
func Running(cachedir string) []*value.Map {
	running, _ := sweep(cachedir)
	return running
}

// CutOff are the jobs whose processes are gone without an end: killed, or the
// machine lost its power. Their notes are removed, so each is told once.
func CutOff(cachedir string) []*value.Map {
	_, gone := sweep(cachedir)
	return gone
}

// sweep reads all notes, and removes those of processes that are gone.
func sweep(cachedir string) (running, cut []*value.Map) {
	dir := filepath.Join(cachedir, "proc")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), ".") || e.IsDir() {
			continue
		}
		m, gone := read(path)
		if gone {
			_ = os.Remove(path)
		}
		switch {
		case m == nil:
		case gone:
			cut = append(cut, m)
		default:
			running = append(running, m)
		}
	}
	for _, l := range [][]*value.Map{running, cut} {
		sort.SliceStable(l, func(i, j int) bool { return l[i].Str("jid") < l[j].Str("jid") })
	}
	return running, cut
}

// read reads one note; gone says that its process is no more.
func read(path string) (m *value.Map, gone bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	v, err := value.ParseMsgpack(data)
	m, ok := v.(*value.Map)
	if err != nil || !ok {
		return nil, len(data) == 0
	}
	pid, _ := m.At("pid").(int64)
	if int(pid) == os.Getpid() {
		return nil, false
	}
	return m, !alive(int(pid))
}

// alive reports whether a process is there and is one of Salt's or ours: a
// number may have been given to another program meanwhile.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return false
	}
	if bytes.Contains(line, []byte("salt")) || bytes.Contains(line, []byte("pinch")) {
		return true
	}
	mine, err1 := os.Readlink("/proc/self/exe")
	other, err2 := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	if len(line) == 0 { // no words yet: the kernel is still starting the program (a dead one has no exe)
		return err2 == nil
	}
	return err1 == nil && err2 == nil && mine == other
}

// Find is the job of that ID: one that runs, or one that waits in a queue. An
// empty map says that there is none.
func Find(cachedir, jid string) *value.Map {
	for _, m := range Running(cachedir) {
		if m.Str("jid") == jid {
			return m
		}
	}
	for _, queue := range []string{"state_queue", "job_queue"} {
		files, _ := filepath.Glob(filepath.Join(cachedir, queue, "*.p"))
		for _, f := range files {
			if !strings.HasSuffix(f, "_"+jid+".p") {
				continue
			}
			data, err := os.ReadFile(f)
			if err != nil {
				continue
			}
			if m, ok := mustMap(data); ok {
				if !m.Has("pid") {
					m.Set("pid", int64(0))
				}
				m.Set("queued", true)
				m.Set("queue_type", queue)
				return m
			}
		}
	}
	return new(value.Map)
}

func mustMap(data []byte) (*value.Map, bool) {
	v, err := value.ParseMsgpack(data)
	m, ok := v.(*value.Map)
	return m, ok && err == nil
}
