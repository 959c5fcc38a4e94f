package pkg

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
)

// A busy machine has another program that holds dpkg's lock for a while; the
// text is apt 2.6's.
type busy struct {
	sys.Sys
	until, tries int
	waited       time.Duration
}

const heldLock = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 42 (unattended-upgr)\n" +
	"E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?\n"

func (b *busy) Run(context.Context, sys.Cmd) (sys.CmdResult, error) {
	if b.tries++; b.tries > b.until {
		return sys.CmdResult{}, nil
	}
	return sys.CmdResult{Stderr: []byte(heldLock), Code: 100}, nil
}

func (b *busy) Sleep(_ context.Context, d time.Duration) error { b.waited += d; return nil }

// TestLock: another's lock is waited for, with a word in the log, and given up
// after the ten turns that Salt takes, with apt's reason.
func TestLock(t *testing.T) {
	for _, tt := range []struct {
		held, tries int
		waited      time.Duration
		code        int
	}{
		{0, 1, 0, 0},
		{2, 3, 6 * time.Second, 0},
		{99, 11, 2046 * time.Second, 100},
	} {
		var log bytes.Buffer
		b := &busy{until: tt.held}
		c := &salt.Ctx{Context: context.Background(), Sys: b, Log: slog.New(slog.NewTextHandler(&log, nil))}
		out, err := apt{c}.run(command{argv: []string{"apt-get", "install", "x"}})
		if err != nil || out.code != tt.code || b.tries != tt.tries || b.waited != tt.waited {
			t.Errorf("held %d times: %v, code %d after %d tries and %v", tt.held, err, out.code, b.tries, b.waited)
		}
		if told := strings.Count(log.String(), "It is held by process 42 (unattended-upgr)"); told != tt.tries-1 {
			t.Errorf("held %d times: said %d times in the log", tt.held, told)
		}
		if out.code != 0 && !strings.Contains(out.stderr, "Could not get lock") {
			t.Error(out.stderr)
		}
	}
}
