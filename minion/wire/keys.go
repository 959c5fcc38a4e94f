package wire

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"hash"
	"strings"
)

// MinBits is how long a key must be to be trusted.
const MinBits = 2048

// PublicPEM is a public key as text, without the last line end: in this form
// keys are sent and compared.
func PublicPEM(key *rsa.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "", err
	}
	return CleanPEM(string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))), nil
}

// CleanPEM trims a key's text and gives it Unix line ends.
func CleanPEM(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "\r\n", "\n") }

// ParsePublic reads a public key.
func ParsePublic(text string) (*rsa.PublicKey, error) {
	b, _ := pem.Decode([]byte(text))
	if b == nil {
		return nil, errors.New("no PEM block of a public key")
	}
	var key any
	var err error
	if b.Type == "RSA PUBLIC KEY" {
		key, err = x509.ParsePKCS1PublicKey(b.Bytes)
	} else {
		key, err = x509.ParsePKIXPublicKey(b.Bytes)
	}
	if err != nil {
		return nil, err
	}
	k, ok := key.(*rsa.PublicKey)
	if !ok {
		return nil, errors.New("not an RSA key")
	}
	if k.N.BitLen() < MinBits {
		return nil, fmt.Errorf("an RSA key of %d bits: at least %d are needed", k.N.BitLen(), MinBits)
	}
	return k, nil
}

// PrivatePEM is a private key as Salt stores it.
func PrivatePEM(key *rsa.PrivateKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
}

// ParsePrivate reads a private key; its errors show nothing of it.
func ParsePrivate(text []byte) (*rsa.PrivateKey, error) {
	b, _ := pem.Decode(text)
	if b == nil {
		return nil, errors.New("no PEM block of a private key")
	}
	if b.Type == "ENCRYPTED PRIVATE KEY" || b.Headers["DEK-Info"] != "" {
		return nil, errors.New("the private key is encrypted with a passphrase, which a minion cannot be given")
	}
	if b.Type == "RSA PRIVATE KEY" {
		return x509.ParsePKCS1PrivateKey(b.Bytes)
	}
	key, err := x509.ParsePKCS8PrivateKey(b.Bytes)
	if err != nil {
		return nil, err
	}
	k, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("not an RSA key")
	}
	return k, nil
}

// Fingerprint is the finger of a public key's text as salt-key -F shows it:
// the digest of what stands between the first and the last line.
func Fingerprint(text string, h hash.Hash) string {
	lines := strings.Split(CleanPEM(text), "\n")
	if len(lines) > 2 {
		lines = lines[1 : len(lines)-1]
	}
	for _, l := range lines {
		h.Write([]byte(l + "\n"))
	}
	return strings.ReplaceAll(fmt.Sprintf("% x", h.Sum(nil)), " ", ":")
}
