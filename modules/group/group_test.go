package group

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine has groups of its own, and records the tools that would change them.
type machine struct {
	sys.Sys
	salt.Host
	groups []sys.Group
	ran    []string
}

func (m *machine) LookPath(name string) string  { return "/usr/sbin/" + name }
func (m *machine) Groups() ([]sys.Group, error) { return m.groups, nil }
func (m *machine) Group(name string) (sys.Group, error) {
	for _, g := range m.groups {
		if g.Name == name {
			return g, nil
		}
	}
	return sys.Group{}, sys.ErrNoGroup
}

func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	var words []string
	for _, it := range args[0].(*value.List).Items {
		words = append(words, value.Str(it))
	}
	m.ran = append(m.ran, strings.TrimPrefix(strings.Join(words, " "), "/usr/sbin/"))
	return int64(0), nil
}

// Comments and tools are Salt's own; the tools change nothing here.
func TestStates(t *testing.T) {
	have := []sys.Group{{Name: "have", Passwd: "x", GID: 6001, Members: []string{"u1", "u2"}}, {Name: "taken", Passwd: "x", GID: 6100}}
	L := value.L
	for _, tt := range []struct {
		fun       string
		kw        *value.Map
		test      bool
		want, ran string
	}{
		{"present", value.M("name", "have", "gid", int64(6001), "members", L("u2", "u1")), false, "True {} Group have is present and up to date", ""},
		{"present", value.M("name", "have", "addusers", L("u3"), "delusers", L("u2", "u9")), true,
			"None {} The following group attributes are set to be changed:\naddusers: ['u3']\ndelusers: ['u2']\n", ""},
		{"present", value.M("name", "have", "addusers", L("u3"), "delusers", L("u2"), "gid", "7"), false,
			"False {'Failed': {'gid': 7, 'addusers': ['u3'], 'delusers': ['u2']}} The following group attributes are set to be changed:\ngid: 7\naddusers: ['u3']\ndelusers: ['u2']\nSome changes could not be applied",
			"groupmod -g 7 have; gpasswd --add u3 have; gpasswd --del u2 have"},
		{"present", value.M("name", "have", "members", L()), true, "None {} The following group attributes are set to be changed:\ndelusers: {'u1', 'u2'}\n", ""},
		{"present", value.M("name", "have", "members", L("u1"), "addusers", L("u3")), false,
			`None {} Error: Conflicting options "members" with "addusers" and/or "delusers" can not be used together. `, ""},
		{"present", value.M("name", "have", "addusers", L("u1"), "delusers", L("u1")), false, "None {} Error. Same user(s) can not be added and deleted simultaneously", ""},
		{"present", value.M("name", "new", "gid", int64(6100)), false, "False {} Group new is not present but gid 6100 is already taken by group taken", ""},
		{"present", value.M("name", "new"), true, "None {} Group new set to be added", ""},
		{"present", value.M("name", "new", "gid", int64(700), "system", true, "members", L("a", "b")), false, "True {} New group new created", "groupadd -g 700 -r new; gpasswd --members a,b new"},
		{"present", value.M("name", "new", "gid", int64(6100), "non_unique", true), false, "True {} New group new created", "groupadd -g 6100 -o new"},
		{"absent", value.M("name", "have"), true, "None {} Group have is set for removal", ""},
		{"absent", value.M("name", "have", "local", true), false, "True {} Group not present", ""},
		{"absent", value.M("name", "have"), false, "True {'have': ''} Removed group have", "groupdel have"},
		{"absent", value.M("name", "new"), false, "True {} Group not present", ""},
	} {
		m := &machine{Sys: sys.Real{}, groups: have}
		c := &salt.Ctx{Context: context.Background(), Sys: m, Log: slog.New(slog.DiscardHandler), Host: m, Test: tt.test}
		v, err := Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment")
		if ran := strings.Join(m.ran, "; "); got != tt.want || ran != tt.ran {
			t.Errorf("%s %s:\n got %s [%s]\nwant %s [%s]", tt.fun, value.Repr(tt.kw), got, ran, tt.want, tt.ran)
		}
	}
}
