package git_test

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pinch/modules/cmd"
	"pinch/modules/git"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type engine struct {
	salt.Host
	reg *salt.Registry
}

func (e engine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	f, err := e.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

func sh(t *testing.T, dir, script string) {
	t.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", err, out)
	}
}

// Comments and changes are Salt's own; $W is the folder of the test.
func TestStates(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w := t.TempDir()
	for k, v := range map[string]string{"HOME": w, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@x"} {
		t.Setenv(k, v)
	}
	sh(t, w, "git init -q -b main src; cd src; echo a >f; git add f; git commit -qm one; git branch dev; mkdir ../full; echo x >../full/y")
	M := value.M
	for _, tt := range []struct {
		fun  string
		kw   *value.Map
		test bool
		want string
	}{
		{"cloned", M("name", "$W/src", "target", "c"), false, "False {} 'target' path must be absolute"},
		{"cloned", M("name", "$W/src", "target", "$W/c"), true, "None {'new': '$W/src => $W/c'} $W/src would be cloned to $W/c"},
		{"cloned", M("name", "$W/src", "target", "$W/c"), false, "True {'new': '$W/src => $W/c'} $W/src cloned to $W/c"},
		{"cloned", M("name", "$W/src", "target", "$W/c"), false, "True {} Repository already exists at $W/c"},
		{"cloned", M("name", "$W/src", "target", "$W/c", "branch", "dev"), true, "None {'branch': {'old': 'main', 'new': 'dev'}} Branch would be changed to 'dev'"},
		{"cloned", M("name", "$W/src", "target", "$W/c", "branch", "dev"), false, "True {'branch': {'old': 'main', 'new': 'dev'}} Branch changed to 'dev'"},
		{"cloned", M("name", "$W/src", "target", "$W/c", "branch", "dev"), false, "True {} Repository already exists at $W/c and is checked out to branch 'dev'"},
		{"cloned", M("name", "$W/none", "target", "$W/d"), false, "False {} Clone failed: fatal: repository '$W/none' does not exist"},
		{"present", M("name", "$W/new.git"), true, "None {'new': '$W/new.git'} New bare repository would be created"},
		{"present", M("name", "$W/new.git", "shared", "group"), false, "True {'new': '$W/new.git'} Initialized bare repository in $W/new.git"},
		{"present", M("name", "$W/new.git"), false, "True {} "},
		{"present", M("name", "$W/full", "bare", false), false, "False {} Target '$W/full' exists, is non-empty, and is not a git repository. Set the 'force' option to True to remove this directory's contents and proceed with initializing a repository"},
		{"present", M("name", "$W/full", "bare", false, "force", true), false, "True {'forced init': True, 'new': '$W/full'} Initialized repository in $W/full"},
		{"latest", M("name", "$W/src", "target", "$W/l"), true, "None {'new': '$W/src => $W/l'} Repository $W/src would be cloned to $W/l"},
		{"latest", M("name", "$W/src", "target", "$W/l", "rev", "nosuch"), false, "False {} No revision matching 'nosuch' exists in the remote repository"},
		{"latest", M("name", "$W/src", "target", "$W/new.git", "bare", true, "rev", "main"), false, "False {} 'rev' is not compatible with the 'mirror' and 'bare' arguments"},
		{"config_set", M("name", "user.name", "value", "N"), false, "False {} Non-global config options require the 'repo' argument to be set"},
		{"config_set", M("name", "user.name", "value", "N", "repo", "$W/c"), true, "None {'old': None, 'new': ['N']} 'user.name' would be added as 'N'"},
		{"config_set", M("name", "user.name", "value", "N", "repo", "$W/c"), false, "True {'user.name': {'old': None, 'new': ['N']}} 'user.name' was added as 'N'"},
		{"config_set", M("name", "user.name", "value", "N", "repo", "$W/c"), false, "True {} 'user.name' is already set to 'N'"},
		{"config_set", M("name", "a.b", "multivar", value.L("1", int64(2)), "global", true), false, "True {'a.b': {'old': None, 'new': ['1', '2']}} Global key 'a.b' was added as ['1', '2']"},
		{"config_unset", M("name", "a.b", "global", true), false, "False {} Multivar(s) matched by the key expression (set 'all' to True to force removal): a.b (1, 2)"},
		{"config_unset", M("name", "a.b", "global", true, "value_regex", "2"), false, "True {'a.b': ['2']} Value(s) successfully unset"},
		{"config_unset", M("name", "user.name", "repo", "$W/c"), true, "None {'user.name': ['N']} 1 key(s) would have value(s) unset"},
		{"config_unset", M("name", "user.name", "repo", "$W/c", "all", true), false, "True {'user.name': ['N']} Value(s) successfully unset"},
		{"config_unset", M("name", "user.name", "repo", "$W/c"), false, "True {} No matching keys are set"},
		{"config_unset", M("name", "user.name", "repo", "$W/c", "bad", int64(1)), false, "False {} The following keyword arguments are not valid: bad=1"},
	} {
		kw := new(value.Map)
		for k, v := range tt.kw.Items() {
			if s, ok := v.(string); ok {
				v = strings.ReplaceAll(s, "$W", w)
			}
			kw.Set(k, v)
		}
		c := (&salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: new(value.Map), Run: salt.NewRun(),
			Host: engine{reg: salt.NewRegistry(&git.Module, &cmd.Module)}}).With(tt.test)
		v, err := git.Module.States()[tt.fun].Call(c, nil, kw)
		if err != nil {
			t.Errorf("%s %s: %v", tt.fun, value.Repr(tt.kw), err)
			continue
		}
		r := v.(salt.Result).Map("")
		got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment")
		if got = strings.ReplaceAll(got, w, "$W"); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
	}
	if _, err := os.Stat(w + "/full/y"); err == nil {
		t.Error("force kept what was there")
	}
}
