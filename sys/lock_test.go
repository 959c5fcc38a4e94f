package sys

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	l, err := TryLock(path, "me")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(path, "you"); !errors.Is(err, ErrLocked) {
		t.Errorf("second lock: %v", err)
	}
	if h := Holder(path); h != "me" {
		t.Errorf("holder %q", h)
	}
	l.Unlock()
	if h := Holder(path); h != "" {
		t.Errorf("holder of a free lock %q", h)
	}
	if l, err = TryLock(path, "you"); err != nil {
		t.Error(err)
	}
	l.Unlock()
}
