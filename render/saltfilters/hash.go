package saltfilters

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"
	"golang.org/x/crypto/sha3"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func hashFilters() []filters.Entry {
	return []filters.Entry{
		entry("md5", sig("md5_digest", "instr"), digest(md5.New)),
		entry("sha1", sig("sha1_digest", "instr"), digest(sha1.New)),
		entry("sha256", sig("sha256_digest", "instr"), digest(sha256.New)),
		entry("sha512", sig("sha512_digest", "instr"), digest(sha512.New)),
		entry("hmac", sig("hmac_signature", "string shared_secret challenge_hmac"), checkHMAC),
		entry("hmac_compute", sig("hmac_compute", "string shared_secret"), computeHMAC),
		entry("base64_encode", sig("base64_b64encode", "instr"), base64Encode),
		entry("base64_decode", sig("base64_b64decode", "instr"), base64Decode),
		entry("uuid", sig("uuid_", "val"), uuid5),
	}
}

// newHash finds a hash of Python's hashlib.
func newHash(name string) (func() hash.Hash, bool) {
	switch name {
	case "md5":
		return md5.New, true
	case "sha1":
		return sha1.New, true
	case "sha224":
		return sha256.New224, true
	case "sha256":
		return sha256.New, true
	case "sha384":
		return sha512.New384, true
	case "sha512":
		return sha512.New, true
	case "sha3_224":
		return sha3.New224, true
	case "sha3_256":
		return sha3.New256, true
	case "sha3_384":
		return sha3.New384, true
	case "sha3_512":
		return sha3.New512, true
	case "blake2b":
		return func() hash.Hash { h, _ := blake2b.New512(nil); return h }, true
	case "blake2s":
		return func() hash.Hash { h, _ := blake2s.New256(nil); return h }, true
	}
	return nil, false
}

func digest(make func() hash.Hash) func(*jinja.Call, []any) (any, error) {
	return func(_ *jinja.Call, a []any) (any, error) {
		b, err := toBytes(a[0], nil, "strict")
		if err != nil {
			return nil, err
		}
		h := make()
		h.Write(b)
		return hex.EncodeToString(h.Sum(nil)), nil
	}
}

func hmacOf(text, secret any) ([]byte, error) {
	msg, err := toBytes(text, nil, "strict")
	if err != nil {
		return nil, err
	}
	key, err := toBytes(secret, nil, "strict")
	if err != nil {
		return nil, err
	}
	h := hmac.New(sha256.New, key)
	h.Write(msg)
	return h.Sum(nil), nil
}

func checkHMAC(_ *jinja.Call, a []any) (any, error) {
	sum, err := hmacOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	want, err := toBytes(a[2], nil, "strict")
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString(sum) == string(want), nil
}

func computeHMAC(_ *jinja.Call, a []any) (any, error) {
	sum, err := hmacOf(a[0], a[1])
	return hex.EncodeToString(sum), err
}

func base64Encode(_ *jinja.Call, a []any) (any, error) {
	b, err := toBytes(a[0], nil, "strict")
	return base64.StdEncoding.EncodeToString(b), err
}

// base64Decode gives text, or bytes when they are no UTF-8.
func base64Decode(_ *jinja.Call, a []any) (any, error) {
	b, err := toBytes(a[0], nil, "strict")
	if err != nil {
		return nil, err
	}
	out, err := decode64(b)
	if err != nil {
		return nil, err
	}
	if utf8.Valid(out) {
		return string(out), nil
	}
	return out, nil
}

// decode64 is Python's lenient base64.b64decode: it skips what is no digit and
// stops at the padding that completes a group.
func decode64(b []byte) ([]byte, error) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var out []byte
	var acc, n, pads int
	for _, c := range b {
		if c == '=' {
			pads++
			if n%4 >= 2 && n%4+pads >= 4 {
				return out, nil
			}
			continue
		}
		v := strings.IndexByte(digits, c)
		if v < 0 {
			continue
		}
		pads = 0
		acc = acc<<6 | v
		switch n++; n % 4 {
		case 2:
			out = append(out, byte(acc>>4))
		case 3:
			out = append(out, byte(acc>>2))
		case 0:
			out = append(out, byte(acc))
		}
		acc &= 0xffff
	}
	switch n % 4 {
	case 0:
		return out, nil
	case 1:
		return nil, value.Errorf("Error", "Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a multiple of 4", n)
	}
	return nil, value.Errorf("Error", "Incorrect padding")
}

// saltNamespace is the namespace of Salt's UUIDs.
var saltNamespace = [16]byte{0x91, 0x63, 0x3e, 0xbf, 0x1c, 0x86, 0x5e, 0x33, 0x93, 0x5a, 0x28, 0x06, 0x1f, 0x4b, 0x48, 0x0e}

// uuid5 is the name-based UUID (RFC 4122, SHA-1) of the text.
func uuid5(_ *jinja.Call, a []any) (any, error) {
	s, ok := py.Text(a[0])
	if b, is := a[0].([]byte); is {
		var err error
		if s, err = py.Decode(b, "utf-8", "strict"); err != nil {
			return nil, err
		}
	} else if !ok {
		return nil, typeError("expected str, bytes, or bytearray not %s", classOf(a[0]))
	}
	h := sha1.New()
	h.Write(saltNamespace[:])
	h.Write([]byte(s))
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]), nil
}
