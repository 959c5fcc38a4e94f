package pki

import (
	"bytes"
	"encoding/asn1"
	"encoding/pem"
	"slices"
)

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"explicit,optional,tag:0"`
}

type signedData struct {
	Version      int
	Digests      asn1.RawValue
	Content      contentInfo
	Certificates asn1.RawValue `asn1:"optional,tag:0"`
	Lists        asn1.RawValue `asn1:"optional,tag:1"`
	Signers      asn1.RawValue
}

var (
	oidData       = OID{1, 2, 840, 113549, 1, 7, 1}
	oidSignedData = OID{1, 2, 840, 113549, 1, 7, 2}
)

// ParseP7 reads the certificates of a PKCS #7 bundle; there is at least one.
func ParseP7(der []byte) ([]*Certificate, error) {
	var ci contentInfo
	if _, err := asn1.Unmarshal(der, &ci); err != nil || !ci.Type.Equal(oidSignedData) {
		return nil, ErrData
	}
	var sd signedData
	if _, err := asn1.Unmarshal(ci.Content.Bytes, &sd); err != nil {
		return nil, ErrData
	}
	var out []*Certificate
	for rest := sd.Certificates.Bytes; len(rest) > 0; {
		var v asn1.RawValue
		var err error
		if rest, err = asn1.Unmarshal(rest, &v); err != nil {
			return nil, ErrData
		}
		c, err := ParseCertificate(v.FullBytes)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, ErrData
	}
	return out, nil
}

// EncodeP7 makes a bundle of certificates. Encoded as a set, they are sorted.
func EncodeP7(certs []*Certificate, asPEM bool) ([]byte, error) {
	var all [][]byte
	for _, c := range certs {
		all = append(all, c.Raw)
	}
	slices.SortFunc(all, bytes.Compare)
	empty := asn1.RawValue{Tag: asn1.TagSet, IsCompound: true}
	sd, err := asn1.Marshal(signedData{Version: 1, Digests: empty, Content: contentInfo{Type: oidData},
		Certificates: asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: slices.Concat(all...)}, Signers: empty})
	if err != nil {
		return nil, err
	}
	der, err := asn1.Marshal(contentInfo{oidSignedData, asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: sd}})
	if asPEM && err == nil {
		return pem.EncodeToMemory(&pem.Block{Type: "PKCS7", Bytes: der}), nil
	}
	return der, err
}
