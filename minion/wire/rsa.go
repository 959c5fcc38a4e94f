package wire

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"math/big"
)

// The algorithms that masters know, the defaults first.
const (
	OAEPSHA1   = "OAEP-SHA1"
	OAEPSHA224 = "OAEP-SHA224"
	SignSHA1   = "PKCS1v15-SHA1"
	SignSHA224 = "PKCS1v15-SHA224"
)

func oaepHash(algorithm string) (hash.Hash, error) {
	switch algorithm {
	case OAEPSHA1:
		return sha1.New(), nil
	case OAEPSHA224:
		return sha256.New224(), nil
	}
	return nil, fmt.Errorf("unknown encryption algorithm %q", algorithm)
}

// Encrypt encrypts for the holder of the private key.
func Encrypt(key *rsa.PublicKey, plain []byte, algorithm string) ([]byte, error) {
	h, err := oaepHash(algorithm)
	if err != nil {
		return nil, err
	}
	return rsa.EncryptOAEP(h, rand.Reader, key, plain, nil)
}

// Decrypt undoes Encrypt.
func Decrypt(key *rsa.PrivateKey, sealed []byte, algorithm string) ([]byte, error) {
	h, err := oaepHash(algorithm)
	if err != nil {
		return nil, err
	}
	return rsa.DecryptOAEP(h, nil, key, sealed, nil)
}

func digest(text []byte, algorithm string) (crypto.Hash, []byte, error) {
	switch algorithm {
	case SignSHA1:
		s := sha1.Sum(text)
		return crypto.SHA1, s[:], nil
	case SignSHA224:
		s := sha256.Sum224(text)
		return crypto.SHA224, s[:], nil
	}
	return 0, nil, fmt.Errorf("unknown signing algorithm %q", algorithm)
}

// Sign signs a text.
func Sign(key *rsa.PrivateKey, text []byte, algorithm string) ([]byte, error) {
	h, sum, err := digest(text, algorithm)
	if err != nil {
		return nil, err
	}
	return rsa.SignPKCS1v15(nil, key, h, sum)
}

// Verify checks a signature.
func Verify(key *rsa.PublicKey, text, sig []byte, algorithm string) error {
	h, sum, err := digest(text, algorithm)
	if err != nil {
		return err
	}
	if rsa.VerifyPKCS1v15(key, h, sum, sig) != nil {
		return errors.New("the signature is not that of the master's key")
	}
	return nil
}

// PrivateEncrypt is OpenSSL's RSA_private_encrypt with the padding of ANSI
// X9.31: 6B BB … BB BA text CC, and the smaller of s and N−s.
func PrivateEncrypt(key *rsa.PrivateKey, text []byte) ([]byte, error) {
	n := key.Size()
	if len(text) > n-3 {
		return nil, errors.New("the text is too long for the key")
	}
	em := bytes.Repeat([]byte{0xbb}, n)
	em[0], em[n-1] = 0x6b, 0xcc
	em[n-2-len(text)] = 0xba
	copy(em[n-1-len(text):], text)
	// The base is blinded, so that the time tells nothing of the key.
	r, err := rand.Int(rand.Reader, key.N)
	if err != nil {
		return nil, err
	}
	inverse := new(big.Int).ModInverse(r, key.N)
	if inverse == nil {
		return nil, errors.New("the key is not a product of two primes")
	}
	m := new(big.Int).SetBytes(em)
	m.Mul(m, r.Exp(r, big.NewInt(int64(key.E)), key.N)).Mod(m, key.N)
	s := m.Exp(m, key.D, key.N)
	s.Mul(s, inverse).Mod(s, key.N)
	if other := new(big.Int).Sub(key.N, s); other.Cmp(s) < 0 {
		s = other
	}
	return s.FillBytes(make([]byte, n)), nil
}

var errPadding = errors.New("the text is not encrypted with the master's key")

// PublicDecrypt undoes PrivateEncrypt.
func PublicDecrypt(key *rsa.PublicKey, sealed []byte) ([]byte, error) {
	s := new(big.Int).SetBytes(sealed)
	if s.Cmp(key.N) >= 0 {
		return nil, errPadding
	}
	m := s.Exp(s, big.NewInt(int64(key.E)), key.N)
	if new(big.Int).And(m, big.NewInt(15)).Int64() != 12 {
		m.Sub(key.N, m)
	}
	em := m.FillBytes(make([]byte, key.Size()))
	last := len(em) - 1
	if em[last] != 0xcc {
		return nil, errPadding
	}
	switch em[0] {
	case 0x6a:
		return em[1:last], nil
	case 0x6b:
		text := em[1:last]
		for len(text) > 0 && text[0] == 0xbb {
			text = text[1:]
		}
		if len(text) > 0 && text[0] == 0xba {
			return text[1:], nil
		}
	}
	return nil, errPadding
}
