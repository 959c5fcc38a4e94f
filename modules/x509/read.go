package x509

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"strings"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type readCertificateArgs struct {
	Certificate any `py:"certificate"` // a certificate: file, PEM, base64 or bytes
}

// readCertificate returns what a certificate says.
//
//	salt-call x509.read_certificate /etc/pki/my.crt
func readCertificate(c *salt.Ctx, a readCertificateArgs) (*value.Map, error) {
	b, err := loadCertificate(c, a.Certificate, nil)
	if err != nil {
		return nil, err
	}
	if b.Key == nil {
		return nil, salt.InvocationError("Did not recognize key type")
	}
	cert := b.Certificate
	h1, h256, h5 := sha1.Sum(cert.Raw), sha256.Sum256(cert.Raw), md5.Sum(cert.Raw)
	prints := value.M("sha1", prettyHex(h1[:]), "sha256", prettyHex(h256[:]))
	if c.Opts.At("fips_mode") != true {
		prints.Set("md5", prettyHex(h5[:]))
	}
	return value.M("version", int64(cert.Version+1), "key_size", keySize(cert.Key), "key_type", cert.Key.Type, "serial_number", prettySerial(cert.Serial),
		"fingerprints", prints, "subject", nameMap(cert.Subject), "subject_hash", prettyHex(cert.Subject.Hash()), "subject_str", cert.Subject.String(),
		"issuer", nameMap(cert.Issuer), "issuer_hash", prettyHex(cert.Issuer.Hash()), "issuer_str", cert.Issuer.String(),
		"not_before", cert.NotBefore.Format(timeForm), "not_after", cert.NotAfter.Format(timeForm), "public_key", string(cert.Key.PEM()),
		"extensions", showExtensions(cert.Extensions, false), "signature_algorithm", pki.AlgorithmName(cert.Algorithm)), nil
}

func keySize(k *pki.Public) any {
	if n := k.Bits(); n > 0 {
		return int64(n)
	}
	return nil
}

type readCertificatesArgs struct {
	GlobPath any `py:"glob_path"` // files, as a shell pattern
}

// readCertificates returns what certificates say, by path.
func readCertificates(c *salt.Ctx, a readCertificatesArgs) (*value.Map, error) {
	out := new(value.Map)
	for _, p := range glob(c, a.GlobPath) {
		m, err := readCertificate(c, readCertificateArgs{Certificate: p})
		if err != nil {
			return nil, err
		}
		out.Set(p, m)
	}
	return out, nil
}

type readCrlArgs struct {
	Crl any `py:"crl"` // a revocation list: file, PEM, base64 or bytes
}

// readCrl returns what a revocation list says.
func readCrl(c *salt.Ctx, a readCrlArgs) (*value.Map, error) {
	l, _, err := loadList(c, a.Crl)
	if err != nil {
		return nil, err
	}
	revoked := new(value.Map)
	for _, r := range l.Revoked {
		revoked.Set(strings.ReplaceAll(prettySerial(r.Serial), ":", ""), value.M("revocation_date", r.Date.Format(timeForm), "extensions", showExtensions(r.Extensions, true)))
	}
	return value.M("issuer", nameMap(l.Issuer), "last_update", l.Update.Format(timeForm), "next_update", l.Next.Format(timeForm),
		"revoked_certificates", revoked, "extensions", showExtensions(l.Extensions, false), "signature_algorithm", pki.AlgorithmName(l.Algorithm)), nil
}

type readCsrArgs struct {
	Csr any `py:"csr"` // a signing request: file, PEM, base64 or bytes
}

// readCsr returns what a signing request says.
func readCsr(c *salt.Ctx, a readCsrArgs) (*value.Map, error) {
	r, _, err := loadRequest(c, a.Csr)
	if err != nil {
		return nil, err
	}
	return value.M("key_size", keySize(r.Key), "key_type", r.Key.Type, "subject", nameMap(r.Subject), "subject_hash", prettyHex(r.Subject.Hash()),
		"subject_str", r.Subject.String(), "public_key_hash", prettyHex(r.Key.Identifier()), "extensions", showExtensions(r.Extensions, false)), nil
}

type expiresArgs struct {
	Certificate any `py:"certificate"` // a certificate: file, PEM, base64 or bytes
	Days        any `py:"days=0"`      // how many days ahead to look
}

// expires reports whether a certificate runs out within a number of days.
func expires(c *salt.Ctx, a expiresArgs) (bool, error) {
	b, err := loadCertificate(c, a.Certificate, nil)
	if err != nil {
		return false, err
	}
	n, err := wholeNumber(a.Days)
	if err != nil {
		return false, err
	}
	return !b.NotAfter.After(c.Sys.Now().Add(days(n))), nil
}

// about names a certificate: its path, if it is a file, and common name.
func about(c *salt.Ctx, v any, out *value.Map) error {
	if s, ok := v.(string); ok && len(s) < 4096 && sys.IsFile(c.Sys, s) {
		out.Set("path", s)
	}
	b, err := loadCertificate(c, v, nil)
	if err != nil {
		return err
	}
	if cn, ok := b.Subject.Get(commonName); ok {
		out.Set("cn", cn)
	}
	return nil
}

type expiredArgs struct {
	Certificate any `py:"certificate"` // a certificate: file, PEM, base64 or bytes
}

// expired returns whether a certificate ran out, with its path and common name.
func expired(c *salt.Ctx, a expiredArgs) (*value.Map, error) {
	out := new(value.Map)
	if err := about(c, a.Certificate, out); err != nil {
		return nil, err
	}
	gone, err := expires(c, expiresArgs{Certificate: a.Certificate, Days: int64(0)})
	out.Set("expired", gone)
	return out, err
}

type willExpireArgs struct {
	Certificate any `py:"certificate"` // a certificate: file, PEM, base64 or bytes
	Days        any `py:"days"`        // how many days ahead to look
}

// willExpire returns whether a certificate runs out within a number of days,
// with its path and common name.
func willExpire(c *salt.Ctx, a willExpireArgs) (*value.Map, error) {
	out := value.M("check_days", a.Days)
	if err := about(c, a.Certificate, out); err != nil {
		return nil, err
	}
	gone, err := expires(c, expiresArgs(a))
	out.Set("will_expire", gone)
	return out, err
}

type getPrivateKeySizeArgs struct {
	PrivateKey any `py:"private_key"`     // a private key: file, PEM, base64 or bytes
	Passphrase any `py:"passphrase=None"` // encrypts the key
}

// getPrivateKeySize returns the bits of an rsa or ec key, None for others.
func getPrivateKeySize(c *salt.Ctx, a getPrivateKeySizeArgs) (any, error) {
	k, _, err := loadPrivate(c, a.PrivateKey, a.Passphrase)
	if err != nil {
		return nil, err
	}
	return keySize(k.Public()), nil
}
