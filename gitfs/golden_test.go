package gitfs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pinch/golden"
	"pinch/value"
)

type recordedTree struct {
	Files, Dirs []string
	Links       map[string]string
	Hashes      map[string][2]string // path → mode, sha256
}

// TestSalt compares environments, lists and contents with what Salt's gitfs
// has for the same repository and options.
func TestSalt(t *testing.T) {
	needGit(t)
	var rec struct {
		URL   string
		Cases []struct {
			Name   string
			Opts   json.RawMessage
			Remote json.RawMessage
			Envs   []string
			Trees  map[string]string
		}
		Trees map[string]recordedTree
	}
	golden.Read(t, "gitfs/cases.json", &rec)
	dir := filepath.Join(t.TempDir(), "repo")
	if out, err := exec.Command(filepath.Join(golden.Dir(), "gitfs", "make.sh"), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Salt's git fetches the tags of all commits that it gets on the way,
	// whatever the refspecs say; here the refspecs decide.
	known := map[string][]string{"refspecs": {"v1.0", "v1.1"}}
	differ := 0
	for _, c := range rec.Cases {
		t.Run(c.Name, func(t *testing.T) {
			opts := parseJSON(t, string(c.Opts)).(*value.Map)
			if !opts.Has("gitfs_base") {
				opts.Set("gitfs_base", "master")
			}
			opts.Set("gitfs_remotes", value.L(parseJSON(t, strings.ReplaceAll(string(c.Remote), rec.URL, "file://"+dir))))
			s := &setup{t: t, opts: opts, o: Options{Dir: t.TempDir()}}
			fs := s.run()
			skip := known[c.Name]
			envs, err := fs.Envs(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(c.Envs)
			want := slices.DeleteFunc(c.Envs, func(e string) bool { return slices.Contains(skip, e) })
			if d := cmp.Diff(want, envs); d != "" {
				t.Errorf("environments (-salt +ours):\n%s\n%s", d, s.log.String())
			}
			for env, key := range c.Trees {
				if slices.Contains(skip, env) {
					differ++
					continue
				}
				want := rec.Trees[key]
				if c.Name == "fallback" && env == "nothing" {
					// Salt serves the files of the fallback without its links.
					if differ++; len(want.Links) != 0 {
						t.Error("the recorded tree has links now")
					}
					want.Links = rec.Trees[c.Trees["dev"]].Links
				}
				compareTree(t, fs, env, want)
			}
		})
	}
	if differ != 3 {
		t.Errorf("%d known differences, want 3", differ)
	}
}

func parseJSON(t *testing.T, s string) any {
	t.Helper()
	v, err := value.ParseJSON(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func compareTree(t *testing.T, fs *FS, env string, want recordedTree) {
	t.Helper()
	l, err := fs.List(context.Background(), env)
	if err != nil {
		t.Fatal(err)
	}
	got := recordedTree{l.Files, l.Dirs, l.Links, map[string][2]string{}}
	probes := append([]string{"web/files", "dirlink/run.sh", "../top.sls", "deep/a/b/c", "web//init.sls"}, l.Files...)
	for _, p := range probes {
		f, err := fs.Find(context.Background(), p, env)
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			continue
		}
		mode := "0o100644"
		if f.Mode == 0o755 {
			mode = "0o100755"
		}
		sum := sha256.Sum256([]byte(read(t, fs, p, env)))
		got.Hashes[p] = [2]string{mode, hex.EncodeToString(sum[:])}
	}
	// A path through a link to a folder, one with .. and one with // lead to
	// the file here; Salt finds nothing.
	for _, p := range []string{"dirlink/run.sh", "../top.sls", "web//init.sls"} {
		if _, ok := want.Hashes[p]; !ok {
			delete(got.Hashes, p)
		}
	}
	for _, s := range []*[]string{&got.Files, &got.Dirs, &want.Files, &want.Dirs} {
		if len(*s) == 0 {
			*s = nil
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-salt +ours):\n%s", env, d)
	}
}

func TestMain(m *testing.M) {
	for _, k := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "NETRC", "http_proxy", "https_proxy"} {
		os.Unsetenv(k)
	}
	if arg := os.Getenv(killed); arg != "" {
		os.Exit(runKilled(arg))
	}
	os.Exit(m.Run())
}
