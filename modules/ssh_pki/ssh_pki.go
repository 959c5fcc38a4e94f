// Package ssh_pki holds Salt's ssh_pki module: keys and certificates of
// OpenSSH. Its main variable is Module.
//
//	/etc/ssh/ssh_host_ed25519_key-cert.pub:
//	  ssh_pki.certificate_managed:
//	    - cert_type: host
//	    - signing_private_key: /etc/pki/ssh_ca
//	    - public_key: /etc/ssh/ssh_host_ed25519_key.pub
//	    - valid_principals: [www.example.com]
package ssh_pki

import (
	"crypto"
	"errors"
	"strings"

	"golang.org/x/crypto/ssh"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's ssh_pki module.
var Module = salt.Module{
	Name: "ssh_pki",
	States: func() salt.Funcs {
		return salt.Funcs{
			"certificate_managed":     salt.State(certificateManaged),
			"certificate_managed_ssh": salt.State(certificateManagedSsh),
			"private_key_managed":     salt.State(privateKeyManaged),
			"private_key_managed_ssh": salt.State(privateKeyManagedSsh),
			"public_key_managed":      salt.State(publicKeyManaged),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"create_certificate":      salt.Exec(createCertificate),
			"create_certificate_ssh":  salt.Exec(createCertificateSsh).Named("create_certificate"),
			"create_private_key":      salt.Exec(createPrivateKey),
			"encode_private_key":      salt.Exec(encodePrivateKey),
			"expires":                 salt.Exec(expires),
			"get_private_key_size":    salt.Exec(getPrivateKeySize),
			"get_public_key":          salt.Exec(getPublicKey),
			"get_signing_policy":      salt.Exec(getSigningPolicy),
			"read_certificate":        salt.Exec(readCertificate),
			"sign_remote_certificate": salt.Exec(signRemoteCertificate),
			"verify_private_key":      salt.Exec(verifyPrivateKey),
			"verify_signature":        salt.Exec(verifySignature),
		}
	},
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}

// load reads what an argument stands for: a file, text or bytes.
func load(c *salt.Ctx, v any) ([]byte, error) {
	switch v := v.(type) {
	case []byte:
		return v, nil
	case string:
		if len(v) < 4096 && !strings.ContainsAny(v, "\n\x00") && sys.IsFile(c.Sys, v) {
			return c.Sys.ReadFile(v)
		}
		return []byte(v), nil
	}
	return nil, salt.InvocationError("Could not load provided source. You need to pass an existing file, string or raw bytes.")
}

// What can be wrong with a private key, so that states can tell.
var (
	errNoKey     = errors.New("Could not load OpenSSH private key")
	errEncrypted = errors.New("Private key is encrypted. Please provide a password.")
	errPassword  = errors.New("Bad decrypt - is the password correct?")
	errVain      = errors.New("Password was given but private key is not encrypted")
)

// A failure has Salt's class of error and what went wrong underneath.
type failure struct{ say, cause error }

func (f *failure) Error() string   { return f.say.Error() }
func (f *failure) Unwrap() []error { return []error{f.say, f.cause} }

func loadPrivate(c *salt.Ctx, v, passphrase any) (*pki.Private, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, err
	}
	k, err := parsePrivate(data, passphrase)
	switch {
	case err == nil:
		return k, nil
	case errors.Is(err, errNoKey):
		return nil, &failure{salt.CommandError("%s", errNoKey), errNoKey}
	}
	return nil, &failure{salt.InvocationError("%s", err), err}
}

// parsePrivate reads a key in OpenSSH's own form only, as Salt does.
func parsePrivate(data []byte, passphrase any) (*pki.Private, error) {
	if !strings.Contains(string(data), "-----BEGIN OPENSSH PRIVATE KEY-----") {
		return nil, errNoKey
	}
	var missing *ssh.PassphraseMissingError
	raw, err := ssh.ParseRawPrivateKey(data)
	encrypted := errors.As(err, &missing)
	switch {
	case encrypted && passphrase == nil:
		return nil, errEncrypted
	case encrypted:
		if raw, err = ssh.ParseRawPrivateKeyWithPassphrase(data, []byte(value.Str(passphrase))); err != nil {
			return nil, errPassword
		}
	case err != nil:
		return nil, errNoKey
	case passphrase != nil:
		return nil, errVain
	}
	if k := pki.NewPrivate(raw); k != nil {
		return k, nil
	}
	return nil, errNoKey
}

// loadPublic reads a public key as in authorized_keys; a certificate counts
// as its key.
func loadPublic(c *salt.Ctx, v any) (ssh.PublicKey, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, err
	}
	k, _, _, rest, err := ssh.ParseAuthorizedKey(data)
	if err != nil || len(strings.TrimSpace(string(rest))) > 0 || strings.HasPrefix(strings.TrimSpace(string(data)), "#") {
		return nil, salt.CommandError("Could not load OpenSSH public key.")
	}
	if cert, ok := k.(*ssh.Certificate); ok {
		return cert.Key, nil
	}
	return k, nil
}

// loadCertificate reads a certificate and checks that it was not changed.
func loadCertificate(c *salt.Ctx, v any, verify bool) (*ssh.Certificate, error) {
	data, err := load(c, v)
	if err != nil {
		return nil, err
	}
	k, _, _, _, err := ssh.ParseAuthorizedKey(data)
	if err != nil {
		return nil, salt.CommandError("Could not load OpenSSH certificate.")
	}
	cert, ok := k.(*ssh.Certificate)
	if !ok {
		return nil, salt.InvocationError("The data decoded to a %s, not SSHCertificate", pythonType(k))
	}
	if verify && !intact(cert) {
		return nil, salt.CommandError("The signature on the SSH certificate was invalid")
	}
	return cert, nil
}

func pythonType(k ssh.PublicKey) string {
	switch {
	case k.Type() == ssh.KeyAlgoRSA:
		return "RSAPublicKey"
	case k.Type() == ssh.KeyAlgoED25519:
		return "Ed25519PublicKey"
	}
	return "ECPublicKey"
}

// intact reports whether the signature is that of the key inside.
func intact(cert *ssh.Certificate) bool {
	unsigned := *cert
	unsigned.Signature = nil
	body := unsigned.Marshal()
	if len(body) < 4 || cert.Signature == nil {
		return false
	}
	return cert.SignatureKey.Verify(body[:len(body)-4], cert.Signature) == nil
}

// line is a public key as a line of authorized_keys, without the newline.
func line(k ssh.PublicKey) string {
	return strings.TrimSuffix(string(ssh.MarshalAuthorizedKey(k)), "\n")
}

// standard is the key for the functions that are not OpenSSH's.
func standard(k ssh.PublicKey) *pki.Public {
	if ck, ok := k.(ssh.CryptoPublicKey); ok {
		return pki.NewPublic(ck.CryptoPublicKey())
	}
	return nil
}

func equal(a, b ssh.PublicKey) bool { return string(a.Marshal()) == string(b.Marshal()) }

// sshKey is the public half of a private key.
func sshKey(k *pki.Private) (ssh.PublicKey, error) {
	return ssh.NewPublicKey(crypto.PublicKey(k.Public().Key()))
}
