package x509

import (
	"errors"

	"pinch/filestate"
	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

type certificateManagedArgs struct {
	Name                        string     `py:"name"`                                // the file
	DaysRemaining               any        `py:"days_remaining=None"`                 // renew it when fewer days are left
	CaServer                    any        `py:"ca_server=None"`                      // the minion that signs, asked through the master
	SigningPolicy               any        `py:"signing_policy=None"`                 // the name of a signing policy
	Encoding                    any        `py:"encoding='pem'"`                      // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	AppendCerts                 any        `py:"append_certs=None"`                   // certificates to append
	Digest                      any        `py:"digest='sha256'"`                     // the digest to sign
	SigningPrivateKey           any        `py:"signing_private_key=None"`            // the issuer's private key: file, PEM, base64 or bytes
	SigningPrivateKeyPassphrase any        `py:"signing_private_key_passphrase=None"` // decrypts the issuer's key
	SigningCert                 any        `py:"signing_cert=None"`                   // the issuer's certificate; without it the certificate signs itself
	PublicKey                   any        `py:"public_key=None"`                     // a public key: file, PEM, base64 or bytes
	PrivateKey                  any        `py:"private_key=None"`                    // a private key: file, PEM, base64 or bytes
	PrivateKeyPassphrase        any        `py:"private_key_passphrase=None"`         // decrypts the private key
	Csr                         any        `py:"csr=None"`                            // a signing request: file, PEM, base64 or bytes
	Subject                     any        `py:"subject=None"`                        // the subject: text of RFC 4514, list or mapping
	SerialNumber                any        `py:"serial_number=None"`                  // the serial number; None is a random one
	NotBefore                   any        `py:"not_before=None"`                     // when it begins to be valid, as 2026-12-31 23:59:59
	NotAfter                    any        `py:"not_after=None"`                      // when it ends
	DaysValid                   any        `py:"days_valid=None"`                     // how long it is valid
	Pkcs12Passphrase            any        `py:"pkcs12_passphrase=None"`              // encrypts a PKCS #12 file
	Pkcs12EncryptionCompat      bool       `py:"pkcs12_encryption_compat=False"`      // encrypt PKCS #12 for old software
	Pkcs12Friendlyname          any        `py:"pkcs12_friendlyname=None"`            // the name inside of a PKCS #12 file
	Kwargs                      *value.Map `py:"**kwargs"`                            // further arguments
}

// certificateManaged makes sure that a file has a certificate as described,
// which is valid for some time yet. Further arguments are the parts of the
// subject (CN, O …), extensions (basicConstraints, subjectAltName …), and
// those of file.managed for the file (user, mode, makedirs …).
func certificateManaged(c *salt.Ctx, a certificateManagedArgs) salt.Result {
	if a.DaysValid == nil && a.NotAfter == nil {
		a.DaysValid = int64(365)
	}
	if a.DaysRemaining == nil {
		a.DaysRemaining = int64(90)
	}
	kw := shorten(c, a.Kwargs)
	if v, ok := kw.Pop("algorithm"); ok {
		a.Digest = v
	}
	file, rest := filestate.Split(kw)
	s := &certificateState{c: c, a: a, encoding: text(a.Encoding)}
	s.args = rest
	for k, v := range value.M("digest", a.Digest, "signing_private_key", a.SigningPrivateKey, "signing_private_key_passphrase", a.SigningPrivateKeyPassphrase,
		"signing_cert", a.SigningCert, "public_key", a.PublicKey, "private_key", a.PrivateKey, "private_key_passphrase", a.PrivateKeyPassphrase, "csr", a.Csr,
		"subject", a.Subject, "serial_number", a.SerialNumber, "not_before", a.NotBefore, "not_after", a.NotAfter, "days_valid", a.DaysValid).Items() {
		s.args.Set(k, v)
	}
	m := &filestate.State{Ctx: c, Name: a.Name, What: "certificate", Args: file, Check: s.check, Make: s.make}
	m.Binary = s.encoding != "pem" && s.encoding != "pkcs7_pem"
	return m.Run()
}

type certificateState struct {
	c        *salt.Ctx
	a        certificateManagedArgs
	args     *value.Map
	encoding string
	current  *pki.Bundle
	own      *pki.Private
}

func (s *certificateState) check(path string) (ch *value.Map, current, replace bool, err error) {
	c, a := s.c, s.a
	ch = new(value.Map)
	pv, err := c.CallKw("x509.get_signing_policy", value.M("ca_server", a.CaServer), a.SigningPolicy)
	if err != nil {
		return nil, false, false, err
	}
	policy, _ := pv.(*value.Map)
	switch s.current, err = loadCertificate(c, path, a.Pkcs12Passphrase); {
	case errors.Is(err, pki.ErrPassword):
		ch.Set("pkcs12_passphrase", true)
		return ch, false, false, nil
	case errors.Is(err, pki.ErrData):
		return ch, false, true, nil
	case err != nil:
		return nil, false, false, err
	}
	cur := s.current
	if s.encoding != cur.Encoding {
		ch.Set("encoding", s.encoding)
	} else if s.encoding == "pkcs12" && cur.Box.Name != text(a.Pkcs12Friendlyname) {
		ch.Set("pkcs12_friendlyname", a.Pkcs12Friendlyname)
	}
	remaining, err := wholeNumber(a.DaysRemaining)
	if err != nil {
		return nil, false, false, err
	}
	if cur.NotAfter.Before(c.Sys.Now().Add(days(remaining))) {
		ch.Set("expiration", true)
	}
	chain, err := loadCertificates(c, a.AppendCerts)
	if err != nil {
		return nil, false, false, err
	}
	if s.encoding == "pkcs7_pem" || s.encoding == "pkcs7_der" {
		// The certificates of such a bundle are sorted: look for ours anywhere.
		if !samePile(append([]*pki.Certificate{cur.Certificate}, cur.Chain...), chain) {
			ch.Set("additional_certs", true)
		}
	} else if !pki.Same(cur.Chain, chain) {
		ch.Set("additional_certs", true)
	}
	kw := merge(c, policy, value.Copy(s.args).(*value.Map))
	p, err := buildCertificate(c, kw, value.Truth(a.CaServer))
	if err != nil {
		return nil, false, false, err
	}
	s.own = p.own
	digest, err := checkDigest(kw.At("digest"))
	if err != nil {
		return nil, false, false, err
	}
	if cur.Digest != "" && !equalFold(cur.Digest, digest) {
		ch.Set("digest", a.Digest)
	}
	s.compare(p, ch)
	return ch, true, false, nil
}

// samePile finds a leaf and the certificates of the chain, whatever their order.
func samePile(have, chain []*pki.Certificate) bool {
	if len(have) != len(chain)+1 {
		return false
	}
	for _, c := range chain {
		found := false
		for _, h := range have {
			found = found || string(h.Raw) == string(c.Raw)
		}
		if !found {
			return false
		}
	}
	return true
}

// compare looks for what the certificate says otherwise than planned.
func (s *certificateState) compare(p *plan, ch *value.Map) {
	cur := s.current
	if s.a.SerialNumber != nil && p.Serial.Cmp(cur.Serial) != 0 {
		ch.Set("serial_number", s.a.SerialNumber)
	}
	if cur.Key == nil || !p.Key.Equal(cur.Key) {
		ch.Set("private_key", true)
	}
	if p.issuer != nil && p.issuer.Key != nil && !cur.SignedBy(p.issuer.Key) {
		ch.Set("signing_private_key", true)
	}
	if !p.Subject.Equal(cur.Subject) {
		ch.Set("subject_name", p.Subject.String())
	}
	if !p.Issuer.Equal(cur.Issuer) {
		ch.Set("issuer_name", p.Issuer.String())
	}
	if d := differences(cur.Extensions, p.Extensions); anyDifference(d) {
		ch.Set("extensions", d)
	}
}

// make encodes the certificate anew when no more is needed, else makes one.
func (s *certificateState) make(ch *value.Map) ([]byte, error) {
	a := s.a
	if only(ch, "additional_certs", "encoding", "pkcs12_friendlyname") && s.current != nil {
		more, err := loadCertificates(s.c, a.AppendCerts)
		if err != nil {
			return nil, err
		}
		if s.encoding == "pkcs12" && s.own == nil {
			return nil, salt.InvocationError("Creating a PKCS12-encoded certificate without embedded private key is unsupported")
		}
		if s.encoding == "der" && len(more) > 0 {
			return nil, salt.InvocationError("Cannot encode a certificate chain in DER")
		}
		if _, err := checkEncoding(s.encoding, certEncodings); err != nil {
			return nil, err
		}
		return pack(s.current.Certificate, more, s.own, s.encoding, a.Pkcs12Passphrase, a.Pkcs12EncryptionCompat, text(a.Pkcs12Friendlyname))
	}
	kw := given(s.args)
	v, err := createCertificate(s.c, createCertificateArgs{CaServer: a.CaServer, SigningPolicy: a.SigningPolicy, Encoding: a.Encoding, AppendCerts: a.AppendCerts,
		Pkcs12Passphrase: a.Pkcs12Passphrase, Pkcs12EncryptionCompat: a.Pkcs12EncryptionCompat, Pkcs12Friendlyname: a.Pkcs12Friendlyname, Raw: true, Overwrite: true, Kwargs: kw})
	data, _ := v.([]byte)
	return data, err
}

// given drops arguments that are None, but for the extensions: a policy may
// unset those.
func given(kw *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range kw.Items() {
		if v != nil || kindOf(k) != nil {
			out.Set(k, v)
		}
	}
	return out
}

func only(ch *value.Map, keys ...string) bool {
	for k := range ch.Items() {
		if !contains(keys, k) {
			return false
		}
	}
	return true
}
