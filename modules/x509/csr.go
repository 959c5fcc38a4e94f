package x509

import (
	"errors"

	"pinch/filestate"
	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

type csrManagedArgs struct {
	Name                 string     `py:"name"`                        // the file
	PrivateKey           any        `py:"private_key"`                 // a private key: file, PEM, base64 or bytes
	PrivateKeyPassphrase any        `py:"private_key_passphrase=None"` // decrypts the private key
	Digest               any        `py:"digest='sha256'"`             // the digest to sign
	Encoding             any        `py:"encoding='pem'"`              // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Subject              any        `py:"subject=None"`                // the subject: text of RFC 4514, list or mapping
	Kwargs               *value.Map `py:"**kwargs"`                    // further arguments
}

// csrManaged makes sure that a file has a signing request as described.
// Further arguments are the parts of the subject, extensions, and those of
// file.managed for the file.
func csrManaged(c *salt.Ctx, a csrManagedArgs) salt.Result {
	kw := shorten(c, a.Kwargs)
	if v, ok := kw.Pop("algorithm"); ok {
		a.Digest = v
	}
	file, rest := filestate.Split(kw)
	rest.Set("subject", a.Subject)
	s := &csrState{c: c, a: a, args: rest, encoding: text(a.Encoding)}
	m := &filestate.State{Ctx: c, Name: a.Name, What: "certificate signing request", Args: file, Binary: s.encoding == "der", Check: s.check, Make: s.make}
	return m.Run()
}

type csrState struct {
	c        *salt.Ctx
	a        csrManagedArgs
	args     *value.Map
	encoding string
	current  *pki.Request
}

func (s *csrState) check(path string) (ch *value.Map, current, replace bool, err error) {
	ch = new(value.Map)
	cur, encoding, err := loadRequest(s.c, path)
	switch {
	case errors.Is(err, pki.ErrData):
		return ch, false, true, nil
	case err != nil:
		return nil, false, false, err
	case cur.Version != 0:
		ch.Set("invalid_version", true)
		return ch, false, true, nil
	}
	s.current = cur
	digest, err := checkDigest(s.a.Digest)
	if err != nil {
		return nil, false, false, err
	}
	if cur.Digest != "" && !equalFold(cur.Digest, digest) {
		ch.Set("digest", s.a.Digest)
	}
	if s.encoding != encoding {
		ch.Set("encoding", s.encoding)
	}
	p, err := buildRequest(s.c, s.a.PrivateKey, s.a.PrivateKeyPassphrase, s.args)
	if err != nil {
		return nil, false, false, err
	}
	if !cur.Key.Equal(p.key.Public()) {
		ch.Set("private_key", true)
	}
	if !p.subject.Equal(cur.Subject) {
		ch.Set("subject_name", p.subject.String())
	}
	if d := differences(cur.Extensions, p.extensions); anyDifference(d) {
		ch.Set("extensions", d)
	}
	return ch, true, false, nil
}

func (s *csrState) make(ch *value.Map) ([]byte, error) {
	encoding, err := checkEncoding(s.encoding, plainEncoding)
	if err != nil {
		return nil, err
	}
	if only(ch, "encoding") && s.current != nil {
		return either(encoding, s.current.Raw, s.current.PEM), nil
	}
	v, err := createCsr(s.c, createCsrArgs{PrivateKey: s.a.PrivateKey, PrivateKeyPassphrase: s.a.PrivateKeyPassphrase, Digest: s.a.Digest, Encoding: encoding, Raw: true, Kwargs: s.args})
	data, _ := v.([]byte)
	return data, err
}
