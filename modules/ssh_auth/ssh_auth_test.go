package ssh_auth_test

import (
	"context"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"pinch/modules/ssh"
	"pinch/modules/ssh_auth"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// The engine runs the ssh functions without asking for the ssh program.
type engine struct{ salt.Host }

func (engine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	return ssh.Module.Exec()[fun[len("ssh."):]].Call(c, args, kw)
}

const (
	one = "AAAAC3NzaC1lZDI1NTE5AAAAIF7sDcQZqoM3v3JfAm/anHjByxxkLur/nW4REvN3g+lC"
	two = "AAAAC3NzaC1lZDI1NTE5AAAAIKGLhpsugcDFKVUqPE+lyS7Qi5ik4Uau13jXHSdRf4Os"
)

// Comments, changes and files are Salt's own.
func TestStates(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Skip(err)
	}
	const before = "# keys\n\nssh-ed25519 " + one + " laptop\n"
	for _, tt := range []struct {
		desc, fun, name string
		kw              *value.Map
		test            bool
		want, after     string
	}{
		{"there", "present", "ssh-ed25519 " + one + " laptop", value.M(), false, "True {} The authorized host key " + one + " is already present for user ME", before},
		{"tested", "present", "ssh-ed25519 " + two, value.M(), true, "None {} Key " + two + " for user ME is set to be added", before},
		{"added", "present", two, value.M("enc", "ed25519", "comment", "desk"), false, "True {'" + two + "': 'New'} The authorized host key " + two + " for user ME was added",
			before + "ssh-ed25519 " + two + " desk\n"},
		{"changed", "present", `no-pty,command="/bin/true" ssh-ed25519 ` + one + " laptop", value.M(), false,
			"True {'" + one + "': 'Updated'} The authorized host key " + one + " for user ME was updated", "# keys\nno-pty,command=\"/bin/true\" ssh-ed25519 " + one + " laptop\n"},
		{"no key", "present", "notbase64=====", value.M(), false, "False {} Invalid public ssh key, most likely has spaces or invalid syntax", before},
		{"absent, tested", "absent", one, value.M(), true, "None {} Key " + one + " for user ME is set for removal", before},
		{"absent", "absent", one, value.M(), false, "True {'" + one + "': 'Removed'} Key removed", "# keys\n"},
		{"absent already", "absent", two, value.M(), false, "True {} Key not present", before},
		{"managed", "manage", "keys", value.M("ssh_keys", value.L("ssh-ed25519 "+two+" desk")), false, "True {'" + one + "': 'Key removed', '" + two + "': 'New'} ",
			"# keys\nssh-ed25519 " + two + " desk\n"},
		{"managed, tested", "manage", "keys", value.M("ssh_keys", value.L("ssh-ed25519 "+two+" desk")), true,
			"None {} " + one + " Key set for removal\nKey " + two + " for user ME is set to be added", before},
	} {
		path := filepath.Join(t.TempDir(), "ME")
		os.WriteFile(path, []byte(before), 0o600)
		tt.kw.Update(value.M("name", tt.name, "user", me.Username, "config", path))
		c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: value.M(), Test: tt.test, Host: engine{}, Run: salt.NewRun()}
		v, err := ssh_auth.Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")

		want := strings.ReplaceAll(tt.want, "user ME", "user "+me.Username)
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.desc, got, want)
		}
		if b, _ := os.ReadFile(path); string(b) != tt.after {
			t.Errorf("%s:\n got %q\nwant %q", tt.desc, b, tt.after)
		}
	}
}
