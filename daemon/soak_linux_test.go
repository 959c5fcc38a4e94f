package daemon

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"pinch/value"
)

// Ten thousand scheduled runs and a hundred thousand file events leave neither
// goroutines nor memory behind.
func TestSoak(t *testing.T) {
	if testing.Short() || os.Getenv("PINCH_SOAK") == "" {
		t.Skip("only with $PINCH_SOAK")
	}
	dir := t.TempDir()
	_, read := load(t, value.M("schedule", value.M("j", value.M("function", "test.ping", "seconds", int64(1), "maxrunning", int64(5))),
		"beacons", value.M("inotify", value.L(value.M("files", value.M(dir, value.M("mask", value.L("create", "delete"))))))))
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon(t, read)
		runs, events := 0, 0
		sub := d.bus.Subscribe(nil)
		go func() {
			for e := range sub.C {
				switch {
				case e.Tag == "__schedule_return":
					runs++
				case value.Fnmatch(e.Tag, "salt/beacon/dm/inotify/*"):
					events++
				}
			}
		}()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan bool)
		go func() { _ = d.Run(ctx); close(done) }()
		var begin, end runtime.MemStats
		first, rss := 0, 0
		for n := range 10000 {
			for range 5 {
				file := filepath.Join(dir, "f")
				if err := os.WriteFile(file, nil, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Second)
			if n == 500 {
				runtime.GC()
				runtime.ReadMemStats(&begin)
				first, rss = runtime.NumGoroutine(), resident(t, "VmRSS")>>10
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&end)
		last := runtime.NumGoroutine()
		cancel()
		<-done
		d.bus.Close()
		synctest.Wait()
		t.Logf("%d runs, %d file events; heap %d -> %d kB, resident %d -> %d kB, goroutines %d -> %d", runs, events, begin.HeapAlloc>>10, end.HeapAlloc>>10, rss, resident(t, "VmRSS")>>10, first, last)
		if runs < 9900 || events < 99000 || last > first+2 || end.HeapAlloc > begin.HeapAlloc+(2<<20) {
			t.Error("something is lost, or left behind")
		}
	})
}
