package caller_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"filippo.io/age/armor"

	"pinch/salt"
	"pinch/value"
)

// sealed is text as an age message for the identity, indented for YAML.
func sealed(t *testing.T, text string, id *age.X25519Identity) string {
	t.Helper()
	var b bytes.Buffer
	a := armor.NewWriter(&b)
	w, err := age.Encrypt(a, id.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	w.Close()
	a.Close()
	return "  " + strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", "\n  ")
}

func pillarRun(t *testing.T, sls string, opts *value.Map) (*salt.Ctx, *value.Map) {
	t.Helper()
	root := tree(t, value.M("top.sls", "base: {'*': [p]}", "p.sls", sls), "pillar")
	all := options(root, opts)
	all.Set("id", "web1")
	all.Set("config_dir", root)
	r := newRun(t, root, all, value.M("id", "web1"))
	ctx := r.Ctx(context.Background())
	got, err := r.CompilePillar(ctx, salt.PillarOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, got
}

func TestAge(t *testing.T) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key.txt")
	if err := os.WriteFile(key, []byte("# mine\n"+id.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	body := "pw: |\n" + sealed(t, "hunter2-and-more\n", id) + "\nother: plain\n"

	ctx, got := pillarRun(t, "#!yaml|age\n"+body, value.M("age_identities", value.L(key)))
	if got.Str("pw") != "hunter2-and-more" || got.Str("other") != "plain" {
		t.Error(value.Repr(got))
	}
	if s := ctx.Run.Redact("the word is hunter2-and-more."); s != "the word is **********." {
		t.Errorf("what was decrypted is shown: %s", s)
	}

	_, got = pillarRun(t, body, value.M("age_identities", key, "decrypt_pillar", value.L(value.M("pw", "age")), "decrypt_pillar_renderers", value.L("gpg", "age")))
	if got.Str("pw") != "hunter2-and-more" {
		t.Error(value.Repr(got))
	}
	for _, tt := range []struct {
		opts *value.Map
		want string
	}{
		{value.M("decrypt_pillar", value.L("pw"), "decrypt_pillar_default", "age", "decrypt_pillar_renderers", value.L("gpg")), "Failed to decrypt pillar key 'pw': 'age' is not a valid decryption renderer. Valid choices are: gpg"},
		{value.M("decrypt_pillar", value.M("pw", "nosuch"), "decrypt_pillar_renderers", value.L()), "Failed to decrypt pillar key 'pw': Decryption renderer 'nosuch' is not available"},
		{value.M("decrypt_pillar", "x"), "decrypt_pillar config option is malformed"},
	} {
		_, got := pillarRun(t, body, tt.opts)
		if e := value.Str(got.List("_errors")); !strings.Contains(e, tt.want[:20]) || got.List("_errors").Items[0] != tt.want {
			t.Errorf("got %s, want %s", e, tt.want)
		}
	}
	stranger, _ := age.GenerateX25519Identity()
	if err := os.WriteFile(key, []byte(stranger.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	_, got = pillarRun(t, body, value.M("age_identities", key, "decrypt_pillar", value.L(value.M("pw", "age")), "decrypt_pillar_renderers", value.L("age")))
	if e := value.Str(got.At("_errors")); !strings.Contains(e, "did not match") || strings.Contains(e, "AGE-SECRET") {
		t.Error(e)
	}
}

func TestGPG(t *testing.T) {
	gpg, err := exec.LookPath("gpg")
	if err != nil {
		t.Skip("there is no gpg")
	}
	home, err := os.MkdirTemp("", "gpg") // its sockets need a short path
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(home)
	run := func(in string, args ...string) string {
		c := exec.Command(gpg, append([]string{"--homedir", home, "--batch", "--quiet"}, args...)...)
		c.Stdin = strings.NewReader(in)
		out, err := c.Output()
		if err != nil {
			t.Skip("this gpg makes no keys: ", err)
		}
		return string(out)
	}
	run("", "--passphrase", "", "--quick-gen-key", "t@example.com", "default", "default", "never")
	defer exec.Command("gpgconf", "--homedir", home, "--kill", "all").Run()
	block := run("gold-in-the-attic\n", "--trust-model", "always", "-e", "-a", "-r", "t@example.com")
	text := "pw: |\n  " + strings.ReplaceAll(strings.TrimSpace(block), "\n", "\n  ") + "\n"
	ctx, got := pillarRun(t, "#!jinja|yaml|gpg\n"+text, value.M("gpg_keydir", home))
	if got.Str("pw") != "gold-in-the-attic" || ctx.Run.Redact("gold-in-the-attic") != salt.Redacted {
		t.Error(value.Repr(got))
	}
	_, got = pillarRun(t, text, value.M("gpg_keydir", t.TempDir(), "decrypt_pillar", value.L("pw")))
	if e := value.Str(got.At("_errors")); !strings.Contains(e, "Could not decrypt cipher, received: ") {
		t.Error(e)
	}
}

// Keys that secret_pillar_keys names stay out of logs and errors.
func TestSecretPillarKeys(t *testing.T) {
	ctx, _ := pillarRun(t, "db: {word: tricky-one, port: 123456}\nusers: {bob: {hash: abcdefgh}}\nopen: visible-text\n",
		value.M("secret_pillar_keys", value.L("w*", "users:*:hash", "port")))
	if got := ctx.Run.Redact("tricky-one 123456 abcdefgh visible-text"); got != "********** ********** ********** visible-text" {
		t.Error(got)
	}
	root := t.TempDir()
	r := newRun(t, root, options(root, new(value.Map)), new(value.Map))
	c := r.Ctx(context.Background())
	c.Run.Hide("swordfish")
	_, err := r.RenderData(c, salt.Template{Text: "a: swordfish: b\n", Name: "x", Engine: "yaml"})
	if err == nil || strings.Contains(err.Error(), "swordfish") {
		t.Error(err)
	}
}

func TestGotmpl(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{{ .grains.os }} {{ .pillar.users.bob.uid }}", "Debian 5"},
		{"{{ range $n, $u := .pillar.users }}{{ $n }}={{ $u.uid | default 1000 }};{{ end }}", "ann=1000;bob=5;"},
		{`{{ salt "test.echo" "hi" | upper }} {{ salt "test.kwarg" (kwargs "a" 1) | toJson }}`, `HI {"a":1}`},
		{"{{ with .pillar }}{{ .port }}{{ end }} {{ $.context_var }}", "80 x"},
		{`{{ define "t" }}{{ .grains.os }}{{ end }}{{ template "t" . }}`, "Debian"},
		{"{{ .pillar.gone }}", "error: a value that the template prints is not there"},
		{"a\n{{ .pillar.port | nosuch }}", "error: Go template error: function \"nosuch\" not defined; line 2"},
		{"a\n\n  {{ salt \"no.such\" }}", "error: Go template error: error calling salt: there is no function no.such; line 3"},
		{`{{ semverCompare ">=1.2" "1.3.0" }} {{ "a,b" | splitList "," | join "-" }}`, "true a-b"},
	} {
		root := t.TempDir()
		r := newRun(t, root, options(root, new(value.Map)), value.M("os", "Debian"))
		c := r.Ctx(context.Background())
		c.Pillar = value.M("port", int64(80), "users", value.M("bob", value.M("uid", int64(5)), "ann", value.M()))
		got, err := r.Render(c, salt.Template{Text: tt.text, Name: "x", Engine: "gotmpl", Vars: value.M("context_var", "x")})
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != tt.want && !(strings.HasPrefix(tt.want, "error: ") && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}
