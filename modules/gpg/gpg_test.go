package gpg

import (
	"testing"
	"time"

	"pinch/value"
)

// The lines are gpg 2.2's, what becomes of them is what Salt makes of them.
func TestParse(t *testing.T) {
	const lines = `tru::1:1700000000:0:3:1:5
pub:u:2048:1:AAAABBBBCCCCDDDD:1600000000:1700000000::u:::scESC::::::23::0:
fpr:::::::::0123456789ABCDEF0123456789ABCDEFAAAABBBB:
grp:::::::::FFFF:
uid:u::::1600000000::HASH::A \x3a B <a@b.c>::::::::::0:
sub:e:1024:1:1111222233334444:1600000000:1600000001:::::e::::::23:
fpr:::::::::SUBFINGERPRINT:
`
	keys := parse([]byte(lines), true)
	if len(keys) != 1 {
		t.Fatal(len(keys))
	}
	t.Setenv("TZ", "UTC")
	got := keys[0].show(time.Unix(1650000000, 0))
	for k, want := range map[string]string{
		"keyid": "'AAAABBBBCCCCDDDD'", "uids": "['A : B <a@b.c>']", "fingerprint": "'0123456789ABCDEF0123456789ABCDEFAAAABBBB'", "expired": "False",
		"keyLength": "'2048'", "ownerTrust": "'Ultimately Trusted'", "trust": "'Ultimately Trusted'",
	} {
		if have := value.Repr(got.At(k)); have != want {
			t.Errorf("%s: got %s, want %s", k, have, want)
		}
	}
	sub := got.List("subkeys").Items[0].(*value.Map)
	if sub.At("expired") != true || sub.Str("fingerprint") != "SUBFINGERPRINT" || sub.Str("trust") != "Expired" || sub.Has("uids") {
		t.Error(value.Repr(sub))
	}
	if !keys[0].is("CCCCDDDD", nil) || !keys[0].is(nil, keys[0].fingerprint) || keys[0].is("BBBB", nil) || keys[0].is(nil, nil) {
		t.Error("which key is meant")
	}
}

func TestOutcome(t *testing.T) {
	for _, tt := range []struct {
		all  []status
		good bool
		end  string
	}{
		{[]status{{"BEGIN_ENCRYPTION", "2 9"}, {"END_ENCRYPTION", ""}}, true, "encryption ok"},
		{[]status{{"INV_RECP", "10 x"}, {"FAILURE", "encrypt 53"}}, false, "invalid recipient"},
		{[]status{{"NODATA", "1"}}, false, "no data was provided"},
		{[]status{{"NO_SECKEY", "X"}, {"BEGIN_DECRYPTION", ""}, {"DECRYPTION_FAILED", ""}}, false, "no secret key"},
		{[]status{{"BEGIN_DECRYPTION", ""}, {"DECRYPTION_FAILED", ""}}, false, "decryption failed"},
	} {
		if good, end := outcome(tt.all); good != tt.good || end != tt.end {
			t.Errorf("%v: %v %q", tt.all, good, end)
		}
	}
}
