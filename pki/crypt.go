package pki

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509/pkix"
	"encoding/asn1"
	"hash"
	"unicode/utf16"

	"golang.org/x/crypto/scrypt"
)

type encrypted struct {
	Algorithm pkix.AlgorithmIdentifier
	Data      []byte
}

type pbes2 struct {
	KDF, Cipher pkix.AlgorithmIdentifier
}

type pbkdf2Params struct {
	Salt   []byte
	Rounds int
	Length int                      `asn1:"optional"`
	PRF    pkix.AlgorithmIdentifier `asn1:"optional"`
}

type scryptParams struct {
	Salt    []byte
	N, R, P int
	Length  int `asn1:"optional"`
}

type pbes1 struct {
	Salt   []byte
	Rounds int
}

var (
	oidPBES2      = OID{1, 2, 840, 113549, 1, 5, 13}
	oidPBKDF2     = OID{1, 2, 840, 113549, 1, 5, 12}
	oidScrypt     = OID{1, 3, 6, 1, 4, 1, 11591, 4, 11}
	oidHMACSHA1   = OID{1, 2, 840, 113549, 2, 7}
	oidHMACSHA256 = OID{1, 2, 840, 113549, 2, 9}
	oidHMACSHA384 = OID{1, 2, 840, 113549, 2, 10}
	oidHMACSHA512 = OID{1, 2, 840, 113549, 2, 11}
	oidAES128     = OID{2, 16, 840, 1, 101, 3, 4, 1, 2}
	oidAES192     = OID{2, 16, 840, 1, 101, 3, 4, 1, 22}
	oidAES256     = OID{2, 16, 840, 1, 101, 3, 4, 1, 42}
	oid3DES       = OID{1, 2, 840, 113549, 3, 7}
	oidSHA3DES    = OID{1, 2, 840, 113549, 1, 12, 1, 3}
)

// encrypt encrypts as PBES2 does: PBKDF2 with HMAC-SHA-256, AES-256-CBC; or,
// for old software, with the 3DES of PKCS #12.
func encrypt(data, password []byte, rounds int, compat bool) (pkix.AlgorithmIdentifier, []byte, error) {
	salt := make([]byte, 16)
	rand.Read(salt)
	if compat {
		params, err := asn1.Marshal(pbes1{salt[:8], rounds})
		if err != nil {
			return pkix.AlgorithmIdentifier{}, nil, err
		}
		block, iv, err := tripleDES(password, salt[:8], rounds)
		if err != nil {
			return pkix.AlgorithmIdentifier{}, nil, err
		}
		return pkix.AlgorithmIdentifier{Algorithm: oidSHA3DES, Parameters: asn1.RawValue{FullBytes: params}}, cbcEncrypt(block, iv, data), nil
	}
	key, err := pbkdf2.Key(sha256.New, string(password), salt, rounds, 32)
	if err != nil {
		return pkix.AlgorithmIdentifier{}, nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return pkix.AlgorithmIdentifier{}, nil, err
	}
	iv := make([]byte, aes.BlockSize)
	rand.Read(iv)
	var p pbes2
	kdf, _ := asn1.Marshal(pbkdf2Params{Salt: salt, Rounds: rounds, PRF: pkix.AlgorithmIdentifier{Algorithm: oidHMACSHA256, Parameters: asn1.NullRawValue}})
	ivDER, _ := asn1.Marshal(iv)
	p.KDF = pkix.AlgorithmIdentifier{Algorithm: oidPBKDF2, Parameters: asn1.RawValue{FullBytes: kdf}}
	p.Cipher = pkix.AlgorithmIdentifier{Algorithm: oidAES256, Parameters: asn1.RawValue{FullBytes: ivDER}}
	params, err := asn1.Marshal(p)
	return pkix.AlgorithmIdentifier{Algorithm: oidPBES2, Parameters: asn1.RawValue{FullBytes: params}}, cbcEncrypt(block, iv, data), err
}

func cbcEncrypt(b cipher.Block, iv, data []byte) []byte {
	n := b.BlockSize() - len(data)%b.BlockSize()
	out := append([]byte{}, data...)
	for range n {
		out = append(out, byte(n))
	}
	cipher.NewCBCEncrypter(b, iv).CryptBlocks(out, out)
	return out
}

func cbcDecrypt(b cipher.Block, iv, data []byte) ([]byte, error) {
	if len(data) == 0 || len(data)%b.BlockSize() != 0 || len(iv) != b.BlockSize() {
		return nil, ErrData
	}
	out := make([]byte, len(data))
	cipher.NewCBCDecrypter(b, iv).CryptBlocks(out, data)
	n := int(out[len(out)-1])
	if n == 0 || n > b.BlockSize() {
		return nil, ErrPassword
	}
	for _, c := range out[len(out)-n:] {
		if int(c) != n {
			return nil, ErrPassword
		}
	}
	return out[:len(out)-n], nil
}

// maxRounds bounds the work that a file can ask for.
const maxRounds = 10_000_000

// decrypt undoes encrypt, and what else is common.
func decrypt(alg pkix.AlgorithmIdentifier, data, password []byte) ([]byte, error) {
	switch {
	case alg.Algorithm.Equal(oidSHA3DES):
		var p pbes1
		if _, err := asn1.Unmarshal(alg.Parameters.FullBytes, &p); err != nil || p.Rounds > maxRounds {
			return nil, ErrData
		}
		block, iv, err := tripleDES(password, p.Salt, p.Rounds)
		if err != nil {
			return nil, err
		}
		return cbcDecrypt(block, iv, data)
	case !alg.Algorithm.Equal(oidPBES2):
		return nil, ErrData
	}
	var p pbes2
	var iv []byte
	if _, err := asn1.Unmarshal(alg.Parameters.FullBytes, &p); err != nil {
		return nil, ErrData
	}
	if _, err := asn1.Unmarshal(p.Cipher.Parameters.FullBytes, &iv); err != nil {
		return nil, ErrData
	}
	sizes := []struct {
		oid OID
		n   int
	}{{oidAES128, 16}, {oidAES192, 24}, {oidAES256, 32}, {oid3DES, 24}}
	for _, s := range sizes {
		if !s.oid.Equal(p.Cipher.Algorithm) {
			continue
		}
		key, err := derive(p.KDF, password, s.n)
		if err != nil {
			return nil, err
		}
		var block cipher.Block
		if s.oid.Equal(oid3DES) {
			block, err = des.NewTripleDESCipher(key)
		} else {
			block, err = aes.NewCipher(key)
		}
		if err != nil {
			return nil, err
		}
		return cbcDecrypt(block, iv, data)
	}
	return nil, ErrData
}

func derive(kdf pkix.AlgorithmIdentifier, password []byte, n int) ([]byte, error) {
	if kdf.Algorithm.Equal(oidScrypt) {
		var p scryptParams
		if _, err := asn1.Unmarshal(kdf.Parameters.FullBytes, &p); err != nil || p.N > 1<<20 || p.R > 64 || p.P > 64 {
			return nil, ErrData
		}
		return scrypt.Key(password, p.Salt, p.N, p.R, p.P, n)
	}
	var p pbkdf2Params
	if _, err := asn1.Unmarshal(kdf.Parameters.FullBytes, &p); err != nil || !kdf.Algorithm.Equal(oidPBKDF2) || p.Rounds > maxRounds {
		return nil, ErrData
	}
	var h func() hash.Hash
	switch prf := p.PRF.Algorithm; {
	case len(prf) == 0 || prf.Equal(oidHMACSHA1):
		h = sha1.New
	case prf.Equal(oidHMACSHA256):
		h = sha256.New
	case prf.Equal(oidHMACSHA384):
		h = sha512.New384
	case prf.Equal(oidHMACSHA512):
		h = sha512.New
	default:
		return nil, ErrData
	}
	return pbkdf2.Key(h, string(password), p.Salt, p.Rounds, n)
}

// bmp is a password as PKCS #12 hashes it: UTF-16 with a zero at the end.
func bmp(password []byte) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune(string(password))) {
		out = append(out, byte(u>>8), byte(u))
	}
	return append(out, 0, 0)
}

func tripleDES(password, salt []byte, rounds int) (cipher.Block, []byte, error) {
	key := deriveP12(sha1.New, bmp(password), salt, rounds, 1, 24)
	iv := deriveP12(sha1.New, bmp(password), salt, rounds, 2, 8)
	b, err := des.NewTripleDESCipher(key)
	return b, iv, err
}

// deriveP12 is the key derivation of PKCS #12 (RFC 7292, appendix B).
func deriveP12(newHash func() hash.Hash, password, salt []byte, rounds int, id byte, n int) []byte {
	h := newHash()
	v := h.BlockSize()
	fill := func(b []byte) []byte {
		if len(b) == 0 {
			return nil
		}
		out := make([]byte, v*((len(b)+v-1)/v))
		for i := range out {
			out[i] = b[i%len(b)]
		}
		return out
	}
	d := make([]byte, v)
	for i := range d {
		d[i] = id
	}
	in := append(fill(salt), fill(password)...)
	var out []byte
	for len(out) < n {
		h.Reset()
		h.Write(d)
		h.Write(in)
		a := h.Sum(nil)
		for range rounds - 1 {
			h.Reset()
			h.Write(a)
			a = h.Sum(a[:0])
		}
		out = append(out, a...)
		b := fill(a)[:v]
		for j := 0; j+v <= len(in); j += v {
			carry := 1
			for k := v - 1; k >= 0; k-- {
				carry += int(in[j+k]) + int(b[k])
				in[j+k] = byte(carry)
				carry >>= 8
			}
		}
	}
	return out[:n]
}

// macOf is the checksum of a PKCS #12 file.
func macOf(newHash func() hash.Hash, data, password, salt []byte, rounds int) []byte {
	m := hmac.New(newHash, deriveP12(newHash, password, salt, rounds, 3, newHash().Size()))
	m.Write(data)
	return m.Sum(nil)
}
