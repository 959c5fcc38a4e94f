package ssh_pki

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"pinch/filestate"
	"pinch/salt"
	"pinch/value"
)

type certificateManagedArgs struct {
	Name                        string     `py:"name"`                                // the file
	TtlRemaining                any        `py:"ttl_remaining=None"`                  // renew it when less time is left
	CaServer                    any        `py:"ca_server=None"`                      // the minion that signs, asked through the master
	Backend                     any        `py:"backend=None"`                        // another module that signs
	BackendArgs                 any        `py:"backend_args=None"`                   // more arguments for that module
	SigningPolicy               any        `py:"signing_policy=None"`                 // the name of a signing policy
	Copypath                    any        `py:"copypath=None"`                       // a directory for a copy of each certificate
	CertType                    any        `py:"cert_type=None"`                      // user or host
	SigningPrivateKey           any        `py:"signing_private_key=None"`            // the issuer's private key: file or text
	SigningPrivateKeyPassphrase any        `py:"signing_private_key_passphrase=None"` // decrypts the issuer's key
	PublicKey                   any        `py:"public_key=None"`                     // a public key: file or text
	PrivateKey                  any        `py:"private_key=None"`                    // a private key: file or text
	PrivateKeyPassphrase        any        `py:"private_key_passphrase=None"`         // decrypts the private key
	SerialNumber                any        `py:"serial_number=None"`                  // the serial number; None is a random one
	NotBefore                   any        `py:"not_before=None"`                     // when it begins to be valid, as 2026-12-31 23:59:59
	NotAfter                    any        `py:"not_after=None"`                      // when it ends
	Ttl                         any        `py:"ttl=None"`                            // how long it is valid: seconds, or 1h, 30d
	CriticalOptions             any        `py:"critical_options=None"`               // options that must be understood, as a mapping
	Extensions                  any        `py:"extensions=None"`                     // extensions as a mapping
	ValidPrincipals             any        `py:"valid_principals=None"`               // the users or hosts it is for
	AllPrincipals               bool       `py:"all_principals=False"`                // it is for all users or hosts
	KeyId                       any        `py:"key_id=None"`                         // what the log of the server shows
	Kwargs                      *value.Map `py:"**kwargs"`                            // further arguments
}

// certificateManaged makes sure that a file has a certificate as described,
// which is valid for some time yet. Further arguments are those of
// file.managed for the file (user, mode, makedirs …).
func certificateManaged(c *salt.Ctx, a certificateManagedArgs) salt.Result {
	file, err := fileArguments(a.Kwargs)
	if err != nil {
		return salt.Raised(err)
	}
	s := &certificateState{c: c, a: a, backend: text(a.Backend)}
	if s.backend == "" {
		s.backend = "ssh_pki"
	}
	s.more, _ = a.BackendArgs.(*value.Map)
	s.args = value.M("cert_type", a.CertType, "signing_private_key", a.SigningPrivateKey, "signing_private_key_passphrase", a.SigningPrivateKeyPassphrase,
		"public_key", a.PublicKey, "private_key", a.PrivateKey, "private_key_passphrase", a.PrivateKeyPassphrase, "serial_number", a.SerialNumber,
		"not_before", a.NotBefore, "not_after", a.NotAfter, "ttl", a.Ttl, "critical_options", a.CriticalOptions, "extensions", a.Extensions,
		"valid_principals", a.ValidPrincipals, "all_principals", a.AllPrincipals, "key_id", a.KeyId)
	m := &filestate.State{Ctx: c, Name: a.Name, What: "certificate", Args: file, Check: s.check, Make: s.make}
	return m.Run()
}

// fileArguments are those for file.managed; others are an error.
func fileArguments(kw *value.Map) (*value.Map, error) {
	file, rest := filestate.Split(kw)
	if rest.Len() > 0 {
		var bad []string
		for k := range rest.Items() {
			bad = append(bad, k)
		}
		return nil, salt.InvocationError("The following keyword arguments are invalid: %s", strings.Join(bad, ", "))
	}
	return file, nil
}

type certificateState struct {
	c          *salt.Ctx
	a          certificateManagedArgs
	args, more *value.Map
	backend    string
}

func (s *certificateState) check(path string) (ch *value.Map, current, replace bool, err error) {
	c := s.c
	ch = new(value.Map)
	kw := s.more.Shallow()
	kw.Set("ca_server", s.a.CaServer)
	pv, err := c.CallKw(s.backend+".get_signing_policy", kw, s.a.SigningPolicy)
	if err != nil {
		return nil, false, false, err
	}
	policy, _ := pv.(*value.Map)
	cur, err := loadCertificate(c, path, true)
	var x *value.Exception
	switch {
	case err == nil:
	case errors.As(err, &x) && strings.Contains(x.Msg, "Could not load OpenSSH certificate"):
		return ch, false, true, nil
	default:
		return nil, false, false, err
	}
	left := s.a.TtlRemaining
	if left == nil {
		left = map[uint32]any{ssh.UserCert: int64(3600), ssh.HostCert: int64(604800)}[cur.CertType]
	}
	d, _, err := duration(left)
	if err != nil {
		return nil, false, false, err
	}
	if end(cur).Before(c.Sys.Now().Add(d)) {
		ch.Set("expiration", true)
	}
	want, signer, err := s.wanted(policy)
	if err != nil {
		return nil, false, false, err
	}
	return ch, true, false, s.compare(cur, want, signer, ch)
}

// wanted is the certificate as it would be made now, and its signer's key.
func (s *certificateState) wanted(policy *value.Map) (*ssh.Certificate, ssh.PublicKey, error) {
	kw, err := merge(s.c, policy, s.args)
	if err != nil {
		return nil, nil, err
	}
	if s.a.CaServer == nil && s.backend == "ssh_pki" {
		if !kw.Truth("signing_private_key") {
			return nil, nil, salt.InvocationError("signing_private_key is required - this is most likely a bug")
		}
		cert, signer, err := build(s.c, kw, false)
		if err != nil {
			return nil, nil, err
		}
		k, err := sshKey(signer)
		return cert, k, err
	}
	if !kw.Has("signing_public_key") {
		return nil, nil, salt.InvocationError("The remote CA server or backend module did not deliver the CA pubkey")
	}
	k, err := publicOf(s.c, kw.At("signing_public_key"), nil)
	if err != nil {
		return nil, nil, err
	}
	cert, _, err := build(s.c, kw, true)
	return cert, k, err
}

func (s *certificateState) compare(cur, want *ssh.Certificate, signer ssh.PublicKey, ch *value.Map) error {
	if s.a.SerialNumber != nil && want.Serial != cur.Serial {
		ch.Set("serial_number", s.a.SerialNumber)
	}
	if !equal(want.Key, cur.Key) {
		ch.Set("private_key", true)
	}
	if !equal(cur.SignatureKey, signer) {
		ch.Set("signing_private_key", true)
	}
	if want.KeyId != "" && want.KeyId != cur.KeyId {
		ch.Set("key_id", value.M("old", cur.KeyId, "new", want.KeyId))
	}
	if want.CertType != cur.CertType {
		ch.Set("cert_type", map[uint32]string{ssh.UserCert: "user", ssh.HostCert: "host"}[want.CertType])
	}
	if d := differing(cur.Extensions, want.Extensions); d != nil {
		ch.Set("extensions", d)
	}
	if d := differing(cur.CriticalOptions, want.CriticalOptions); d != nil {
		ch.Set("critical_options", d)
	}
	comparePrincipals(cur.ValidPrincipals, want.ValidPrincipals, ch)
	return nil
}

// differing are the settings that differ, nil if none do.
func differing(have, want map[string]string) *value.Map {
	added, changed, removed := value.L(), value.L(), value.L()
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if v, ok := have[k]; !ok {
			added.Append(k)
		} else if v != want[k] {
			changed.Append(k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(have)) {
		if _, ok := want[k]; !ok {
			removed.Append(k)
		}
	}
	if added.Len()+changed.Len()+removed.Len() == 0 {
		return nil
	}
	return value.M("added", added, "changed", changed, "removed", removed)
}

// comparePrincipals: a certificate without any is for all.
func comparePrincipals(have, want []string, ch *value.Map) {
	without := func(a, b []string) *value.List {
		l := value.L()
		for _, p := range a {
			if !slices.Contains(b, p) {
				l.Append(p)
			}
		}
		return l
	}
	var added, removed any = value.L(), value.L()
	switch {
	case len(want) == 0 && len(have) > 0:
		added = "*ALL*"
	case len(want) > 0:
		added, removed = without(want, have), without(have, want)
		if len(have) == 0 {
			removed = "*ALL*"
		}
	}
	if value.Truth(added) || value.Truth(removed) {
		ch.Set("principals", value.M("added", added, "removed", removed))
	}
}

func (s *certificateState) make(*value.Map) ([]byte, error) {
	kw := s.args.Shallow()
	kw.Update(value.M("ca_server", s.a.CaServer, "signing_policy", s.a.SigningPolicy, "copypath", s.a.Copypath))
	kw.Update(s.more)
	v, err := s.c.CallKw(s.backend+".create_certificate", kw)
	return []byte(text(v)), err
}
