package state_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pinch/caller"
	"pinch/config"
	"pinch/modules/cmd"
	modconfig "pinch/modules/config"
	"pinch/modules/grains"
	"pinch/modules/match"
	"pinch/modules/module"
	"pinch/modules/pillar"
	"pinch/modules/state"
	"pinch/modules/test"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// A host is a folder with a configuration and trees, and calls functions there.
type host struct {
	t      testing.TB
	dir    string
	opts   *value.Map
	grains *value.Map
	extra  []*salt.Module
	run    *salt.Run // of the last call
}

// newHost writes files (paths below the folder) and options.
func newHost(t testing.TB, files map[string]string, opts *value.Map) *host {
	t.Helper()
	h := &host{t: t, dir: t.TempDir(), opts: value.M("id", "web1", "file_client", "local", "enable_gpu_grains", false)}
	h.opts.Set("root_dir", filepath.Join(h.dir, "var"))
	h.opts.Set("file_roots", value.M("base", value.L(filepath.Join(h.dir, "root"))))
	h.opts.Set("pillar_roots", value.M("base", value.L(filepath.Join(h.dir, "pillar"))))
	h.opts.Update(opts)
	for _, d := range []string{"root", "conf", "pillar", "var/var/cache/salt/minion"} {
		if err := os.MkdirAll(filepath.Join(h.dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range files {
		h.write(path, text)
	}
	return h
}

func (h *host) write(path, text string) {
	h.t.Helper()
	full := filepath.Join(h.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

func (h *host) registry() *salt.Registry {
	return salt.NewRegistry(append([]*salt.Module{&cmd.Module, &modconfig.Module, &grains.Module, &match.Module, &module.Module, &pillar.Module, &state.Module, &test.Module}, h.extra...)...)
}

// call calls a function as a new run of the program would; keywords are given
// as "k=v" words in YAML.
func (h *host) call(fun string, words ...string) (any, error) {
	h.t.Helper()
	conf, err := config.Load(config.Options{Dir: filepath.Join(h.dir, "conf"), Over: h.opts, Prog: "salt-call"})
	if err != nil {
		h.t.Fatal(err)
	}
	run := caller.New(caller.Options{Config: conf, Registry: h.registry(), Grains: h.grains})
	c := run.Ctx(context.Background())
	h.run = c.Run
	var args []any
	kw := new(value.Map)
	for _, w := range words {
		key, text, ok := cutWord(w)
		v, err := yaml.Load("argument", text)
		if err != nil {
			v = text
		}
		if ok {
			kw.Set(key, v)
		} else {
			args = append(args, v)
		}
	}
	f, err := run.Registry().Exec(c, fun)
	if err != nil {
		h.t.Fatal(err)
	}
	return f.Call(c, args, kw)
}

func cutWord(w string) (key, text string, ok bool) {
	for i, c := range w {
		if c == '=' && i > 0 {
			return w[:i], w[i+1:], true
		}
		if c != '_' && (c < 'a' || c > 'z') {
			break
		}
	}
	return "", w, false
}

// ret is the return of a run of states.
func (h *host) ret(fun string, words ...string) *value.Map {
	h.t.Helper()
	v, err := h.call(fun, words...)
	if err != nil {
		h.t.Fatal(err)
	}
	m, ok := v.(*value.Map)
	if !ok {
		h.t.Fatalf("%s %v: %s", fun, words, value.Repr(v))
	}
	return m
}
