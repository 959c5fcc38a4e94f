// Package asymmetric holds Salt's asymmetric module: signatures by private
// keys, and their check. Its main variable is Module.
//
//	salt-call asymmetric.sign /etc/pki/my.key filename=/srv/archive.tar path=/srv/archive.tar.sig
package asymmetric

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's asymmetric module.
var Module = salt.Module{
	Name: "asymmetric",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"sign":   salt.Exec(sign),
			"verify": salt.Exec(verify),
		}
	},
}

// load reads what an argument stands for: a file, PEM, hexadecimal or base64
// text, bytes.
func load(c *salt.Ctx, v any) ([]byte, error) {
	switch v := v.(type) {
	case []byte:
		return v, nil
	case string:
		if isFile(c, v) {
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

func isFile(c *salt.Ctx, s string) bool {
	return len(s) < 4096 && !strings.ContainsAny(s, "\n\x00") && sys.IsFile(c.Sys, s)
}

func loadPrivate(c *salt.Ctx, v, passphrase any) (*pki.Private, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, err
	}
	var pw []byte
	if passphrase != nil {
		pw = []byte(value.Str(passphrase))
	}
	k, _, err := pki.LoadPrivate(data, pw)
	switch {
	case err == nil:
		return k, nil
	case errors.Is(err, pki.ErrPassword), errors.Is(err, pki.ErrNoPassword), errors.Is(err, pki.ErrVainPassword):
		return nil, salt.InvocationError("%s", err)
	case pki.IsPEM(data):
		return nil, salt.InvocationError("Could not load PEM-encoded private key")
	}
	return nil, salt.InvocationError("Could not deserialize binary data, neither as DER nor PKCS#12.")
}

func loadPublic(c *salt.Ctx, v any) (*pki.Public, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, err
	}
	k, err := pki.LoadPublic(data)
	switch {
	case err == nil:
		return k, nil
	case pki.IsPEM(data):
		return nil, salt.InvocationError("Could not load PEM-encoded public key.")
	}
	return nil, salt.InvocationError("Could not load DER-encoded public key.")
}

// bytesOf is a text or bytes as they are.
func bytesOf(v any) []byte {
	if b, ok := v.([]byte); ok {
		return b
	}
	return []byte(value.Str(v))
}

// digest is the name of a digest; sha256 unless the caller says otherwise.
func digest(v any) string {
	if !value.Truth(v) {
		return "sha256"
	}
	return value.Str(v)
}

type signArgs struct {
	Privkey    any `py:"privkey"`         // the private key: file, PEM, base64 or bytes
	Passphrase any `py:"passphrase=None"` // decrypts it
	Text       any `py:"text=None"`       // what to sign
	Filename   any `py:"filename=None"`   // or a file to sign
	Digest     any `py:"digest=None"`     // for rsa and ec keys: the digest, sha256 unless given
	Raw        any `py:"raw=None"`        // bytes instead of base64; the default with path
	Path       any `py:"path=None"`       // write the signature there
}

// sign returns the signature of a text or a file.
//
//	salt-call asymmetric.sign /root/my.key text='hello'
func sign(c *salt.Ctx, a signArgs) (any, error) {
	data := bytesOf(a.Text)
	switch {
	case a.Text != nil:
	case value.Truth(a.Filename):
		var err error
		if data, err = c.Sys.ReadFile(value.Str(a.Filename)); err != nil {
			return nil, err
		}
	default:
		return nil, salt.InvocationError("Either `text` or `filename` is required")
	}
	k, err := loadPrivate(c, a.Privkey, a.Passphrase)
	if err != nil {
		return nil, err
	}
	h, ok := pki.Hash(digest(a.Digest))
	if !ok {
		return nil, salt.CommandError("The selected hashing algorithm does not exist in the cryptography python library")
	}
	sig, err := k.SignPSS(data, h)
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	raw := value.Truth(a.Path)
	if a.Raw != nil {
		raw = value.Truth(a.Raw)
	}
	var out any = sig
	if !raw {
		out = base64.StdEncoding.EncodeToString(sig)
	}
	if value.Truth(a.Path) {
		if err := sys.WriteFile(c.Sys, value.Str(a.Path), bytesOf(out), sys.FileAttrs{}); err != nil {
			return nil, err
		}
		return "Signature written to '" + value.Str(a.Path) + "'", nil
	}
	return out, nil
}

type verifyArgs struct {
	Text        any        `py:"text=None"`          // what was signed
	Filename    any        `py:"filename=None"`      // or a file that was signed
	Pubkey      any        `py:"pubkey=None"`        // the public key: file, URL, PEM, base64 or bytes
	Signature   any        `py:"signature=None"`     // the signature, or several: file, URL, base64 or bytes
	Digest      any        `py:"digest=None"`        // for rsa and ec keys: the digest, sha256 unless given
	SignedByAny any        `py:"signed_by_any=None"` // public keys of which one must have signed
	SignedByAll any        `py:"signed_by_all=None"` // public keys which all must have signed
	Kwargs      *value.Map `py:"**kwargs"`           // Salt takes and ignores any other
}

// verify checks signatures and returns res and message.
//
//	salt-call asymmetric.verify text='hello' signature=/root/hello.sig pubkey=/root/my.pub
func verify(c *salt.Ctx, a verifyArgs) (*value.Map, error) {
	v := &verifier{c: c, digest: digest(a.Digest)}
	if err := a.check(); err != nil {
		return nil, err
	}
	anyOf, allOf := listOf(a.SignedByAny), listOf(a.SignedByAll)
	single := len(anyOf)+len(allOf) == 0
	if single {
		allOf = []any{a.Pubkey}
	}
	switch {
	case value.Truth(a.Text):
		v.data = bytesOf(a.Text)
	case value.Truth(a.Filename):
		var err error
		if v.data, err = c.Sys.ReadFile(value.Str(a.Filename)); err != nil {
			return nil, salt.CommandError("Path '%s' does not exist", value.Str(a.Filename))
		}
	default:
		return nil, salt.InvocationError("Missing data to verify. Either specify `text` or `filename`")
	}
	answer := func(res bool, msg string) (*value.Map, error) { return value.M("res", res, "message", msg), nil }
	for _, s := range listOf(a.Signature) {
		sig, err := v.signature(s)
		switch {
		case err != nil && single:
			return answer(false, err.Error())
		case err != nil:
			c.Log.Error(err.Error())
		default:
			v.sigs = append(v.sigs, sig)
		}
	}
	if len(v.sigs) == 0 {
		return nil, salt.CommandError("Unable to locate any of the provided signatures")
	}
	if len(anyOf) > 0 && !v.anyOf(anyOf) {
		return answer(false, "None of the public keys listed in signed_by_any provided a valid signature")
	}
	for _, key := range allOf {
		if err := v.one(key, true); err != nil {
			c.Log.Error(err.Error())
			if single {
				return answer(false, "Failed checking signature: "+err.Error())
			}
			return answer(false, "Failed while checking `signed_by_all`: "+err.Error())
		}
	}
	if single {
		return answer(true, "The signature is valid")
	}
	return answer(true, "All required keys have provided a signature")
}

func (a verifyArgs) check() error {
	_, list := a.Signature.(*value.List)
	multi := value.Truth(a.SignedByAny) || value.Truth(a.SignedByAll)
	switch {
	case value.Truth(a.Text) && value.Truth(a.Filename):
		return salt.InvocationError("`text` and `filename` arguments are mutually exclusive")
	case !value.Truth(a.Signature):
		return salt.InvocationError("Missing `signature` parameter")
	case multi && value.Truth(a.Pubkey):
		return salt.InvocationError("Either specify pubkey + signature or signed_by_(any|all)")
	case !multi && !value.Truth(a.Pubkey):
		return salt.InvocationError("Missing pubkey(s) to check against")
	case !multi && list:
		return salt.InvocationError("`signature` must be a string or bytes when verifying a single signing `pubkey`")
	}
	return nil
}

// listOf is a list's items; anything true stands for itself.
func listOf(v any) []any {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	if !value.Truth(v) {
		return nil
	}
	return []any{v}
}

// A verifier checks keys against the signatures of some data.
type verifier struct {
	c      *salt.Ctx
	digest string
	data   []byte
	sigs   [][]byte
}

// fetch downloads what a URL names; anything else is as it is.
func (v *verifier) fetch(x any) (any, error) {
	s, ok := x.(string)
	if !ok || pki.IsPEM([]byte(s)) {
		return x, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" {
		return x, nil
	}
	path := u.Path
	if u.Scheme != "file" {
		if path, err = v.c.Files().Cache(v.c, s, v.c.Env, salt.GetOptions{}); err != nil {
			return nil, salt.CommandError("Failed fetching '%s'", s)
		}
	}
	if !sys.Exists(v.c.Sys, path) {
		return nil, salt.CommandError("Failed fetching '%s'", s)
	}
	return path, nil
}

// signature reads a signature, in base64 or not.
func (v *verifier) signature(x any) ([]byte, error) {
	x, err := v.fetch(x)
	if err != nil {
		return nil, err
	}
	data := bytesOf(x)
	if s, ok := x.(string); ok && isFile(v.c, s) {
		if data, err = v.c.Sys.ReadFile(s); err != nil {
			return nil, err
		}
	}
	plain := strings.ReplaceAll(string(data), "\n", "")
	if raw, err := base64.StdEncoding.DecodeString(plain); err == nil {
		return raw, nil
	}
	return data, nil
}

func (v *verifier) anyOf(keys []any) bool {
	for _, key := range keys {
		if err := v.one(key, false); err == nil {
			return true
		} else {
			v.c.Log.Error(err.Error())
		}
	}
	return false
}

// one looks for a signature of the key; take uses it up.
func (v *verifier) one(key any, take bool) error {
	key, err := v.fetch(key)
	if err != nil {
		return err
	}
	k, err := loadPublic(v.c, key)
	if err != nil {
		return err
	}
	h, ok := pki.Hash(v.digest)
	if !ok {
		return salt.CommandError("The selected hashing algorithm does not exist in the cryptography python library")
	}
	for i, sig := range v.sigs {
		if k.VerifyPSS(v.data, sig, h) {
			if take {
				v.sigs = append(append([][]byte{}, v.sigs[:i]...), v.sigs[i+1:]...)
			}
			return nil
		}
	}
	return salt.CommandError("Invalid signature for key %s", hex.EncodeToString(fingerprint(k)))
}

func fingerprint(k *pki.Public) []byte {
	h := sha256.Sum256(k.DER())
	return h[:]
}
