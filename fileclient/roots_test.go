package fileclient

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pinch/golden"
)

type recordedRoots struct {
	Files, Dirs, Empty []string
	Links              map[string]string
	Hashes             map[string][3]string // path → kind of hash, hash, mode
}

// TestRootsAreSalts compares lists, links and hashes with those of Salt's
// backend roots.
func TestRootsAreSalts(t *testing.T) {
	var rec struct {
		Script string
		Probes []string
		Cases  []struct {
			Name  string
			Roots map[string][]string
			Opts  struct {
				Follow  *bool    `json:"fileserver_followsymlinks"`
				NoLinks bool     `json:"fileserver_ignoresymlinks"`
				Globs   []string `json:"file_ignore_glob"`
				Exprs   []string `json:"file_ignore_regex"`
				Hash    string   `json:"hash_type"`
			}
			Envs  []string
			Trees map[string]json.RawMessage
		}
	}
	golden.Read(t, "roots/cases.json", &rec)
	dir := t.TempDir()
	cmd := exec.Command("sh", "-ec", "umask 022\n"+rec.Script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for _, c := range rec.Cases {
		t.Run(c.Name, func(t *testing.T) {
			r := &Roots{Dirs: map[string][]string{}, NoFollow: c.Opts.Follow != nil && !*c.Opts.Follow, IgnoreLinks: c.Opts.NoLinks, IgnoreGlob: c.Opts.Globs}
			for _, e := range c.Opts.Exprs {
				r.IgnoreRegex = append(r.IgnoreRegex, regexp.MustCompile(e))
			}
			for env, dirs := range c.Roots {
				for _, d := range dirs {
					r.Dirs[env] = append(r.Dirs[env], strings.Replace(d, "ROOT", dir, 1))
				}
			}
			client := New(Options{Backends: []Backend{r}, HashType: c.Opts.Hash})
			envs, _ := client.Envs(nil)
			if d := cmp.Diff(c.Envs, envs); d != "" {
				t.Errorf("environments (-salt +ours):\n%s", d)
			}
			for env, raw := range c.Trees {
				var want, got recordedRoots
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatal(err)
				}
				got.Files, _ = client.List(nil, env, "")
				got.Dirs, _ = client.Dirs(nil, env, "")
				got.Empty, _ = client.EmptyDirs(nil, env, "")
				got.Links, _ = client.Symlinks(nil, env, "")
				got.Hashes = map[string][3]string{}
				for _, p := range rec.Probes {
					f, err := client.Find(nil, p, env)
					if err != nil {
						t.Fatal(err)
					}
					if f == nil || p == "../other/sub/s" && path.Clean("/"+p) != p {
						continue
					}
					sum, err := digest(f, client.o.HashType)
					if err != nil {
						t.Fatal(err)
					}
					got.Hashes[p] = [3]string{client.o.HashType, sum, fmt.Sprintf("0o%o", f.Mode.Perm())}
				}
				for _, l := range []*[]string{&want.Files, &want.Dirs, &want.Empty, &got.Files, &got.Dirs, &got.Empty} {
					*l = slices.DeleteFunc(*l, func(s string) bool { return s == "." }) // cp.list_master_dirs names the root
					if len(*l) == 0 {
						*l = nil
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s (-salt +ours):\n%s", env, d)
				}
			}
		})
	}
}
