package nacl

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"io/fs"
	"path/filepath"
	"strings"

	"pinch/render/saltfilters"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// config says which keys to use: those of the call, then those of the option
// nacl.config, then the files nacl and nacl.pub of the master's keys.
type config struct {
	c                      *salt.Ctx
	boxType                string
	sk, skFile, pk, pkFile string
}

// old gives the names of the arguments before 2018 their present meaning.
func old(kw *value.Map) *value.Map {
	kw = kw.Shallow()
	for _, names := range [][2]string{{"keyfile", "sk_file"}, {"key", "sk"}} {
		if v, ok := kw.Get(names[0]); ok {
			kw.Set(names[1], v)
			kw.Set("box_type", "secretbox")
		}
	}
	return kw
}

func keys(c *salt.Ctx, kw *value.Map) *config {
	pki := filepath.Join(c.Opts.Str("pki_dir"), "master")
	k := &config{c: c, boxType: "sealedbox", skFile: filepath.Join(pki, "nacl"), pkFile: filepath.Join(pki, "nacl.pub")}
	options := new(value.Map)
	if v, err := c.Call("config.get", "nacl.config", new(value.Map)); err == nil {
		if m, ok := v.(*value.Map); ok {
			options.Update(m)
		}
	}
	options.Update(kw)
	for name, to := range map[string]*string{"box_type": &k.boxType, "sk": &k.sk, "sk_file": &k.skFile, "pk": &k.pk, "pk_file": &k.pkFile} {
		if v, ok := options.Get(name); ok && (value.Truth(v) || name == "sk" || name == "pk") {
			*to = value.Str(v)
			if !value.Truth(v) {
				*to = ""
			}
		}
	}
	return k
}

// key is a key in base64: the one given, or what its file holds.
func (k *config) key(given, file, missing string) ([]byte, error) {
	if given == "" {
		b, err := k.c.Sys.ReadFile(file)
		if err != nil {
			return nil, value.Errorf("Exception", "%s", missing)
		}
		given = strings.TrimRight(string(b), "\n")
	}
	return saltfilters.DecodeBase64([]byte(given))
}

func (k *config) public() ([]byte, error) { return k.key(k.pk, k.pkFile, "no pubkey or pk_file found") }

func (k *config) secretKey(class, wrong string) (*[32]byte, error) {
	b, err := k.key(k.sk, k.skFile, "no key or sk_file found")
	if err != nil {
		return nil, err
	}
	if k.c.Run != nil {
		k.c.Run.Seal(encode(b))
	}
	return raw(b, class, wrong)
}

func raw(b []byte, class, wrong string) (*[32]byte, error) {
	if len(b) != 32 {
		return nil, value.Errorf(class, "%s", wrong)
	}
	return (*[32]byte)(b), nil
}

// publicOf is the public key of a secret one.
func publicOf(sk *[32]byte) *[32]byte {
	k, err := ecdh.X25519().NewPrivateKey(sk[:])
	if err != nil {
		return new([32]byte)
	}
	return (*[32]byte)(k.PublicKey().Bytes())
}

type keygenArgs struct {
	SkFile any        `py:"sk_file=None"` // the file for the secret key; without one the keys are returned
	PkFile any        `py:"pk_file=None"` // the file for the public key; SK_FILE.pub by default
	Kwargs *value.Map `py:"**kwargs"`     // keyfile: the former name of sk_file
}

// keygen makes a pair of keys. When the secret key is there already, it writes
// the public one that belongs to it.
func keygen(c *salt.Ctx, a keygenArgs) (any, error) {
	if v, ok := a.Kwargs.Get("keyfile"); ok {
		a.SkFile = v
	}
	k, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	if a.SkFile == nil {
		return value.M("sk", encode(k.Bytes()), "pk", encode(k.PublicKey().Bytes())), nil
	}
	sk := value.Str(a.SkFile)
	pk := sk + ".pub"
	if a.PkFile != nil {
		pk = value.Str(a.PkFile)
	}
	if sys.Exists(c.Sys, sk) {
		if sys.Exists(c.Sys, pk) {
			return nil, value.Errorf("Exception", "sk_file:%s and pk_file:%s already exist.", sk, pk)
		}
		return savePublic(c, sk, pk)
	}
	private := fs.FileMode(0o600)
	if err := sys.WriteFile(c.Sys, sk, []byte(encode(k.Bytes())), sys.FileAttrs{Mode: &private}); err != nil {
		return nil, err
	}
	if err := sys.WriteFile(c.Sys, pk, []byte(encode(k.PublicKey().Bytes())), sys.FileAttrs{}); err != nil {
		return nil, err
	}
	return "saved sk_file:" + sk + "  pk_file: " + pk, nil
}

// savePublic writes the public key of a secret one that has a file.
func savePublic(c *salt.Ctx, sk, pk string) (any, error) {
	b, err := c.Sys.ReadFile(sk)
	if err != nil {
		return nil, err
	}
	b, err = saltfilters.DecodeBase64(bytes.TrimRight(b, "\n"))
	if err != nil {
		return nil, err
	}
	key, err := raw(b, "TypeError", "PrivateKey must be created from a 32 bytes long raw secret key")
	if err != nil {
		return nil, err
	}
	if err := sys.WriteFile(c.Sys, pk, []byte(encode(publicOf(key)[:])), sys.FileAttrs{}); err != nil {
		return nil, err
	}
	return "saved pk_file: " + pk, nil
}

func encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
