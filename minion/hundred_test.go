package minion

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pinch/config"
	"pinch/modules"
)

// TestHundred holds a hundred minions of the real master at $PINCH_MASTER
// (host:port) in this process for $PINCH_HOLD; .ci/minion-numbers asks them.
func TestHundred(t *testing.T) {
	addr := os.Getenv("PINCH_MASTER")
	if addr == "" {
		t.Skip("PINCH_MASTER names no master")
	}
	hold, err := time.ParseDuration(os.Getenv("PINCH_HOLD"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hold)
	defer cancel()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var all sync.WaitGroup
	for i := range 100 {
		root := filepath.Join(t.TempDir(), "r")
		if err := os.MkdirAll(filepath.Join(root, "etc"), 0o755); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("{root_dir: %s, id: h%03d, master: %q, keysize: 2048, auth_timeout: 60}\n", root, i, addr)
		if err := os.WriteFile(filepath.Join(root, "etc/minion"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := New(Options{Registry: modules.Registry(), Log: log, Bare: true, Load: func() (*config.Config, error) {
			return config.Load(config.Options{Dir: filepath.Join(root, "etc"), Prog: "salt-minion"})
		}})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			time.Sleep(time.Duration(i) * 100 * time.Millisecond)
			if err := m.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
