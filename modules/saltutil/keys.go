package saltutil

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// regenKeys makes a new key pair for this minion. The keys of masters that it
// has seen are forgotten with the old pair.
//
//	salt-call saltutil.regen_keys
func regenKeys(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	dir := c.Opts.Str("pki_dir")
	if dir == "" {
		return nil, salt.CommandError("the option pki_dir is not set")
	}
	bits := 4096
	if n, ok := c.Opts.At("keysize").(int64); ok && n >= 2048 {
		bits = int(n)
	}
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		return nil, salt.CommandError("no key could be made: %s", err)
	}
	pub, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	s := c.With(false).Sys
	if err := sys.MkdirAll(s, dir, 0o700); err != nil {
		return nil, err
	}
	for _, name := range []string{"minion_master.pub", "master_sign.pub"} {
		if path := filepath.Join(dir, name); sys.Exists(s, path) {
			if err := s.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	private := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pub})
	owner, all := fs.FileMode(0o400), fs.FileMode(0o644)
	if err := sys.WriteFile(s, filepath.Join(dir, "minion.pem"), private, sys.FileAttrs{Mode: &owner}); err != nil {
		return nil, err
	}
	return nil, sys.WriteFile(s, filepath.Join(dir, "minion.pub"), public, sys.FileAttrs{Mode: &all})
}

type revokeArgs struct {
	Preserve bool `py:"preserve_minion_cache=False"` // the master keeps what it knows of the minion
}

// revokeAuth asks the masters to forget this minion's key, which needs one.
//
//	salt-call saltutil.revoke_auth
func revokeAuth(c *salt.Ctx, _ revokeArgs) (bool, error) {
	if m := c.Run.Master; m != nil {
		v, err := m.Request(c, "revoke_auth", new(value.Map))
		return value.Truth(v), err
	}
	return false, salt.CommandError("there is no master to ask: delete the key there with salt-key -d %s", c.Opts.Str("id"))
}
