package caller_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/value"
)

// TestGitPillar compares the external pillar git with Salt's answers.
func TestGitPillar(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program")
	}
	dir := t.TempDir()
	if out, err := exec.Command(filepath.Join(golden.Dir(), "gitfs", "make-pillar.sh"), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := string(golden.Bytes(t, "gitfs/pillar.json"))
	v, err := value.ParseJSON(strings.ReplaceAll(text, "file:///tmp/gp/r", "file://"+dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range v.(*value.Map).List("cases").Items {
		c := it.(*value.Map)
		t.Run(c.Str("name"), func(t *testing.T) {
			root := t.TempDir()
			opts := value.M("id", "m", "root_dir", root, "file_client", "local", "cachedir", filepath.Join(root, "cache"),
				"pillar_roots", value.M("base", value.L(filepath.Join(root, "none"))),
				"ext_pillar", value.L(value.M("git", c.List("remotes"))))
			opts.Update(c.Map("opts"))
			opts.Set("pillar_mask_output", false)
			kw := new(value.Map)
			for _, a := range c.List("args").Items {
				if name, env, ok := strings.Cut(value.Str(a), "="); ok {
					kw.Set(name, env)
				}
			}
			run := newRun(t, root, opts, value.M("id", "m"))
			got, err := run.CallFunc(run.Ctx(context.Background()), "pillar.items", nil, kw)
			if err != nil {
				t.Fatal(err)
			}
			if want := c.At("pillar"); !value.Equal(want, got) {
				t.Errorf("salt %s\nours %s", value.Repr(want), value.Repr(got))
			}
		})
	}
}
