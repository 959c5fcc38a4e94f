package modules

import (
	"archive/zip"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pinch/caller"
	"pinch/config"
	"pinch/salt"
	"pinch/value"
)

// A planned is what is known about one state function for TestPlanTellsTheTruth.
type planned struct {
	fun  string
	args func(p *plans) *value.Map
	// keys says why the keys of changes under test=True are others than those
	// of a real run, where Salt has it so. "" when they must be equal.
	keys string
	// odd says why Salt's test run of the function, which ours is equal to, may
	// answer something else than the real one.
	odd string
	// again says why a second run may change something again.
	again string
}

// plans makes random arguments for one trial.
type plans struct {
	*rand.Rand
	dir string
}

func (p *plans) one(of ...any) any     { return of[p.IntN(len(of))] }
func (p *plans) some(percent int) bool { return p.IntN(100) < percent }

// path is one of few, so that trials meet what is there.
func (p *plans) path() string {
	return p.dir + "/" + p.one("a", "b", "c", "d", "d/x", "d/sub", "d/sub/y", "l", "dangling", "new/deep/f").(string)
}

func (p *plans) text() string {
	return p.one("", "one\n", "one\ntwo\nthree\n", "k=v\nkey = other\n#two=2\n", "no newline", "# BEGIN\nold\n# END\n", "[s]\na = 1\nb=2\n").(string)
}

// args builds arguments: some of the optional ones are left out.
func (p *plans) args(name string, optional ...any) *value.Map {
	kw := value.M("name", name)
	for i := 0; i+1 < len(optional); i += 2 {
		if p.some(40) {
			kw.Set(optional[i].(string), optional[i+1])
		}
	}
	return kw
}

// unforeseen are reasons to fail that Salt's test runs do not look at: a folder
// may be made by a state before, and some arguments are checked last.
var unforeseen = []string{
	"Parent directory not present", "No directory to create", " is not present", "No text found to append", "Wrong conditions? Unable to ensure",
	"Neither before or after was found", " not writable", "file not found", "Directory not present to touch", "Directory not empty", "Failed to move", "File exists", "exists and cannot be overwritten", "No such file or directory", "Failed to create directory", "Failed to remove directory",
}

const (
	newFile  = "a file that will be made is newfile under test=True, a diff and its owner and mode in the real run"
	dirPlan  = "test=True lists the paths, the real run their names"
	textPlan = "Salt's test run tells less than the real one"
)

func plannedStates() []planned {
	return []planned{
		{fun: "file.absent", args: func(p *plans) *value.Map { return p.args(p.path()) }},
		{fun: "file.exists", args: func(p *plans) *value.Map { return p.args(p.path()) }},
		{fun: "file.missing", args: func(p *plans) *value.Map { return p.args(p.path()) }},
		{fun: "file.managed", keys: newFile, args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "mode", p.one("0644", "0600"), "makedirs", true, "replace", false, "create", false, "contents_newline", false, "show_changes", false, "follow_symlinks", false, "allow_empty", false)
			kw.Set(p.one("contents", "source").(string), p.one(p.text(), "salt://src", p.dir+"/a"))
			return kw
		}},
		{fun: "file.append", keys: newFile, args: func(p *plans) *value.Map {
			return p.args(p.path(), "text", p.one("one", "two\nfour", value.L("one", "k=v")), "makedirs", true, "ignore_whitespace", false)
		}},
		{fun: "file.prepend", keys: newFile, args: func(p *plans) *value.Map {
			return p.args(p.path(), "text", p.one("one", "two\nfour", value.L("one", "k=v")), "makedirs", true, "header", true)
		}},
		{fun: "file.replace", args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "append_if_not_found", true, "prepend_if_not_found", true, "ignore_if_missing", true, "backup", false, "count", int64(1), "not_found_content", "nf")
			kw.Set("pattern", p.one("one", "^k.*$", "nothing", "t(w)o"))
			kw.Set("repl", p.one("one", "uno", "k=w"))
			return kw
		}, again: "a pattern may match what it was replaced by"},
		{fun: "file.line", args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "before", "two", "after", "one", "match", p.one("one", "k"), "location", p.one("start", "end"), "create", true, "indent", false)
			kw.Set("mode", p.one("ensure", "insert", "replace", "delete"))
			kw.Set("content", p.one("new line", "one", "k=w"))
			return kw
		}, again: "mode insert inserts again, as in Salt"},
		{fun: "file.keyvalue", args: func(p *plans) *value.Map {
			return p.args(p.path(), "key_values", value.M("k", "v", "two", "3"), "key", "key", "value", "x", "separator", p.one("=", " = "), "append_if_not_found", true,
				"prepend_if_not_found", true, "uncomment", "#", "ignore_if_missing", true, "create_if_missing", true)
		}},
		{fun: "file.blockreplace", args: func(p *plans) *value.Map {
			return p.args(p.path(), "marker_start", "# BEGIN", "marker_end", "# END", "content", p.one("new", "old", "a\nb\n"), "append_if_not_found", true, "prepend_if_not_found", true, "backup", false, "append_newline", true)
		}},
		{fun: "file.comment", args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "char", "//", "backup", false, "ignore_missing", true)
			kw.Set("regex", p.one("^one$", "^k", "nothing"))
			return kw
		}},
		{fun: "file.uncomment", args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "backup", false)
			kw.Set("regex", p.one("two", "^two", "nothing"))
			return kw
		}},
		{fun: "file.directory", keys: dirPlan, args: func(p *plans) *value.Map {
			return p.args(p.path(), "makedirs", true, "mode", p.one("0711", "0755"), "dir_mode", "0700", "clean", true, "force", true, "recurse", value.L("mode"), "backupname", p.dir+"/saved")
		}},
		{fun: "file.symlink", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "force", true, "makedirs", true, "backupname", p.dir+"/saved")
			kw.Set("target", p.path())
			return kw
		}},
		{fun: "file.hardlink", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "force", true, "makedirs", true)
			kw.Set("target", p.path())
			return kw
		}},
		{fun: "file.copy", keys: textPlan, again: "force copies again", args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "force", true, "makedirs", true, "preserve", true, "mode", "0640", "subdir", true)
			kw.Set("source", p.path())
			return kw
		}},
		{fun: "file.rename", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "force", true, "makedirs", true)
			kw.Set("source", p.path())
			return kw
		}, again: "the source is gone"},
		{fun: "file.recurse", keys: newFile, args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "clean", true, "dir_mode", "0711", "file_mode", "0600", "include_empty", true, "replace", false, "exclude_pat", "*.x")
			kw.Set("source", "salt://tree")
			return kw
		}},
		{fun: "file.serialize", keys: newFile, args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "makedirs", true, "merge_if_exists", true, "mode", "0600", "create", false)
			kw.Set("dataset", value.M("a", int64(1), "b", value.L("x", p.one("y", "z"))))
			kw.Set("serializer", p.one("json", "yaml", "configparser"))
			if kw.At("serializer") == "configparser" {
				kw.Set("dataset", value.M("s", value.M("a", "1")))
			}
			return kw
		}},
		{fun: "file.touch", odd: "times that are not given are set, but not announced", args: func(p *plans) *value.Map {
			return p.args(p.path(), "makedirs", true, "mtime", int64(1e9), "atime", int64(1e9))
		}, again: "sets the time again"},
		{fun: "file.tidied", args: func(p *plans) *value.Map {
			return p.args(p.path(), "age", int64(0), "matches", value.L(p.one("x", "y", ".*")), "rmdirs", true, "size", int64(0))
		}},
		{fun: "file.pruned", args: func(p *plans) *value.Map { return p.args(p.path(), "recurse", true, "ignore_errors", true) }},
		{fun: "file.mknod", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "mode", "0600")
			kw.Set("ntype", "p")
			return kw
		}},
		{fun: "file.decode", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.path())
			kw.Set("encoded_data", p.one("b25lCg==", "dHdv"))
			return kw
		}},
		{fun: "file.accumulated", args: func(p *plans) *value.Map {
			kw := p.args("acc")
			kw.Set("filename", p.path())
			kw.Set("text", "t")
			return kw
		}},
		{fun: "ini.options_present", odd: "without options a file is written all the same; unreadable ones raise", args: func(p *plans) *value.Map {
			return p.args(p.path(), "sections", value.M("s", value.M("a", p.one("1", "2"), "c", "3")), "strict", true, "separator", "=", "no_spaces", true)
		}},
		{fun: "ini.options_absent", odd: "what cannot be read raises in the real run only", args: func(p *plans) *value.Map {
			return p.args(p.path(), "sections", value.M("s", value.L("a", "zz")))
		}},
		{fun: "ini.sections_present", odd: "what cannot be written raises in the real run only", args: func(p *plans) *value.Map {
			return p.args(p.path(), "sections", p.one(value.M("s", value.M("a", "1")), value.M("t", value.M("a", "1"))))
		}},
		{fun: "ini.sections_absent", odd: "what cannot be read raises in the real run only", args: func(p *plans) *value.Map { return p.args(p.path(), "sections", value.L("s", "t")) }},
		{fun: "host.present", odd: "a comment that would be added leaves the result True", args: func(p *plans) *value.Map {
			kw := p.args(p.one("h1", "h2", "h3").(string), "comment", "c", "clean", true)
			kw.Set("ip", p.one("10.0.0.1", "10.0.0.2", value.L("10.0.0.1", "10.0.0.3")))
			return kw
		}},
		{fun: "host.absent", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one("h1", "h2", "h3").(string))
			kw.Set("ip", p.one("10.0.0.1", "10.0.0.9", value.L("10.0.0.1", "10.0.0.2")))
			return kw
		}},
		{fun: "host.only", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one("10.0.0.1", "10.0.0.9").(string))
			kw.Set("hostnames", p.one("h1", value.L("h1", "h2"), value.L()))
			return kw
		}},
		{fun: "alias.present", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one("root", "www").(string))
			kw.Set("target", p.one("me", "you", "me, you"))
			return kw
		}},
		{fun: "alias.absent", keys: textPlan, args: func(p *plans) *value.Map { return p.args(p.one("root", "www").(string)) }},
		{fun: "ssh_auth.present", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one(keyA, "ssh-rsa "+keyB+" me@x").(string), "enc", "ssh-rsa", "comment", p.one("c", "d"), "options", value.L("no-pty"))
			kw.Set("user", "root")
			kw.Set("config", p.dir+"/keys")
			return kw
		}},
		{fun: "ssh_auth.absent", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one(keyA, "ssh-rsa "+keyB+" me@x").(string))
			kw.Set("user", "root")
			kw.Set("config", p.dir+"/keys")
			return kw
		}},
		{fun: "ssh_known_hosts.present", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one("one.example", "two.example").(string), "port", int64(2222))
			kw.Set("key", p.one(keyA, keyB))
			kw.Set("enc", "ssh-rsa")
			kw.Set("hash_known_hosts", false)
			kw.Set("config", p.dir+"/known")
			return kw
		}},
		{fun: "ssh_known_hosts.absent", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one("one.example", "two.example").(string))
			kw.Set("config", p.dir+"/known")
			return kw
		}},
		{fun: "grains.present", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one("g1", "g2", "m:k").(string), "force", true)
			kw.Set("value", p.one("x", int64(3), value.L("x"), value.M("k", "v")))
			return kw
		}},
		{fun: "grains.absent", odd: "a grain without a value would be removed and is not", args: func(p *plans) *value.Map {
			return p.args(p.one("g1", "g2", "m:k", "m").(string), "destructive", true, "force", true)
		}},
		{fun: "grains.list_present", args: func(p *plans) *value.Map {
			kw := p.args(p.one("g1", "g2", "m:l").(string))
			kw.Set("value", p.one("x", value.L("x", "y")))
			return kw
		}},
		{fun: "grains.list_absent", args: func(p *plans) *value.Map {
			kw := p.args(p.one("g1", "g2", "m:l").(string))
			kw.Set("value", p.one("x", value.L("x", "y")))
			return kw
		}},
		{fun: "grains.append", args: func(p *plans) *value.Map {
			kw := p.args(p.one("g1", "g2", "m:l").(string), "convert", true)
			kw.Set("value", p.one("x", "y"))
			return kw
		}},
		{fun: "logrotate.set", args: func(p *plans) *value.Map {
			kw := value.M("name", "l", "key", p.one("rotate", "/var/log/x", "compress"), "value", p.one("3", "5"), "conf_file", p.dir+"/logrotate")
			if kw.At("key") == "/var/log/x" {
				kw.Set("value", p.one("rotate", "weekly"))
				kw.Set("setting", p.one("7", "8"))
			}
			return kw
		}},
		{fun: "xml.value_present", args: func(p *plans) *value.Map {
			return value.M("name", p.dir+"/x.xml", "xpath", p.one(".//a", ".//b", ".//none"), "value", p.one("1", "2"))
		}},
		{fun: "archive.extracted", args: func(p *plans) *value.Map {
			kw := p.args(p.path(), "clean", true, "overwrite", true, "trim_output", int64(1), "force", true)
			kw.Set("source", "salt://t.zip")
			kw.Set("enforce_toplevel", false)
			return kw
		}, keys: "Salt's test run does not list the files", again: "overwrite extracts again"},
		{fun: "git.config_set", keys: textPlan, args: func(p *plans) *value.Map {
			kw := p.args(p.one("user.name", "core.x").(string))
			kw.Set("value", p.one("me", "you"))
			kw.Set("repo", p.dir+"/repo")
			return kw
		}},
		{fun: "git.config_unset", args: func(p *plans) *value.Map {
			kw := p.args(p.one("user.name", "core.x").(string), "all", true)
			kw.Set("repo", p.dir+"/repo")
			return kw
		}},
		{fun: "environ.setenv", odd: "the result is True, the changes tell", args: func(p *plans) *value.Map {
			kw := p.args(p.one("PLAN_A", "PLAN_B").(string), "false_unsets", true)
			kw.Set("value", p.one("x", "y", false))
			return kw
		}},
		{fun: "cmd.run", args: func(p *plans) *value.Map {
			return p.args(p.one("true", "exit 0").(string), "cwd", p.dir)
		}, keys: "a command's output is known when it has run", again: "a command runs each time"},
		{fun: "test.succeed_with_changes", args: func(p *plans) *value.Map { return p.args("x") }, again: "claims a change each time"},
		{fun: "test.succeed_without_changes", args: func(p *plans) *value.Map { return p.args("x") }},
		{fun: "test.nop", args: func(p *plans) *value.Map { return p.args("x") }},
	}
}

const (
	keyA = "AAAAB3NzaC1yc2EAAAADAQABAAAAQQC7vbqajDhA6Ev5qmjKYbGkZDQMp0Qm5vVJyX0F2Yv7rVt1T0p4mV0Qz5R1d3oVw1mPz0m3xZ0dQ8cVYb0aH1Jh"
	keyB = "AAAAB3NzaC1yc2EAAAADAQABAAAAQQDBvbqajDhA6Ev5qmjKYbGkZDQMp0Qm5vVJyX0F2Yv7rVt1T0p4mV0Qz5R1d3oVw1mPz0m3xZ0dQ8cVYb0aH1Jh"
)

// TestPlanTellsTheTruth calls state functions with random arguments on random
// folders, under test=True and then for real: what the plan announces happens,
// what it does not announce does not, and a plan changes nothing.
func TestPlanTellsTheTruth(t *testing.T) {
	trials := 3
	if os.Getenv("PINCH_ALL") != "" {
		trials = 40
	}
	for _, st := range plannedStates() {
		t.Run(st.fun, func(t *testing.T) {
			bad := 0
			for seed := range trials {
				if why := tryPlan(t, st, uint64(seed)); why != "" {
					if bad++; bad <= 3 {
						t.Errorf("seed %d: %s", seed, why)
					}
				}
			}
			if bad > 3 {
				t.Errorf("%d of %d trials", bad, trials)
			}
		})
	}
}

func tryPlan(t *testing.T, st planned, seed uint64) string {
	t.Helper()
	root := t.TempDir()
	defer os.RemoveAll(root)
	p := &plans{rand.New(rand.NewPCG(seed, uint64(len(st.fun)))), root + "/w"}
	p.world(t, root)
	kw := st.args(p)
	call := func(test bool) (salt.Result, error) {
		conf, err := config.Load(config.Options{Dir: root + "/conf", Prog: "salt-call"})
		if err != nil {
			t.Fatal(err)
		}
		run := caller.New(caller.Options{Config: conf, Registry: Registry()})
		defer run.Close()
		c := run.Ctx(context.Background()).With(test)
		return run.CallState(c, st.fun, kw.Shallow())
	}
	before := onDisk(t, root)
	plan, perr := call(true)
	if now := onDisk(t, root); now != before {
		return fmt.Sprintf("%s under test=True changed something:\n%s\n→\n%s", show(kw), before, now)
	}
	real, rerr := call(false)
	say := func(what string) string {
		return fmt.Sprintf("%s: %s\n  plan %s\n  real %s\n%s", what, show(kw), outcome(plan, perr), outcome(real, rerr), before)
	}
	switch {
	case st.odd != "":
		return ""
	case perr != nil || rerr != nil:
		if (perr == nil) != (rerr == nil) {
			return say("one raises")
		}
		return ""
	case result(plan) == "None" && result(real) == "False" && slices.ContainsFunc(unforeseen, func(s string) bool { return strings.Contains(real.Comment, s) }):
		return ""
	case (result(plan) == "False") != (result(real) == "False"):
		return say("failure")
	case result(real) == "False":
		return ""
	case (result(plan) == "None") != (real.Changes.Len() > 0):
		return say("changes")
	case st.keys == "" && !slices.Equal(keysOf(plan.Changes), keysOf(real.Changes)):
		return say("keys of changes")
	}
	if st.again == "" {
		if again, err := call(false); err != nil || result(again) != "True" || again.Changes.Len() > 0 {
			return say("the second run: " + outcome(again, err))
		}
	}
	return ""
}

func keysOf(m *value.Map) []string {
	var keys []string
	for k := range m.All() {
		keys = append(keys, value.Str(k))
	}
	slices.Sort(keys)
	return keys
}

func result(r salt.Result) string {
	switch {
	case r.Result == nil:
		return "None"
	case *r.Result:
		return "True"
	}
	return "False"
}

func show(kw *value.Map) string { s, _ := value.JSON(kw, value.JSONOptions{}); return s }

func outcome(r salt.Result, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%s %s %q", result(r), show(r.Changes), r.Comment)
}

// world makes a random folder, and the trees.
func (p *plans) world(t *testing.T, root string) {
	t.Helper()
	files := map[string]string{
		"conf/minion":            fmt.Sprintf("id: plan\nfile_client: local\nroot_dir: %[1]s/var\nenable_gpu_grains: false\nfile_roots: {base: [%[1]s/srv]}\nhosts.file: %[1]s/w/hosts\naliases.file: %[1]s/w/aliases\n", root),
		"srv/src":                "one\ntwo\n",
		"srv/tree/x":             "x\n",
		"srv/tree/in/y":          "y\n",
		"srv/tree/in/z.x":        "z\n",
		"w/hosts":                p.one("", "10.0.0.1 h1 h2\n", "# c\n10.0.0.1\th1\n10.0.0.2 h1 h3 # comment\n").(string),
		"w/aliases":              p.one("", "root: me\n", "www: you, me\nroot: x\n").(string),
		"w/keys":                 p.one("", "ssh-rsa "+keyA+" c\n", "no-pty ssh-rsa "+keyB+" me@x\n").(string),
		"w/known":                p.one("", "one.example ssh-rsa "+keyA+"\n", "[one.example]:2222 ssh-rsa "+keyA+"\n").(string),
		"w/logrotate":            p.one("", "weekly\nrotate 4\n", "rotate 3\n/var/log/x {\n    rotate 7\n    weekly\n}\n").(string),
		"w/x.xml":                p.one("<r><a>1</a></r>", "<r><a/><b>2</b></r>").(string),
		"w/repo/.git/config":     p.one("[core]\n\tbare = false\n", "[core]\n\tbare = false\n\tx = me\n[user]\n\tname = me\n").(string),
		"w/repo/.git/HEAD":       "ref: refs/heads/main\n",
		"w/repo/.git/refs/.keep": "", "w/repo/.git/objects/.keep": "",
		"conf/grains": p.one("{}\n", "g1: x\n", "g1: [x]\nm: {k: v, l: [x, y]}\n", "g2: null\n").(string),
		"srv/t.zip":   zipped,
	}
	if p.some(70) {
		files["w/a"] = p.text()
	}
	if p.some(50) {
		files["w/b"] = p.text()
	}
	if p.some(60) {
		files["w/d/x"] = p.text()
	}
	if p.some(40) {
		files["w/d/sub/y"] = "y\n"
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"l": p.one("a", "d", "b").(string), "dangling": "nowhere"} {
		if p.some(60) {
			if err := os.Symlink(p.dir+"/"+to, p.dir+"/"+link); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// onDisk describes what is in the folder, the configuration and the trees.
func onDisk(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	for _, top := range []string{"w", "conf", "srv"} {
		if err := filepath.WalkDir(filepath.Join(root, top), func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			r := &trial{root: root}
			fmt.Fprintf(&b, "  %s %q\n", strings.TrimPrefix(path, root), r.describe(path))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// zipped holds t/one and t/in/two.
var zipped = zipOf("t/one", "1\n", "t/in/two", "2\n")

func zipOf(files ...string) string {
	var b strings.Builder
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}
