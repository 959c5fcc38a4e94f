// Package pki reads and makes private and public keys, certificates, signing
// requests and revocation lists, in the forms that Salt's modules take: PEM,
// DER, PKCS #7 and PKCS #12. It stands beside crypto/x509, which has no Ed448,
// no encrypted keys, a choice of digests that is its own, and refuses to read
// much that is out there.
//
//	key, _, err := pki.LoadPrivate(data, nil)
//	crt := pki.Template{Key: key.Public(), Subject: name, Issuer: name, …}
//	der, err := crt.Sign(key, "sha256")
package pki

import (
	"encoding/asn1"
	"errors"
)

// What can be wrong with data or a passphrase.
var (
	ErrData         = errors.New("pki: not understood")
	ErrPassword     = errors.New("Bad decrypt - is the password correct?")
	ErrNoPassword   = errors.New("Private key is encrypted. Please provide a password.")
	ErrVainPassword = errors.New("Private key is unencrypted. Please remove the password.")
)

// An OID is an object identifier.
type OID = asn1.ObjectIdentifier

// ParseOID reads 1.2.840; ok is false for anything else.
func ParseOID(s string) (oid OID, ok bool) {
	n, digits := 0, 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == '.' {
			if digits == 0 {
				return nil, false
			}
			oid = append(oid, n)
			n, digits = 0, 0
			continue
		}
		if s[i] < '0' || s[i] > '9' || digits > 9 {
			return nil, false
		}
		n = n*10 + int(s[i]-'0')
		digits++
	}
	ok = len(oid) >= 2 && oid[0] <= 2 && (oid[0] == 2 || oid[1] < 40)
	return oid, ok
}

// ErrMany says that a text has several relative names.
var ErrMany = errors.New("pki: several relative names")
