package beacons

import (
	"bufio"
	"context"
	"os/exec"
	"strconv"
	"sync"

	"pinch/value"
)

// journald tells of entries of systemd's journal that have certain fields:
//
//	journald:
//	  - services:
//	      sshd:
//	        SYSLOG_IDENTIFIER: sshd
//	        PRIORITY: 6
func journald() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("journald", conf); text != "" {
				return text
			}
			for _, v := range options(conf).Map("services").Items() {
				if _, ok := v.(*value.Map); !ok {
					return "Services configuration for journald beacon must be a list of dictionaries."
				}
			}
			return ""
		},
		Missing: func(e *Env) string {
			if e.Sys.LookPath("journalctl") == "" {
				return "journalctl is missing."
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			ctx, cancel := context.WithCancel(context.Background())
			cmd := exec.CommandContext(ctx, e.Sys.LookPath("journalctl"), "--follow", "--lines=0", "--output=json", "--all")
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				cancel()
				return nil, err
			}
			j := &journal{services: conf.Map("services"), cancel: cancel}
			go func() {
				lines := bufio.NewScanner(out)
				lines.Buffer(nil, 4<<20)
				for lines.Scan() {
					j.line(lines.Text())
				}
				_ = cmd.Wait()
			}()
			return j, nil
		},
	}
}

// journal collects entries as they come.
type journal struct {
	services *value.Map
	cancel   context.CancelFunc

	mu    sync.Mutex
	found []*value.Map
}

// numbers are the fields that Python's systemd library, and so Salt, has as
// numbers; journalctl writes all as text.
func numbers() []string {
	return []string{"PRIORITY", "LEADER", "SESSION_ID", "USERSPACE_USEC", "INITRD_USEC", "KERNEL_USEC", "_UID", "_GID", "_PID", "SYSLOG_FACILITY",
		"SYSLOG_PID", "_AUDIT_SESSION", "_AUDIT_LOGINUID", "_SYSTEMD_SESSION", "_SYSTEMD_OWNER_UID", "CODE_LINE", "ERRNO", "EXIT_STATUS"}
}

// most is how many events may wait for a look.
const most = 10000

func (j *journal) line(text string) {
	v, err := value.ParseJSON(text)
	entry, ok := v.(*value.Map)
	if err != nil || !ok {
		return
	}
	for _, k := range numbers() {
		if n, err := strconv.ParseInt(entry.Str(k), 10, 64); err == nil {
			entry.Set(k, n)
		}
	}
	for name, want := range j.services.Items() {
		all := true
		for k, x := range want.(*value.Map).Items() {
			all = all && entry.Has(k) && value.Str(entry.At(k)) == value.Str(x)
		}
		if !all {
			continue
		}
		e := entry.Shallow()
		e.Set("tag", name)
		j.mu.Lock()
		if len(j.found) < most {
			j.found = append(j.found, e)
		}
		j.mu.Unlock()
	}
}

func (j *journal) Look() ([]*value.Map, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := j.found
	j.found = nil
	return out, nil
}

func (j *journal) Close() { j.cancel() }

// Discard drops the entries that wait.
func (j *journal) Discard() { _, _ = j.Look() }
