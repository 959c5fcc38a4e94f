package pki

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"strings"
)

var pemBegin = []byte("-----BEGIN")

// IsPEM reports whether data has a PEM block.
func IsPEM(data []byte) bool { return bytes.Contains(data, pemBegin) }

// LoadPrivate reads a private key and says its form: pem, der or pkcs12. A nil
// password is none. The errors are those of this package.
func LoadPrivate(data, password []byte) (key *Private, encoding string, err error) {
	if IsPEM(data) {
		key, err = loadPEM(data, password)
		return key, "pem", err
	}
	if box, err := ParseP12(data, password); err == nil {
		if box.Key == nil {
			return nil, "", ErrKeyless
		}
		return box.Key, "pkcs12", nil
	} else if err != ErrData {
		return nil, "", err
	}
	key, err = loadDER(data, password)
	return key, "der", err
}

func loadPEM(data, password []byte) (*Private, error) {
	for rest := data; ; {
		var b *pem.Block
		if b, rest = pem.Decode(rest); b == nil {
			return nil, ErrData
		}
		switch {
		case b.Headers["DEK-Info"] != "":
			if password == nil {
				return nil, ErrNoPassword
			}
			//lint:ignore SA1019 old key files are encrypted so, and people have them
			der, err := x509.DecryptPEMBlock(b, password)
			if err != nil {
				return nil, ErrPassword
			}
			k, err := parsePrivate(der)
			if err != nil {
				return nil, ErrPassword
			}
			return k, nil
		case strings.HasSuffix(b.Type, "PRIVATE KEY"):
			return loadDER(b.Bytes, password)
		}
	}
}

// loadDER reads PKCS #8, encrypted or not, PKCS #1 and SEC 1.
func loadDER(der, password []byte) (*Private, error) {
	var e encrypted
	if rest, err := asn1.Unmarshal(der, &e); err == nil && len(rest) == 0 {
		if password == nil {
			return nil, ErrNoPassword
		}
		plain, err := decrypt(e.Algorithm, e.Data, password)
		if err != nil {
			return nil, err
		}
		k, err := parsePrivate(plain)
		if err != nil {
			return nil, ErrPassword
		}
		return k, nil
	}
	k, err := parsePrivate(der)
	if err == nil && password != nil {
		return nil, ErrVainPassword
	}
	return k, err
}

// Encode is the private key in PKCS #8, encrypted when there is a password.
func (p *Private) Encode(asPEM bool, password []byte) ([]byte, error) {
	der, typ := p.PKCS8(), "PRIVATE KEY"
	if password != nil {
		alg, data, err := encrypt(der, password, 2048, false)
		if err != nil {
			return nil, err
		}
		if der, err = asn1.Marshal(encrypted{alg, data}); err != nil {
			return nil, err
		}
		typ = "ENCRYPTED PRIVATE KEY"
	}
	if asPEM {
		return pem.EncodeToMemory(&pem.Block{Type: typ, Bytes: der}), nil
	}
	return der, nil
}

// LoadPublic reads a public key in PEM or DER.
func LoadPublic(data []byte) (*Public, error) {
	if !IsPEM(data) {
		return ParsePublic(data)
	}
	b, _ := pem.Decode(data)
	if b == nil || b.Type != "PUBLIC KEY" && b.Type != "RSA PUBLIC KEY" {
		return nil, ErrData
	}
	return ParsePublic(b.Bytes)
}

// A Bundle is a certificate with what came along.
type Bundle struct {
	*Certificate
	Encoding string // pem, der, pkcs7_pem, pkcs7_der or pkcs12
	Chain    []*Certificate
	Box      *P12 // of pkcs12
}

// LoadCertificate reads a certificate and those that follow it.
func LoadCertificate(data, password []byte) (*Bundle, error) {
	if IsPEM(data) {
		return loadPEMCertificate(data)
	}
	if c, err := ParseCertificate(data); err == nil {
		return &Bundle{Certificate: c, Encoding: "der"}, nil
	}
	if box, err := ParseP12(data, password); err == nil {
		if box.Certificate == nil {
			return nil, ErrData
		}
		return &Bundle{box.Certificate, "pkcs12", box.Others, box}, nil
	} else if err != ErrData {
		return nil, err
	}
	certs, err := ParseP7(data)
	if err != nil {
		return nil, err
	}
	return &Bundle{Certificate: certs[0], Encoding: "pkcs7_der", Chain: certs[1:]}, nil
}

func loadPEMCertificate(data []byte) (*Bundle, error) {
	b, rest := pem.Decode(data)
	if b == nil {
		return nil, ErrData
	}
	if b.Type == "PKCS7" {
		certs, err := ParseP7(b.Bytes)
		if err != nil {
			return nil, err
		}
		return &Bundle{Certificate: certs[0], Encoding: "pkcs7_pem", Chain: certs[1:]}, nil
	}
	if b.Type != "CERTIFICATE" && b.Type != "X509 CERTIFICATE" {
		return nil, ErrData
	}
	c, err := ParseCertificate(b.Bytes)
	if err != nil {
		return nil, err
	}
	out := &Bundle{Certificate: c, Encoding: "pem"}
	for {
		if b, rest = pem.Decode(rest); b == nil {
			return out, nil
		}
		if c, err := ParseCertificate(b.Bytes); err == nil && b.Type == "CERTIFICATE" {
			out.Chain = append(out.Chain, c)
		}
	}
}

// decode gives the DER of a PEM block of one of the types, or data itself.
func decode(data []byte, types ...string) (der []byte, encoding string, err error) {
	if !IsPEM(data) {
		return data, "der", nil
	}
	b, _ := pem.Decode(data)
	if b != nil {
		for _, t := range types {
			if b.Type == t {
				return b.Bytes, "pem", nil
			}
		}
	}
	return nil, "pem", ErrData
}

// LoadRequest reads a signing request and says its form, pem or der.
func LoadRequest(data []byte) (*Request, string, error) {
	der, encoding, err := decode(data, "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST")
	if err != nil {
		return nil, encoding, err
	}
	r, err := ParseRequest(der)
	return r, encoding, err
}

// LoadList reads a revocation list and says its form, pem or der.
func LoadList(data []byte) (*List, string, error) {
	der, encoding, err := decode(data, "X509 CRL")
	if err != nil {
		return nil, encoding, err
	}
	l, err := ParseList(der)
	return l, encoding, err
}
