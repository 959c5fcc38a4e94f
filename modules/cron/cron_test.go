package cron

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const example = `# mine
MAILTO=x@y
# Lines below here are managed by Salt, do not edit
# note SALT_CRON_IDENTIFIER:id1
*/5 * * * * /bin/a
@daily /bin/b
#DISABLED#1 2 3 4 5 /bin/c
FOO="bar"
`

// The result is Salt's own.
func TestParse(t *testing.T) {
	want := `{'pre': ['# mine', 'MAILTO=x@y'], 'crons': [{'minute': '*/5', 'hour': '*', 'daymonth': '*', 'month': '*', 'dayweek': '*', 'identifier': 'id1', 'cmd': '/bin/a', 'comment': 'note', 'commented': False}, ` +
		`{'minute': '1', 'hour': '2', 'daymonth': '3', 'month': '4', 'dayweek': '5', 'identifier': None, 'cmd': '/bin/c', 'comment': None, 'commented': True}], ` +
		`'special': [{'spec': '@daily', 'cmd': '/bin/b', 'identifier': None, 'comment': None, 'commented': False}], 'env': [{'name': 'FOO', 'value': '"bar"'}]}`
	if got := value.Repr(parse(example).data()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// Words and crontabs are Salt's own.
func TestSet(t *testing.T) {
	const head, env, a, c, b = "# mine\nMAILTO=x@y\n" + tag + "\n", "FOO=\"bar\"\n", "# note SALT_CRON_IDENTIFIER:id1\n*/5 * * * * /bin/a\n", "#DISABLED#1 2 3 4 5 /bin/c\n", "@daily /bin/b\n"
	star := func(j job) job {
		for _, f := range []*any{&j.minute, &j.hour, &j.daymonth, &j.month, &j.dayweek} {
			if *f == nil {
				*f = "*"
			}
		}
		j.commented = j.commented == true
		return j
	}
	for _, tt := range []struct {
		desc string
		job  job
		word string
		want string
	}{
		{"new", star(job{dayweek: "1", cmd: "/bin/new"}), "new", head + env + a + c + "* * * * 1 /bin/new\n" + b},
		{"other time", star(job{dayweek: "1", cmd: "/bin/a", identifier: "id1"}), "updated", head + env + c + "# note SALT_CRON_IDENTIFIER:id1\n* * * * 1 /bin/a\n" + b},
		{"other command", star(job{minute: "*/5", cmd: "/bin/z", identifier: "id1"}), "updated", head + env + c + "# note SALT_CRON_IDENTIFIER:id1\n*/5 * * * * /bin/z\n" + b},
		{"the same", star(job{minute: "*/5", cmd: "/bin/a", identifier: "id1", comment: "note"}), "present", head + env + a + c + b},
		{"random keeps a time", star(job{minute: "random", cmd: "/bin/a", identifier: "id1"}), "present", head + env + a + c + b},
		{"comment and identifier", star(job{minute: "0", hour: "1", cmd: "/bin/n", comment: "why\nnot", identifier: "id9"}), "new", head + env + a + c + "# why\n# not SALT_CRON_IDENTIFIER:id9\n0 1 * * * /bin/n\n" + b},
		{"switched off", star(job{cmd: "/bin/n", commented: true}), "new", head + env + a + c + "#DISABLED#* * * * * /bin/n\n" + b},
		{"a special again", job{spec: "@daily", cmd: "/bin/b", commented: false}, "updated", head + env + a + c + b},
		{"identifier for a job without", star(job{minute: "1", hour: "2", daymonth: "3", month: "4", dayweek: "5", cmd: "/bin/c", identifier: "/bin/c"}), "updated", head + env + a + "# SALT_CRON_IDENTIFIER:/bin/c\n1 2 3 4 5 /bin/c\n" + b},
	} {
		tab := parse(example)
		if word := tab.set(tt.job); word != tt.word || tab.String() != tt.want {
			t.Errorf("%s: %s\n got %q\nwant %q", tt.desc, word, tab.String(), tt.want)
		}
	}
}

func TestRemove(t *testing.T) {
	none := [5]any{}
	tab := parse(example)
	if tab.removeJob("/bin/a", nil, none) || tab.removeJob("/bin/zz", "id1", [5]any{"1"}) || !tab.removeJob("/bin/zz", "id1", none) {
		t.Error("jobs")
	}
	if tab.removeSpecial("/bin/b", nil, "@hourly") || !tab.removeSpecial("/bin/b", nil, "@daily") {
		t.Error("specials")
	}
	if tab.setEnv("FOO", `"bar"`) != "present" || tab.setEnv("FOO", "x") != "updated" || tab.setEnv("NEW", nil) != "new" || !tab.removeEnv("FOO") || tab.removeEnv("FOO") {
		t.Error("env")
	}
	if want := "# mine\nMAILTO=x@y\n" + tag + "\nNEW=\"\"\n#DISABLED#1 2 3 4 5 /bin/c\n"; tab.String() != want {
		t.Errorf("%q", tab.String())
	}
}

func TestRandomTimes(t *testing.T) {
	for range 200 {
		j := job{minute: "random", hour: "3:1", daymonth: "random", month: "2", dayweek: "random"}.at()
		if h := j.hour.(string); h < "1" || h > "3" {
			t.Fatal(h)
		}
		if d := j.daymonth.(string); d == "29" || d == "30" || d == "31" || d == "0" {
			t.Fatal(d)
		}
	}
}

// machine is a crontab(1) that keeps one file.
type machine struct {
	sys.Sys
	salt.Host
	tab string
}

func (m *machine) LookPath(name string) string { return "/opt/bin/" + name }
func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	if fun == "cmd.run_stdout" {
		return m.tab, nil
	}
	words := strings.Fields(args[0].(string))
	b, err := m.Sys.ReadFile(words[len(words)-1])
	m.tab = string(b)
	return value.M("retcode", int64(0), "stderr", ""), err
}

// Comments are Salt's own.
func TestStates(t *testing.T) {
	for _, tt := range []struct {
		fun  string
		kw   *value.Map
		test bool
		want string
	}{
		{"present", value.M("name", " /bin/n ", "minute", int64(5)), true, "None {} Cron /bin/n is set to be added"},
		{"present", value.M("name", "/bin/n", "minute", int64(5)), false, "True {'root': '/bin/n'} Cron /bin/n added to root's crontab"},
		{"present", value.M("name", "/bin/a", "identifier", "id1", "minute", "*/5"), true, "True {} Cron /bin/a already present"},
		{"present", value.M("name", "/bin/a", "identifier", "id1", "minute", "*/6"), true, "None {} Cron /bin/a is set to be updated"},
		{"present", value.M("name", "/bin/a", "identifier", "id1", "minute", "*/6"), false, "True {'root': '/bin/a'} Cron /bin/a updated"},
		{"present", value.M("name", "/bin/s", "special", "@reboot"), false, "True {'root': '/bin/s'} Cron /bin/s added to root's crontab"},
		{"absent", value.M("name", "/bin/a", "identifier", "id1"), true, "None {} Cron /bin/a is set to be removed"},
		{"absent", value.M("name", "/bin/a", "identifier", "id1"), false, "True {'root': '/bin/a'} Cron /bin/a removed from root's crontab"},
		{"absent", value.M("name", "/bin/zz"), true, "True {} Cron /bin/zz is absent"},
		{"absent", value.M("name", "/bin/zz"), false, "True {} Cron /bin/zz already absent"},
		{"env_present", value.M("name", "FOO", "value", `"bar"`), true, "True {} Cron env FOO already present"},
		{"env_present", value.M("name", "FOO", "value", "x"), false, "True {'root': 'FOO'} Cron env FOO updated"},
		{"env_absent", value.M("name", "FOO"), true, "None {} Cron env FOO is set to be removed"},
		{"env_absent", value.M("name", "NOPE"), false, "True {} Cron env NOPE already absent"},
	} {
		m := &machine{Sys: sys.Real{}, tab: example}
		c := &salt.Ctx{Context: context.Background(), Sys: m, Log: slog.New(slog.DiscardHandler), Host: m, Test: tt.test}
		v, err := Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
		if tt.test && m.tab != example {
			t.Errorf("%s changed the crontab under test=True", tt.fun)
		}
	}
}

// What is written reads back as the same.
func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Add(tag + "\n@x\n#DISABLED##\n# SALT_CRON_IDENTIFIER\n=a\na=b c\n")
	f.Fuzz(func(t *testing.T, text string) {
		once := parse(text).String()
		if again := parse(once).String(); again != once && !strings.Contains(text, "\r") {
			t.Errorf("%q\n%q", once, again)
		}
	})
}
