package git_test

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pinch/modules/cmd"
	"pinch/modules/git"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// The steps of testdata/states.json were made with Salt on the same
// repositories: dates and authors are fixed, so that the hashes are, too.
func TestStory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w := t.TempDir()
	config := filepath.Join(w, ".gitconfig")
	if err := os.WriteFile(config, []byte("[user]\nname=A\nemail=a@x\n[protocol \"file\"]\nallow=always\n[init]\ndefaultBranch=main\n[advice]\ndetachedHead=false\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"HOME": w, "GIT_CONFIG_GLOBAL": config, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"} {
		t.Setenv(k, v)
	}
	text, err := os.ReadFile("testdata/states.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(text))
	if err != nil {
		t.Fatal(err)
	}
	story := v.(*value.Map)
	bash(t, w, "set -e\n"+story.Str("setup"))
	full := hash(t, w, "src", "main")
	put := strings.NewReplacer("$W", w, "$SHA1", hash(t, w, "src", "main~1"), "$SHA2", full, "$SHORT2", full[:8])
	sup := hash(t, w, "sup", "main")
	host := engine{reg: salt.NewRegistry(&git.Module, &cmd.Module)}
	same, differ := 0, 0
	for i, it := range story.List("steps").Items {
		step := it.(*value.Map)
		if s := step.Str("shell"); s != "" {
			bash(t, w, s)
		}
		kw := new(value.Map)
		for k, v := range step.Map("args").Items() {
			if s, ok := v.(string); ok {
				v = put.Replace(s)
			}
			kw.Set(k, v)
		}
		c := (&salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: new(value.Map), Run: salt.NewRun(), Env: "base", Host: host}).With(step.Truth("test"))
		got := answer(git.Module.States()[step.Str("fun")].Call(c, nil, kw))
		got = strings.NewReplacer(w, "$W", sup, "$SUP").Replace(got)
		want := value.Repr(step.At("result")) + " " + value.Repr(step.At("changes")) + " " + step.Str("comment") + " " + value.Repr(step.At("warnings"))
		if got != want {
			t.Errorf("step %d: git.%s %s\n got %s\nwant %s", i, step.Str("fun"), value.Repr(step.Map("args")), got, want)
		}
		if step.Has("differs") {
			differ++
		} else if got == want {
			same++
		}
	}
	t.Logf("%d steps as in Salt, %d differ on purpose", same, differ)
}

// answer is a result on one line. Sets are text in the recording.
func answer(v any, err error) string {
	if err != nil {
		return "False {} An exception occurred in this state: salt.exceptions.CommandExecutionError: " + err.Error() + " None"
	}
	r := v.(salt.Result).Map("")
	changes := new(value.Map)
	for k, v := range r.Map("changes").Items() {
		if s, ok := v.(*value.Set); ok {
			v = value.Repr(s)
		}
		changes.Set(k, v)
	}
	return value.Repr(r.At("result")) + " " + value.Repr(changes) + " " + r.Str("comment") + " " + value.Repr(r.At("warnings"))
}

func hash(t *testing.T, w, repo, rev string) string {
	t.Helper()
	out, err := exec.Command("git", "-C", filepath.Join(w, repo), "rev-parse", rev).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func bash(t *testing.T, dir, script string) {
	t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s: %v %s", script, err, out)
	}
}
