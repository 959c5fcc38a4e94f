package pki

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"time"
)

// A Revoked is one entry of a revocation list.
type Revoked struct {
	Serial     *big.Int
	Date       time.Time
	Extensions []Extension
}

// A List is a certificate revocation list.
type List struct {
	Raw        []byte
	Algorithm  OID
	Digest     string
	Issuer     Name
	Update     time.Time
	Next       time.Time // zero: not said
	Revoked    []Revoked
	Extensions []Extension
	signed     signed
}

type revoked struct {
	Serial     *big.Int
	Date       time.Time
	Extensions []extension `asn1:"optional,omitempty"`
}

type tbsList struct {
	Raw        asn1.RawContent
	Version    int `asn1:"optional,default:0"`
	Algorithm  pkix.AlgorithmIdentifier
	Issuer     asn1.RawValue
	Update     time.Time
	Next       time.Time   `asn1:"optional,omitempty"`
	Revoked    []revoked   `asn1:"optional,omitempty"`
	Extensions []extension `asn1:"tag:0,optional,explicit,omitempty"`
}

// ParseList reads a revocation list in DER.
func ParseList(der []byte) (*List, error) {
	var t tbsList
	s, err := open(der, &t)
	if err != nil {
		return nil, err
	}
	l := &List{Raw: der, Algorithm: s.Algorithm.Algorithm, Digest: digestOf(s.Algorithm), Update: t.Update.UTC(), Next: t.Next.UTC(),
		Extensions: extensions(t.Extensions), signed: s}
	if l.Issuer, err = parseName(t.Issuer.FullBytes); err != nil {
		return nil, err
	}
	for _, r := range t.Revoked {
		l.Revoked = append(l.Revoked, Revoked{r.Serial, r.Date.UTC(), extensions(r.Extensions)})
	}
	return l, nil
}

// SignedBy reports whether the signature is the key's.
func (l *List) SignedBy(k *Public) bool { return l.signed.signedBy(k) }

// PEM is the list in PEM.
func (l *List) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: l.Raw})
}

// Sign makes the list from its issuer, times, entries and extensions.
func (l *List) Sign(key *Private, digest string) (*List, error) {
	alg, h, err := key.algorithm(digest)
	if err != nil {
		return nil, err
	}
	t := tbsList{Version: 1, Algorithm: alg, Issuer: asn1.RawValue{FullBytes: l.Issuer.DER()}, Update: whole(l.Update), Next: whole(l.Next), Extensions: raw(l.Extensions)}
	for _, r := range l.Revoked {
		t.Revoked = append(t.Revoked, revoked{r.Serial, whole(r.Date), raw(r.Extensions)})
	}
	tbs, err := asn1.Marshal(t)
	if err != nil {
		return nil, err
	}
	der, err := seal(key, tbs, alg, h)
	if err != nil {
		return nil, err
	}
	return ParseList(der)
}
