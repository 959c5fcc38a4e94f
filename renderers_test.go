package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// rendererDifferences are the files that render in another way than in Salt,
// and why.
var rendererDifferences = map[string]string{
	"sls none": nothing, "sls empty": nothing,
	"sls badstate":    noSLS,
	"sls import_salt": "the package salt that a file imports has that name, not the functions",
	"sls generator":   "what the file rendered to is shown",
	"sls f_py":        "the state's context is there in files of Python, too",
	"pillar pillarin": "__pillar__ is empty while the pillar is compiled",
}

const nothing = "nothing to do is no failure"

// TestRenderers renders SLS files and pillars of Python and Mako, good and
// bad ones, as recorded from Salt: every third file, all with $PINCH_ALL set.
func TestRenderers(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	mako := exec.Command("python3", "-c", "import mako").Run() == nil
	f := golden.Value(t, "saltutil/renderers.json").(*value.Map)
	var mu sync.Mutex
	good, skipped := 0, 0
	check := func(t *testing.T, key, diff string) {
		mu.Lock()
		defer mu.Unlock()
		switch reason := rendererDifferences[key]; {
		case diff == "" && reason != "":
			t.Errorf("%s is as in Salt now: remove it from rendererDifferences", key)
		case diff == "":
			good++
		case reason == "":
			t.Errorf("%s: %s", key, diff)
		}
	}
	files := value.M("srv/salt/empty2.sls", "z: {test.nop: []}\n", "srv/pillar/top.sls", "base: {'*': [it]}\n", "srv/pillar/it.sls", "p: pv\n", "srv/pillar/other.sls", "o: 1\n")
	for name, text := range f.Map("files").Items() {
		files.Set("srv/salt/"+name, text)
	}
	t.Run("cases", func(t *testing.T) {
		for _, kind := range []string{"sls", "pillar"} {
			for i, it := range f.List(kind).Items {
				if i%3 != 0 && os.Getenv("PINCH_ALL") == "" {
					continue
				}
				tc := it.(*value.Map)
				name := kind + " " + tc.Str("name")
				if tc.At("return") == nil || !mako && strings.Contains(tc.Str("text"), "mako") {
					skipped++
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					r := newCustomCase(t, value.M("config", value.M("custom_salt", "own", "pillar_mask_output", false, "id", "d"), "files", files))
					if kind == "sls" {
						r.put("srv/salt/"+tc.Str("name")+".sls", value.Str(r.here(tc.At("text"))))
						check(t, name, r.render(tc.At("rc"), tc.At("return"), "state.apply", tc.Str("name")))
						return
					}
					r.put("srv/pillar/it.sls", tc.Str("text"))
					diff := r.render(tc.At("rc"), tc.At("return"), "pillar.items")
					check(t, name, diff+r.render(tc.At("state_rc"), tc.At("state"), "state.apply", "empty2"))
				})
			}
		}
	})
	t.Logf("%d as in Salt, %d not, for known reasons, %d left out", good, len(rendererDifferences), skipped)
}

var lastLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`Traceback \(most recent call last\): <\.\.\.> `)
})

// render makes a call and says how its result differs.
func (r *customCase) render(code, want any, words ...string) string {
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"salt-call", "-c", r.root + "/etc", "--local", "--out=json", "-l", "quiet"}, words...)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	_ = cmd.Run()
	v, err := value.ParseJSON(r.normal(stdout.String()))
	if err != nil {
		return err.Error() + ": " + stdout.String()
	}
	got := untimed(ends(v.(*value.Map).At("local")))
	text := lastLine().ReplaceAllString(jsonOf(got), "TB ")
	if w := jsonOf(want); int64(cmd.ProcessState.ExitCode()) != code || !sameJSON(text, w) {
		return "exit code " + cmd.ProcessState.String() + "\n got " + text + "\nwant " + value.Str(code) + " " + w
	}
	return ""
}

// untimed leaves out of state returns what is never the same.
func untimed(v any) any {
	m, ok := v.(*value.Map)
	if !ok {
		return v
	}
	for _, it := range m.Items() {
		if ret, ok := it.(*value.Map); ok {
			ret.Pop("start_time")
			ret.Pop("duration")
		}
	}
	return m
}

func sameJSON(a, b string) bool {
	x, errX := value.ParseJSON(a)
	y, errY := value.ParseJSON(b)
	return errX == nil && errY == nil && value.Equal(x, y)
}
