package pki

import (
	"bytes"
	"testing"
)

// The texts are those of cryptography's Name.from_rfc4514_string and back.
func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "",
		"CN=a,O=b":                   "CN=a,O=b",
		`CN=a\, b+OU=c,DC=x`:         `CN=a\, b+OU=c,DC=x`,
		`CN=\23x`:                    `CN=\#x`,
		`CN=\C3\A4`:                  "CN=ä",
		"1.2.840.113549.1.9.1=a@b.c": "1.2.840.113549.1.9.1=a@b.c",
		`CN=x\ `:                     `CN=x\ `,
		"CN":                         "error",
		"XX=a":                       "error",
		"CN=a;b":                     "error",
		"CN= a":                      "error",
		"CN=a, O=b":                  "error",
		"C=DEU":                      "error",
	} {
		n, err := ParseName(in)
		got := n.String()
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if err == nil {
			if m, err := ReadName(n.DER()); err != nil || !m.Equal(n) {
				t.Errorf("%q does not come back: %v", in, err)
			}
		}
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"CN=a,O=b", `CN=a\, b+OU=c`, "CN=#0c0161"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseName(s); err == nil {
			if m, err := ParseName(n.String()); err != nil || !m.Equal(n) {
				t.Errorf("%q → %q: %v", s, n.String(), err)
			}
		}
	})
}

func FuzzLoad(f *testing.F) {
	k, _ := Generate("ec", 256)
	for _, box := range []P12{{Key: k}, {}} {
		der, _ := box.Encode(nil, false)
		f.Add(der)
	}
	f.Add(k.PKCS8())
	f.Fuzz(func(t *testing.T, data []byte) {
		LoadCertificate(data, nil)
		LoadPrivate(data, nil)
		LoadRequest(data)
		LoadList(data)
	})
}

func TestP12KeepsAll(t *testing.T) {
	k, _ := Generate("ed25519", 0)
	subject, _ := ParseName("CN=x")
	tpl := Template{Serial: RandomSerial(), Subject: subject, Issuer: subject, Key: k.Public()}
	a, err := tpl.Sign(k, "")
	if err != nil {
		t.Fatal(err)
	}
	tpl.Serial = RandomSerial()
	b, _ := tpl.Sign(k, "")
	in := P12{Key: k, Certificate: a, Name: "Ä", Others: []*Certificate{b}}
	for _, pw := range [][]byte{nil, []byte("pw")} {
		der, err := in.Encode(pw, false)
		if err != nil {
			t.Fatal(err)
		}
		out, err := ParseP12(der, pw)
		if err != nil || !bytes.Equal(out.Certificate.Raw, a.Raw) || out.Name != "Ä" || !Same(out.Others, in.Others) || !out.Key.Public().Equal(k.Public()) {
			t.Errorf("%q: %v %+v", pw, err, out)
		}
		if pw != nil {
			if _, err := ParseP12(der, []byte("no")); err != ErrPassword {
				t.Error(err)
			}
		}
	}
}
