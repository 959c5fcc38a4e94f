package ssh_pki

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"pinch/pki"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const timeForm = "2006-01-02 15:04:05"

type createCertificateArgs struct {
	CaServer      any        `py:"ca_server=None"`      // the minion that signs, asked through the master
	SigningPolicy any        `py:"signing_policy=None"` // the name of a signing policy
	Path          any        `py:"path=None"`           // write it there instead of returning it
	Overwrite     bool       `py:"overwrite=False"`     // replace a file that is there
	Raw           bool       `py:"raw=False"`           // return bytes
	Kwargs        *value.Map `py:"**kwargs"`            // further arguments
}

// createCertificateSsh is the same as ssh_pki.create_certificate.
func createCertificateSsh(c *salt.Ctx, a createCertificateArgs) (any, error) {
	return createCertificate(c, a)
}

// createCertificate makes and signs a certificate, here or on ca_server. Its
// other arguments are those of ssh_pki.certificate_managed.
//
//	salt-call ssh_pki.create_certificate cert_type=user signing_private_key=/root/ca public_key=/root/me.pub valid_principals='[me]'
func createCertificate(c *salt.Ctx, a createCertificateArgs) (any, error) {
	kw := new(value.Map)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "_") {
			kw.Set(k, v)
		}
	}
	server := value.Truth(a.CaServer)
	switch {
	case !kw.Truth("signing_private_key") && !server:
		return nil, salt.InvocationError("Creating a certificate locally at least requires a signing private key.")
	case value.Truth(a.Path) && !a.Overwrite && sys.IsFile(c.Sys, text(a.Path)):
		return nil, salt.CommandError("The file at %s exists and overwrite was set to false", text(a.Path))
	case server && a.SigningPolicy == nil:
		return nil, salt.InvocationError("signing_policy must be specified to request a certificate from a remote ca_server")
	}
	var cert *ssh.Certificate
	var err error
	if server {
		cert, err = certificateFrom(c, text(a.CaServer), text(a.SigningPolicy), kw)
	} else {
		var policy *value.Map
		if policy, err = policyNamed(c, a.SigningPolicy); err != nil {
			return nil, err
		}
		if kw, err = merge(c, policy, kw); err != nil {
			return nil, err
		}
		cert, err = signHere(c, kw)
	}
	if err != nil {
		return nil, err
	}
	switch out := line(cert); {
	case a.Path != nil:
		if err := sys.WriteFile(c.Sys, text(a.Path), []byte(out), sys.FileAttrs{}); err != nil {
			return nil, err
		}
		return "Certificate written to " + text(a.Path), nil
	case a.Raw:
		return []byte(out), nil
	default:
		return out, nil
	}
}

// signHere makes a certificate with a key of this machine.
func signHere(c *salt.Ctx, kw *value.Map) (*ssh.Certificate, error) {
	cert, signer, err := build(c, kw, false)
	if err != nil {
		return nil, err
	}
	if err := seal(cert, signer); err != nil {
		return nil, salt.CommandError("%s", err)
	}
	if dir := kw.Str("copypath"); dir != "" {
		if err := sys.WriteFile(c.Sys, filepath.Join(dir, fmt.Sprintf("%x.crt", cert.Serial)), []byte(line(cert)), sys.FileAttrs{}); err != nil {
			return nil, err
		}
	}
	return cert, nil
}

// seal signs a certificate, also one for all principals, which the library
// refuses to. RSA keys sign with SHA-512: the library's default is SHA-1.
func seal(cert *ssh.Certificate, key *pki.Private) error {
	s, err := ssh.NewSignerFromSigner(key.Signer())
	if err != nil {
		return err
	}
	cert.Nonce = make([]byte, 32)
	rand.Read(cert.Nonce)
	cert.SignatureKey, cert.Signature = s.PublicKey(), nil
	body := cert.Marshal()
	body = body[:len(body)-4] // without the place of the signature
	algorithm := ""
	if key.Type == "rsa" {
		algorithm = ssh.KeyAlgoRSASHA512
	}
	cert.Signature, err = s.(ssh.AlgorithmSigner).SignWithAlgorithm(rand.Reader, body, algorithm)
	return err
}

// serialNumber reads a number, or hexadecimal text; nil is a random one.
func serialNumber(v any) (uint64, error) {
	switch v := v.(type) {
	case nil:
		var b [8]byte
		rand.Read(b[:])
		return binary.BigEndian.Uint64(b[:]) >> 1, nil
	case int64:
		return uint64(v), nil
	case *big.Int:
		if v.IsUint64() {
			return v.Uint64(), nil
		}
	case string:
		if raw, err := hex.DecodeString(strings.ReplaceAll(v, ":", "")); err == nil && len(raw) <= 8 {
			return new(big.Int).SetBytes(raw).Uint64(), nil
		}
	}
	return 0, salt.CommandError("Could not parse serial number %s", value.Str(v))
}

// build makes a certificate of the arguments, unsigned. With remote the
// signing key is somewhere else.
func build(c *salt.Ctx, kw *value.Map, remote bool) (cert *ssh.Certificate, signer *pki.Private, err error) {
	cert = &ssh.Certificate{KeyId: kw.Str("key_id")}
	ttl := any(int64(86400))
	switch kw.Str("cert_type") {
	case "user":
		cert.CertType = ssh.UserCert
	case "host":
		cert.CertType, ttl = ssh.HostCert, int64(2592000)
	default:
		return nil, nil, salt.InvocationError("Cert type needs to be either `user` or `host`, got '%s'", value.Str(kw.At("cert_type")))
	}
	if v := kw.At("ttl"); v != nil {
		ttl = v
	}
	if !remote {
		if signer, err = loadPrivate(c, kw.At("signing_private_key"), kw.At("signing_private_key_passphrase")); err != nil {
			return nil, nil, err
		}
	}
	if cert.Serial, err = serialNumber(kw.At("serial_number")); err != nil {
		return nil, nil, err
	}
	if cert.Key, err = subjectKey(c, kw); err != nil {
		return nil, nil, err
	}
	switch {
	case kw.Truth("valid_principals"):
		for _, p := range listOf(kw.At("valid_principals")) {
			cert.ValidPrincipals = append(cert.ValidPrincipals, value.Str(p))
		}
	case !kw.Truth("all_principals"):
		return nil, nil, salt.InvocationError("Must either set all_principals to true or specify principals to allow")
	}
	if err := times(c, cert, kw, ttl); err != nil {
		return nil, nil, err
	}
	cert.CriticalOptions, cert.Extensions = settings(kw.At("critical_options")), settings(kw.At("extensions"))
	return cert, signer, nil
}

func subjectKey(c *salt.Ctx, kw *value.Map) (ssh.PublicKey, error) {
	switch {
	case kw.Truth("private_key"):
		k, err := loadPrivate(c, kw.At("private_key"), kw.At("private_key_passphrase"))
		if err != nil {
			return nil, err
		}
		return sshKey(k)
	case kw.Truth("public_key"):
		return loadPublic(c, kw.At("public_key"))
	}
	return nil, salt.InvocationError("Need public_key or private_key to derive public key to sign")
}

func times(c *salt.Ctx, cert *ssh.Certificate, kw *value.Map, ttl any) error {
	from, to := c.Sys.Now(), time.Time{}
	var err error
	if s := kw.Str("not_before"); s != "" {
		if from, err = parseTime(s); err != nil {
			return err
		}
	}
	if s := kw.Str("not_after"); s != "" {
		if to, err = parseTime(s); err != nil {
			return err
		}
	} else {
		d, _, err := duration(ttl)
		if err != nil {
			return err
		}
		to = c.Sys.Now().Add(d)
	}
	cert.ValidAfter, cert.ValidBefore = uint64(from.Unix()), uint64(to.Unix())
	return nil
}

// parseTime reads a time of the policy's and the caller's form, in UTC.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(timeForm, s)
	if err != nil {
		return t, value.Errorf("ValueError", "time data %s does not match format '%%Y-%%m-%%d %%H:%%M:%%S'", value.Repr(s))
	}
	return t, nil
}

// settings are options or extensions; true ones have no value, false ones are
// not there.
func settings(v any) map[string]string {
	out := map[string]string{}
	m, _ := v.(*value.Map)
	for k, x := range m.Items() {
		switch {
		case x == true:
			out[k] = ""
		case value.Truth(x):
			out[k] = value.Str(x)
		}
	}
	return out
}

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

type createPrivateKeyArgs struct {
	Algo         any  `py:"algo='rsa'"`           // rsa, ec or ed25519
	Keysize      any  `py:"keysize=None"`         // bits of an rsa (2048, 3072, 4096) or ec (256, 384, 521) key
	Passphrase   any  `py:"passphrase=None"`      // encrypts the key
	Path         any  `py:"path=None"`            // write it there instead of returning it
	PubkeySuffix any  `py:"pubkey_suffix='.pub'"` // what names the file of the public key; empty for none
	Overwrite    bool `py:"overwrite=False"`      // replace a file that is there
	Raw          bool `py:"raw=False"`            // return bytes
}

// createPrivateKey makes a private key and returns it with the public key, or
// writes both.
//
//	salt-call ssh_pki.create_private_key algo=ed25519 path=/root/.ssh/id_ed25519
func createPrivateKey(c *salt.Ctx, a createPrivateKeyArgs) (any, error) {
	path := text(a.Path)
	if path != "" && !a.Overwrite && sys.IsFile(c.Sys, path) {
		return nil, salt.CommandError("The file at %s exists and overwrite was set to false", path)
	}
	k, err := generate(text(a.Algo), a.Keysize)
	if err != nil {
		return nil, err
	}
	priv, err := encode(k, a.Passphrase)
	if err != nil {
		return nil, err
	}
	pub, err := sshKey(k)
	if err != nil {
		return nil, err
	}
	switch {
	case path == "" && a.Raw:
		return priv, nil
	case path == "":
		return value.M("private_key", string(priv), "public_key", line(pub)), nil
	}
	mode, open := sys.Mode(0o600), sys.Mode(0o644)
	if err := sys.WriteFile(c.Sys, path, priv, sys.FileAttrs{Mode: &mode}); err != nil {
		return nil, err
	}
	if s := text(a.PubkeySuffix); s != "" {
		if err := sys.WriteFile(c.Sys, path+s, []byte(line(pub)), sys.FileAttrs{Mode: &open}); err != nil {
			return nil, err
		}
	}
	return "Private key written to " + path, nil
}

func generate(algo string, size any) (*pki.Private, error) {
	var bits int64
	if value.Truth(size) {
		n, ok := size.(int64)
		if !ok {
			return nil, value.Errorf("TypeError", "keysize must be an integer, not %s", value.Repr(size))
		}
		bits = n
	}
	switch algo {
	case "rsa":
		if bits == 0 {
			bits = 3072
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
	case "ed25519":
	default:
		return nil, salt.InvocationError("Invalid algorithm specified for generating private key: %s. Valid: rsa, ec, ed25519, ed448", algo)
	}
	return pki.Generate(algo, int(bits))
}

// encode is a private key in OpenSSH's form.
func encode(k *pki.Private, passphrase any) ([]byte, error) {
	var b *pem.Block
	var err error
	if passphrase == nil {
		b, err = ssh.MarshalPrivateKey(k.Signer(), "")
	} else {
		b, err = ssh.MarshalPrivateKeyWithPassphrase(k.Signer(), "", []byte(value.Str(passphrase)))
	}
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	return pem.EncodeToMemory(b), nil
}

type encodePrivateKeyArgs struct {
	PrivateKey           any  `py:"private_key"`                 // a private key: file or text
	PrivateKeyPassphrase any  `py:"private_key_passphrase=None"` // decrypts the private key
	Passphrase           any  `py:"passphrase=None"`             // encrypts the key
	Raw                  bool `py:"raw=False"`                   // return bytes
}

// encodePrivateKey returns a private key, encrypted or not.
func encodePrivateKey(c *salt.Ctx, a encodePrivateKeyArgs) (any, error) {
	k, err := loadPrivate(c, a.PrivateKey, a.PrivateKeyPassphrase)
	if err != nil {
		return nil, err
	}
	out, err := encode(k, a.Passphrase)
	if err != nil || a.Raw {
		return out, err
	}
	return string(out), nil
}
