package pkg

import (
	"strings"
	"testing"

	"pinch/salt"
	"pinch/value"
)

// The texts are of apt 2.6 on Debian 12, the results those of Salt's functions.
func TestParse(t *testing.T) {
	policy := `hello:
  Installed: (none)
  Candidate: 2.10-3
  Version table:
     2.10-3 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
virtual-only:
  Installed: (none)
  Candidate: (none)
  Version table:
`
	found := parsePolicy(policy, []string{"hello", "virtual-only", "nosuch"})
	if v, ok := found["virtual-only"]; found["hello"] != "2.10-3" || !ok || v != "" || len(found) != 2 {
		t.Errorf("%q", found)
	}
	ret, failed := parseUpdate(`Hit:1 http://deb.debian.org/debian bookworm InRelease
Get:2 http://deb.debian.org/debian-security bookworm-security InRelease [48.0 kB]
Ign:3 file:/srv/repo ./ InRelease
Err:4 http://nowhere.example x InRelease
Reading package lists...
`)
	want := "{'http://deb.debian.org/debian bookworm InRelease': None, 'http://deb.debian.org/debian-security bookworm-security InRelease': True, " +
		"'file:/srv/repo ./ InRelease': False, 'http://nowhere.example x InRelease': False}"
	if value.Repr(ret) != want || len(failed) != 1 {
		t.Errorf("%s %q", value.Repr(ret), failed)
	}
	for text, want := range map[string]any{
		"Inst aa [1.5-1] (2.0-1 localhost [all])\nConf aa (2.0-1 localhost [all])\n": parseUpgrades("Conf aa (2.0-1 x)"),
	} {
		if got := parseUpgrades(text); !value.Equal(got, want) || got.Str("aa") != "2.0-1" {
			t.Errorf("%s", value.Repr(got))
		}
	}
	if got := value.Repr(value.Strings(parseRemoved("The following packages will be REMOVED:\n  b a\n  c\n0 upgraded\n"))); got != "['a', 'b', 'c']" {
		t.Error(got)
	}
	if got := value.Repr(parseVersions("Package: aa\nVersion: 2.0-1\n\nPackage: aa\nVersion: 1.5-1\n")); got != "{'aa': ['2.0-1', '1.5-1']}" {
		t.Error(got)
	}
}

func TestFulfills(t *testing.T) {
	m := apt{}
	for _, tt := range []struct {
		have, want string
		ignore     any
		updates    bool
		fits       bool
	}{
		{"1.5-1", "1.5-1", nil, false, true},
		{"1:1.5-1", "1.5-1", nil, false, true}, // without an operator or an epoch, epochs do not count
		{"1:1.5-1", "1.5-1", false, false, false},
		{"1:1.5-1", "1:1.5*", nil, false, true},
		{"1.5-1", ">=1.0,<2", nil, false, true},
		{"2.5-1", ">=1.0,<2", nil, false, false},
		{"2.0", "1.0", nil, true, true}, // allow_updates
		{"1.0", "=1.0", nil, false, true},
		{"1.0", "!=1.0", nil, false, false},
		{"1.0", "<>1.0", nil, false, false}, // no operator that Salt compares by
		{"1.0", "", nil, false, true},
	} {
		if got := fulfills(m, []string{tt.have}, tt.want, tt.ignore, tt.updates); got != tt.fits {
			t.Errorf("%s %q: %v", tt.have, tt.want, got)
		}
	}
}

// The text is what Salt 3008's CommandExecutionError gives for this information.
func TestProblem(t *testing.T) {
	p := &problem{"Problem encountered installing package(s)", value.M("errors", value.L("E: one\nE: two"), "changes", new(value.Map))}
	want := "Problem encountered installing package(s). Additional info follows:\n\nerrors:\n    - E: one\n      E: two"
	if got := p.withoutChanges(); got != want {
		t.Errorf("%q", got)
	}
	if got := (&problem{"Failed", value.M("changes", value.M("a", 1))}).withoutChanges(); got != "Failed" {
		t.Errorf("%q", got)
	}
}

// The command lines are those of Salt's aptpkg.
func TestCommands(t *testing.T) {
	p := &plan{targets: []string{"a", "b=2"}, downgrade: []string{"c=1"}, reinstall: value.M("d", "d=1")}
	cmds := p.commands(installArgs{Fromrepo: "bookworm-backports", Kwargs: value.M("install_recommends", false, "only_upgrade", true)}, fromRepository)
	opts := "apt-get -q -y -o DPkg::Options::=--force-confold -o DPkg::Options::=--force-confdef --no-install-recommends --only-upgrade -t bookworm-backports "
	want := []string{opts + "install a b=2", opts + "--force-yes install c=1", opts + "install --reinstall d=1"}
	for i, cmd := range cmds {
		if got := strings.Join(cmd, " "); got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
}

func TestAggregate(t *testing.T) {
	low := value.M("state", "pkg", "fun", "installed", "__id__", "a", "name", "a")
	chunks := []*value.Map{
		low,
		value.M("state", "pkg", "fun", "installed", "__id__", "b", "name", "b", "version", "2"),
		value.M("state", "pkg", "fun", "removed", "__id__", "c", "name", "c"),
		value.M("state", "pkg", "fun", "installed", "__id__", "d", "pkgs", value.L("e", value.M("f", "1"))),
		value.M("state", "pkg", "fun", "installed", "__id__", "h", "name", "h", "hold", true),
		value.M("state", "pkg", "fun", "installed", "__id__", "done", "name", "done"),
	}
	running := value.M("pkg_|-done_|-done_|-installed", true)
	out := aggregate(&salt.Ctx{}, low, chunks, running)
	if got := value.Repr(out.At("pkgs")); got != "['a', {'b': '2'}, 'e', {'f': '1'}]" {
		t.Error(got)
	}
	if !chunks[3].Truth("__agg__") || chunks[4].Has("__agg__") {
		t.Error("wrong chunks taken")
	}
}
