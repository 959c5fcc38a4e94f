package x509

import (
	"fmt"
	"path/filepath"
	"strings"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type createCertificateArgs struct {
	CaServer               any        `py:"ca_server=None"`                 // the minion that signs, asked through the master
	SigningPolicy          any        `py:"signing_policy=None"`            // the name of a signing policy
	Encoding               any        `py:"encoding='pem'"`                 // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	AppendCerts            any        `py:"append_certs=None"`              // certificates to append
	Pkcs12Passphrase       any        `py:"pkcs12_passphrase=None"`         // encrypts a PKCS #12 file
	Pkcs12EncryptionCompat bool       `py:"pkcs12_encryption_compat=False"` // encrypt PKCS #12 for old software
	Pkcs12Friendlyname     any        `py:"pkcs12_friendlyname=None"`       // the name inside of a PKCS #12 file
	Path                   any        `py:"path=None"`                      // write it there instead of returning it
	Overwrite              bool       `py:"overwrite=True"`                 // replace a file that is there
	Raw                    bool       `py:"raw=False"`                      // return bytes
	Kwargs                 *value.Map `py:"**kwargs"`                       // further arguments
}

// createCertificateSsh is the same as x509.create_certificate.
func createCertificateSsh(c *salt.Ctx, a createCertificateArgs) (any, error) {
	return createCertificate(c, a)
}

// createCertificate makes and signs a certificate, here or on ca_server. Its
// other arguments are those of x509.certificate_managed.
//
//	salt-call x509.create_certificate signing_private_key=/etc/pki/my.key CN=example.com path=/etc/pki/my.crt
func createCertificate(c *salt.Ctx, a createCertificateArgs) (any, error) {
	kw := shorten(c, public(a.Kwargs))
	if v, ok := kw.Pop("algorithm"); ok {
		kw.Set("digest", v)
	}
	if !kw.Has("days_valid") && !kw.Has("not_after") {
		kw.Set("days_valid", int64(365))
	}
	encoding, err := checkEncoding(a.Encoding, certEncodings)
	if err != nil {
		return nil, err
	}
	digest := "sha256"
	if kw.Has("digest") {
		if digest, err = checkDigest(kw.At("digest")); err != nil {
			return nil, err
		}
	}
	server := value.Truth(a.CaServer)
	switch {
	case encoding == "der" && value.Truth(a.AppendCerts):
		return nil, salt.InvocationError("Cannot encode a certificate chain in DER")
	case !kw.Has("signing_private_key") && !server:
		return nil, salt.InvocationError("Creating a certificate locally at least requires a signing private key.")
	case value.Truth(a.Path) && !a.Overwrite && sys.IsFile(c.Sys, text(a.Path)):
		return fmt.Sprintf("The file at %s exists and overwrite was set to false", text(a.Path)), nil
	case server && a.SigningPolicy == nil:
		return nil, salt.InvocationError("signing_policy must be specified to request a certificate from a remote ca_server")
	}
	var cert *pki.Certificate
	var own *pki.Private
	if server {
		cert, own, err = certificateFrom(c, text(a.CaServer), text(a.SigningPolicy), kw)
	} else {
		var policy *value.Map
		if policy, err = policyNamed(c, a.SigningPolicy); err != nil {
			return nil, err
		}
		kw = merge(c, policy, kw)
		if encoding == "pkcs12" && !kw.Has("private_key") && kw.Has("signing_cert") {
			return nil, salt.InvocationError("Creating a PKCS12-encoded certificate without embedded private key is unsupported")
		}
		if d := kw.Str("digest"); d != "" {
			digest = d
		}
		cert, own, err = signHere(c, kw, digest)
	}
	if err != nil {
		return nil, err
	}
	more, err := loadCertificates(c, a.AppendCerts)
	if err != nil {
		return nil, err
	}
	if encoding == "pkcs12" && own == nil {
		return nil, salt.InvocationError("Creating a PKCS12-encoded certificate without embedded private key is unsupported")
	}
	data, err := pack(cert, more, own, encoding, a.Pkcs12Passphrase, a.Pkcs12EncryptionCompat, text(a.Pkcs12Friendlyname))
	if err != nil {
		return nil, err
	}
	if encoding == "pem" && a.Path != nil && len(more) == 0 { // a chain is more than one entry
		return writePem(c, writePemArgs{Text: string(data), Path: text(a.Path), Overwrite: a.Overwrite, PemType: "CERTIFICATE"})
	}
	if a.Path != nil {
		encoding += " file"
	}
	return put(c, data, encoding, a.Path, a.Raw, "", "Certificate", strings.HasPrefix(encoding, "pkcs12"))
}

// public drops the engine's own arguments.
func public(kw *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range kw.Items() {
		if !strings.HasPrefix(k, "__") {
			out.Set(k, v)
		}
	}
	return out
}

// signHere makes a certificate with a key of this machine.
func signHere(c *salt.Ctx, kw *value.Map, digest string) (*pki.Certificate, *pki.Private, error) {
	p, err := buildCertificate(c, kw, false)
	if err != nil {
		return nil, nil, err
	}
	cert, err := p.Sign(p.signer, digest)
	if err != nil {
		return nil, nil, salt.CommandError("%s", err)
	}
	if dir := kw.Str("copypath"); dir != "" {
		prefix := ""
		if kw.Truth("prepend_cn") {
			if cn, ok := cert.Subject.Get(commonName); ok {
				prefix = cn + "-"
			}
		}
		// A common name may hold anything: the copy stays in its directory.
		name := strings.ReplaceAll(prefix, "/", "_") + cert.Serial.Text(16) + ".crt"
		if _, err := writePem(c, writePemArgs{Text: string(cert.PEM()), Path: filepath.Join(dir, name), Overwrite: true, PemType: "CERTIFICATE"}); err != nil {
			return nil, nil, err
		}
	}
	return cert, p.own, nil
}

var commonName = pki.OID{2, 5, 4, 3}

type createCrlArgs struct {
	SigningPrivateKey           any        `py:"signing_private_key"`                 // the issuer's private key: file, PEM, base64 or bytes
	Revoked                     any        `py:"revoked"`                             // what is revoked: a list of mappings with certificate or serial_number, not_after, revocation_date, extensions
	SigningCert                 any        `py:"signing_cert=None"`                   // the issuer's certificate; without it the certificate signs itself
	SigningPrivateKeyPassphrase any        `py:"signing_private_key_passphrase=None"` // decrypts the issuer's key
	IncludeExpired              bool       `py:"include_expired=False"`               // list certificates that ran out, too
	DaysValid                   any        `py:"days_valid=None"`                     // how long it is valid
	Digest                      any        `py:"digest='sha256'"`                     // the digest to sign
	Encoding                    any        `py:"encoding='pem'"`                      // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Extensions                  any        `py:"extensions=None"`                     // extensions of the list
	Path                        any        `py:"path=None"`                           // write it there instead of returning it
	Raw                         bool       `py:"raw=False"`                           // return bytes
	Kwargs                      *value.Map `py:"**kwargs"`                            // further arguments
}

// createCrl makes and signs a revocation list.
//
//	salt-call x509.create_crl signing_private_key=/etc/pki/ca.key signing_cert=/etc/pki/ca.crt revoked="[{'certificate': '/etc/pki/bad.crt'}]"
func createCrl(c *salt.Ctx, a createCrlArgs) (any, error) {
	if err := unknown(a.Kwargs, "text"); err != nil {
		return nil, err
	}
	encoding, err := checkEncoding(a.Encoding, plainEncoding)
	if err != nil {
		return nil, err
	}
	digest, err := checkDigest(a.Digest)
	if err != nil {
		return nil, err
	}
	valid := int64(100)
	if a.DaysValid != nil {
		if valid, err = wholeNumber(a.DaysValid); err != nil {
			return nil, err
		}
	}
	p, err := buildList(c, crlArgs{a.SigningPrivateKey, a.SigningPrivateKeyPassphrase, a.SigningCert, plainRevoked(a.Revoked), a.IncludeExpired, valid, a.Extensions})
	if err != nil {
		return nil, err
	}
	l, err := p.Sign(p.signer, digest)
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	return put(c, either(encoding, l.Raw, l.PEM), encoding, a.Path, a.Raw, "X509 CRL", "CRL", false)
}

// plainRevoked turns old forms of the list of revocations into the new one.
func plainRevoked(v any) *value.List {
	out := value.L()
	for _, it := range listOf(v) {
		m, ok := it.(*value.Map)
		if !ok {
			out.Append(it)
			continue
		}
		m = m.Shallow()
		if m.Len() == 1 {
			first, _ := m.GetKey(m.Keys()[0])
			if l, ok := first.(*value.List); ok {
				m = new(value.Map)
				for _, part := range l.Items {
					if pm, ok := part.(*value.Map); ok {
						m.Update(pm)
					}
				}
			}
		}
		if r, ok := m.Pop("reason"); ok {
			exts := m.Map("extensions").Shallow()
			exts.Set("CRLReason", r)
			m.Set("extensions", exts)
		}
		out.Append(m)
	}
	return out
}

// unknown refuses arguments that a function has no use for.
func unknown(kw *value.Map, ignored ...string) error {
	var bad []string
	for k := range kw.Items() {
		if !strings.HasPrefix(k, "_") && !contains(ignored, k) {
			bad = append(bad, k)
		}
	}
	if len(bad) > 0 {
		return salt.InvocationError("Unrecognized keyword arguments: %s", value.Repr(value.Strings(bad)))
	}
	return nil
}

func contains(l []string, s string) bool {
	for _, x := range l {
		if x == s {
			return true
		}
	}
	return false
}

type createCsrArgs struct {
	PrivateKey           any        `py:"private_key"`                 // a private key: file, PEM, base64 or bytes
	PrivateKeyPassphrase any        `py:"private_key_passphrase=None"` // decrypts the private key
	Digest               any        `py:"digest='sha256'"`             // the digest to sign
	Encoding             any        `py:"encoding='pem'"`              // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Path                 any        `py:"path=None"`                   // write it there instead of returning it
	Raw                  bool       `py:"raw=False"`                   // return bytes
	Kwargs               *value.Map `py:"**kwargs"`                    // further arguments
}

// createCsr makes a signing request. Its other arguments are the parts of the
// subject, and extensions.
//
//	salt-call x509.create_csr private_key=/etc/pki/my.key CN=example.com path=/etc/pki/my.csr
func createCsr(c *salt.Ctx, a createCsrArgs) (any, error) {
	kw := shorten(c, public(a.Kwargs))
	if v, ok := kw.Pop("algorithm"); ok {
		a.Digest = v
	}
	encoding, err := checkEncoding(a.Encoding, plainEncoding)
	if err != nil {
		return nil, err
	}
	digest, err := checkDigest(a.Digest)
	if err != nil {
		return nil, err
	}
	p, err := buildRequest(c, a.PrivateKey, a.PrivateKeyPassphrase, kw)
	if err != nil {
		return nil, err
	}
	r, err := pki.SignRequest(p.key, p.subject, p.extensions, digest)
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	return put(c, either(encoding, r.Raw, r.PEM), encoding, a.Path, a.Raw, "CERTIFICATE REQUEST", "CSR", false)
}

type createPrivateKeyArgs struct {
	Algo                   any        `py:"algo='rsa'"`                     // rsa, ec, ed25519 or ed448
	Keysize                any        `py:"keysize=None"`                   // bits of an rsa (2048, 3072, 4096) or ec (256, 384, 521) key
	Passphrase             any        `py:"passphrase=None"`                // encrypts the key
	Encoding               any        `py:"encoding='pem'"`                 // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Pkcs12EncryptionCompat bool       `py:"pkcs12_encryption_compat=False"` // encrypt PKCS #12 for old software
	Path                   any        `py:"path=None"`                      // write it there instead of returning it
	Raw                    bool       `py:"raw=False"`                      // return bytes
	Kwargs                 *value.Map `py:"**kwargs"`                       // further arguments
}

// createPrivateKey makes a private key.
//
//	salt-call x509.create_private_key algo=ec path=/etc/pki/my.key
func createPrivateKey(c *salt.Ctx, a createPrivateKeyArgs) (any, error) {
	if v, ok := a.Kwargs.Get("bits"); ok {
		a.Keysize = v
	}
	if err := unknown(a.Kwargs, "bits", "cipher", "verbose", "text"); err != nil {
		return nil, err
	}
	encoding, err := checkEncoding(a.Encoding, keyEncodings)
	if err != nil {
		return nil, err
	}
	k, err := generate(text(a.Algo), a.Keysize)
	if err != nil {
		return nil, err
	}
	data, err := packKey(k, encoding, a.Passphrase, a.Pkcs12EncryptionCompat)
	if err != nil {
		return nil, err
	}
	return put(c, data, encoding, a.Path, a.Raw, "(?:(RSA|ENCRYPTED) )?PRIVATE KEY", "", true)
}

func generate(algo string, size any) (*pki.Private, error) {
	var bits int64
	if value.Truth(size) {
		var err error
		if bits, err = wholeNumber(size); err != nil {
			return nil, err
		}
	}
	switch algo {
	case "rsa":
		if bits == 0 {
			bits = 2048
		}
		if bits != 2048 && bits != 3072 && bits != 4096 {
			return nil, salt.InvocationError("RSA key size must be either 2048, 3072 or 4096 bits.")
		}
	case "ec":
		if bits == 0 {
			bits = 256
		}
		if bits != 256 && bits != 384 && bits != 521 {
			return nil, salt.InvocationError("EC key size must be either 256, 384, 521 bits.")
		}
	case "ed25519", "ed448":
	default:
		return nil, salt.InvocationError("Invalid algorithm specified for generating private key: %s. Valid: rsa, ec, ed25519, ed448", algo)
	}
	return pki.Generate(algo, int(bits))
}
