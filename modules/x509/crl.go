package x509

import (
	"errors"
	"math/big"
	"strings"

	"golang.org/x/crypto/cryptobyte"

	"pinch/filestate"
	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

type crlManagedArgs struct {
	Name                        string     `py:"name"`                                // the file
	SigningPrivateKey           any        `py:"signing_private_key"`                 // the issuer's private key: file, PEM, base64 or bytes
	Revoked                     any        `py:"revoked"`                             // what is revoked: a list of mappings with certificate or serial_number, not_after, revocation_date, extensions
	DaysRemaining               any        `py:"days_remaining=None"`                 // renew it when fewer days are left
	SigningCert                 any        `py:"signing_cert=None"`                   // the issuer's certificate; without it the certificate signs itself
	SigningPrivateKeyPassphrase any        `py:"signing_private_key_passphrase=None"` // decrypts the issuer's key
	IncludeExpired              bool       `py:"include_expired=False"`               // list certificates that ran out, too
	DaysValid                   any        `py:"days_valid=None"`                     // how long it is valid
	Digest                      any        `py:"digest='sha256'"`                     // the digest to sign
	Encoding                    any        `py:"encoding='pem'"`                      // pem, der, or for certificates pkcs7_pem, pkcs7_der, pkcs12; for keys pkcs12
	Extensions                  any        `py:"extensions=None"`                     // extensions of the list
	Kwargs                      *value.Map `py:"**kwargs"`                            // further arguments
}

// crlManaged makes sure that a file has a revocation list with these entries,
// which is valid for some time yet. Further arguments are those of
// file.managed for the file.
func crlManaged(c *salt.Ctx, a crlManagedArgs) salt.Result {
	kw := a.Kwargs.Shallow()
	kw.Pop("text")
	file, rest := filestate.Split(kw)
	if rest.Len() > 0 {
		return salt.Raised(unknown(rest))
	}
	s := &crlState{c: c, a: a, encoding: text(a.Encoding), valid: 100, remaining: 30}
	var err error
	if a.DaysValid != nil {
		if s.valid, err = wholeNumber(a.DaysValid); err != nil {
			return salt.Raised(err)
		}
	}
	if a.DaysRemaining != nil {
		if s.remaining, err = wholeNumber(a.DaysRemaining); err != nil {
			return salt.Raised(err)
		}
	}
	s.extensions, _ = a.Extensions.(*value.Map)
	s.extensions = s.extensions.Shallow()
	m := &filestate.State{Ctx: c, Name: a.Name, What: "certificate revocation list", Args: file, Binary: s.encoding == "der", Check: s.check, Make: s.make}
	return m.Run()
}

type crlState struct {
	c                *salt.Ctx
	a                crlManagedArgs
	encoding         string
	valid, remaining int64
	extensions       *value.Map
	current          *pki.List
}

func (s *crlState) arguments(exts *value.Map) crlArgs {
	return crlArgs{s.a.SigningPrivateKey, s.a.SigningPrivateKeyPassphrase, s.a.SigningCert, plainRevoked(s.a.Revoked), s.a.IncludeExpired, s.valid, exts}
}

func (s *crlState) check(path string) (ch *value.Map, current, replace bool, err error) {
	ch = new(value.Map)
	cur, encoding, err := loadList(s.c, path)
	switch {
	case errors.Is(err, pki.ErrData):
		return ch, false, true, nil
	case err != nil:
		return nil, false, false, err
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
	if s.remaining != 0 && cur.Next.Before(s.c.Sys.Now().Add(days(s.remaining))) {
		ch.Set("expiration", true)
	}
	exts := s.extensions.Shallow()
	auto := exts.At("cRLNumber") == "auto"
	if auto {
		exts.Pop("cRLNumber")
	}
	p, err := buildList(s.c, s.arguments(exts))
	if err != nil {
		return nil, false, false, err
	}
	if !p.Issuer.Equal(cur.Issuer) {
		ch.Set("issuer_name", p.Issuer.String())
	}
	if !cur.SignedBy(p.signer.Public()) {
		ch.Set("public_key", true)
	}
	if d := revocations(cur.Revoked, p.Revoked); anyDifference(d) {
		ch.Set("revocations", d)
	}
	have := cur.Extensions
	if auto { // any number will do
		have = nil
		for _, e := range cur.Extensions {
			if !e.OID.Equal(kindOf("cRLNumber").id()) {
				have = append(have, e)
			}
		}
	}
	if d := differences(have, p.Extensions); anyDifference(d) {
		ch.Set("extensions", d)
	}
	return ch, true, false, nil
}

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }

// revocations compares entries by their serial numbers.
func revocations(have, want []pki.Revoked) *value.Map {
	find := func(l []pki.Revoked, n *big.Int) *pki.Revoked {
		for i := range l {
			if l[i].Serial.Cmp(n) == 0 {
				return &l[i]
			}
		}
		return nil
	}
	added, changed, removed := value.L(), value.L(), value.L()
	for _, w := range want {
		h := find(have, w.Serial)
		if h == nil {
			added.Append(prettySerial(w.Serial))
			continue
		}
		for _, e := range w.Extensions {
			if f := pki.Find(h.Extensions, e.OID); f == nil || !same(*f, e) {
				changed.Append(prettySerial(w.Serial))
			}
		}
		for _, e := range h.Extensions {
			if pki.Find(w.Extensions, e.OID) == nil {
				changed.Append(prettySerial(w.Serial))
			}
		}
	}
	for _, h := range have {
		if find(want, h.Serial) == nil {
			removed.Append(prettySerial(h.Serial))
		}
	}
	return value.M("added", added, "changed", changed, "removed", removed)
}

func (s *crlState) make(ch *value.Map) ([]byte, error) {
	encoding, err := checkEncoding(s.encoding, plainEncoding)
	if err != nil {
		return nil, err
	}
	if only(ch, "encoding") && s.current != nil {
		return either(encoding, s.current.Raw, s.current.PEM), nil
	}
	digest, err := checkDigest(s.a.Digest)
	if err != nil {
		return nil, err
	}
	exts := s.extensions
	if exts.At("cRLNumber") == "auto" {
		exts.Set("cRLNumber", value.Int(s.nextNumber()))
	}
	p, err := buildList(s.c, s.arguments(exts))
	if err != nil {
		return nil, err
	}
	l, err := p.Sign(p.signer, digest)
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	return either(encoding, l.Raw, l.PEM), nil
}

// nextNumber is the number after the current list's, 1 for the first.
func (s *crlState) nextNumber() *big.Int {
	n := new(big.Int)
	if s.current != nil {
		if e := pki.Find(s.current.Extensions, kindOf("cRLNumber").id()); e != nil {
			der := cryptobyte.String(e.Value)
			der.ReadASN1Integer(n)
		}
	}
	return n.Add(n, big.NewInt(1))
}
