package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pinch/golden"
	"pinch/value"
)

// customDifferences are the steps (case and number from 0) whose outcome
// differs from Salt's, and why.
var customDifferences = map[string]string{
	"sync-autoload-off 0": noSLS, "py-custom-states-3 2": noSLS, "py-custom-states-5 4": noSLS, "py-custom-states-5 5": noSLS,
	"py-custom-states-virtual-false 1": noSLS, "py-custom-states-1 2": noSLS, "py-custom-states-1 3": noSLS, "py-custom-states-4 5": noSLS,
	"refresh_pillar-0 0": atOnce, "refresh_pillar-2 0": atOnce, "refresh_modules-0 0": atOnce, "refresh_modules-1 0": atOnce,
	"refresh_modules-2 0": atOnce, "refresh_beacons-0 0": atOnce, "py-blackout 1": atOnce,
	"update-0 0": "updates itself, without esky", "update-1 0": "updates itself, without esky",
	"runner-0 0": local, "runner-4 0": local, "runner-5 0": local, "wheel-0 0": local, "cmd-0 0": local, "cmd_iter-0 0": local,
	"wheel-1 0": crash, "mmodule-2 0": crash, "py-outputter 3": crash,
	"py-arg-types 1":         "times of day stay text",
	"py-whitelist-modules 3": "the manuals are ours",
	"mmodule-0 0":            crash, "mmodule-4 0": crash, "regen-keys-empty 0": crash, "py-custom-states-1 4": crash, "py-custom-states-1 5": crash,
	"py-custom-states-3 5": crash, "py-sls 1": crash,
	"py-exceptions 16":        "a KeyboardInterrupt that a module raises is its error",
	"py-virtual 17":           "lists modules that Salt has and pinch has not",
	"py-custom-states-5 2":    "the mistake is shown with its place",
	"py-custom-states-exit 1": exits, "py-grains-exit 1": "grains are gathered when they are read; " + exits, "py-sls 14": exits,
	"py-grains-print 1":        "what a module prints goes to stderr",
	"py-renderers 4":           "an unknown renderer is an error instead of nothing",
	"py-sls 9":                 "nothing to do is no failure",
	"py-pillar 0":              "the pillar is compiled once",
	"py-ext-pillar 1":          "the pillar is compiled once",
	"py-executor 0":            "executors of the tree can be synced although they are configured",
	"py-executor 1":            "executors of the tree can be synced although they are configured",
	"py-executor 2":            "executors of the tree can be synced although they are configured",
	"py-executor-chain-none 0": "executors of the tree can be synced although they are configured",
	"py-executor-chain-none 1": "executors of the tree can be synced although they are configured",
	"py-sdb 0":                 sdbFirst, "py-sdb 1": sdbFirst, "py-sdb 2": sdbFirst, "py-sdb 3": sdbFirst, "py-sdb 4": sdbFirst,
	"py-states-unsynced 0": "state.apply of SLS files syncs, too", "py-states-unsynced 1": "state.single syncs, too", "sync-state-module 0": "state.single syncs, too",
	"sync-all-empty tree": empty, "sync-modules-missing-env tree": empty, "sync-modules-empty-env tree": empty,
}

const (
	noSLS    = "a state that did not run has __sls__, __id__ and times, too"
	atOnce   = "is done at once, without a daemon"
	local    = "answers for this machine without a master"
	crash    = "a crash of Salt's: it answers instead"
	exits    = "sys.exit fails the call that called it, the run goes on"
	sdbFirst = "sdb drivers of the tree can be synced although the configuration needs them"
	empty    = "nothing is noted when nothing was synced"
)

// TestCustom runs saltutil's functions and custom Python modules as recorded
// from Salt, through the program itself: every fourth case, all with
// $PINCH_ALL set.
func TestCustom(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	f := golden.Value(t, "saltutil/cases.json").(*value.Map)
	all := os.Getenv("PINCH_ALL") != ""
	var mu sync.Mutex
	good, known := 0, map[string]int{}
	seen := map[string]bool{}
	t.Run("cases", func(t *testing.T) {
		for i, it := range f.List("cases").Items {
			tc := it.(*value.Map)
			if i%4 != 1 && !all {
				continue
			}
			t.Run(tc.Str("name"), func(t *testing.T) {
				t.Parallel()
				r := newCustomCase(t, tc)
				r.run(func(step, diff string) {
					key := tc.Str("name") + " " + step
					mu.Lock()
					defer mu.Unlock()
					seen[key] = true
					switch reason := customDifferences[key]; {
					case diff == "" && reason != "":
						t.Errorf("%s is as in Salt now: remove it from customDifferences", key)
					case diff == "":
						good++
					case reason != "":
						known[reason]++
					default:
						t.Errorf("%s: %s", key, diff)
					}
				})
			})
		}
	})
	for key := range customDifferences {
		if !seen[key] && all {
			t.Errorf("there is no step %s", key)
		}
	}
	t.Logf("%d outcomes as in Salt", good)
	for _, reason := range slices.Sorted(maps.Keys(known)) {
		t.Logf("%d differ: %s", known[reason], reason)
	}
}

type customCase struct {
	t    *testing.T
	root string
	tc   *value.Map
	jid  string
	// sleeper is the job's process that the case begins with, if it has one.
	sleeper *exec.Cmd
	ended   chan struct{}
}

func newCustomCase(t *testing.T, tc *value.Map) *customCase {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &customCase{t: t, root: root, tc: tc}
	if tc.Truth("sleep") {
		r.sleep()
	}
	conf := value.M("id", "minion", "pillar_mask_output", true, "root_dir", root, "file_client", "local", "file_roots", value.M("base", value.L(root+"/srv/salt")),
		"pillar_roots", value.M("base", value.L(root+"/srv/pillar")), "log_level", "error", "fileserver_list_cache_time", int64(0), "pki_dir", "/etc/pki",
		"keysize", int64(2048))
	conf.Update(r.here(tc.Map("config")).(*value.Map))
	text, err := value.JSON(conf, value.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.put("etc/minion", text)
	for path, text := range tc.Map("files").Items() {
		r.put(path, value.Str(r.here(text)))
	}
	for _, kind := range []string{"proc", "queue"} {
		for path, v := range tc.Map(kind).Items() {
			if !strings.Contains(path, "/") {
				path = kind + "/" + path
			}
			data, err := value.Msgpack(r.here(v))
			if err != nil {
				t.Fatal(err)
			}
			r.put("var/cache/salt/minion/"+path, string(data))
		}
	}
	return r
}

// here puts the case's own folder in.
func (r *customCase) here(v any) any {
	switch v := v.(type) {
	case string:
		if v == "<SLEEP>" && r.sleeper != nil {
			return int64(r.sleeper.Process.Pid)
		}
		return strings.ReplaceAll(strings.ReplaceAll(v, "<ROOT>", r.root), "<JID>", r.jid)
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(r.here(it))
		}
		return l
	case *value.Map:
		m := new(value.Map)
		for k, it := range v.Items() {
			m.Set(r.here(k).(string), r.here(it))
		}
		return m
	}
	return v
}

// sleep starts a process for a job that is under way.
func (r *customCase) sleep() {
	r.sleeper, r.ended = exec.Command("sleep", "600"), make(chan struct{})
	if err := r.sleeper.Start(); err != nil {
		r.t.Fatal(err)
	}
	go func() {
		_ = r.sleeper.Wait()
		close(r.ended)
	}()
	r.t.Cleanup(func() {
		_ = r.sleeper.Process.Kill()
		<-r.ended
	})
}

// alive compares whether that process is there still.
func (r *customCase) alive(want any) string {
	got := true
	wait := 10 * time.Second
	if want == true {
		wait = 300 * time.Millisecond
	}
	select {
	case <-r.ended:
		got = false
	case <-time.After(wait):
	}
	if got != want {
		return fmt.Sprintf("the job's process is there: %v, want %v", got, want)
	}
	return ""
}

func (r *customCase) put(path, text string) {
	path = filepath.Join(r.root, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *customCase) run(done func(step, diff string)) {
	expected := r.tc.Map("expected")
	for i, it := range r.tc.List("steps").Items {
		step := it.(*value.Map)
		switch {
		case step.Has("write"):
			for path, text := range step.Map("write").Items() {
				r.put(path, value.Str(r.here(text)))
			}
		case step.Has("remove"):
			if err := os.Remove(filepath.Join(r.root, step.Str("remove"))); err != nil {
				r.t.Fatal(err)
			}
		case step.Has("jid"):
			entries, _ := os.ReadDir(filepath.Join(r.root, "var/cache/salt/minion/minion_jobs"))
			if len(entries) > 0 {
				r.jid = entries[len(entries)-1].Name()
			}
		default:
			done(fmt.Sprint(i), r.call(step, expected.List("steps").Items[i].(*value.Map)))
		}
	}
	if want := expected.Map("tree"); want != nil {
		done("tree", r.tree(want))
	}
	if want, ok := expected.Get("alive"); ok {
		done("alive", r.alive(want))
	}
	for path, want := range expected.Map("files").Items() {
		done("file "+path, r.file(path, want))
	}
}

// call runs one step and says what differs.
func (r *customCase) call(step, want *value.Map) string {
	line := []string{"salt-call", "-c", r.root + "/etc", "--local", "-l", "error"}
	if l := step.Str("loglevel"); l != "" {
		line[len(line)-1] = l
	}
	words := []string{}
	given := false
	for _, w := range r.here(step.List("call")).(*value.List).Items {
		words = append(words, value.Str(w))
		given = given || strings.HasPrefix(value.Str(w), "--out")
	}
	if out, ok := step.Get("out"); !given && (!ok || out != nil) {
		name := "json"
		if ok {
			name = value.Str(out)
		}
		line = append(line, "--out="+name)
	}
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append(line, words...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.root, &stdout, &stderr
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	_ = cmd.Run()
	out, msg := r.normal(stdout.String()), r.normal(stderr.String())
	if code := cmd.ProcessState.ExitCode(); int64(code) != want.At("rc") {
		return fmt.Sprintf("%v: exit code %d, want %v\n%s%s", words, code, want.At("rc"), out, msg)
	}
	if v, ok := want.Get("return"); ok {
		got, err := value.ParseJSON(out)
		if err != nil {
			return fmt.Sprintf("%v: stdout %q, stderr %q", words, out, msg)
		}
		w, _ := value.ParseJSON(r.normal(jsonOf(v)))
		if got = ends(got); !value.Equal(got, w) {
			return fmt.Sprintf("%v:\n got %s\nwant %s", words, jsonOf(got), jsonOf(w))
		}
		return ""
	}
	// The manual after wrong arguments is ours.
	if w := want.Str("stdout"); w != "<DOCSTRING>" && w != "None\n" && out != r.normal(w) {
		return fmt.Sprintf("%v:\nstdout %q\n  want %q\nstderr %q", words, out, w, msg)
	}
	if w := r.normal(want.Str("stderr_first")); !want.Truth("traceback") && !strings.Contains(msg, w) {
		return fmt.Sprintf("%v: stderr %q, want %q", words, msg, w)
	}
	if w := r.normal(want.Str("stderr_last")); want.Truth("traceback") && strings.Contains(w, "Error: ") && !strings.Contains(msg, w[strings.Index(w, ": ")+2:]) {
		return fmt.Sprintf("%v: stderr %q, want the end %q", words, msg, w)
	}
	return ""
}

func jsonOf(v any) string {
	s, _ := value.JSON(v, value.JSONOptions{})
	return s
}

var varying = sync.OnceValue(func() []struct {
	re *regexp.Regexp
	by string
} {
	type rule = struct {
		re *regexp.Regexp
		by string
	}
	return []rule{
		{regexp.MustCompile(`\b20\d{18}\b`), "<JID>"},
		{regexp.MustCompile(`"start_time": "[0-9:.]+"`), `"start_time": "<TIME>"`},
		{regexp.MustCompile(`"duration": [0-9.e-]+`), `"duration": "<DURATION>"`},
		{regexp.MustCompile(`"__pub_pid": \d+`), `"__pub_pid": "<PID>"`},
		{regexp.MustCompile(`Started: [0-9:.]+`), "Started: <TIME>"},
		{regexp.MustCompile(`0x[0-9a-f]{6,}`), "<ADDR>"},
	}
})

func (r *customCase) normal(s string) string {
	s = strings.ReplaceAll(s, r.root, "<ROOT>")
	if r.sleeper != nil {
		pid := fmt.Sprint(r.sleeper.Process.Pid)
		s = strings.ReplaceAll(s, `"pid": `+pid, `"pid": "<SLEEP>"`)
		s = regexp.MustCompile(`\b`+pid+`\b`).ReplaceAllString(s, "<SLEEPPID>")
	}
	for _, v := range varying() {
		s = v.re.ReplaceAllString(s, v.by)
	}
	return s
}

var traceback = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)Traceback \(most recent call last\):.*\n(\S[^\n]*)\n?$`)
})

// ends leaves of each traceback the last line, as the recording does.
func ends(v any) any {
	switch v := v.(type) {
	case string:
		return traceback().ReplaceAllString(v, "Traceback (most recent call last): <...> $1")
	case *value.List:
		for i, it := range v.Items {
			v.Items[i] = ends(it)
		}
	case *value.Map:
		for k, it := range v.Items() {
			v.Set(k, ends(it))
		}
	}
	return v
}

// tree compares what lies below cachedir; caches of Salt's own do not count.
func (r *customCase) tree(want *value.Map) string {
	var diff []string
	for path, v := range want.Items() {
		skip := false
		for _, part := range []string{"file_lists", "/roots/", "accumulator", "/files/", "/minion_jobs/", "/proc/"} {
			skip = skip || strings.Contains(path, part)
		}
		if skip || path == "var/cache/salt/minion/extmods/" {
			continue
		}
		i, err := os.Lstat(filepath.Join(r.root, path))
		if err != nil {
			diff = append(diff, path+" is not there")
			continue
		}
		if strings.HasSuffix(path, "/module_refresh") { // for its owner alone, as all of the cache
			v = strings.Replace(value.Str(v), "644", "600", 1)
		}
		got := fmt.Sprintf("%o", i.Mode().Perm())
		if strings.Contains(value.Str(v), " ") {
			got += fmt.Sprintf(" %d", i.Size())
		}
		if got != v {
			diff = append(diff, fmt.Sprintf("%s is %s, want %v", path, got, v))
		}
	}
	return strings.Join(diff, "; ")
}

func (r *customCase) file(path string, want any) string {
	b, err := os.ReadFile(filepath.Join(r.root, path))
	if err != nil {
		return err.Error()
	}
	lines := new(value.List)
	for line := range strings.Lines(string(b)) {
		line = r.normal(strings.TrimSuffix(line, "\n"))
		if v, err := value.ParseJSON(line); err == nil {
			lines.Append(v)
			continue
		}
		lines.Append(line)
	}
	if w, _ := value.ParseJSON(r.normal(jsonOf(want))); !value.Equal(lines, w) {
		return fmt.Sprintf("%s:\n got %s\nwant %s", path, jsonOf(lines), jsonOf(w))
	}
	return ""
}
