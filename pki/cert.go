package pki

import (
	"crypto/rand"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"time"
)

// An Extension is one of a certificate, request or list; Value is DER.
type Extension struct {
	OID      OID
	Critical bool
	Value    []byte
}

// Find is the extension of that kind, nil if there is none.
func Find(exts []Extension, oid OID) *Extension {
	for i := range exts {
		if exts[i].OID.Equal(oid) {
			return &exts[i]
		}
	}
	return nil
}

// A Certificate is an X.509 certificate.
type Certificate struct {
	Raw             []byte
	Version         int
	Serial          *big.Int
	Algorithm       OID // of the signature
	Digest          string
	Issuer, Subject Name
	NotBefore       time.Time
	NotAfter        time.Time
	Key             *Public // nil for a kind that is not known
	Extensions      []Extension
	signed          signed
}

type validity struct{ NotBefore, NotAfter time.Time }

type extension struct {
	OID      asn1.ObjectIdentifier
	Critical bool `asn1:"optional"`
	Value    []byte
}

type tbsCertificate struct {
	Raw        asn1.RawContent
	Version    int `asn1:"optional,explicit,default:0,tag:0"`
	Serial     *big.Int
	Algorithm  pkix.AlgorithmIdentifier
	Issuer     asn1.RawValue
	Validity   validity
	Subject    asn1.RawValue
	Key        asn1.RawValue
	IssuerID   asn1.BitString `asn1:"optional,tag:1"`
	SubjectID  asn1.BitString `asn1:"optional,tag:2"`
	Extensions []extension    `asn1:"omitempty,optional,explicit,tag:3"`
}

func open(der []byte, tbs any) (signed, error) {
	var s signed
	if rest, err := asn1.Unmarshal(der, &s); err != nil || len(rest) > 0 {
		return s, ErrData
	}
	if rest, err := asn1.Unmarshal(s.TBS.FullBytes, tbs); err != nil || len(rest) > 0 {
		return s, ErrData
	}
	return s, nil
}

// ParseCertificate reads a certificate in DER.
func ParseCertificate(der []byte) (*Certificate, error) {
	var t tbsCertificate
	s, err := open(der, &t)
	if err != nil {
		return nil, err
	}
	c := &Certificate{Raw: der, Version: t.Version, Serial: t.Serial, Algorithm: s.Algorithm.Algorithm, Digest: digestOf(s.Algorithm),
		NotBefore: t.Validity.NotBefore.UTC(), NotAfter: t.Validity.NotAfter.UTC(), Extensions: extensions(t.Extensions), signed: s}
	if c.Issuer, err = parseName(t.Issuer.FullBytes); err != nil {
		return nil, err
	}
	if c.Subject, err = parseName(t.Subject.FullBytes); err != nil {
		return nil, err
	}
	c.Key, _ = ParsePublic(t.Key.FullBytes)
	return c, nil
}

func extensions(l []extension) []Extension {
	out := make([]Extension, len(l))
	for i, e := range l {
		out[i] = Extension(e)
	}
	return out
}

func raw(l []Extension) []extension {
	out := make([]extension, len(l))
	for i, e := range l {
		out[i] = extension(e)
	}
	return out
}

// SignedBy reports whether the signature is the key's.
func (c *Certificate) SignedBy(k *Public) bool { return c.signed.signedBy(k) }

// PEM is the certificate in PEM.
func (c *Certificate) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

// A Template is a certificate to sign.
type Template struct {
	Serial              *big.Int
	Subject, Issuer     Name
	NotBefore, NotAfter time.Time
	Key                 *Public
	Extensions          []Extension
}

// RandomSerial is a serial number of 159 random bits.
func RandomSerial() *big.Int {
	b := make([]byte, 20)
	rand.Read(b)
	n := new(big.Int).SetBytes(b)
	return n.Rsh(n, 1)
}

// Sign makes the certificate.
func (t *Template) Sign(key *Private, digest string) (*Certificate, error) {
	alg, h, err := key.algorithm(digest)
	if err != nil {
		return nil, err
	}
	tbs, err := asn1.Marshal(tbsCertificate{Version: 2, Serial: t.Serial, Algorithm: alg, Issuer: asn1.RawValue{FullBytes: t.Issuer.DER()},
		Validity: validity{whole(t.NotBefore), whole(t.NotAfter)}, Subject: asn1.RawValue{FullBytes: t.Subject.DER()},
		Key: asn1.RawValue{FullBytes: t.Key.DER()}, Extensions: raw(t.Extensions)})
	if err != nil {
		return nil, err
	}
	der, err := seal(key, tbs, alg, h)
	if err != nil {
		return nil, err
	}
	return ParseCertificate(der)
}

func whole(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// Body is what is signed.
func (c *Certificate) Body() []byte { return c.signed.TBS.FullBytes }
