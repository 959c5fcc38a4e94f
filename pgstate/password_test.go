package pgstate

import (
	"strings"
	"testing"
)

const (
	saltBytes = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
	verifier  = "SCRAM-SHA-256$1000:AAECAwQFBgcICQoLDA0ODw==$ePJnVG7v6bd9giBvAjyO9G+qa/j/51rz+Ahi4lYCyx0=:F+9nVKYNM1hNfRpt8zTSUdZwGHHNaPa71WIOtpOCp1U="
	hashed    = "md56a422f785c9e20873908ce25d1736ae2"
)

// Verifiers that Salt's module makes with the same salt.
func TestScram(t *testing.T) {
	for password, want := range map[string]string{
		"secret":             "THoPhoTAuqyoQsK4dUHncUzgfD8fdmhsgKZhWVqNP5U=:7YiHMMi2OcXGRogub03Ek06JRZ9bkhTOdCzHa5iPLiQ=",
		"pässwörd":           "HV4TtNKIt8oOQWZCIedFYDVMOGn3/uurWVfN15VjjP4=:bGoGbn5l5XEF6vc5q836UvsaNZ/n1s4zNZ+A5nNQQv8=",
		"a\u00a0b":           "2rk8ozQF6mFul4o/eBQJGFZYT30xZfbvIPbBLAWLciE=:pSG3jifpoVWrie8UI3R+dT6wAl5kSJ99Eq0WJFwgetU=",
		"\u2177":             "tMFpK0d7ofHtJ18KeRyv1Jpgu0D8JXeeJr1iaEVeqaE=:8xDtOXz0frw+n6Do+2FktsoCkx6MwbiIvYUXABmhBHg=",
		"\uff41\uff42\uff43": "ZqC1iY2SxJOy0kFxsSH7uobijoO9MiJVzuirw/1k69Q=:tpQNmxjqy2U+SUPOj6rkA9+87TtcoUd/6mPETlU9tqA=",
		"I\u00adX":           "Hvybl93RfCHqfqLiTzsBHz9FA2JH0lY8NzX3ES+JAB0=:36RFvraaEsq6EdU8f0zs6/hpb0vgxhjNZecZXSUZKgs=",
	} {
		got, err := scramVerifier(password, []byte(saltBytes), 4096)
		if want = "SCRAM-SHA-256$4096:AAECAwQFBgcICQoLDA0ODw==$" + want; err != nil || got != want {
			t.Errorf("%q: %v\n got %s\nwant %s", password, err, got, want)
		}
	}
}

func TestVerify(t *testing.T) {
	for _, tc := range []struct {
		password, stored string
		method           any
		want             bool
	}{
		{"secret", verifier, "scram-sha-256", true}, {"other", verifier, "scram-sha-256", false}, {verifier, verifier, "scram-sha-256", true},
		{"secret", "md5x", "scram-sha-256", false}, {"secret", hashed, "md5", true}, {"secret", hashed, true, true}, {"secret", "secret", false, true},
		{"secret", verifier, "md5", false}, {"secret", "", "md5", false}, {"secret", "secret", "foo", false}, {hashed, hashed, "md5", true},
	} {
		if got := Verify("app", tc.password, tc.stored, tc.method); got != tc.want {
			t.Errorf("Verify(%q, %q, %v) = %v", tc.password, tc.stored, tc.method, got)
		}
	}
}

func TestEncrypt(t *testing.T) {
	for _, tc := range []struct {
		password string
		method   any
		want     string
	}{{"secret", "md5", hashed}, {"secret", nil, hashed}, {hashed, true, hashed}, {"secret", false, "secret"}, {verifier, "scram-sha-256", verifier}} {
		if got, err := Encrypt("app", tc.password, tc.method); got != tc.want || err != nil {
			t.Errorf("Encrypt(%q, %v) = %q, %v", tc.password, tc.method, got, err)
		}
	}
	fresh, err := Encrypt("app", "secret", "scram-sha-256")
	again, _ := Encrypt("app", "secret", "scram-sha-256")
	if err != nil || !Verify("app", "secret", fresh, "scram-sha-256") || fresh == again {
		t.Errorf("a fresh verifier: %q, then %q, %v", fresh, again, err)
	}
	if _, err := Encrypt("app", "secret", "foo"); err == nil || !strings.Contains(err.Error(), "Unknown password algorithm: foo") {
		t.Errorf("unknown method: %v", err)
	}
}

// What SASLprep forbids is hashed as it is, as PostgreSQL does.
func TestForbidden(t *testing.T) {
	for _, s := range []string{"bell\a", "\u0627a", "\u200e", "\ue000x", string([]byte{0xff})} {
		if got := prepared(s); got != s {
			t.Errorf("prepared(%q) = %q", s, got)
		}
	}
}
