package pki

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"hash"
	"unicode/utf16"
)

// ErrKeyless says that a PKCS #12 file has no private key.
var ErrKeyless = errors.New("PKCS12-encoded blob does not contain a private key.")

// A P12 is what a PKCS #12 file holds. The parts may be absent.
type P12 struct {
	Key         *Private
	Certificate *Certificate
	Name        string // the friendly name
	Others      []*Certificate
}

type pfx struct {
	Version int
	Safe    contentInfo
	MAC     macData `asn1:"optional"`
}

type macData struct {
	MAC    digestInfo
	Salt   []byte
	Rounds int `asn1:"optional,default:1"`
}

type digestInfo struct {
	Algorithm pkix.AlgorithmIdentifier
	Digest    []byte
}

type encryptedData struct {
	Version int
	Content struct {
		Type      asn1.ObjectIdentifier
		Algorithm pkix.AlgorithmIdentifier
		Data      []byte `asn1:"tag:0,optional"`
	}
}

type safeBag struct {
	ID         asn1.ObjectIdentifier
	Value      asn1.RawValue  `asn1:"tag:0,explicit"`
	Attributes []bagAttribute `asn1:"set,optional,omitempty"`
}

type bagAttribute struct {
	ID    asn1.ObjectIdentifier
	Value asn1.RawValue `asn1:"set"`
}

type certBag struct {
	ID   asn1.ObjectIdentifier
	Data []byte `asn1:"tag:0,explicit"`
}

var (
	oidEncryptedData = OID{1, 2, 840, 113549, 1, 7, 6}
	oidKeyBag        = OID{1, 2, 840, 113549, 1, 12, 10, 1, 1}
	oidShroudedBag   = OID{1, 2, 840, 113549, 1, 12, 10, 1, 2}
	oidCertBag       = OID{1, 2, 840, 113549, 1, 12, 10, 1, 3}
	oidCertX509      = OID{1, 2, 840, 113549, 1, 9, 22, 1}
	oidFriendlyName  = OID{1, 2, 840, 113549, 1, 9, 20}
	oidLocalKeyID    = OID{1, 2, 840, 113549, 1, 9, 21}
)

func macHash(oid OID) func() hash.Hash {
	switch oid.String() {
	case "1.3.14.3.2.26":
		return sha1.New
	case "2.16.840.1.101.3.4.2.1":
		return sha256.New
	case "2.16.840.1.101.3.4.2.2":
		return sha512.New384
	case "2.16.840.1.101.3.4.2.3":
		return sha512.New
	}
	return nil
}

// ParseP12 reads a PKCS #12 file. A nil password is none.
func ParseP12(der, password []byte) (*P12, error) {
	var p pfx
	if rest, err := asn1.Unmarshal(der, &p); err != nil || len(rest) > 0 || p.Version != 3 || !p.Safe.Type.Equal(oidData) {
		return nil, ErrData
	}
	var safe []byte
	if _, err := asn1.Unmarshal(p.Safe.Content.Bytes, &safe); err != nil {
		return nil, ErrData
	}
	if err := p.check(safe, password); err != nil {
		return nil, err
	}
	var parts []contentInfo
	if _, err := asn1.Unmarshal(safe, &parts); err != nil {
		return nil, ErrData
	}
	r := &p12Reader{password: password}
	for _, part := range parts {
		if err := r.part(part); err != nil {
			return nil, err
		}
	}
	return r.result(), nil
}

func (p *pfx) check(safe, password []byte) error {
	if len(p.MAC.MAC.Digest) == 0 {
		return nil
	}
	h := macHash(p.MAC.MAC.Algorithm.Algorithm)
	if h == nil || p.MAC.Rounds > maxRounds {
		return ErrData
	}
	tries := [][]byte{bmp(password)}
	if len(password) == 0 {
		tries = append(tries, nil) // some hash no password as nothing at all
	}
	for _, pw := range tries {
		if hmac.Equal(macOf(h, safe, pw, p.MAC.Salt, p.MAC.Rounds), p.MAC.MAC.Digest) {
			return nil
		}
	}
	return ErrPassword
}

type p12Cert struct {
	cert     *Certificate
	name, id string
}

type p12Reader struct {
	password []byte
	key      *Private
	keyID    string
	certs    []p12Cert
}

func (r *p12Reader) part(ci contentInfo) error {
	var data []byte
	switch {
	case ci.Type.Equal(oidData):
		if _, err := asn1.Unmarshal(ci.Content.Bytes, &data); err != nil {
			return ErrData
		}
	case ci.Type.Equal(oidEncryptedData):
		var e encryptedData
		if _, err := asn1.Unmarshal(ci.Content.Bytes, &e); err != nil {
			return ErrData
		}
		var err error
		if data, err = decrypt(e.Content.Algorithm, e.Content.Data, r.password); err != nil {
			return err
		}
	default:
		return ErrData
	}
	var bags []safeBag
	if _, err := asn1.Unmarshal(data, &bags); err != nil {
		return ErrData
	}
	for _, b := range bags {
		if err := r.bag(b); err != nil {
			return err
		}
	}
	return nil
}

func (r *p12Reader) bag(b safeBag) error {
	name, id := attributes(b.Attributes)
	switch {
	case b.ID.Equal(oidKeyBag), b.ID.Equal(oidShroudedBag):
		der := b.Value.Bytes
		if b.ID.Equal(oidShroudedBag) {
			var e encrypted
			if _, err := asn1.Unmarshal(der, &e); err != nil {
				return ErrData
			}
			var err error
			if der, err = decrypt(e.Algorithm, e.Data, r.password); err != nil {
				return err
			}
		}
		k, err := parsePrivate(der)
		if err != nil {
			return err
		}
		if r.key == nil {
			r.key, r.keyID = k, id
		}
	case b.ID.Equal(oidCertBag):
		var cb certBag
		if _, err := asn1.Unmarshal(b.Value.Bytes, &cb); err != nil || !cb.ID.Equal(oidCertX509) {
			return ErrData
		}
		c, err := ParseCertificate(cb.Data)
		if err != nil {
			return err
		}
		r.certs = append(r.certs, p12Cert{c, name, id})
	}
	return nil
}

func attributes(l []bagAttribute) (name, id string) {
	for _, a := range l {
		switch {
		case a.ID.Equal(oidFriendlyName):
			var v asn1.RawValue
			if _, err := asn1.Unmarshal(a.Value.Bytes, &v); err == nil {
				var u []uint16
				for i := 0; i+1 < len(v.Bytes); i += 2 {
					u = append(u, uint16(v.Bytes[i])<<8|uint16(v.Bytes[i+1]))
				}
				name = string(utf16.Decode(u))
			}
		case a.ID.Equal(oidLocalKeyID):
			var v []byte
			if _, err := asn1.Unmarshal(a.Value.Bytes, &v); err == nil {
				id = string(v)
			}
		}
	}
	return name, id
}

// result takes the key's certificate out of the others.
func (r *p12Reader) result() *P12 {
	out := &P12{Key: r.key}
	for _, c := range r.certs {
		own := r.key != nil && (r.keyID != "" && c.id == r.keyID || r.keyID == "" && c.cert.Key != nil && c.cert.Key.Equal(r.key.Public()))
		if own && out.Certificate == nil {
			out.Certificate, out.Name = c.cert, c.name
		} else {
			out.Others = append(out.Others, c.cert)
		}
	}
	return out
}

// Encode makes a PKCS #12 file. With compat it uses 3DES and SHA-1, for old
// software.
func (p *P12) Encode(password []byte, compat bool) ([]byte, error) {
	rounds := 20000
	if compat {
		rounds = 50000
	}
	var id []bagAttribute
	if p.Certificate != nil {
		fp := sha1.Sum(p.Certificate.Raw)
		id = append(id, attributeOf(oidLocalKeyID, fp[:]))
	}
	if p.Name != "" {
		id = append([]bagAttribute{friendly(p.Name)}, id...)
	}
	var certs []safeBag
	for i, c := range append([]*Certificate{p.Certificate}, p.Others...) {
		if c == nil {
			continue
		}
		b, err := asn1.Marshal(certBag{oidCertX509, c.Raw})
		if err != nil {
			return nil, err
		}
		bag := safeBag{ID: oidCertBag, Value: explicit(b)}
		if i == 0 {
			bag.Attributes = id
		}
		certs = append(certs, bag)
	}
	var parts []contentInfo
	if len(certs) > 0 {
		ci, err := wrap(certs, password, rounds, compat)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ci)
	}
	if p.Key != nil {
		key := safeBag{ID: oidKeyBag, Value: explicit(p.Key.PKCS8()), Attributes: id}
		if len(password) > 0 {
			alg, data, err := encrypt(p.Key.PKCS8(), password, rounds, compat)
			if err != nil {
				return nil, err
			}
			e, err := asn1.Marshal(encrypted{alg, data})
			if err != nil {
				return nil, err
			}
			key.ID, key.Value = oidShroudedBag, explicit(e)
		}
		ci, err := wrap([]safeBag{key}, nil, rounds, compat)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ci)
	}
	safe, err := asn1.Marshal(parts)
	if err != nil {
		return nil, err
	}
	return sealP12(safe, password, rounds, compat)
}

func explicit(der []byte) asn1.RawValue {
	return asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: der}
}

func attributeOf(oid OID, v []byte) bagAttribute {
	der, _ := asn1.Marshal(v)
	return bagAttribute{oid, asn1.RawValue{Tag: asn1.TagSet, IsCompound: true, Bytes: der}}
}

func friendly(name string) bagAttribute {
	var b []byte
	for _, u := range utf16.Encode([]rune(name)) {
		b = append(b, byte(u>>8), byte(u))
	}
	der, _ := asn1.Marshal(asn1.RawValue{Tag: asn1.TagBMPString, Bytes: b})
	return bagAttribute{oidFriendlyName, asn1.RawValue{Tag: asn1.TagSet, IsCompound: true, Bytes: der}}
}

// wrap puts bags into a part of the file, encrypted when there is a password.
func wrap(bags []safeBag, password []byte, rounds int, compat bool) (ci contentInfo, err error) {
	data, err := asn1.Marshal(bags)
	if err != nil {
		return ci, err
	}
	if len(password) == 0 {
		b, err := asn1.Marshal(data)
		return contentInfo{oidData, explicit(b)}, err
	}
	var e encryptedData
	e.Content.Type = oidData
	if e.Content.Algorithm, e.Content.Data, err = encrypt(data, password, rounds, compat); err != nil {
		return ci, err
	}
	b, err := asn1.Marshal(e)
	return contentInfo{oidEncryptedData, explicit(b)}, err
}

func sealP12(safe, password []byte, rounds int, compat bool) ([]byte, error) {
	salt := make([]byte, 8)
	rand.Read(salt)
	h, oid := sha256.New, OID{2, 16, 840, 1, 101, 3, 4, 2, 1}
	if compat {
		h, oid = sha1.New, OID{1, 3, 14, 3, 2, 26}
	}
	content, err := asn1.Marshal(safe)
	if err != nil {
		return nil, err
	}
	p := pfx{Version: 3, Safe: contentInfo{oidData, explicit(content)}}
	p.MAC = macData{digestInfo{pkix.AlgorithmIdentifier{Algorithm: oid, Parameters: asn1.NullRawValue}, macOf(h, safe, bmp(password), salt, rounds)}, salt, rounds}
	return asn1.Marshal(p)
}

// Same reports whether two lists hold the same certificates in the same order.
func Same(a, b []*Certificate) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i].Raw, b[i].Raw) {
			return false
		}
	}
	return true
}
