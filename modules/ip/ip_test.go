package ip

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine has files.
type machine struct {
	sys.Sys
	salt.Host
	files map[string]string
}

func (m *machine) ReadFile(p string) ([]byte, error) {
	if text, ok := m.files[p]; ok {
		return []byte(text), nil
	}
	return nil, &os.PathError{Op: "open", Path: p, Err: os.ErrNotExist}
}
func (m *machine) Stat(p string) (os.FileInfo, error) {
	if _, ok := m.files[p]; ok {
		return os.Stat("/proc/self/status")
	}
	return os.Stat("/")
}
func (m *machine) ReadDir(string) ([]os.DirEntry, error) { return nil, os.ErrNotExist }
func (m *machine) EvalSymlinks(p string) (string, error) { return p, nil }
func (m *machine) Replace(p string, _ sys.FileAttrs, write func(io.Writer) error) error {
	var b strings.Builder
	err := write(&b)
	m.files[p] = b.String()
	return err
}

func newCtx(files map[string]string) (*salt.Ctx, *machine) {
	m := &machine{files: files}
	return &salt.Ctx{Context: context.Background(), Sys: m, Host: m, Log: slog.New(slog.DiscardHandler), Grains: value.M("os", "Debian", "os_family", "Debian", "osfullname", "Debian")}, m
}

// TestInterfaces compares with what Salt made of the same settings and files.
func TestInterfaces(t *testing.T) {
	b, err := os.ReadFile("testdata/interfaces.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string, got *value.List, err error, want *value.Map) {
		t.Helper()
		have := ""
		if err != nil {
			have = err.Error()
		} else {
			have = value.Repr(got)
		}
		wish := want.Str("error")
		if l := want.List("lines"); l != nil {
			wish = value.Repr(l)
		}
		if have != wish {
			t.Errorf("%s:\n got %s\nwant %s", what, have, wish)
		}
	}
	for _, it := range v.(*value.Map).List("build").Items {
		tc := it.(*value.Map)
		c, _ := newCtx(map[string]string{})
		kw := tc.Map("settings").Shallow()
		kw.Set("test", true)
		name := "eth0"
		if tc.Str("kind") == "vlan" {
			name = "eth0.5"
		}
		got, err := buildInterface(c, buildInterfaceArgs{name, tc.Str("kind"), true, kw})
		same(tc.Str("kind")+" "+value.Repr(tc.Map("settings")), got, err, tc)
	}
	for _, it := range v.(*value.Map).List("get").Items {
		tc := it.(*value.Map)
		c, _ := newCtx(map[string]string{interfacesFile: tc.Str("text")})
		got, err := getInterface(c, ifaceArgs{"eth0"})
		same(tc.Str("text"), got, err, tc)
	}
}

// Only the stanzas of the interface change; a second run changes nothing.
func TestStore(t *testing.T) {
	const before = "# mine\nsource /etc/network/interfaces.d/*\n\nauto lo eth0\niface lo inet loopback\n\niface eth0 inet dhcp\n    # old\n    metric 5\n\nmapping eth1\n    script /bin/x\n"
	const after = "# mine\nsource /etc/network/interfaces.d/*\n\nauto lo\nauto eth0\niface eth0 inet static\n    address 10.0.0.2\n    netmask 24\niface lo inet loopback\n\n\nmapping eth1\n    script /bin/x\n"
	c, m := newCtx(map[string]string{interfacesFile: before})
	kw := value.M("proto", "static", "ipaddr", "10.0.0.2", "netmask", int64(24))
	for range 2 {
		if _, err := buildInterface(c, buildInterfaceArgs{"eth0", "eth", true, kw}); err != nil {
			t.Fatal(err)
		}
		if got := m.files[interfacesFile]; got != after {
			t.Errorf("%q", got)
		}
	}
	if _, err := buildInterface(c, buildInterfaceArgs{"eth2", "eth", false, value.M("proto", "dhcp")}); err != nil {
		t.Fatal(err)
	}
	const source = "/etc/network/more.d/*"
	for range 2 {
		got, err := buildInterface(c, buildInterfaceArgs{"source", "source", true, value.M("source", source)})
		if now, _ := getInterface(c, ifaceArgs{"source"}); err != nil || value.Repr(got) != value.Repr(now) {
			t.Error(value.Repr(got), value.Repr(now), err)
		}
	}
	if got := m.files[interfacesFile]; got != after+"\niface eth2 inet dhcp\nsource "+source+"\n" {
		t.Errorf("%q", got)
	}
}

// The lines are Salt's own.
func TestSettings(t *testing.T) {
	c, m := newCtx(map[string]string{"/etc/hostname": "old\n", resolvFile: "domain a.example\nnameserver 1.1.1.1\nsearch x\n"})
	old, _ := getNetworkSettings(c, salt.NoArgs{})
	if got := value.Repr(old); got != `['HOSTNAME=old\n', 'DOMAIN=a.example\n', "SEARCH=['x']\n"]` {
		t.Error(got)
	}
	now, err := buildNetworkSettings(c, settingsArgs{value.M("enabled", true, "hostname", "web.b.example")})
	if got := value.Repr(now); err != nil || got != `['NETWORKING=yes\n', 'HOSTNAME=web\n', 'DOMAIN=b.example\n', "SEARCH=['x']\n"]` {
		t.Error(got, err)
	}
	if got := m.files[resolvFile]; got != "domain b.example\nnameserver 1.1.1.1\nsearch x\n" {
		t.Errorf("%q", got)
	}
	if got := m.files[networkingFile]; !strings.Contains(got, "\nCONFIGURE_INTERFACES=yes\n") {
		t.Errorf("%q", got)
	}
	_, err = buildNetworkSettings(c, settingsArgs{value.M("enabled", "perhaps")})
	if err == nil || err.Error() != "Invalid network setting -- Setting: networking, Expected: [yes|on|true|1|True|no|off|false|0|False]" {
		t.Error(err)
	}
}

// The script is Salt's own.
func TestRoutes(t *testing.T) {
	routes := value.L(value.M("name", "n", "ipaddr", "10.0.0.0", "netmask", "255.0.0.0", "gateway", "1.1.1.1", "metric", int64(5)), value.M("ipaddr", "x"))
	want := "#!/bin/sh\n# add\ntest \"${IFACE}\" = \"eth0\" || exit 0\n# n\nip route add 10.0.0.0/255.0.0.0 via 1.1.1.1 dev eth0 metric 5\nip route add x  dev eth0\n"
	if got := script("add", "eth0", routes); got != want {
		t.Errorf("%q", got)
	}
}

// The text is Salt's own.
func TestPeer(t *testing.T) {
	want := "user u\npassword p \nplugin rp-pppoe.so eth0\n\nnoipdefault\nusepeerdns\ndefaultroute\n\nholdoff 15\nmaxfail 0\n\nhide-password\nlcp-echo-interval 20\nlcp-echo-failure 3\n\n\npersist\nmtu 1492\nnoaccomp\n\nlinkname l\n"
	if got := peerText(value.M("user", "u", "password", "p", "provider", "x", "noauth", "False", "linkname", "l")); got != want {
		t.Errorf("%q", got)
	}
}

// Putting an interface into a file twice is the same as once, and the file
// then has it.
func FuzzWith(f *testing.F) {
	f.Add("auto lo eth0\niface eth0 inet dhcp\n  x\n", "eth0")
	f.Fuzz(func(t *testing.T, text, name string) {
		if len(strings.Fields(name)) != 1 || strings.TrimSpace(name) != name || strings.HasPrefix(name, "#") || !utf8.ValidString(text) || strings.ContainsAny(name, "\r\v\f\u0085\u00a0") {
			return
		}
		stanzas := "auto " + name + "\niface " + name + " inet dhcp\n"
		once := with(text, name, stanzas)
		if again := with(once, name, stanzas); again != once {
			t.Errorf("%q\n%q\n%q", text, once, again)
		}
		parse(map[string]*adapter{}, text)
	})
}
