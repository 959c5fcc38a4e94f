package state_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pinch/golden"
	"pinch/modules/file"
	"pinch/modules/test"
	"pinch/salt"
	"pinch/value"
)

// slowed is a module whose functions that may run beside others take a while,
// so that they end in another order than they began. most is how many ran at
// the same time.
func slowed(m *salt.Module, most *atomic.Int32) *salt.Module {
	var now atomic.Int32
	funcs := salt.Funcs{}
	for name, fn := range m.States() {
		if fn.Touches != nil {
			inner := fn
			fn = salt.Dynamic(*inner.Signature(), func(c *salt.Ctx, args []any, kw *value.Map) (any, error) {
				n := now.Add(1)
				defer now.Add(-1)
				for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
				}
				time.Sleep(time.Duration(rand.IntN(400)) * time.Microsecond)
				return inner.Call(c, args, kw)
			}).Touching(inner.Touches)
		}
		funcs[name] = fn
	}
	return &salt.Module{Name: m.Name, States: func() salt.Funcs { return funcs }}
}

// TestGraphsParallel applies Salt's random trees with independent states at
// the same time: the returns are those of Salt's serial runs.
func TestGraphsParallel(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	z, err := gzip.NewReader(bytes.NewReader(golden.Bytes(t, "graphs/open.json.gz")))
	if err != nil {
		t.Fatal(err)
	}
	var trees struct{ Trees []graphTree }
	if err := json.NewDecoder(z).Decode(&trees); err != nil {
		t.Fatal(err)
	}
	var most atomic.Int32
	slow := slowed(&test.Module, &most)
	for i, tree := range trees.Trees {
		if testing.Short() && i%10 != 0 {
			continue
		}
		for _, run := range tree.Runs {
			if run.Name != "apply" && run.Name != "test" {
				continue
			}
			if diff := tryGraph(t, tree, run, func(h *host) {
				h.opts.Set("parallel_states", "auto")
				h.extra = append(h.extra, slow)
			}); diff != "" {
				t.Errorf("seed %d %s: %s", tree.Seed, run.Name, diff)
			}
		}
	}
	if most.Load() < 2 {
		t.Error("no two states ran at the same time")
	}
}

// TestFilesParallel runs random states on few paths, which lie below each
// other and are links to each other, one after another and in parallel: the
// returns and what is on the disk are the same.
func TestFilesParallel(t *testing.T) {
	var most atomic.Int32
	slow := slowed(&file.Module, &most)
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		sls := randomFiles(rnd)
		h := newHost(t, map[string]string{"root/s.sls": sls, "root/src": "one\ntwo\n"}, value.M("id", "files"))
		out := filepath.Join(h.dir, "out")
		var returns, disks [2]string
		for i, mode := range []any{false, "auto"} {
			h.opts.Set("parallel_states", mode)
			h.extra = []*salt.Module{slow}
			h.opts.Set("pillar", nil)
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			for _, d := range []string{"/d/sub", "/e"} {
				if err := os.MkdirAll(out+d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			got, err := h.call("state.apply", "s", "pillar={out: "+out+"}")
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, sls)
			}
			m, ok := got.(*value.Map)
			if !ok {
				t.Fatalf("seed %d: %v\n%s", seed, got, sls)
			}
			for _, v := range m.All() {
				ret := v.(*value.Map)
				ret.Pop("start_time")
				ret.Pop("duration")
			}
			returns[i], _ = value.JSON(m, value.JSONOptions{Indent: 1})
			disks[i] = disk(t, out)
		}
		if returns[0] != returns[1] || disks[0] != disks[1] {
			t.Errorf("seed %d:\n%s\none after another:\n%s\n%s\nin parallel:\n%s\n%s", seed, sls, returns[0], disks[0], returns[1], disks[1])
			return
		}
	}
	if most.Load() < 2 {
		t.Error("no two states ran at the same time")
	}
}

func randomFiles(rnd *rand.Rand) string {
	paths := []string{"a", "b", "c", "d", "d/x", "d/sub", "d/sub/y", "e/z", "e", "new/deep/f", "new/deep/g", "l", "l/x", "m"}
	pick := func() string { return paths[rnd.IntN(len(paths))] }
	var b strings.Builder
	for i := range 14 {
		p := "{{ pillar['out'] }}/" + pick()
		q := "{{ pillar['out'] }}/" + pick()
		fmt.Fprintf(&b, "s%d:\n", i)
		switch rnd.IntN(11) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "  file.managed:\n    - name: %s\n    - contents: c%d\n    - makedirs: %v\n    - mode: %s\n", p, i, rnd.IntN(2) == 0, []string{"'0600'", "'0644'"}[rnd.IntN(2)])
		case 3:
			fmt.Fprintf(&b, "  file.managed:\n    - name: %s\n    - source: %s\n    - backup: .bak\n", p, []string{"salt://src", q}[rnd.IntN(2)])
		case 4:
			fmt.Fprintf(&b, "  file.absent:\n    - name: %s\n", p)
		case 5:
			fmt.Fprintf(&b, "  file.directory:\n    - name: %s\n    - makedirs: true\n    - mode: '0711'\n    - recurse: [mode]\n", p)
		case 6:
			fmt.Fprintf(&b, "  file.symlink:\n    - name: %s\n    - target: %s\n    - force: %v\n", p, q, rnd.IntN(2) == 0)
		case 7:
			fmt.Fprintf(&b, "  file.append:\n    - name: %s\n    - text: line %d\n", p, i)
		case 8:
			fmt.Fprintf(&b, "  file.copy:\n    - name: %s\n    - source: %s\n    - force: true\n", p, q)
		case 9:
			fmt.Fprintf(&b, "  file.replace:\n    - name: %s\n    - pattern: c.\n    - repl: r%d\n    - append_if_not_found: true\n", p, i)
		case 10:
			fmt.Fprintf(&b, "  file.touch:\n    - name: %s\n", p)
		}
		switch rnd.IntN(8) {
		case 0:
			fmt.Fprintf(&b, "    - require: [s%d]\n", rnd.IntN(i+1)*i/(i+1))
		case 1:
			fmt.Fprintf(&b, "    - onchanges: [s%d]\n", rnd.IntN(i+1)*i/(i+1))
		case 2:
			fmt.Fprintf(&b, "    - unless: test -e %s\n", q)
		case 3:
			fmt.Fprintf(&b, "    - onfail: [s%d]\n", rnd.IntN(i+1)*i/(i+1))
		}
	}
	// No state may require itself.
	lines := strings.Split(b.String(), "\n")
	id := ""
	kept := lines[:0]
	for _, l := range lines {
		if strings.HasPrefix(l, "s") {
			id = strings.TrimSuffix(l, ":")
		}
		if !strings.HasSuffix(l, "["+id+"]") {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// disk shows all that is below a folder.
func disk(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", strings.TrimPrefix(path, dir), i.Mode())
		switch {
		case i.Mode().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", text)
		case i.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " → %s", to)
		}
		b.WriteByte('\n')
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
