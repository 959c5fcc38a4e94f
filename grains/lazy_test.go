package grains_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pinch/grains"
	"pinch/sys"
	"pinch/value"
)

// A watched machine notes the files that are read and runs no command.
type watched struct {
	sys.Real
	read, ran []string
}

func (w *watched) ReadFile(path string) ([]byte, error) {
	w.read = append(w.read, path)
	return w.Real.ReadFile(path)
}

func (w *watched) Run(_ context.Context, c sys.Cmd) (sys.CmdResult, error) {
	w.ran = append(w.ran, c.Argv[0])
	return sys.CmdResult{}, errors.New("no commands here")
}

// TestOneGrain makes sure that a grain costs its own files only.
func TestOneGrain(t *testing.T) {
	for key, allowed := range map[string][]string{
		"os":        {"/etc/lsb-release", "/etc/os-release", "/usr/lib/os-release"},
		"num_cpus":  {"/proc/cpuinfo"},
		"mem_total": {"/proc/meminfo"},
		"kernel":    nil,
		"id":        nil,
		"ipv4":      nil,
	} {
		w := new(watched)
		g := grains.Core(grains.Host{Sys: w, Opts: value.M("id", "m1")})
		if !g.Has(key) {
			t.Errorf("%s is missing", key)
		}
		for _, path := range w.read {
			if !slices.Contains(allowed, path) && !strings.HasSuffix(path, "-release") {
				t.Errorf("%s: read %s", key, path)
			}
		}
		if len(w.ran) > 0 {
			t.Errorf("%s: ran %v", key, w.ran)
		}
	}
}

// TestNoCommands gathers everything without running a command, but for lvm.
func TestNoCommands(t *testing.T) {
	w := new(watched)
	grains.Core(grains.Host{Sys: w, Opts: value.M("id", "m1", "enable_fqdns_grains", false)}).Len()
	for _, name := range w.ran {
		if name != "lvm" {
			t.Errorf("ran %s", name)
		}
	}
}
