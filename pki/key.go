package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"

	"github.com/cloudflare/circl/sign/ed448"
)

// A Private is a private key: rsa, ec, ed25519 or ed448.
type Private struct {
	Type string
	key  crypto.Signer
}

// A Public is a public key of one of the same types.
type Public struct {
	Type string
	key  crypto.PublicKey
}

var oidEd448 = OID{1, 3, 101, 113}

// Generate makes a private key; bits is its size for rsa and ec.
func Generate(typ string, bits int) (*Private, error) {
	var key crypto.Signer
	var err error
	switch typ {
	case "rsa":
		key, err = rsa.GenerateKey(rand.Reader, bits)
	case "ec":
		c := map[int]elliptic.Curve{224: elliptic.P224(), 256: elliptic.P256(), 384: elliptic.P384(), 521: elliptic.P521()}[bits]
		if c == nil {
			return nil, fmt.Errorf("pki: no curve of %d bits", bits)
		}
		key, err = ecdsa.GenerateKey(c, rand.Reader)
	case "ed25519":
		_, key, err = ed25519.GenerateKey(rand.Reader)
	case "ed448":
		var k ed448.PrivateKey
		_, k, err = ed448.GenerateKey(rand.Reader)
		key = k
	default:
		return nil, fmt.Errorf("pki: no keys of type %s", typ)
	}
	if err != nil {
		return nil, err
	}
	return &Private{typ, key}, nil
}

// Signer is the key for other packages' use.
func (p *Private) Signer() crypto.Signer { return p.key }

// Public is the public half.
func (p *Private) Public() *Public { return &Public{p.Type, p.key.Public()} }

// Bits is the size of an rsa or ec key, 0 for the others.
func (p *Private) Bits() int { return p.Public().Bits() }

// Bits is the size of an rsa or ec key, 0 for the others.
func (p *Public) Bits() int {
	switch k := p.key.(type) {
	case *rsa.PublicKey:
		return k.N.BitLen()
	case *ecdsa.PublicKey:
		return k.Curve.Params().BitSize
	}
	return 0
}

// Key is the key for other packages' use.
func (p *Public) Key() crypto.PublicKey { return p.key }

// NewPrivate and NewPublic take keys of the standard library; nil for those of
// another type.
func NewPrivate(k any) *Private {
	switch k := k.(type) {
	case *rsa.PrivateKey:
		return &Private{"rsa", k}
	case *ecdsa.PrivateKey:
		return &Private{"ec", k}
	case ed25519.PrivateKey:
		return &Private{"ed25519", k}
	case *ed25519.PrivateKey:
		return &Private{"ed25519", *k}
	case ed448.PrivateKey:
		return &Private{"ed448", k}
	}
	return nil
}

// NewPublic is described at NewPrivate.
func NewPublic(k any) *Public {
	switch k := k.(type) {
	case *rsa.PublicKey:
		return &Public{"rsa", k}
	case *ecdsa.PublicKey:
		return &Public{"ec", k}
	case ed25519.PublicKey:
		return &Public{"ed25519", k}
	case ed448.PublicKey:
		return &Public{"ed448", k}
	}
	return nil
}

// DER is the SubjectPublicKeyInfo.
func (p *Public) DER() []byte {
	if k, ok := p.key.(ed448.PublicKey); ok {
		der, _ := asn1.Marshal(spki{Algorithm: pkix.AlgorithmIdentifier{Algorithm: oidEd448}, Key: asn1.BitString{Bytes: k, BitLength: 8 * len(k)}})
		return der
	}
	der, _ := x509.MarshalPKIXPublicKey(p.key)
	return der
}

// PEM is DER in PEM.
func (p *Public) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: p.DER()})
}

// Equal reports whether two public keys are the same.
func (p *Public) Equal(q *Public) bool { return p.Type == q.Type && string(p.DER()) == string(q.DER()) }

type spki struct {
	Raw       asn1.RawContent
	Algorithm pkix.AlgorithmIdentifier
	Key       asn1.BitString
}

// ParsePublic reads a SubjectPublicKeyInfo, or an RSA key in PKCS #1.
func ParsePublic(der []byte) (*Public, error) {
	var s spki
	rest, err := asn1.Unmarshal(der, &s)
	if err == nil && len(rest) == 0 && s.Algorithm.Algorithm.Equal(oidEd448) && len(s.Key.Bytes) == ed448.PublicKeySize {
		return &Public{"ed448", ed448.PublicKey(s.Key.Bytes)}, nil
	}
	k, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		if k, err := x509.ParsePKCS1PublicKey(der); err == nil {
			return &Public{"rsa", k}, nil
		}
		return nil, ErrData
	}
	if p := NewPublic(k); p != nil {
		return p, nil
	}
	return nil, ErrData
}

// Identifier is the hash of the key that subjectKeyIdentifier holds: SHA-1 of
// the bits of the key.
func (p *Public) Identifier() []byte {
	var s spki
	if _, err := asn1.Unmarshal(p.DER(), &s); err != nil {
		return nil
	}
	h := crypto.SHA1.New()
	h.Write(s.Key.Bytes)
	return h.Sum(nil)
}

type pkcs8 struct {
	Version    int
	Algorithm  pkix.AlgorithmIdentifier
	Key        []byte
	Attributes []asn1.RawValue `asn1:"optional,tag:0,set"`
}

// PKCS8 is the private key, unencrypted.
func (p *Private) PKCS8() []byte {
	if k, ok := p.key.(ed448.PrivateKey); ok {
		seed, _ := asn1.Marshal([]byte(k.Seed()))
		der, _ := asn1.Marshal(pkcs8{Algorithm: pkix.AlgorithmIdentifier{Algorithm: oidEd448}, Key: seed})
		return der
	}
	der, _ := x509.MarshalPKCS8PrivateKey(p.key)
	return der
}

// parsePrivate reads an unencrypted private key: PKCS #8, PKCS #1, SEC 1.
func parsePrivate(der []byte) (*Private, error) {
	var p pkcs8
	if _, err := asn1.Unmarshal(der, &p); err == nil && p.Algorithm.Algorithm.Equal(oidEd448) {
		var seed []byte
		if _, err := asn1.Unmarshal(p.Key, &seed); err != nil || len(seed) != ed448.SeedSize {
			return nil, ErrData
		}
		return &Private{"ed448", ed448.NewKeyFromSeed(seed)}, nil
	}
	if k, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		if p := NewPrivate(k); p != nil {
			return p, nil
		}
	}
	if k, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return &Private{"rsa", k}, nil
	}
	if k, err := x509.ParseECPrivateKey(der); err == nil {
		return &Private{"ec", k}, nil
	}
	return nil, ErrData
}
