package x509

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func testCtx() *salt.Ctx {
	return &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Opts: new(value.Map), Pillar: new(value.Map), Run: salt.NewRun()}
}

// recorded are certificates that Salt 3008.4 made, by extension, or its error.
type recorded struct {
	CAKey  string `json:"ca_key"`
	CACert string `json:"ca_cert"`
	Key    string
	Cases  []struct {
		Extension, Read json.RawMessage
		PEM, Error      string
	}
}

func record(t *testing.T) recorded {
	t.Helper()
	data, err := os.ReadFile("testdata/extensions.json")
	if err != nil {
		t.Fatal(err)
	}
	var r recorded
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func data(t *testing.T, raw json.RawMessage) *value.Map {
	t.Helper()
	v, err := value.ParseJSON(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v.(*value.Map)
}

// beyond are crashes of Salt's where this works, or says what is wrong.
var beyond = []string{"does not have an internal API", "not enough values to unpack", "bogus"}

// The same arguments give the bytes that Salt gives, up to serial number and
// signature, and what Salt's certificates say is read as Salt reads it.
func TestExtensions(t *testing.T) {
	r := record(t)
	c := testCtx()
	for _, tc := range r.Cases {
		kw := value.M("signing_private_key", r.CAKey, "signing_cert", r.CACert, "private_key", r.Key, "subject", `CN=leaf+OU=x,O=Test\, Inc.,C=DE`,
			"serial_number", int64(255), "not_before", "2026-01-02 03:04:05", "not_after", "2036-01-02 03:04:05")
		kw.Update(data(t, tc.Extension))
		got, _, err := signHere(c, kw, "sha256")
		if tc.Error != "" {
			if slices.Contains(beyond, tc.Error) || strings.Contains(tc.Error, beyond[0]) || strings.Contains(tc.Error, beyond[1]) {
				continue
			}
			if err == nil || !strings.Contains(tc.Error, firstWords(err.Error())) {
				t.Errorf("%s: got %v, want %s", tc.Extension, err, tc.Error)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.Extension, err)
			continue
		}
		want, err := loadCertificate(c, tc.PEM, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !want.SignedBy(mustKey(t, r.CAKey)) || !got.SignedBy(mustKey(t, r.CAKey)) {
			t.Errorf("%s: not signed by the issuer", tc.Extension)
		}
		if string(got.Body()) != string(want.Body()) {
			t.Errorf("%s:\n got %x\nwant %x", tc.Extension, got.Body(), want.Body())
		}
		read, err := readCertificate(c, readCertificateArgs{Certificate: tc.PEM})
		if wish := data(t, tc.Read); err != nil || !value.Equal(read, wish) {
			t.Errorf("%s:\n got %s\nwant %s %v", tc.Extension, value.Repr(read), value.Repr(wish), err)
		}
	}
}

func firstWords(s string) string { return s[:min(len(s), 24)] }

func mustKey(t *testing.T, pem string) *pki.Public {
	t.Helper()
	k, _, err := pki.LoadPrivate([]byte(pem), nil)
	if err != nil {
		t.Fatal(err)
	}
	return k.Public()
}

// Keys go through every encoding and come back; wrong passwords are told apart.
func TestPrivateKeys(t *testing.T) {
	c := testCtx()
	for _, algo := range []string{"rsa", "ec", "ed25519", "ed448"} {
		made, err := createPrivateKey(c, createPrivateKeyArgs{Algo: algo, Encoding: "pem"})
		if err != nil {
			t.Fatal(algo, err)
		}
		for _, encoding := range []string{"pem", "der", "pkcs12"} {
			for _, compat := range []bool{false, true} {
				enc, err := encodePrivateKey(c, encodePrivateKeyArgs{PrivateKey: made, Encoding: encoding, Passphrase: "hunter2", Pkcs12EncryptionCompat: compat})
				if err != nil {
					t.Fatal(algo, encoding, err)
				}
				back, err := encodePrivateKey(c, encodePrivateKeyArgs{PrivateKey: enc, PrivateKeyPassphrase: "hunter2", Encoding: "pem"})
				if err != nil || back != made {
					t.Errorf("%s %s: %v", algo, encoding, err)
				}
				if _, _, err := loadPrivate(c, enc, "wrong"); err == nil || err.Error() != "Bad decrypt - is the password correct?" {
					t.Errorf("%s %s: %v", algo, encoding, err)
				}
			}
		}
		if _, _, err := loadPrivate(c, made, "x"); err == nil || err.Error() != "Private key is unencrypted. Please remove the password." {
			t.Error(err)
		}
	}
}

// OpenSSL reads what is made here.
func TestOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	c, dir := testCtx(), t.TempDir()
	r := record(t)
	key := dir + "/k.key"
	os.WriteFile(key, []byte(r.CAKey), 0o600)
	for path, a := range map[string]createCertificateArgs{"c.pem": {Encoding: "pem"}, "c.p7": {Encoding: "pkcs7_pem"}, "c.p12": {Encoding: "pkcs12", Pkcs12Passphrase: "pw", Pkcs12Friendlyname: "büro"}} {
		a.Path, a.Overwrite, a.Kwargs = dir+"/"+path, true, value.M("signing_private_key", key, "CN", "x", "basicConstraints", "critical, CA:true")
		if _, err := createCertificate(c, a); err != nil {
			t.Fatal(path, err)
		}
	}
	for _, argv := range [][]string{
		{"x509", "-in", "c.pem", "-noout"}, {"pkcs7", "-in", "c.p7", "-print_certs", "-noout"}, {"pkcs12", "-in", "c.p12", "-passin", "pass:pw", "-nodes"}, {"verify", "-CAfile", "c.pem", "c.pem"},
	} {
		cmd := exec.Command("openssl", argv...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", argv, out)
		}
	}
	if i, err := os.Stat(dir + "/c.p12"); err != nil || i.Mode().Perm() != 0o600 {
		t.Error("a file with a private key can be read by others", i.Mode(), err)
	}
}

// The order of precedence of signing policies is Salt's.
func TestPolicy(t *testing.T) {
	for _, tt := range []struct{ policy, kw, want *value.Map }{
		{value.M("CN", "p"), value.M("subject", "CN=k", "O", "o"), value.M("O", "o", "CN", "p")},
		{value.M("subject", "CN=p"), value.M("subject", "CN=k"), value.M("subject", "CN=p")},
		{value.M("subject", value.M("O", "p")), value.M("subject", value.M("CN", "k", "O", "k")), value.M("subject", value.M("CN", "k", "O", "p"))},
		{value.M("subject", value.L("O=p")), value.M("subject", value.L("CN=k")), value.M("subject", value.L("O=p", "CN=k"))},
		{value.M("days_valid", int64(3)), value.M("days_valid", int64(9)), value.M("days_valid", int64(3))},
	} {
		if got := merge(testCtx(), tt.policy, tt.kw); !value.Equal(got, tt.want) {
			t.Errorf("got %s, want %s", value.Repr(got), value.Repr(tt.want))
		}
	}
}

func TestPEM(t *testing.T) {
	one := "-----BEGIN PUBLIC KEY-----" + strings.Repeat("A", 70) + "-----END PUBLIC KEY-----"
	want := "-----BEGIN PUBLIC KEY-----\n" + strings.Repeat("A", 64) + "\nAAAAAA\n-----END PUBLIC KEY-----\n"
	if got, err := pemEntry(one, ""); err != nil || string(got) != want {
		t.Errorf("%q %v", got, err)
	}
	_, err := pemEntry("-----BEGIN PRIVATE KEY-----\nsecret", "CERTIFICATE")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a private key is shown: %v", err)
	}
}
