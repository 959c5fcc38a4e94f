package shadow

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// The hashes are those of libxcrypt.
func TestCrypt(t *testing.T) {
	for _, tt := range []struct{ password, algorithm, setting, want string }{
		{"pw é", "sha512", "rounds=1000$abc", "$6$rounds=1000$abc$Vy6R9hjnfKbsqbRvv8ylI5kcKNnfTKHPKzT6Wi5cvUQ2RH1Hfab3WBR1Hn63.OE1pvPkfUcl/CweNkgGYSJNF."},
		{"pw é", "sha512", "saltsaltsaltsaltsalt", "$6$saltsaltsaltsalt$HfSywXlquERctuIHjcwskG1wBnrWpdetiP3RU/DRvhKL6EKbcWMYxwt7lUnGLBdNniqvksOk4JCdbj0aTj6qm."},
		{"pw é", "sha256", "rounds=10$toosmall", ""},
		{"", "sha512", "x", "$6$x$QSmr1Bx2g4O6BzKvdkgOcyU6H91X6I/XBv5pSalMhSPkwdH6Beo3F455xZJg0v//bxVK5F4OE5k1.0xuR26MK0"},
		{strings.Repeat("a", 100), "sha512", "x", "$6$x$WpTAO0OCjrfq5WnqjJEljeDvcsu0PNdWCxGeUJLDmClf1Zt0W.xoNd1qL42H0.kWnv4lgR66OqWGYd8pDW6v41"},
		{strings.Repeat("a", 100), "sha256", "x", "$5$x$2Bj4hxpwCYDap2E9mUKBUy1vwLSpfX./wV5XElIIsm."},
		{"pw", "sha256", "saltsalt", "$5$saltsalt$0rl.MZtoLLPP3X0Rdl8riRnphIcAXJY27/aOAyK2hB5"},
		{"pw é", "md5", "saltsaltsalt", "$1$saltsalt$a/ceeYvgS0AQVchPmCy5d/"},
		{strings.Repeat("a", 40), "md5", "x", "$1$x$DHmq9bsdPDY1rhlu8Qzct."},
		{"pw é", "blowfish", "05$abcdefghijklmnopqrstuu", "$2b$05$abcdefghijklmnopqrstuuj3zH7U3KxAP4Brf3C4QZS79zXTSEIQ."},
		{strings.Repeat("a", 80), "blowfish", "04$abcdefghijklmnopqrstuu", "$2b$04$abcdefghijklmnopqrstuuBzzIgyKkz7xMWYSzkIjUSnxEQFQ0WNe"},
		{"pw é", "crypt", "ab", "abGArEE4CA4JI"},
		{"password", "crypt", "ab", "abJnggxhB/yWI"},
		{"", "crypt", "..", "..X8NBuQ4l6uQ"},
		{"longpassword1", "crypt", "zZ", "zZq3RWy/G71sk"},
		{"x", "sha512", "a:b", ""},
	} {
		got, err := crypt(tt.password, tt.algorithm, tt.setting, false)
		if got != tt.want || err != nil {
			t.Errorf("%s %s: got %s %v, want %s", tt.algorithm, tt.setting, got, err, tt.want)
		}
	}
	if _, err := crypt("x", "foo", "", true); err == nil || !strings.HasPrefix(err.Error(), "Cannot hash using 'foo' hash algorithm.") {
		t.Error(err)
	}
	a, _ := crypt("x", "sha512", "", true)
	b, _ := crypt("x", "sha512", "", true)
	if a == b || len(a) != len("$6$")+16+1+86 {
		t.Error(a, b)
	}
}

const example = "root:*:19000:0:99999:7:::\nbob:$6$s$h:19001:1:90:7:5:20000:\nshort:x\n"

func TestInfo(t *testing.T) {
	root := t.TempDir()
	os.Mkdir(filepath.Join(root, "etc"), 0o755)
	os.WriteFile(filepath.Join(root, "etc/shadow"), []byte(example), 0o600)
	c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Run: salt.NewRun(), Grains: new(value.Map)}
	for name, want := range map[string]string{
		"bob":  "{'name': 'bob', 'passwd': '$6$s$h', 'lstchg': 19001, 'min': 1, 'max': 90, 'warn': 7, 'inact': 5, 'expire': 20000}",
		"root": "{'name': 'root', 'passwd': '*', 'lstchg': 19000, 'min': 0, 'max': 99999, 'warn': 7, 'inact': -1, 'expire': -1}",
		"none": "{'name': '', 'passwd': '', 'lstchg': '', 'min': '', 'max': '', 'warn': '', 'inact': '', 'expire': ''}",
	} {
		v, err := Module.Exec()["info"].Call(c, []any{name}, value.M("root", root))
		if got := value.Repr(v); got != want || err != nil {
			t.Errorf("%s: got %s %v, want %s", name, got, err, want)
		}
	}
	v, _ := Module.Exec()["list_users"].Call(c, nil, value.M("root", root))
	if value.Repr(v) != "['bob', 'root']" {
		t.Error(value.Repr(v))
	}
}

func TestWithPassword(t *testing.T) {
	for name, want := range map[string]string{
		"bob":   "root:*:19000:0:99999:7:::\nbob:HASH:20000:1:90:7:5:20000:\nshort:x\n",
		"short": "root:*:19000:0:99999:7:::\nbob:$6$s$h:19001:1:90:7:5:20000:\nshort:HASH:20000::::::\n",
		"new":   example + "new:HASH:20000::::::\n",
	} {
		if got, _ := withPassword(example, name, "HASH", 20000); got != want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range parse(text) {
			if e.name == "" {
				t.Error("an entry without a name")
			}
		}
	})
}
