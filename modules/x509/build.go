package x509

import (
	"encoding/hex"
	"math/big"
	"strings"
	"time"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

// A plan is a certificate before it is signed.
type plan struct {
	pki.Template
	signer *pki.Private // nil when somebody else signs
	own    *pki.Private // the certificate's own key, if it is here
	issuer *pki.Certificate
}

// serialNumber reads a number, or hexadecimal text; nil is a random one.
func serialNumber(v any) (*big.Int, error) {
	switch v := v.(type) {
	case nil:
		return pki.RandomSerial(), nil
	case int64:
		return big.NewInt(v), nil
	case *big.Int:
		return v, nil
	case []byte:
		return new(big.Int).SetBytes(v), nil
	case string:
		if raw, err := hex.DecodeString(strings.ReplaceAll(v, ":", "")); err == nil {
			return new(big.Int).SetBytes(raw), nil
		}
	}
	return nil, salt.CommandError("Could not parse serial number %s", value.Str(v))
}

// buildCertificate makes a plan of the arguments of create_certificate. With
// remote the signing key is somewhere else.
func buildCertificate(c *salt.Ctx, kw *value.Map, remote bool) (p *plan, err error) {
	p = new(plan)
	if !remote {
		if p.signer, _, err = loadPrivate(c, kw.At("signing_private_key"), kw.At("signing_private_key_passphrase")); err != nil {
			return nil, err
		}
	}
	if p.Serial, err = serialNumber(kw.At("serial_number")); err != nil {
		return nil, err
	}
	var req *pki.Request
	if value.Truth(kw.At("csr")) {
		if req, _, err = loadRequest(c, kw.At("csr")); err != nil {
			return nil, err
		}
	}
	var caKey *pki.Public
	if value.Truth(kw.At("signing_cert")) {
		b, err := loadCertificate(c, kw.At("signing_cert"), nil)
		if err != nil {
			return nil, err
		}
		p.issuer = b.Certificate
	} else if p.signer != nil {
		caKey = p.signer.Public()
	}
	if err := p.takeKey(c, kw, req); err != nil {
		return nil, err
	}
	if p.signer != nil && p.issuer != nil && (p.issuer.Key == nil || !p.issuer.Key.Equal(p.signer.Public())) {
		return nil, salt.InvocationError("Signing private key does not match the certificate's public key")
	}
	subject := any(kw)
	if value.Truth(kw.At("subject")) {
		subject = kw.At("subject")
	}
	if p.Subject, err = distinguished(subject); err != nil {
		return nil, err
	}
	p.Issuer = p.Subject
	if p.issuer != nil {
		p.Issuer = p.issuer.Subject
	}
	if err := p.takeTimes(c, kw); err != nil {
		return nil, err
	}
	return p, p.extend(kw, req, &extender{p.Key, p.issuer, caKey})
}

// takeKey finds the key to certify.
func (p *plan) takeKey(c *salt.Ctx, kw *value.Map, req *pki.Request) (err error) {
	switch {
	case p.issuer == nil && p.signer != nil:
		p.own, p.Key = p.signer, p.signer.Public()
	case value.Truth(kw.At("private_key")):
		if p.own, _, err = loadPrivate(c, kw.At("private_key"), kw.At("private_key_passphrase")); err == nil {
			p.Key = p.own.Public()
		}
	case value.Truth(kw.At("public_key")):
		p.Key, err = loadPublic(c, kw.At("public_key"))
	case req != nil:
		p.Key = req.Key
	default:
		err = salt.InvocationError("This certificate is not self-signed (signing_cert is set) and thus needs public_key, private_key or csr to derive public key to sign")
	}
	return err
}

func (p *plan) takeTimes(c *salt.Ctx, kw *value.Map) (err error) {
	p.NotBefore = c.Sys.Now().UTC()
	if s := kw.Str("not_before"); s != "" {
		if p.NotBefore, err = parseTime(s); err != nil {
			return err
		}
	}
	if s := kw.Str("not_after"); s != "" {
		p.NotAfter, err = parseTime(s)
		return err
	}
	valid := int64(30)
	if v := kw.At("days_valid"); v != nil {
		if valid, err = wholeNumber(v); err != nil {
			return err
		}
	}
	p.NotAfter = c.Sys.Now().UTC().Add(days(valid))
	return nil
}

func days(n int64) time.Duration { return time.Duration(n) * 24 * time.Hour }

// extend adds the extensions asked for, then those of the request.
func (p *plan) extend(kw *value.Map, req *pki.Request, e *extender) error {
	for _, k := range kinds() {
		v, ok := kw.Get(k.name)
		if !ok || v == nil || k.where&inCert == 0 {
			continue
		}
		ext, err := e.make(k.name, v)
		if err != nil {
			return err
		}
		p.Extensions = append(p.Extensions, ext)
	}
	if req == nil {
		return nil
	}
	for _, k := range kinds() {
		if v, ok := kw.Get(k.name); ok && v != nil || k.where&inCert == 0 || k.where&notCSR != 0 || k.oid == "" {
			continue
		}
		if ext := pki.Find(req.Extensions, k.id()); ext != nil {
			p.Extensions = append(p.Extensions, *ext)
		}
	}
	return nil
}

// A requestPlan is a signing request before it is signed.
type requestPlan struct {
	key        *pki.Private
	subject    pki.Name
	extensions []pki.Extension
}

func buildRequest(c *salt.Ctx, privateKey, passphrase any, kw *value.Map) (*requestPlan, error) {
	key, _, err := loadPrivate(c, privateKey, passphrase)
	if err != nil {
		return nil, err
	}
	p := &requestPlan{key: key}
	subject := any(kw)
	if value.Truth(kw.At("subject")) {
		subject = kw.At("subject")
	}
	if p.subject, err = distinguished(subject); err != nil {
		return nil, err
	}
	e := &extender{subject: key.Public()}
	for _, k := range kinds() {
		v, ok := kw.Get(k.name)
		if !ok || k.where&inCert == 0 || k.where&notCSR != 0 {
			continue
		}
		ext, err := e.make(k.name, v)
		if err != nil {
			return nil, err
		}
		p.extensions = append(p.extensions, ext)
	}
	return p, nil
}

// A listPlan is a revocation list before it is signed.
type listPlan struct {
	pki.List
	signer *pki.Private
}

// crlArgs are what a revocation list is made of.
type crlArgs struct {
	key, passphrase, cert any
	revoked               any
	includeExpired        bool
	daysValid             int64
	extensions            any
}

func buildList(c *salt.Ctx, a crlArgs) (*listPlan, error) {
	p := new(listPlan)
	var issuer *pki.Certificate
	if value.Truth(a.cert) {
		b, err := loadCertificate(c, a.cert, nil)
		if err != nil {
			return nil, err
		}
		issuer = b.Certificate
		p.Issuer = issuer.Subject
	}
	var err error
	if p.signer, _, err = loadPrivate(c, a.key, a.passphrase); err != nil {
		return nil, err
	}
	if issuer != nil && (issuer.Key == nil || !issuer.Key.Equal(p.signer.Public())) {
		return nil, salt.InvocationError("Signing private key does not match the certificate's public key")
	}
	now := c.Sys.Now().UTC()
	p.Update, p.Next = now, now.Add(days(a.daysValid))
	for _, it := range listOf(a.revoked) {
		m, ok := it.(*value.Map)
		if !ok {
			return nil, salt.InvocationError("Need serial_number or certificate")
		}
		r, err := revocation(c, m, a.includeExpired, now)
		if err != nil {
			return nil, err
		}
		if r != nil {
			p.Revoked = append(p.Revoked, *r)
		}
	}
	e := &extender{ca: issuer}
	exts, _ := a.extensions.(*value.Map)
	for name, v := range exts.Items() {
		if k := kindOf(name); k == nil || k.where&inCRL == 0 {
			c.Log.Warn("Ignoring invalid CRL extension: " + name)
			continue
		}
		ext, err := e.make(name, v)
		if err != nil {
			return nil, err
		}
		p.Extensions = append(p.Extensions, ext)
	}
	return p, nil
}

// revocation makes an entry; nil when the certificate ran out anyway.
func revocation(c *salt.Ctx, m *value.Map, includeExpired bool, now time.Time) (*pki.Revoked, error) {
	var end time.Time
	var err error
	if m.Has("not_after") {
		if end, err = parseTime(m.Str("not_after")); err != nil {
			return nil, err
		}
	}
	serial := m.At("serial_number")
	if m.Has("certificate") {
		b, err := loadCertificate(c, m.At("certificate"), nil)
		if err != nil {
			return nil, err
		}
		serial, end = b.Serial, b.NotAfter
	}
	if !value.Truth(serial) {
		return nil, salt.InvocationError("Need serial_number or certificate")
	}
	r := &pki.Revoked{Date: now}
	if r.Serial, err = serialNumber(serial); err != nil {
		return nil, err
	}
	if !end.IsZero() && !includeExpired && now.After(end) {
		return nil, nil
	}
	if m.Has("revocation_date") {
		if r.Date, err = parseTime(m.Str("revocation_date")); err != nil {
			return nil, err
		}
	}
	for name, v := range m.Map("extensions").Items() {
		if k := kindOf(name); k == nil || k.where&inEntry == 0 {
			c.Log.Warn("Ignoring invalid CRL entry extension: " + name)
			continue
		}
		ext, err := new(extender).make(name, v)
		if err != nil {
			return nil, err
		}
		r.Extensions = append(r.Extensions, ext)
	}
	return r, nil
}
