// Package nacl holds Salt's nacl module: texts sealed with NaCl's boxes, for
// secrets in pillars. Its main variable is Module.
//
//	salt-call nacl.keygen sk_file=/etc/salt/pki/master/nacl
//	salt-call nacl.enc secret pk_file=/etc/salt/pki/master/nacl.pub
package nacl

import (
	"crypto/rand"
	"encoding/base64"
	"unicode/utf8"

	"golang.org/x/crypto/nacl/box"
	"golang.org/x/crypto/nacl/secretbox"

	"pinch/render/saltfilters"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's nacl module.
var Module = salt.Module{
	Name: "nacl",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"dec":               salt.Exec(dec),
			"dec_file":          salt.Exec(decFile),
			"enc":               salt.Exec(enc),
			"enc_file":          salt.Exec(encFile),
			"keygen":            salt.Exec(keygen),
			"sealedbox_decrypt": salt.Exec(sealedboxDecrypt),
			"sealedbox_encrypt": salt.Exec(sealedboxEncrypt),
			"secretbox_decrypt": salt.Exec(secretboxDecrypt),
			"secretbox_encrypt": salt.Exec(secretboxEncrypt),
		}
	},
}

type dataArgs struct {
	Data   any        `py:"data"`     // the text
	Kwargs *value.Map `py:"**kwargs"` // box_type, sk, sk_file, pk, pk_file; key and keyfile mean sk and sk_file of a secretbox
}

// enc encrypts a text as box_type says: sealedbox, which needs the public key
// only, or secretbox.
func enc(c *salt.Ctx, a dataArgs) (any, error) {
	k := keys(c, old(a.Kwargs))
	if k.boxType == "secretbox" {
		return k.secretEncrypt(a.Data)
	}
	return k.sealedEncrypt(a.Data)
}

// dec decrypts what enc made.
func dec(c *salt.Ctx, a dataArgs) (any, error) {
	k := keys(c, old(a.Kwargs))
	if k.boxType == "secretbox" {
		return k.secretDecrypt(a.Data)
	}
	return k.sealedDecrypt(a.Data)
}

// sealedboxEncrypt encrypts a text for the owner of the secret key, with the
// public one.
func sealedboxEncrypt(c *salt.Ctx, a dataArgs) (any, error) {
	return keys(c, a.Kwargs).sealedEncrypt(a.Data)
}

// sealedboxDecrypt decrypts what was encrypted with the public key.
func sealedboxDecrypt(c *salt.Ctx, a dataArgs) (any, error) {
	return keys(c, a.Kwargs).sealedDecrypt(a.Data)
}

// secretboxEncrypt encrypts a text with the secret key.
func secretboxEncrypt(c *salt.Ctx, a dataArgs) (any, error) {
	return keys(c, a.Kwargs).secretEncrypt(a.Data)
}

// secretboxDecrypt decrypts what was encrypted with the secret key.
func secretboxDecrypt(c *salt.Ctx, a dataArgs) (any, error) {
	return keys(c, a.Kwargs).secretDecrypt(a.Data)
}

const nonceSize = 24

func (k *config) sealedEncrypt(data any) (any, error) {
	msg, err := message(data)
	if err != nil {
		return nil, err
	}
	pk, err := k.public()
	if err != nil {
		return nil, err
	}
	key, err := raw(pk, "ValueError", "The public key must be exactly 32 bytes long")
	if err != nil {
		return nil, err
	}
	out, err := box.SealAnonymous(nil, msg, key, rand.Reader)
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString(out), nil
}

func (k *config) sealedDecrypt(data any) (any, error) {
	if data == nil {
		return nil, nil
	}
	key, err := k.secretKey("TypeError", "PrivateKey must be created from a 32 bytes long raw secret key")
	if err != nil {
		return nil, err
	}
	msg, err := sealed(data)
	if err != nil {
		return nil, err
	}
	if len(msg) < box.AnonymousOverhead {
		return nil, value.Errorf("TypeError", "Input ciphertext must be at least %d long", box.AnonymousOverhead)
	}
	out, ok := box.OpenAnonymous(nil, msg, publicOf(key), key)
	if !ok {
		return nil, value.Errorf("CryptoError", "An error occurred trying to decrypt the message")
	}
	return k.opened(out), nil
}

func (k *config) secretEncrypt(data any) (any, error) {
	msg, err := message(data)
	if err != nil {
		return nil, err
	}
	key, err := k.secretKey("ValueError", "The key must be exactly 32 bytes long")
	if err != nil {
		return nil, err
	}
	var nonce [nonceSize]byte
	if _, err := rand.Read(nonce[:]); err != nil {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString(secretbox.Seal(nonce[:], msg, &nonce, key)), nil
}

func (k *config) secretDecrypt(data any) (any, error) {
	if data == nil {
		return nil, nil
	}
	key, err := k.secretKey("ValueError", "The key must be exactly 32 bytes long")
	if err != nil {
		return nil, err
	}
	msg, err := sealed(data)
	if err != nil {
		return nil, err
	}
	if len(msg) < nonceSize {
		return nil, value.Errorf("ValueError", "The nonce must be exactly %d bytes long", nonceSize)
	}
	out, ok := secretbox.Open(nil, msg[nonceSize:], (*[nonceSize]byte)(msg[:nonceSize]), key)
	if !ok {
		return nil, value.Errorf("CryptoError", "Decryption failed. Ciphertext failed verification")
	}
	return k.opened(out), nil
}

// message are the bytes to encrypt.
func message(data any) ([]byte, error) {
	switch v := data.(type) {
	case string:
		return []byte(v), nil
	case []byte:
		return v, nil
	}
	return nil, value.Errorf("TypeError", "expected str, bytes, or bytearray not <class '%s'>", value.TypeName(data))
}

// sealed are the bytes to decrypt.
func sealed(data any) ([]byte, error) {
	msg, err := message(data)
	if err != nil {
		return nil, err
	}
	return saltfilters.DecodeBase64(msg)
}

// opened is what was decrypted: text, or bytes if it is no UTF-8. From then on
// it is hidden in what the run says.
func (k *config) opened(b []byte) any {
	if k.c.Run != nil {
		k.c.Run.Seal(string(b))
	}
	if !utf8.Valid(b) {
		return b
	}
	return string(b)
}
