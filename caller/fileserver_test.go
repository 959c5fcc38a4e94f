package caller_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pinch/value"
)

// TestFileServer calls the fileserver runners over two backends.
func TestFileServer(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program")
	}
	dir := t.TempDir()
	sh := func(script string) {
		t.Helper()
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	commit := "git add -A; git -c user.name=a -c user.email=a@b commit -qm x"
	sh("mkdir -p roots/sub roots/empty repo/g; echo r >roots/both.sls; echo r >roots/sub/r.sls; ln -s r.sls roots/sub/l; echo x >roots/skip.bak; cd repo; git init -q -b master; echo g >both.sls; echo g >g/g.sls; " + commit + "; git branch dev")
	opts := value.M("id", "m", "root_dir", dir, "file_client", "local", "cachedir", filepath.Join(dir, "cache"), "gitfs_base", "master",
		"file_roots", value.M("base", value.L(filepath.Join(dir, "roots"))), "fileserver_backend", value.L("gitfs", "roots"), "file_ignore_glob", value.L("*.bak"),
		"gitfs_remotes", value.L("file://"+filepath.Join(dir, "repo")))
	call := func(fun string, args ...any) string {
		t.Helper()
		c := newRun(t, dir, opts, value.M("id", "m")).Ctx(context.Background())
		v, err := c.CallKw(fun, nil, args...)
		if err != nil {
			t.Fatalf("%s: %v", fun, err)
		}
		return value.Repr(v)
	}
	runner := func(fun string, args ...any) string {
		t.Helper()
		return call("saltutil.runner", "fileserver."+fun, value.L(args...))
	}
	want := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	want(runner("file_list"), "['both.sls', 'g/g.sls', 'sub/l', 'sub/r.sls']")
	want(runner("file_list", "base", "roots"), "['both.sls', 'sub/l', 'sub/r.sls']")
	want(runner("file_list", "base", "-roots"), "['both.sls', 'g/g.sls']")
	want(runner("file_list", "base", value.L("git")), "['both.sls', 'g/g.sls']")
	want(runner("file_list", "dev"), "['both.sls', 'g/g.sls']")
	want(runner("dir_list", "base", "roots"), "['.', 'empty', 'sub']")
	want(runner("empty_dir_list", "base", "roots"), "['empty']")
	want(runner("symlink_list"), "{'sub/l': 'r.sls'}")
	want(runner("envs"), "['base', 'dev']")
	want(runner("envs", nil, true), "{'gitfs': ['base', 'dev'], 'roots': ['base']}")
	want(call("cp.get_file_str", "salt://both.sls"), `'g\n'`)
	opts.Set("fileserver_backend", value.L("roots", "gitfs"))
	want(call("cp.get_file_str", "salt://both.sls"), `'r\n'`)

	remote := "gitfs remote 'file://" + filepath.Join(dir, "repo") + "'"
	want(runner("lock"), `{'locked': ["Set update lock for `+remote+`"]}`)
	sh("cd repo; echo new >new.sls; " + commit)
	want(call("cp.get_file_str", "salt://new.sls"), "False")
	want(runner("clear_lock", "roots"), "'No locks were removed'")
	want(runner("clear_lock", "gitfs", "nosuch"), "'No locks were removed'")
	want(runner("clear_lock"), `{'cleared': ["Removed update lock for `+remote+`"]}`)
	want(runner("update"), "True")
	want(call("cp.get_file_str", "salt://new.sls"), `'new\n'`)
	want(runner("clear_file_list_cache", nil, "gitfs"), "{'gitfs': ['base', 'dev']}")

	// A cleared cache is served until it could be filled anew.
	want(runner("clear_cache", "gitfs"), "{'cleared': ['The gitfs fileserver cache was successfully cleared']}")
	sh("mv repo away")
	want(call("cp.get_file_str", "salt://g/g.sls"), `'g\n'`)
	sh("mv away repo")
	want(call("cp.get_file_str", "salt://g/g.sls"), `'g\n'`)
	if m, _ := filepath.Glob(filepath.Join(dir, "cache/gitfs/*/git*")); len(m) != 1 || !strings.HasSuffix(m[0], "git-2") {
		t.Errorf("the clone was not made anew: %v", m)
	}
	for _, name := range []string{"cache/gitfs", "cache/gitfs/*"} {
		m, _ := filepath.Glob(filepath.Join(dir, name))
		if i, err := os.Stat(m[0]); err != nil || i.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", m[0], i.Mode(), err)
		}
	}
}
