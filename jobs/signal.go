package jobs

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"pinch/value"
)

// Signal sends a signal to a job: to its own process and to all that it
// started. The text is Salt's, "" when no such job runs.
func Signal(cachedir, jid string, sig syscall.Signal) string {
	for _, m := range Running(cachedir) {
		if m.Str("jid") != jid {
			continue
		}
		pid, _ := m.At("pid").(int64)
		family := descendants(int(pid))
		if l := m.List("child_pids"); l != nil {
			for _, it := range l.Items {
				if n, ok := it.(int64); ok {
					family = append(family, int(n))
				}
			}
		}
		// The job's own process comes first: it may end as soon as one of the
		// others has, and would then seem not to have run.
		err := syscall.Kill(int(pid), sig)
		for _, child := range family {
			_ = syscall.Kill(child, sig)
		}
		if err != nil {
			if valid(jid) {
				_ = os.Remove(filepath.Join(cachedir, "proc", jid))
			}
			return fmt.Sprintf("Job %s was not running and job data has been cleaned up", jid)
		}
		return fmt.Sprintf("Signal %d sent to job %s at pid %d", sig, jid, pid)
	}
	return ""
}

// SignalAll sends a signal to all jobs.
func SignalAll(cachedir string, sig syscall.Signal) *value.List {
	l := new(value.List)
	for _, m := range Running(cachedir) {
		l.Append(Signal(cachedir, m.Str("jid"), sig))
	}
	return l
}

// descendants are the processes that a process started, and those started
// theirs, the nearest first.
func descendants(pid int) []int {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// The name in parentheses may have blanks and parentheses itself.
		_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
		f := strings.Fields(rest)
		if len(f) < 2 {
			continue
		}
		if parent, err := strconv.Atoi(f[1]); err == nil {
			children[parent] = append(children[parent], n)
		}
	}
	var out []int
	for next := []int{pid}; len(next) > 0; {
		var more []int
		for _, p := range next {
			more = append(more, children[p]...)
		}
		out = append(out, more...)
		next = more
	}
	return out
}
