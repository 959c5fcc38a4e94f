package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"pinch/value"
)

// profile starts the CPU profile that --enable-profiling asks for and returns
// what ends it. The folder --profiling-path gets a cpu and a heap profile for
// `go tool pprof`; their names begin with the time of the run.
func profile(opts *value.Map) (stop func() error, err error) {
	if !opts.Truth("profiling_enabled") {
		return func() error { return nil }, nil
	}
	dir := opts.Str("profiling_path")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, time.Now().Format("20060102T150405.000000"))
	cpu, err := os.Create(name + ".cpu.pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, errors.Join(err, cpu.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return errors.Join(cpu.Close(), writeHeap(name+".heap.pprof"))
	}, nil
}

// writeHeap writes what was allocated, and what of it is still in use.
func writeHeap(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("heap profile: %w", err)
	}
	runtime.GC()
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
