package ssh_pki

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"pinch/pki"
	"pinch/salt"
	"pinch/value"
)

type expiresArgs struct {
	Certificate any `py:"certificate"` // a certificate: file or text
	Ttl         any `py:"ttl=0"`       // how long it is valid: seconds, or 1h, 30d
}

// expires reports whether a certificate runs out within a time.
//
//	salt-call ssh_pki.expires /etc/ssh/ssh_host_ed25519_key-cert.pub 7d
func expires(c *salt.Ctx, a expiresArgs) (bool, error) {
	cert, err := loadCertificate(c, a.Certificate, true)
	if err != nil {
		return false, err
	}
	d, _, err := duration(a.Ttl)
	if err != nil {
		return false, err
	}
	return !end(cert).After(c.Sys.Now().Add(d)), nil
}

// end is when a certificate stops to be valid.
func end(cert *ssh.Certificate) time.Time {
	return time.Unix(int64(min(cert.ValidBefore, 253402300799)), 0).UTC()
}

type getPrivateKeySizeArgs struct {
	PrivateKey any `py:"private_key"`     // a private key: file or text
	Passphrase any `py:"passphrase=None"` // encrypts the key
}

// getPrivateKeySize returns the bits of an rsa or ec key, None for others.
func getPrivateKeySize(c *salt.Ctx, a getPrivateKeySizeArgs) (any, error) {
	k, err := loadPrivate(c, a.PrivateKey, a.Passphrase)
	if err != nil {
		return nil, err
	}
	return size(k.Public()), nil
}

func size(k *pki.Public) any {
	if k != nil && k.Bits() > 0 {
		return int64(k.Bits())
	}
	return nil
}

type getPublicKeyArgs struct {
	Key        any `py:"key"`             // a key or certificate: file or text
	Passphrase any `py:"passphrase=None"` // encrypts the key
}

// getPublicKey returns the public key of a key or certificate, as a line of
// authorized_keys.
func getPublicKey(c *salt.Ctx, a getPublicKeyArgs) (string, error) {
	k, err := publicOf(c, a.Key, a.Passphrase)
	if err != nil {
		return "", err
	}
	return line(k), nil
}

func publicOf(c *salt.Ctx, v, passphrase any) (ssh.PublicKey, error) {
	if k, err := loadPublic(c, v); err == nil {
		return k, nil
	}
	if k, err := loadPrivate(c, v, passphrase); err == nil {
		return sshKey(k)
	}
	return nil, salt.CommandError("Could not load key as certificate, public key or private key")
}

type readCertificateArgs struct {
	Certificate any `py:"certificate"` // a certificate: file or text
}

// readCertificate returns what a certificate says.
//
//	salt-call ssh_pki.read_certificate /etc/ssh/ssh_host_ed25519_key-cert.pub
func readCertificate(c *salt.Ctx, a readCertificateArgs) (*value.Map, error) {
	cert, err := loadCertificate(c, a.Certificate, true)
	if err != nil {
		return nil, err
	}
	kind := any(nil)
	switch cert.CertType {
	case ssh.UserCert:
		kind = "user"
	case ssh.HostCert:
		kind = "host"
	}
	var who any = "all"
	if len(cert.ValidPrincipals) > 0 {
		who = value.Strings(cert.ValidPrincipals)
	}
	k := standard(cert.Key)
	if k == nil {
		return nil, salt.InvocationError("Did not recognize key type")
	}
	out := value.M("cert_type", kind, "valid_principals", who, "key_id", cert.KeyId, "key_size", size(k), "key_type", k.Type,
		"serial_number", prettySerial(cert.Serial), "issuer_public_key", line(cert.SignatureKey),
		"not_before", time.Unix(int64(cert.ValidAfter), 0).UTC().Format(timeForm), "not_after", end(cert).Format(timeForm), "public_key", line(cert.Key),
		"critical_options", shown(cert.CriticalOptions), "extensions", shown(cert.Extensions))
	for name, k := range map[string]ssh.PublicKey{"issuer_public_key": cert.SignatureKey, "public_key": cert.Key} {
		h, m := sha256.Sum256(k.Marshal()), md5.Sum(k.Marshal())
		prints := value.M("sha256", base64.StdEncoding.EncodeToString(h[:]))
		if c.Opts.At("fips_mode") != true {
			prints.Set("md5", strings.ToLower(pretty(m[:])))
		}
		out.Set(name+"_fingerprints", prints)
	}
	return out, nil
}

// shown are options or extensions; those without a value are true.
func shown(m map[string]string) *value.Map {
	out := new(value.Map)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if m[k] == "" {
			out.Set(k, true)
		} else {
			out.Set(k, m[k])
		}
	}
	return out
}

func pretty(raw []byte) string {
	s := strings.ToUpper(hex.EncodeToString(raw))
	var parts []string
	for i := 0; i < len(s); i += 2 {
		parts = append(parts, s[i:i+2])
	}
	return strings.Join(parts, ":")
}

func prettySerial(n uint64) string {
	if n == 0 {
		return "00"
	}
	return pretty(new(big.Int).SetUint64(n).Bytes())
}

type verifyPrivateKeyArgs struct {
	PrivateKey any `py:"private_key"`     // a private key: file or text
	PublicKey  any `py:"public_key"`      // a public key: file or text
	Passphrase any `py:"passphrase=None"` // encrypts the key
}

// verifyPrivateKey reports whether a private key belongs to a public key or
// certificate.
func verifyPrivateKey(c *salt.Ctx, a verifyPrivateKeyArgs) (bool, error) {
	k, err := loadPrivate(c, a.PrivateKey, a.Passphrase)
	if err != nil {
		return false, err
	}
	pub, err := publicOf(c, a.PublicKey, nil)
	if err != nil {
		return false, err
	}
	own, err := sshKey(k)
	return err == nil && equal(own, pub), err
}

type verifySignatureArgs struct {
	Certificate             any `py:"certificate"`                     // a certificate: file or text
	SigningPubKey           any `py:"signing_pub_key"`                 // the issuer's key or certificate; None asks whether it signed itself
	SigningPubKeyPassphrase any `py:"signing_pub_key_passphrase=None"` // decrypts it
}

// verifySignature reports whether a certificate was signed by a key.
func verifySignature(c *salt.Ctx, a verifySignatureArgs) (bool, error) {
	cert, err := loadCertificate(c, a.Certificate, false)
	if err != nil {
		return false, err
	}
	k, err := publicOf(c, a.SigningPubKey, a.SigningPubKeyPassphrase)
	if err != nil {
		return false, err
	}
	return intact(cert) && equal(cert.SignatureKey, k), nil
}
