package shadow

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash"
	"strings"
)

// shaOrder are the bytes of the digest as they go into the result, three by
// three (Ulrich Drepper, "Unix crypt using SHA-256 and SHA-512").
var (
	sha512Order = [...]int{
		0, 21, 42, 22, 43, 1, 44, 2, 23, 3, 24, 45, 25, 46, 4, 47, 5, 26, 6, 27, 48, 28, 49, 7, 50, 8, 29, 9, 30, 51, 31, 52,
		10, 53, 11, 32, 12, 33, 54, 34, 55, 13, 56, 14, 35, 15, 36, 57, 37, 58, 16, 59, 17, 38, 18, 39, 60, 40, 61, 19, 62, 20, 41,
	}
	sha256Order = [...]int{
		0, 10, 20, 21, 1, 11, 12, 22, 2, 3, 13, 23, 24, 4, 14, 15, 25, 5, 6, 16, 26, 27, 7, 17, 18, 28, 8, 9, 19, 29,
	}
)

func sha512Crypt(password, setting string) string {
	n, salt, given, ok := rounds(setting)
	if !ok {
		return ""
	}
	d, salt := shaDigest(sha512.New, password, salt, n)
	var b strings.Builder
	b.WriteString(prefix("$6$", n, given) + salt + "$")
	triples(&b, d, sha512Order[:])
	encode(&b, uint32(d[63]), 2)
	return b.String()
}

func sha256Crypt(password, setting string) string {
	n, salt, given, ok := rounds(setting)
	if !ok {
		return ""
	}
	d, salt := shaDigest(sha256.New, password, salt, n)
	var b strings.Builder
	b.WriteString(prefix("$5$", n, given) + salt + "$")
	triples(&b, d, sha256Order[:])
	encode(&b, uint32(d[31])<<8|uint32(d[30]), 3)
	return b.String()
}

func prefix(id string, n int, given bool) string {
	if !given {
		return id
	}
	return fmt.Sprintf("%srounds=%d$", id, n)
}

func triples(b *strings.Builder, d []byte, order []int) {
	for i := 0; i < len(order); i += 3 {
		encode(b, uint32(d[order[i]])<<16|uint32(d[order[i+1]])<<8|uint32(d[order[i+2]]), 4)
	}
}

// shaDigest is the common part of both SHA methods.
func shaDigest(newHash func() hash.Hash, password, salt string, n int) ([]byte, string) {
	salt, _, _ = strings.Cut(salt, "$")
	if len(salt) > 16 {
		salt = salt[:16]
	}
	p, s := []byte(password), []byte(salt)
	sum := func(parts ...[]byte) []byte {
		h := newHash()
		for _, part := range parts {
			h.Write(part)
		}
		return h.Sum(nil)
	}
	b := sum(p, s, p)
	h := newHash()
	h.Write(p)
	h.Write(s)
	h.Write(repeated(b, len(p)))
	for i := len(p); i > 0; i >>= 1 {
		if i&1 != 0 {
			h.Write(b)
		} else {
			h.Write(p)
		}
	}
	a := h.Sum(nil)
	h.Reset()
	for range p {
		h.Write(p)
	}
	dp := repeated(h.Sum(nil), len(p))
	h.Reset()
	for range 16 + int(a[0]) {
		h.Write(s)
	}
	ds := repeated(h.Sum(nil), len(s))
	for i := range n {
		a = mix(h, a, dp, ds, i)
	}
	return a, salt
}

// mix is one of the rounds that make the hash slow.
func mix(h hash.Hash, a, p, s []byte, i int) []byte {
	h.Reset()
	if i&1 != 0 {
		h.Write(p)
	} else {
		h.Write(a)
	}
	if i%3 != 0 {
		h.Write(s)
	}
	if i%7 != 0 {
		h.Write(p)
	}
	if i&1 != 0 {
		h.Write(a)
	} else {
		h.Write(p)
	}
	return h.Sum(nil)
}

// repeated is b over and over, n bytes long.
func repeated(b []byte, n int) []byte {
	out := make([]byte, 0, n+len(b))
	for len(out) < n {
		out = append(out, b...)
	}
	return out[:n]
}

// md5Crypt is the method of FreeBSD 2.0 (Poul-Henning Kamp).
func md5Crypt(password, salt string) string {
	salt, _, _ = strings.Cut(salt, "$")
	if len(salt) > 8 {
		salt = salt[:8]
	}
	p, s := []byte(password), []byte(salt)
	inner := md5.Sum([]byte(password + salt + password))
	h := md5.New()
	h.Write([]byte(password + "$1$" + salt))
	h.Write(repeated(inner[:], len(p)))
	for i := len(p); i > 0; i >>= 1 {
		if i&1 != 0 {
			h.Write([]byte{0})
		} else {
			h.Write(p[:1])
		}
	}
	d := h.Sum(nil)
	for i := range 1000 {
		d = mix(h, d, p, s, i)
	}
	var b strings.Builder
	b.WriteString("$1$" + salt + "$")
	triples(&b, d, []int{0, 6, 12, 1, 7, 13, 2, 8, 14, 3, 9, 15, 4, 10, 5})
	encode(&b, uint32(d[11]), 2)
	return b.String()
}
