package x509

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A failure has Salt's text and what went wrong underneath.
type failure struct {
	say, cause error
}

func (f *failure) Error() string   { return f.say.Error() }
func (f *failure) Unwrap() []error { return []error{f.say, f.cause} }

// invalid gives Salt's text for what a loader found; troubles with a password
// have their own.
func invalid(cause error, text string) error {
	for _, e := range []error{pki.ErrPassword, pki.ErrNoPassword, pki.ErrVainPassword} {
		if errors.Is(cause, e) {
			return &failure{salt.InvocationError("%s", e), e}
		}
	}
	if errors.Is(cause, pki.ErrKeyless) {
		return &failure{salt.CommandError("%s", pki.ErrKeyless), cause}
	}
	return &failure{salt.InvocationError("%s", text), pki.ErrData}
}

// load reads what an argument stands for: a file, PEM text, hexadecimal or
// base64 text, bytes.
func load(c *salt.Ctx, v any) ([]byte, error) {
	switch v := v.(type) {
	case []byte:
		return v, nil
	case string:
		if len(v) < 4096 && !strings.ContainsAny(v, "\n\x00") && sys.IsFile(c.Sys, v) {
			return c.Sys.ReadFile(v)
		}
		if b, ok := strings.CutPrefix(v, "b64:"); ok {
			if raw, err := base64.StdEncoding.DecodeString(b); err == nil {
				return raw, nil
			}
			break
		}
		if pki.IsPEM([]byte(v)) {
			return []byte(v), nil
		}
		if raw, err := hex.DecodeString(strings.Join(strings.Fields(v), "")); err == nil {
			return raw, nil
		}
		if raw, err := base64.StdEncoding.DecodeString(v); err == nil {
			return raw, nil
		}
	}
	return nil, salt.InvocationError("Could not load provided source. You need to pass an existing file, (PEM|hex|base64)-encoded string or raw bytes.")
}

// password is a passphrase argument; nil is none.
func password(v any) []byte {
	switch v := v.(type) {
	case nil:
		return nil
	case []byte:
		return v
	}
	return []byte(value.Str(v))
}

// loadPrivate reads a private key and says its form.
func loadPrivate(c *salt.Ctx, v, passphrase any) (*pki.Private, string, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, "", err
	}
	k, encoding, err := pki.LoadPrivate(data, password(passphrase))
	if err != nil {
		text := "Could not deserialize binary data, neither as DER nor PKCS#12."
		if pki.IsPEM(data) {
			text = "Could not load PEM-encoded private key"
		}
		return nil, encoding, invalid(err, text)
	}
	return k, encoding, nil
}

func loadPublic(c *salt.Ctx, v any) (*pki.Public, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, err
	}
	k, err := pki.LoadPublic(data)
	if err != nil {
		return nil, invalid(err, "Could not load "+form(data)+"-encoded public key.")
	}
	return k, nil
}

func form(data []byte) string {
	if pki.IsPEM(data) {
		return "PEM"
	}
	return "DER"
}

func loadCertificate(c *salt.Ctx, v, passphrase any) (*pki.Bundle, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, err
	}
	b, err := pki.LoadCertificate(data, password(passphrase))
	if err == nil {
		return b, nil
	}
	switch {
	case strings.Contains(string(data), "-----BEGIN PKCS7"):
		return nil, invalid(err, "Could not load PEM-encoded PKCS#7 blob")
	case pki.IsPEM(data):
		return nil, invalid(err, "Could not load PEM-encoded certificate.")
	}
	return nil, invalid(err, "Could not deserialize binary data, neither as DER nor PKCS#7, PKCS#12.")
}

func loadRequest(c *salt.Ctx, v any) (*pki.Request, string, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, "", err
	}
	r, encoding, err := pki.LoadRequest(data)
	if err != nil {
		return nil, encoding, invalid(err, "Could not load "+form(data)+"-encoded certificate signing request.")
	}
	return r, encoding, nil
}

func loadList(c *salt.Ctx, v any) (*pki.List, string, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, "", err
	}
	l, encoding, err := pki.LoadList(data)
	if err != nil {
		return nil, encoding, invalid(err, "Could not load "+form(data)+"-encoded certificate revocation list.")
	}
	return l, encoding, nil
}

// loadCertificates reads a list of certificates, or one.
func loadCertificates(c *salt.Ctx, v any) ([]*pki.Certificate, error) {
	var out []*pki.Certificate
	for _, it := range listOf(v) {
		b, err := loadCertificate(c, it, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, b.Certificate)
	}
	return out, nil
}

// listOf is a list's items; anything true stands for itself.
func listOf(v any) []any {
	switch v := v.(type) {
	case *value.List:
		return v.Items
	case value.Tuple:
		return v
	}
	if !value.Truth(v) {
		return nil
	}
	return []any{v}
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}
