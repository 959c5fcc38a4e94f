package x509

import (
	"encoding/base64"
	"slices"
	"strings"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

var (
	certEncodings = []string{"der", "pem", "pkcs7_der", "pkcs7_pem", "pkcs12"}
	keyEncodings  = []string{"der", "pem", "pkcs12"}
	plainEncoding = []string{"der", "pem"}
	digestNames   = []string{"sha1", "sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256", "sha3_224", "sha3_256", "sha3_384", "sha3_512"}
)

// checkEncoding refuses what is not in a list.
func checkEncoding(v any, valid []string) (string, error) {
	if s := text(v); slices.Contains(valid, s) {
		return s, nil
	}
	return "", salt.CommandError("Invalid value '%s' for encoding. Valid: %s", value.Str(v), strings.Join(valid, ", "))
}

func checkDigest(v any) (string, error) {
	if s := text(v); slices.Contains(digestNames, strings.ToLower(s)) {
		return s, nil
	}
	return "", salt.CommandError("Invalid value '%s' for digest. Valid: %s", value.Str(v), strings.Join(digestNames, ", "))
}

// shown is what a function returns: bytes, or text (base64 unless it is PEM).
func shown(data []byte, encoding string, raw bool) any {
	switch {
	case raw:
		return data
	case encoding == "pem" || encoding == "pkcs7_pem":
		return string(data)
	}
	return base64.StdEncoding.EncodeToString(data)
}

// put writes what was made to path, if there is one. Only the owner may read
// a new file that mode says so of.
func put(c *salt.Ctx, data []byte, encoding string, path any, raw bool, pemType, what string, private bool) (any, error) {
	if path == nil {
		return shown(data, encoding, raw), nil
	}
	p := text(path)
	if encoding == "pem" {
		return writePem(c, writePemArgs{Text: string(data), Path: p, Overwrite: true, PemType: pemType})
	}
	attrs := sys.FileAttrs{}
	if private && !sys.Exists(c.Sys, p) {
		mode := sys.Mode(0o600)
		attrs.Mode = &mode
	}
	if err := sys.WriteFile(c.Sys, p, data, attrs); err != nil || what == "" {
		return nil, err
	}
	return what + " written to " + p, nil
}

type encodeCertificateArgs struct {
	Certificate            any  `py:"certificate"`                    // a certificate: file, PEM, base64 or bytes
	Encoding               any  `py:"encoding='pem'"`                 // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	AppendCerts            any  `py:"append_certs=None"`              // certificates to append
	PrivateKey             any  `py:"private_key=None"`               // a private key: file, PEM, base64 or bytes
	PrivateKeyPassphrase   any  `py:"private_key_passphrase=None"`    // decrypts the private key
	Pkcs12Passphrase       any  `py:"pkcs12_passphrase=None"`         // encrypts a PKCS #12 file
	Pkcs12EncryptionCompat bool `py:"pkcs12_encryption_compat=False"` // encrypt PKCS #12 for old software
	Pkcs12Friendlyname     any  `py:"pkcs12_friendlyname=None"`       // the name inside of a PKCS #12 file
	Raw                    bool `py:"raw=False"`                      // return bytes
}

// encodeCertificate returns a certificate in another encoding.
//
//	salt-call x509.encode_certificate /etc/pki/my.pem der
func encodeCertificate(c *salt.Ctx, a encodeCertificateArgs) (any, error) {
	data, encoding, err := a.encode(c)
	if err != nil {
		return nil, err
	}
	return shown(data, encoding, a.Raw), nil
}

func (a encodeCertificateArgs) encode(c *salt.Ctx) ([]byte, string, error) {
	encoding, err := checkEncoding(a.Encoding, certEncodings)
	switch {
	case err != nil:
		return nil, "", err
	case encoding == "der" && value.Truth(a.AppendCerts):
		return nil, "", salt.InvocationError("Cannot encode a certificate chain in DER")
	case encoding != "pkcs12" && value.Truth(a.PrivateKey):
		return nil, "", salt.InvocationError("Embedding private keys is only supported for pkcs12 encoding")
	case encoding == "pkcs12" && !value.Truth(a.PrivateKey):
		return nil, "", salt.InvocationError("Creating a PKCS12-encoded certificate without embedded private key is unsupported")
	}
	b, err := loadCertificate(c, a.Certificate, nil)
	if err != nil {
		return nil, "", err
	}
	more, err := loadCertificates(c, a.AppendCerts)
	if err != nil {
		return nil, "", err
	}
	var key *pki.Private
	if encoding == "pkcs12" {
		if key, _, err = loadPrivate(c, a.PrivateKey, a.PrivateKeyPassphrase); err != nil {
			return nil, "", err
		}
	}
	data, err := pack(b.Certificate, more, key, encoding, a.Pkcs12Passphrase, a.Pkcs12EncryptionCompat, text(a.Pkcs12Friendlyname))
	return data, encoding, err
}

// pack encodes a certificate with what belongs to it.
func pack(cert *pki.Certificate, more []*pki.Certificate, key *pki.Private, encoding string, passphrase any, compat bool, name string) ([]byte, error) {
	switch encoding {
	case "der":
		return cert.Raw, nil
	case "pkcs12":
		box := pki.P12{Key: key, Certificate: cert, Name: name, Others: more}
		return box.Encode(password(passphrase), compat)
	case "pkcs7_der", "pkcs7_pem":
		return pki.EncodeP7(append([]*pki.Certificate{cert}, more...), encoding == "pkcs7_pem")
	}
	out := cert.PEM()
	for _, m := range more {
		out = append(append(out, '\n'), m.PEM()...)
	}
	return out, nil
}

type encodeCrlArgs struct {
	Crl      any  `py:"crl"`            // a revocation list: file, PEM, base64 or bytes
	Encoding any  `py:"encoding='pem'"` // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Raw      bool `py:"raw=False"`      // return bytes
}

// encodeCrl returns a revocation list in another encoding.
func encodeCrl(c *salt.Ctx, a encodeCrlArgs) (any, error) {
	encoding, err := checkEncoding(a.Encoding, plainEncoding)
	if err != nil {
		return nil, err
	}
	l, _, err := loadList(c, a.Crl)
	if err != nil {
		return nil, err
	}
	return shown(either(encoding, l.Raw, l.PEM), encoding, a.Raw), nil
}

func either(encoding string, der []byte, pem func() []byte) []byte {
	if encoding == "pem" {
		return pem()
	}
	return der
}

type encodeCsrArgs struct {
	Csr      any  `py:"csr"`            // a signing request: file, PEM, base64 or bytes
	Encoding any  `py:"encoding='pem'"` // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Raw      bool `py:"raw=False"`      // return bytes
}

// encodeCsr returns a signing request in another encoding.
func encodeCsr(c *salt.Ctx, a encodeCsrArgs) (any, error) {
	encoding, err := checkEncoding(a.Encoding, plainEncoding)
	if err != nil {
		return nil, err
	}
	r, _, err := loadRequest(c, a.Csr)
	if err != nil {
		return nil, err
	}
	return shown(either(encoding, r.Raw, r.PEM), encoding, a.Raw), nil
}

type encodePrivateKeyArgs struct {
	PrivateKey             any  `py:"private_key"`                    // a private key: file, PEM, base64 or bytes
	Encoding               any  `py:"encoding='pem'"`                 // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Passphrase             any  `py:"passphrase=None"`                // encrypts the key
	PrivateKeyPassphrase   any  `py:"private_key_passphrase=None"`    // decrypts the private key
	Pkcs12EncryptionCompat bool `py:"pkcs12_encryption_compat=False"` // encrypt PKCS #12 for old software
	Raw                    bool `py:"raw=False"`                      // return bytes
}

// encodePrivateKey returns a private key in another encoding, or encrypted.
//
//	salt-call x509.encode_private_key /etc/pki/my.key der
func encodePrivateKey(c *salt.Ctx, a encodePrivateKeyArgs) (any, error) {
	encoding, err := checkEncoding(a.Encoding, keyEncodings)
	if err != nil {
		return nil, err
	}
	k, _, err := loadPrivate(c, a.PrivateKey, a.PrivateKeyPassphrase)
	if err != nil {
		return nil, err
	}
	data, err := packKey(k, encoding, a.Passphrase, a.Pkcs12EncryptionCompat)
	if err != nil {
		return nil, err
	}
	return shown(data, encoding, a.Raw), nil
}

func packKey(k *pki.Private, encoding string, passphrase any, compat bool) ([]byte, error) {
	if encoding == "pkcs12" {
		box := pki.P12{Key: k}
		return box.Encode(password(passphrase), compat)
	}
	return k.Encode(encoding == "pem", password(passphrase))
}
