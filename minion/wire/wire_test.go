package wire

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pinch/golden"
	"pinch/value"
)

// vectors are answers of Salt's own code.
type vectors struct {
	Priv, Pub   string
	X931Salt    string                    `json:"x931_salt"`
	X931Digest  struct{ Msg, Sig string } `json:"x931_hexdigest"`
	PKCS1SHA1   struct{ Msg, Sig string } `json:"pkcs1_sha1"`
	PKCS1SHA224 struct{ Msg, Sig string } `json:"pkcs1_sha224"`
	OAEPSHA1    struct{ Msg, Ct string }  `json:"oaep_sha1"`
	OAEPSHA224  struct{ Msg, Ct string }  `json:"oaep_sha224"`
	Crypticle   struct {
		Key, Ct, Nonce string
		CtNonce        string `json:"ct_nonce"`
	}
	Msgpack []struct{ Py, Hex string }
}

func read(t testing.TB) (v vectors, key *rsa.PrivateKey) {
	golden.Read(t, "wire/vectors.json", &v)
	key, err := ParsePrivate([]byte(v.Priv))
	if err != nil {
		t.Fatal(err)
	}
	return v, key
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRSA(t *testing.T) {
	v, key := read(t)
	if got, err := PrivateEncrypt(key, []byte("salt")); err != nil || hex.EncodeToString(got) != v.X931Salt {
		t.Errorf("token: %x %v", got, err)
	}
	for sig, want := range map[string]string{v.X931Salt: "salt", v.X931Digest.Sig: v.X931Digest.Msg} {
		if got, err := PublicDecrypt(&key.PublicKey, unhex(t, sig)); err != nil || string(got) != want {
			t.Errorf("%q %v, want %q", got, err, want)
		}
		bad := unhex(t, sig)
		bad[100] ^= 1
		if got, err := PublicDecrypt(&key.PublicKey, bad); err == nil && string(got) == want {
			t.Error("a changed text is taken")
		}
	}
	for _, c := range []struct{ algorithm, msg, sig string }{{SignSHA1, v.PKCS1SHA1.Msg, v.PKCS1SHA1.Sig}, {SignSHA224, v.PKCS1SHA224.Msg, v.PKCS1SHA224.Sig}} {
		if got, err := Sign(key, []byte(c.msg), c.algorithm); err != nil || hex.EncodeToString(got) != c.sig {
			t.Errorf("%s: %x %v", c.algorithm, got, err)
		}
		if err := Verify(&key.PublicKey, []byte(c.msg), unhex(t, c.sig), c.algorithm); err != nil {
			t.Error(err)
		}
		if Verify(&key.PublicKey, []byte(c.msg+"x"), unhex(t, c.sig), c.algorithm) == nil {
			t.Error("a signature of something else is taken")
		}
	}
	for _, c := range []struct{ algorithm, msg, ct string }{{OAEPSHA1, v.OAEPSHA1.Msg, v.OAEPSHA1.Ct}, {OAEPSHA224, v.OAEPSHA224.Msg, v.OAEPSHA224.Ct}} {
		if got, err := Decrypt(key, unhex(t, c.ct), c.algorithm); err != nil || string(got) != c.msg {
			t.Errorf("%s: %q %v", c.algorithm, got, err)
		}
		sealed, err := Encrypt(&key.PublicKey, []byte(c.msg), c.algorithm)
		if got, err2 := Decrypt(key, sealed, c.algorithm); err != nil || err2 != nil || string(got) != c.msg {
			t.Error(string(got), err, err2)
		}
	}
	if _, err := Sign(key, nil, "MD5"); err == nil {
		t.Error("an unknown algorithm is taken")
	}
}

func TestCrypticle(t *testing.T) {
	v, _ := read(t)
	c, err := NewCrypticle(v.Crypticle.Key)
	if err != nil {
		t.Fatal(err)
	}
	want := "{'a': 1, 'b': 'x'}"
	if got, err := c.Open(unhex(t, v.Crypticle.Ct), ""); err != nil || value.Repr(got) != want {
		t.Error(value.Repr(got), err)
	}
	sealed := unhex(t, v.Crypticle.CtNonce)
	if got, err := c.Open(sealed, v.Crypticle.Nonce); err != nil || value.Repr(got) != want {
		t.Error(value.Repr(got), err)
	}
	if _, err := c.Open(sealed, strings.Repeat("1", 32)); !errors.Is(err, ErrNonce) {
		t.Error(err)
	}
	for _, cut := range []int{0, 1, 63, len(sealed) - 1} {
		if _, err := c.Open(sealed[:cut], ""); !errors.Is(err, ErrSealed) {
			t.Error(cut, err)
		}
	}
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 0x10
		if _, err := c.Open(bad, v.Crypticle.Nonce); !errors.Is(err, ErrSealed) {
			t.Fatal(i, err)
		}
	}
	again, err := c.Seal(value.M("k", value.L(int64(300), nil)))
	if got, err2 := c.Open(again, ""); err != nil || err2 != nil || value.Repr(got) != "{'k': [300, None]}" {
		t.Error(value.Repr(got), err, err2)
	}
	for _, key := range []string{"", "AAAA", strings.Repeat("A", 76)} {
		if _, err := NewCrypticle(key); err == nil {
			t.Errorf("the key %q is taken", key)
		}
	}
}

// What Salt wrote is read, and written again the same; the exceptions are
// values that have another form here.
func TestMsgpack(t *testing.T) {
	v, _ := read(t)
	for _, c := range v.Msgpack {
		raw := unhex(t, c.Hex)
		got, err := Unpack(raw)
		if err != nil {
			t.Errorf("%s: %v", c.Py, err)
			continue
		}
		back, err := Pack(got)
		if err != nil || hex.EncodeToString(back) != c.Hex {
			t.Errorf("%s: read as %s, written as %x %v, want %s", c.Py, value.Repr(got), back, err, c.Hex)
		}
		s := NewStream(iotest.OneByteReader(bytes.NewReader(append(bytes.Clone(raw), raw...))), MaxMessage)
		for range 2 {
			if next, err := s.Next(); err != nil || value.Repr(next) != value.Repr(got) {
				t.Errorf("%s: the stream has %s %v", c.Py, value.Repr(next), err)
			}
		}
		if _, err := s.Next(); err != io.EOF {
			t.Errorf("%s: %v at the end", c.Py, err)
		}
	}
}

func TestStreamLimits(t *testing.T) {
	for name, text := range map[string]string{
		"bytes": "\xdb\x7f\xff\xff\xff", "items": "\xdd\xff\xff\xff\xff" + strings.Repeat("\xc0", 2000),
		"nested": strings.Repeat("\x91", 300), "kind": "\xc1", "cut": "\xa5ab",
	} {
		if _, err := NewStream(strings.NewReader(text), 1000).Next(); err == nil || err == io.EOF {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeys(t *testing.T) {
	v, key := read(t)
	text, err := PublicPEM(&key.PublicKey)
	if err != nil || text != CleanPEM(v.Pub) {
		t.Error(text, err)
	}
	if k, err := ParsePublic("\r\n" + strings.ReplaceAll(v.Pub, "\n", "\r\n")); err != nil || !k.Equal(&key.PublicKey) {
		t.Error(err)
	}
	if back, err := ParsePrivate(PrivatePEM(key)); err != nil || !back.Equal(key) {
		t.Error(err)
	}
	// salt.utils.crypt.pem_finger of the same file
	const want = "e8:91:0c:86:1e:b6:8b:62:c2:c3:d7:a8:2c:3b:7d:3e:1b:db:4b:83:09:a5:6f:6d:5e:ff:80:ad:8d:c8:fb:95"
	if got := Fingerprint(v.Pub, sha256.New()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, bad := range []string{"", "x", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"} {
		if _, err := ParsePublic(bad); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
		if _, err := ParsePrivate([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
	}
}

func FuzzStream(f *testing.F) {
	v, _ := read(f)
	for _, c := range v.Msgpack {
		f.Add(unhex(f, c.Hex))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := NewStream(bytes.NewReader(b), 1<<16)
		for {
			v, err := s.Next()
			if err == io.EOF {
				return
			}
			whole, err2 := Unpack(b)
			if err != nil {
				if err2 == nil && len(b) <= 1<<16 && !strings.Contains(err.Error(), "nested") {
					t.Errorf("the stream says %v, the whole is %s", err, value.Repr(whole))
				}
				return
			}
			if _, err := Pack(v); err != nil {
				t.Error(err)
			}
		}
	})
}

func FuzzOpen(f *testing.F) {
	v, _ := read(f)
	c, _ := NewCrypticle(v.Crypticle.Key)
	f.Add(unhex(f, v.Crypticle.Ct))
	f.Fuzz(func(t *testing.T, b []byte) {
		c.Open(b, "")
		c.Open(c.encrypt(append([]byte(mark), b...)), "")
	})
}
