package pki

import (
	"encoding/asn1"
	"encoding/pem"
)

// A Request is a certificate signing request.
type Request struct {
	Raw        []byte
	Version    int
	Algorithm  OID
	Digest     string
	Subject    Name
	Key        *Public
	Extensions []Extension
	signed     signed
}

type tbsRequest struct {
	Raw        asn1.RawContent
	Version    int
	Subject    asn1.RawValue
	Key        asn1.RawValue
	Attributes []asn1.RawValue `asn1:"tag:0,set"`
}

type requestAttribute struct {
	ID     asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

var oidExtensionRequest = OID{1, 2, 840, 113549, 1, 9, 14}

// ParseRequest reads a request in DER.
func ParseRequest(der []byte) (*Request, error) {
	var t tbsRequest
	s, err := open(der, &t)
	if err != nil {
		return nil, err
	}
	r := &Request{Raw: der, Version: t.Version, Algorithm: s.Algorithm.Algorithm, Digest: digestOf(s.Algorithm), signed: s}
	if r.Subject, err = parseName(t.Subject.FullBytes); err != nil {
		return nil, err
	}
	if r.Key, err = ParsePublic(t.Key.FullBytes); err != nil {
		return nil, err
	}
	for _, a := range t.Attributes {
		var ra requestAttribute
		if _, err := asn1.Unmarshal(a.FullBytes, &ra); err != nil || !ra.ID.Equal(oidExtensionRequest) || len(ra.Values) == 0 {
			continue
		}
		var l []extension
		if _, err := asn1.Unmarshal(ra.Values[0].FullBytes, &l); err != nil {
			return nil, ErrData
		}
		r.Extensions = extensions(l)
	}
	return r, nil
}

// PEM is the request in PEM.
func (r *Request) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: r.Raw})
}

// SignRequest makes a request for the key.
func SignRequest(key *Private, subject Name, exts []Extension, digest string) (*Request, error) {
	alg, h, err := key.algorithm(digest)
	if err != nil {
		return nil, err
	}
	t := tbsRequest{Subject: asn1.RawValue{FullBytes: subject.DER()}, Key: asn1.RawValue{FullBytes: key.Public().DER()}}
	if len(exts) > 0 {
		l, err := asn1.Marshal(raw(exts))
		if err != nil {
			return nil, err
		}
		a, err := asn1.Marshal(requestAttribute{oidExtensionRequest, []asn1.RawValue{{FullBytes: l}}})
		if err != nil {
			return nil, err
		}
		t.Attributes = []asn1.RawValue{{FullBytes: a}}
	}
	tbs, err := asn1.Marshal(t)
	if err != nil {
		return nil, err
	}
	der, err := seal(key, tbs, alg, h)
	if err != nil {
		return nil, err
	}
	return ParseRequest(der)
}
