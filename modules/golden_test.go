package modules

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pinch/caller"
	"pinch/config"
	"pinch/golden"
	"pinch/render"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// TestGolden makes the calls that were recorded from real Salt, each with a
// fresh tree, through a real run. Differences that are known stand in
// differences, with their reasons; one that is gone must be removed there.
func TestGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	f := golden.Value(t, "exec/cases.json").(*value.Map)
	defer syscall.Umask(syscall.Umask(0o022))
	good, known, absent := 0, map[string]int{}, map[string]int{}
	for _, it := range f.List("cases").Items {
		tc := it.(*value.Map)
		mod, _, _ := strings.Cut(tc.Str("function"), ".")
		if !slices.ContainsFunc(All, func(m *salt.Module) bool { return m.Name == mod && m.Exec != nil }) {
			absent[mod]++
			continue
		}
		t.Run(tc.Str("name"), func(t *testing.T) {
			reason := differences[tc.Str("name")]
			switch diff := newTrial(t, f, tc).run(); {
			case diff == "" && reason != "" && reason != open && reason != machine:
				t.Errorf("as in Salt now: remove it from differences (%s)", reason)
			case diff == "":
				good++
			case reason == "":
				t.Error(diff)
			default:
				known[reason]++
			}
		})
	}
	t.Logf("%d calls as in Salt", good)
	for _, reason := range slices.Sorted(maps.Keys(known)) {
		t.Logf("%d differ: %s", known[reason], reason)
	}
	t.Logf("modules that are not here: %v", absent)
}

// A trial is one recorded call in a tree of its own.
type trial struct {
	t    *testing.T
	root string
	tc   *value.Map
	opts *value.Map
}

func newTrial(t *testing.T, f, tc *value.Map) *trial {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &trial{t: t, root: root, tc: tc}
	for _, dir := range []string{"w", "etc/salt", "srv/salt", "srv/pillar", "cache", "home", "run"} {
		r.must(os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	r.opts = r.here(f.Map("config")).(*value.Map).Shallow()
	if c := tc.Map("config"); c != nil {
		r.opts.Update(r.here(c).(*value.Map))
	}
	for _, env := range []*value.Map{f.Map("env"), tc.Map("env")} {
		for k, v := range env.Items() {
			t.Setenv(k, value.Str(r.here(v)))
		}
	}
	for path, spec := range tc.Map("files").Items() {
		r.put(filepath.Join(root, path), spec)
	}
	t.Chdir(filepath.Join(root, "w"))
	for _, line := range items(tc.List("setup")) {
		cmd := exec.Command("bash", "-e", "-c", value.Str(r.here(line)))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("this machine cannot set it up: %s: %v %s", line, err, out)
		}
	}
	return r
}

func (r *trial) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// put writes one file of the tree.
func (r *trial) put(path string, spec any) {
	r.must(os.MkdirAll(filepath.Dir(path), 0o755))
	m, ok := spec.(*value.Map)
	if !ok {
		m = value.M("text", spec)
	}
	if m.Has("link") {
		r.must(os.Symlink(value.Str(r.here(m.At("link"))), path))
		return
	}
	mode := fs.FileMode(0o644)
	if m.Truth("dir") {
		mode = 0o755
		r.must(os.MkdirAll(path, mode))
	} else {
		data := []byte(value.Str(r.here(m.At("text"))))
		if m.Has("base64") {
			var err error
			data, err = base64.StdEncoding.DecodeString(m.Str("base64"))
			r.must(err)
		}
		r.must(os.WriteFile(path, data, mode))
	}
	if m.Has("mode") {
		n, err := strconv.ParseUint(m.Str("mode"), 8, 32)
		r.must(err)
		mode = sys.Mode(uint32(n))
	}
	r.must(os.Chmod(path, mode))
	if age, ok := m.At("age").(int64); ok {
		then := time.Now().Add(-time.Duration(age) * time.Second)
		r.must(os.Chtimes(path, then, then))
	}
}

// run makes the call and says what differs, "" if nothing does.
func (r *trial) run() (diff string) {
	conf := filepath.Join(r.root, "etc/salt/minion")
	if !r.opts.Has("pillar_mask_output") {
		r.opts.Set("pillar_mask_output", true) // Salt's default
	}
	text, err := value.JSON(r.opts, value.JSONOptions{})
	r.must(err)
	r.must(os.WriteFile(conf, []byte(text), 0o644))
	c, err := config.Load(config.Options{Dir: filepath.Dir(conf)})
	r.must(err)
	before := r.snapshot()
	run := caller.New(caller.Options{Config: c, Registry: Registry()})
	defer func() {
		if p := recover(); p != nil {
			diff = fmt.Sprintf("panic: %v", p)
		}
	}()
	var args []any
	if l := r.tc.List("args"); l != nil {
		args = r.here(l).(*value.List).Items
	}
	kw, _ := r.here(r.tc.Map("kwargs")).(*value.Map)
	ctx := run.Ctx(context.Background())
	ctx.Mask = strings.HasPrefix(r.tc.Str("function"), "pillar.")
	got, err := run.CallFunc(ctx, r.tc.Str("function"), args, kw)
	if ctx.Mask && err == nil { // the caller unmasks what it passes on
		f, _ := run.Registry().Exec(ctx, r.tc.Str("function"))
		got, err = f.Call(ctx, args, kw)
	}
	if diff := r.answer(got, err); diff != "" {
		return diff
	}
	return r.after(before)
}

// answer compares the value or the error.
func (r *trial) answer(got any, err error) string {
	want := r.tc.Map("expected")
	if e := want.Map("error"); e != nil {
		class, msg := describe(err)
		text := r.there(msg).(string)
		if class != e.Str("class") || class != "missing" && text != e.Str("message") {
			return fmt.Sprintf("error %q %q (value %s)\n   want %q %q", class, text, value.Repr(got), e.Str("class"), e.Str("message"))
		}
		return ""
	}
	if err != nil {
		return fmt.Sprintf("error %v\n   want %s", err, value.Repr(want))
	}
	if shape, ok := want.Get("shape"); ok {
		return misshapen(got, shape, "")
	}
	have, wish := r.there(plain(got)), special(want.At("value"))
	if r.tc.Str("compare") == "unordered" {
		have, wish = sorted(have), sorted(wish)
	}
	if !same(have, wish) {
		return fmt.Sprintf("got  %s\n   want %s", canon(have), canon(wish))
	}
	return ""
}

// describe gives an error's Python class and text.
func describe(err error) (class, msg string) {
	var x *value.Exception
	var l *salt.LookupError
	var r *render.Error
	switch {
	case err == nil:
		return "", ""
	case errors.As(err, &r):
		return "SaltRenderError", r.Error()
	case errors.As(err, &l):
		return "missing", ""
	case errors.As(err, &x):
		return x.Class, x.Msg
	}
	return fmt.Sprintf("%T", err), err.Error()
}

func items(l *value.List) []any {
	if l == nil {
		return nil
	}
	return l.Items
}
