package ssh_pki

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func testCtx() *salt.Ctx {
	return &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Opts: new(value.Map), Pillar: new(value.Map), Run: salt.NewRun()}
}

// The values are those of Salt's salt.utils.timeutil.timestring_map.
func TestDuration(t *testing.T) {
	for _, tt := range []struct {
		in   any
		want string
	}{{int64(60), "1m0s"}, {"60", "1m0s"}, {1.5, "1.5s"}, {"1.5h", "1h30m0s"}, {"7d", "168h0m0s"}, {nil, "0s"}, {"1w", "Invalid time string format: 1w"}, {true, "Expected integer, float or time string"}} {
		d, _, err := duration(tt.in)
		got := d.String()
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

// Policies limit what is asked for as Salt's do.
func TestPolicy(t *testing.T) {
	kw, err := merge(testCtx(), value.M("max_ttl", "1d", "allowed_valid_principals", value.L("a", "b"), "allowed_extensions", value.L("x"), "default_extensions", value.M("d", true)),
		value.M("ttl", "7d", "valid_principals", value.L("b", "c"), "extensions", value.M("x", true, "y", true)))
	if err != nil {
		t.Fatal(err)
	}
	if got := value.Repr(kw.At("valid_principals")); got != "['b']" {
		t.Error(got)
	}
	if got := value.Repr(kw.At("extensions")); got != "{'d': True, 'x': True}" {
		t.Error(got)
	}
	from, _ := time.Parse(timeForm, kw.Str("not_before"))
	to, _ := time.Parse(timeForm, kw.Str("not_after"))
	if to.Sub(from) != 24*time.Hour {
		t.Error(to.Sub(from))
	}
}

// OpenSSH reads keys and certificates; one that was changed is refused.
func TestCertificate(t *testing.T) {
	c, dir := testCtx(), t.TempDir()
	for _, algo := range []string{"rsa", "ec", "ed25519"} {
		ca, key := dir+"/ca_"+algo, dir+"/key_"+algo
		for _, path := range []string{ca, key} {
			if _, err := createPrivateKey(c, createPrivateKeyArgs{Algo: algo, Path: path, PubkeySuffix: ".pub"}); err != nil {
				t.Fatal(algo, err)
			}
		}
		cert, err := signHere(c, value.M("cert_type", "user", "signing_private_key", ca, "public_key", key+".pub", "all_principals", true, "extensions", value.M("permit-pty", true), "serial_number", "AB:CD"))
		if err != nil {
			t.Fatal(algo, err)
		}
		path := dir + "/cert_" + algo
		os.WriteFile(path, []byte(line(cert)), 0o600)
		read, err := readCertificate(c, readCertificateArgs{Certificate: path})
		if err != nil || read.Str("serial_number") != "AB:CD" || read.At("valid_principals") != "all" || value.Repr(read.At("extensions")) != "{'permit-pty': True}" {
			t.Error(algo, value.Repr(read), err)
		}
		if ok, err := verifySignature(c, verifySignatureArgs{Certificate: path, SigningPubKey: ca + ".pub"}); !ok {
			t.Error(algo, err)
		}
		cert.KeyId = "changed"
		if _, err := loadCertificate(c, line(cert), true); err == nil || err.Error() != "The signature on the SSH certificate was invalid" {
			t.Error(algo, err)
		}
		if _, err := exec.LookPath("ssh-keygen"); err != nil {
			continue
		}
		for _, argv := range [][]string{{"-L", "-f", path}, {"-y", "-f", key}} {
			if out, err := exec.Command("ssh-keygen", argv...).CombinedOutput(); err != nil {
				t.Errorf("%s %v: %s", algo, argv, out)
			}
		}
	}
	enc, err := encodePrivateKey(c, encodePrivateKeyArgs{PrivateKey: dir + "/key_ec", Passphrase: "pw"})
	if err != nil || strings.Contains(value.Str(enc), "BEGIN PRIVATE") {
		t.Fatal(err)
	}
	for pw, want := range map[any]string{nil: errEncrypted.Error(), "no": errPassword.Error(), "pw": ""} {
		_, err := loadPrivate(c, enc, pw)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%v: got %q, want %q", pw, got, want)
		}
	}
}
