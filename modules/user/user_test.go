package user

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine has accounts of its own, and records the calls that would change them.
type machine struct {
	sys.Sys
	salt.Host
	shadow *value.Map
	ran    []string
}

var (
	users = []sys.User{
		{Name: "old", Passwd: "x", UID: 1000, GID: 1000, Gecos: "Old Name,12", Home: "/", Shell: "/bin/sh"},
		{Name: "stays", Passwd: "x", UID: 1002, GID: 1002, Home: "/", Shell: "/bin/sh"},
	}
	groups = []sys.Group{
		{Name: "old", GID: 1000}, {Name: "stays", GID: 1002}, {Name: "staff", GID: 50},
		{Name: "opt1", GID: 5002, Members: []string{"old"}}, {Name: "opt1alias", GID: 5002}, {Name: "opt2", GID: 5003},
	}
)

func (m *machine) LookPath(name string) string  { return "/usr/sbin/" + name }
func (m *machine) Users() ([]sys.User, error)   { return users, nil }
func (m *machine) Groups() ([]sys.Group, error) { return groups, nil }

func (m *machine) User(name string) (sys.User, error) {
	for _, u := range users {
		if u.Name == name {
			return u, nil
		}
	}
	return sys.User{}, sys.ErrNoUser
}

func (m *machine) Group(name string) (sys.Group, error) {
	for _, g := range groups {
		if g.Name == name {
			return g, nil
		}
	}
	return sys.Group{}, sys.ErrNoGroup
}

func (m *machine) GroupID(gid int) (sys.Group, error) {
	for _, g := range groups {
		if g.GID == gid {
			return g, nil
		}
	}
	return sys.Group{}, sys.ErrNoGroup
}

func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	switch fun {
	case "shadow.info":
		return m.shadow, nil
	case "cmd.run_all":
		var words []string
		for _, it := range args[0].(*value.List).Items {
			words = append(words, value.Str(it))
		}
		m.ran = append(m.ran, strings.TrimPrefix(strings.Join(words, " "), "/usr/sbin/"))
		return value.M("retcode", int64(0), "stderr", ""), nil
	}
	m.ran = append(m.ran, fun+strings.ReplaceAll(value.Repr(value.Tuple(args)), "'", ""))
	return true, nil
}

func call(t *testing.T, fun string, kw *value.Map, test bool) (string, string) {
	m := &machine{Sys: sys.Real{}, shadow: value.M("name", "x", "passwd", "$6$salt$hash", "lstchg", int64(19000), "min", int64(0), "max", int64(99999), "warn", int64(7), "inact", int64(-1), "expire", int64(-1))}
	c := &salt.Ctx{Context: context.Background(), Sys: m, Log: slog.New(slog.DiscardHandler), Host: m, Test: test, Grains: new(value.Map)}
	v, err := Module.States()[fun].Call(c, nil, kw)
	if err != nil {
		t.Fatal(err)
	}
	r := v.(salt.Result).Map("")
	return value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"), strings.Join(m.ran, "; ")
}

// Comments are Salt's own.
func TestPreview(t *testing.T) {
	L := value.L
	const set = "None {} The following user attributes are set to be changed:\n"
	for _, tt := range []struct {
		kw   *value.Map
		want string
	}{
		{value.M("name", "old"), "True {} User old is present and up to date"},
		{value.M("name", "old", "groups", L("opt1")), "True {} User old is present and up to date"},
		{value.M("name", "old", "groups", L("opt1alias")), "True {} User old is present and up to date"},
		{value.M("name", "old", "groups", L()), set + "groups: []\n"},
		{value.M("name", "old", "groups", L(), "remove_groups", false), "True {} User old is present and up to date"},
		{value.M("name", "old", "groups", L("opt2"), "remove_groups", false), set + "groups: ['opt1', 'opt1alias', 'opt2']\n"},
		{value.M("name", "old", "home", "/nosuch/moved", "fullname", "New Name", "groups", L("nosuch", "opt1")),
			set + "home: /nosuch/moved\nhomeDoesNotExist: /nosuch/moved\nfullname: New Name\ngroups (pending creation): nosuch\n"},
		{value.M("name", "stays", "optional_groups", L("nosuch", "opt1")), set + "groups: ['opt1']\n"},
		{value.M("name", "stays", "password", "$6$new", "mindays", int64(1), "expire", int64(20000)), set + "passwd: XXX-REDACTED-XXX\nmindays: 1\nexpire: 20000\n"},
		{value.M("name", "stays", "password", "$6$new", "enforce_password", false), "True {} User stays is present and up to date"},
		{value.M("name", "stays", "roomnumber", int64(12), "password_lock", true), set + "password_lock: True\nroomnumber: 12\n"},
		{value.M("name", "stays", "empty_password", true), set + "empty_password: True\n"},
		{value.M("name", "stays", "gid", "staff", "uid", int64(7)), "False {} Encountered error checking for needed changes. Additional info follows:\n\n" +
			"- Changing uid (1002 -> 7) not permitted, set allow_uid_change to True to force this change. Note that this will not change file ownership.\n" +
			"- Changing gid (1002 -> staff) not permitted, set allow_gid_change to True to force this change. Note that this will not change file ownership."},
		{value.M("name", "stays", "gid", "staff", "allow_gid_change", true), set + "gid: staff\ngroups: ['stays']\n"},
		{value.M("name", "stays", "fullname", "a,b"), "False {} Unsupported char ',' in a,b"},
		{value.M("name", "new", "groups", L("nosuch", "opt1")), "None {} User new set to be added (pending groups: nosuch)"},
		{value.M("name", "new"), "None {} User new set to be added"},
	} {
		if got, ran := call(t, "present", tt.kw, true); got != tt.want || ran != "" {
			t.Errorf("%s:\n got %s %s\nwant %s", value.Repr(tt.kw), got, ran, tt.want)
		}
	}
}

// The tools get the flags that Salt gives them. They change nothing here, so
// the state finds that nothing changed.
func TestApply(t *testing.T) {
	L := value.L
	for _, tt := range []struct {
		fun       string
		kw        *value.Map
		want, ran string
	}{
		{"present", value.M("name", "old", "shell", "/bin/bash", "groups", L("opt2"), "fullname", "New", "mindays", int64(1), "date", int64(2)),
			"False {} These values could not be changed: {'groups': ['opt2'], 'shell': '/bin/bash', 'date': 2, 'mindays': 1, 'fullname': 'New'}",
			"shadow.set_date(old, 2); shadow.set_mindays(old, 1); usermod -s /bin/bash old; usermod -c New,12 old; usermod -G opt2 old"},
		{"present", value.M("name", "old", "home", "/nosuch/h", "persist_home", true, "password", "$6$new"),
			"False {} These values could not be changed: {'home': '/nosuch/h', 'homeDoesNotExist': '/nosuch/h', 'passwd': 'XXX-REDACTED-XXX'}",
			"shadow.set_password(old, $6$new); usermod -m -d /nosuch/h old; file.mkdir(/nosuch/h, 1000, 1000, 493)"},
		{"present", value.M("name", "old", "groups", L("nosuch")), "False {} The following group(s) are not present: nosuch", ""},
		{"absent", value.M("name", "new"), "True {} User new is not present", ""},
		{"absent", value.M("name", "old", "purge", true, "force", true), "True {'old': 'removed'} Removed user old", "userdel -r -f old"},
	} {
		if got, ran := call(t, tt.fun, tt.kw, false); got != tt.want || ran != tt.ran {
			t.Errorf("%s:\n got %s [%s]\nwant %s [%s]", value.Repr(tt.kw), got, ran, tt.want, tt.ran)
		}
	}
}

func TestUseradd(t *testing.T) {
	c := &salt.Ctx{Sys: &machine{Sys: sys.Real{}}}
	for _, tt := range []struct {
		args addArgs
		want string
	}{
		{addArgs{Name: "n", UID: int64(4001), GID: "staff", Home: "/h", Shell: "/bin/bash", Createhome: true, System: true}, "useradd -s /bin/bash -u 4001 -g staff -m -d /h -o -r n"},
		{addArgs{Name: "n", Unique: true, Usergroup: true, Nologinit: true}, "useradd -U -M -l n"},
		{addArgs{Name: "n", Unique: true, Usergroup: false, Createhome: true, Root: "/mnt"}, "useradd -N -m n -R /mnt"},
		{addArgs{Name: "n", Unique: true, Usergroup: false, Createhome: true, Local: true}, "luseradd -n n"},
	} {
		var words []string
		for _, w := range tt.args.argv(c) {
			words = append(words, value.Str(w))
		}
		if got := strings.Join(words, " "); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
