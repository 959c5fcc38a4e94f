package iptables

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine has a packet filter, whose state is the text of iptables-save.
type machine struct {
	sys.Sys
	salt.Host
	rules string
	files map[string]string
	ran   []string
}

func (m *machine) LookPath(name string) string { return "/sbin/" + name }
func (m *machine) ReadFile(p string) ([]byte, error) {
	if text, ok := m.files[p]; ok {
		return []byte(text), nil
	}
	return nil, &os.PathError{Op: "open", Path: p, Err: os.ErrNotExist}
}
func (m *machine) Stat(string) (os.FileInfo, error) { return os.Stat("/") }
func (m *machine) Replace(p string, _ sys.FileAttrs, write func(io.Writer) error) error {
	return os.ErrPermission
}
func (m *machine) Run(_ context.Context, cmd sys.Cmd) (sys.CmdResult, error) {
	if strings.HasSuffix(cmd.Argv[0], "-save") {
		return sys.CmdResult{Stdout: []byte(m.rules)}, nil
	}
	return sys.CmdResult{}, nil
}
func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	switch fun {
	case "config.option":
		return args[1], nil
	case "file.write":
		m.files[args[0].(string)] = args[1].(string) + "\n"
		return "Wrote", nil
	case "cmd.retcode":
		_, words, _ := strings.Cut(args[0].(string), " -C ")
		if strings.Contains(m.rules, "-A "+words+"\n") {
			return int64(0), nil
		}
		return int64(1), nil
	}
	m.ran = append(m.ran, args[0].(string))
	if strings.Contains(args[0].(string), "BAD") {
		return "iptables: No chain/target/match by that name.", nil
	}
	return "", nil
}

func TestLikeSalt(t *testing.T) {
	b, err := os.ReadFile("testdata/salt.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	all := v.(*value.Map)
	c := &salt.Ctx{Context: context.Background(), Sys: &machine{}, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler)}
	for _, it := range all.List("rules").Items {
		tc := it.(*value.Map)
		got, err := Module.Exec()["build_rule"].Call(c, nil, tc.Map("kwargs"))
		if err != nil || got != tc.At("rule") {
			t.Errorf("%s: %v\n got %v\nwant %v", value.Repr(tc.Map("kwargs")), err, got, tc.At("rule"))
		}
	}
	if got, want := parse(all.Str("text")), all.Map("parsed"); !value.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", value.Repr(got), value.Repr(want))
	}
}

// Comments are Salt's own.
func TestStates(t *testing.T) {
	const have = "*filter\n:INPUT ACCEPT [0:0]\n:MINE - [0:0]\n-A INPUT -p tcp --dport 22 --jump ACCEPT\nCOMMIT\n"
	ssh := value.M("name", "ssh", "chain", "INPUT", "proto", "tcp", "dport", int64(22), "jump", "ACCEPT")
	web := value.M("name", "web", "chain", "INPUT", "proto", "tcp", "dport", int64(80), "jump", "ACCEPT")
	with := func(m *value.Map, kv ...any) *value.Map {
		out := m.Shallow()
		out.Update(value.M(kv...))
		return out
	}
	const cmd = "/sbin/iptables  -t filter -"
	for _, tt := range []struct {
		fun  string
		kw   *value.Map
		test bool
		want string
		ran  string
	}{
		{"append", ssh, false, "True {} iptables rule for ssh already set (" + cmd + "A INPUT  -p tcp --dport 22 --jump ACCEPT) for ipv4", ""},
		{"append", web, true, "None {} iptables rule for web needs to be set (" + cmd + "A INPUT  -p tcp --dport 80 --jump ACCEPT) for ipv4", ""},
		{"append", web, false, "True {'locale': 'web'} Set iptables rule for web to: " + cmd + "A INPUT  -p tcp --dport 80 --jump ACCEPT for ipv4", cmd + "A INPUT -p tcp --dport 80 --jump ACCEPT"},
		{"append", with(web, "save", true), false, "True {'locale': 'web'} Set and saved iptables rule web for ipv4|" + cmd + "A INPUT  -p tcp --dport 80 --jump ACCEPT|Wrote", cmd + "A INPUT -p tcp --dport 80 --jump ACCEPT"},
		{"append", with(web, "chain", "BAD"), false, "False {} Failed to set iptables rule for web.|Attempted rule was " + cmd + "A BAD  -p tcp --dport 80 --jump ACCEPT for ipv4", cmd + "A BAD -p tcp --dport 80 --jump ACCEPT"},
		{"append", with(ssh, "save", "/f"), false, "True {} iptables rule for ssh already set (" + cmd + "A INPUT  -p tcp --dport 22 --jump ACCEPT) for ipv4|Saved iptables rule ssh for ipv4|" + cmd + "A INPUT  -p tcp --dport 22 --jump ACCEPT|Wrote", ""},
		{"append", value.M("name", "all", "rules", value.L(ssh, web)), true, "None {} iptables rule for ssh already set (" + cmd + "A INPUT  -p tcp --dport 22 --jump ACCEPT) for ipv4|iptables rule for web needs to be set (" + cmd + "A INPUT  -p tcp --dport 80 --jump ACCEPT) for ipv4", ""},
		{"insert", with(web, "position", int64(1)), true, "None {} iptables rule for web needs to be set for ipv4 (" + cmd + "I INPUT 1 -p tcp --dport 80 --jump ACCEPT)", ""},
		{"insert", with(web, "position", int64(-1)), false, "True {'locale': 'web'} Set iptables rule for web to: " + cmd + "I INPUT -1 -p tcp --dport 80 --jump ACCEPT for ipv4", cmd + "I INPUT 1 -p tcp --dport 80 --jump ACCEPT"},
		{"delete", web, false, "True {} iptables rule for web already absent for ipv4 (" + cmd + "D INPUT  -p tcp --dport 80 --jump ACCEPT)", ""},
		{"delete", ssh, true, "None {} iptables rule for ssh needs to be deleted for ipv4 (" + cmd + "D INPUT  -p tcp --dport 22 --jump ACCEPT)", ""},
		{"delete", ssh, false, "True {'locale': 'ssh'} Delete iptables rule for ssh " + cmd + "D INPUT  -p tcp --dport 22 --jump ACCEPT", cmd + "D INPUT -p tcp --dport 22 --jump ACCEPT"},
		{"chain_present", value.M("name", "MINE"), false, "True {} iptables MINE chain is already exist in filter table for ipv4", ""},
		{"chain_present", value.M("name", "NEW"), true, "None {} iptables NEW chain in filter table needs to be set for ipv4", ""},
		{"chain_present", value.M("name", "NEW"), false, "True {'locale': 'NEW'} iptables NEW chain in filter table create success for ipv4", cmd + "N NEW"},
		{"chain_absent", value.M("name", "NEW"), false, "True {} iptables NEW chain is already absent in filter table for ipv4", ""},
		{"chain_absent", value.M("name", "MINE"), false, "True {'locale': 'MINE'} iptables MINE chain in filter table delete success for ipv4", cmd + "F MINE " + cmd + "X MINE"},
		{"set_policy", value.M("name", "p", "chain", "INPUT", "policy", "ACCEPT"), false, "True {} iptables default policy for chain INPUT on table filter for ipv4 already set to ACCEPT", ""},
		{"set_policy", value.M("name", "p", "chain", "INPUT", "policy", "DROP"), true, "None {} iptables default policy for chain INPUT on table filter for ipv4 needs to be set to DROP", ""},
		{"set_policy", value.M("name", "p", "chain", "INPUT", "policy", "DROP"), false, "True {'locale': 'p'} Set default policy for INPUT to DROP family ipv4", cmd + "P INPUT DROP"},
		{"flush", value.M("name", "f", "chain", "MINE"), false, "True {'locale': 'f'} Flush iptables rules in filter table MINE chain ipv4 family", cmd + "F MINE"},
	} {
		m := &machine{rules: have, files: map[string]string{}}
		c := &salt.Ctx{Context: context.Background(), Sys: m, Host: m, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler), Grains: value.M("os_family", "Debian"), Test: tt.test}
		v, err := Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result)
		if r.Err() != nil {
			t.Errorf("%s %s: %v", tt.fun, value.Repr(tt.kw), r.Err())
			continue
		}
		o := r.Map("")
		if got := value.Repr(o.At("result")) + " " + value.Repr(o.At("changes")) + " " + strings.ReplaceAll(o.Str("comment"), "\n", "|"); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
		if got := strings.Join(m.ran, " "); got != tt.ran {
			t.Errorf("%s %s ran %s", tt.fun, value.Repr(tt.kw), got)
		}
	}
}

func TestAggregate(t *testing.T) {
	chunk := func(id, fun string) *value.Map {
		return value.M("state", "iptables", "__id__", id, "name", id, "fun", fun, "chain", "INPUT")
	}
	a, b, other := chunk("a", "append"), chunk("b", "append"), chunk("c", "insert")
	low := aggregate(nil, a, []*value.Map{a, b, other}, new(value.Map))
	if l := low.List("rules"); l.Len() != 2 || l.Items[1].(*value.Map).Str("name") != "b" || !b.Has("__agg__") || other.Has("__agg__") {
		t.Error(value.Repr(low))
	}
}

func FuzzParse(f *testing.F) {
	f.Add("*filter\n:INPUT DROP [10:200]\n-A INPUT ! -s 1.1.1.1 -m comment --comment \"a b\" -j ACCEPT\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, table := range parse(text).Items() {
			for _, chain := range table.(*value.Map).Items() {
				if chain.(*value.Map).List("rules") == nil {
					t.Errorf("%q", text)
				}
			}
		}
	})
}
