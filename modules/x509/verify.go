package x509

import (
	"errors"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

type getPublicKeyArgs struct {
	Key        any `py:"key"`             // a key, certificate or signing request
	Passphrase any `py:"passphrase=None"` // encrypts the key
	AsObj      any `py:"asObj=None"`      // ignored
}

// getPublicKey returns the public key, in PEM, of a public or private key, a
// certificate or a signing request.
//
//	salt-call x509.get_public_key /etc/pki/my.crt
func getPublicKey(c *salt.Ctx, a getPublicKeyArgs) (string, error) {
	k, err := publicOf(c, a.Key, a.Passphrase)
	if err != nil {
		return "", err
	}
	return string(k.PEM()), nil
}

func publicOf(c *salt.Ctx, v, passphrase any) (*pki.Public, error) {
	if k, err := loadPublic(c, v); err == nil {
		return k, nil
	}
	b, err := loadCertificate(c, v, passphrase)
	switch {
	case err == nil && b.Key != nil:
		return b.Key, nil
	case errors.Is(err, pki.ErrPassword):
		return nil, salt.CommandError("%s", err)
	}
	k, _, err := loadPrivate(c, v, passphrase)
	switch {
	case err == nil:
		return k.Public(), nil
	case errors.Is(err, pki.ErrPassword), errors.Is(err, pki.ErrNoPassword), errors.Is(err, pki.ErrVainPassword):
		return nil, salt.CommandError("%s", err)
	}
	if r, _, err := loadRequest(c, v); err == nil {
		return r.Key, nil
	}
	return nil, salt.CommandError("Could not load key as certificate, public key, private key or CSR")
}

type verifyCrlArgs struct {
	Crl  any `py:"crl"`  // a revocation list: file, PEM, base64 or bytes
	Cert any `py:"cert"` // the issuer's certificate or key
}

// verifyCrl reports whether a revocation list was signed by an issuer.
func verifyCrl(c *salt.Ctx, a verifyCrlArgs) (bool, error) {
	l, _, err := loadList(c, a.Crl)
	if err != nil {
		return false, err
	}
	k, err := publicOf(c, a.Cert, nil)
	if err != nil {
		return false, err
	}
	return l.SignedBy(k), nil
}

type verifyPrivateKeyArgs struct {
	PrivateKey any `py:"private_key"`     // a private key: file, PEM, base64 or bytes
	PublicKey  any `py:"public_key"`      // a public key: file, PEM, base64 or bytes
	Passphrase any `py:"passphrase=None"` // encrypts the key
}

// verifyPrivateKey reports whether a private key belongs to a public key, or
// to what has one.
func verifyPrivateKey(c *salt.Ctx, a verifyPrivateKeyArgs) (bool, error) {
	k, _, err := loadPrivate(c, a.PrivateKey, a.Passphrase)
	if err != nil {
		return false, err
	}
	pub, err := publicOf(c, a.PublicKey, nil)
	if err != nil {
		return false, err
	}
	return pub.Equal(k.Public()), nil
}

type verifySignatureArgs struct {
	Certificate             any `py:"certificate"`                     // a certificate: file, PEM, base64 or bytes
	SigningPubKey           any `py:"signing_pub_key=None"`            // the issuer's key or certificate; None asks whether it signed itself
	SigningPubKeyPassphrase any `py:"signing_pub_key_passphrase=None"` // decrypts it
}

// verifySignature reports whether a certificate was signed by a key; without
// one, whether it signed itself.
func verifySignature(c *salt.Ctx, a verifySignatureArgs) (bool, error) {
	b, err := loadCertificate(c, a.Certificate, nil)
	if err != nil {
		return false, err
	}
	by := a.SigningPubKey
	if !value.Truth(by) {
		by = a.Certificate
	}
	k, err := publicOf(c, by, a.SigningPubKeyPassphrase)
	if err != nil {
		return false, err
	}
	return b.SignedBy(k), nil
}
