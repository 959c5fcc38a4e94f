package postgres

import (
	"slices"
	"testing"
)

// The rules are those of the manual of PostgreSQL, 4.1.1 and 4.1.2.
func TestQuoting(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{ident(`a"b`), `"a""b"`}, {literal(`it's`), `'it''s'`}, {literal(`a\b'`), ` E'a\\b'''`},
		{bare("template0"), "template0"}, {bare("my-db"), `"my-db"`}, {bare(`"My-DB"`), `"My-DB"`}, {bare(`"a"; drop x; "b"`), `"""a""; drop x; ""b"""`},
		{bareText("1.4"), "'1.4'"}, {bareText("'1.4'"), "'1.4'"}, {bareText(`'\'`), ` E'''\\'''`}, {bareText("unpackaged"), "unpackaged"}, {bareText("1'; drop"), "'1''; drop'"},
		{setting("random_page_cost", 1.5), "random_page_cost = 1.5"}, {setting("x y", "a'"), `"x y" = 'a'''`},
		{grantee("Public"), "PUBLIC"}, {grantee("Bob"), `"Bob"`},
	} {
		if tc.got != tc.want {
			t.Errorf("got %s, want %s", tc.got, tc.want)
		}
	}
}

// As the LooseVersion of Salt compares.
func TestOlderVersion(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{{"1.0", "1.1", true}, {"1.10", "1.9", false}, {"15.18 (Debian 15.18-0+deb12u1)", "9.1", false}, {"9.0.4", "9.1", true}, {"9.4", "9.5", true},
		{"1.2.3", "1.2.3", false}, {"1.0beta", "1.0", false}, {"1.0", "unpackaged", true}, {"16rc1", "17", true}, {"10", "9.5", false}} {
		if got := olderVersion(tc.a, tc.b); got != tc.want {
			t.Errorf("olderVersion(%q, %q) = %v", tc.a, tc.b, got)
		}
	}
}

// Access lists as the server prints them: names that are no plain words are
// quoted, first by aclitem, then by the array.
func TestAccessList(t *testing.T) {
	for _, tc := range []struct {
		list string
		role string
		want []any
	}{
		{"{postgres=arwdDxt/postgres,app=ar*/postgres}", "app", []any{"INSERT", "SELECT"}},
		{`{"\"my-user\"=r/postgres"}`, "my-user", []any{"SELECT"}},
		{`{"\"odd,\"\"one\"=U/postgres",=U/postgres}`, `odd,"one`, []any{"USAGE"}},
		{"{=c/postgres}", "public", []any{"CONNECT"}},
	} {
		var have []any
		for _, item := range arrayItems(tc.list) {
			if role, perms, ok := aclItem(item); ok && role == tc.role {
				have = perms.Keys()
			}
		}
		if !slices.Equal(have, tc.want) {
			t.Errorf("%s: %s has %v, want %v", tc.list, tc.role, have, tc.want)
		}
	}
	for _, bad := range []string{"", "x", `"`, `"x`, `"x"`, `"x""`, "x/y"} {
		if role, _, ok := aclItem(bad); ok {
			t.Errorf("%q is read as %q", bad, role)
		}
	}
}

func TestFunctionNames(t *testing.T) {
	for _, tc := range []struct{ name, want string }{
		{"add(integer,integer)", "FUNCTION public.add(integer,integer)"}, {"shop.add(int)", "FUNCTION public.add(int)"}, {"Add", `FUNCTION public."Add"`},
	} {
		o := object{name: tc.name, kind: "function", schema: "public"}
		if got, err := o.on(); got != tc.want || err != nil {
			t.Errorf("%s: %s, %v", tc.name, got, err)
		}
	}
	if _, err := (object{name: "f(); drop table x", kind: "function", schema: "public"}).on(); err == nil {
		t.Error("more than a function is taken")
	}
}
